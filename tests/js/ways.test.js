import assert from "node:assert/strict";
import { test } from "node:test";

import { complete, endsOf, fitting, nextSteps, placesIn, question, waysInWords, waysOnMap, wordsIn } from "../../static/js/ways.js";

const offer = (heading, value, label) => ({ heading, value, label });
const MUNICH = [
  offer("Hold", "A MUN H", "A Mun holds"),
  offer("Move", "A MUN - BUR", "A Mun–Bur"),
  offer("Move", "A MUN - SIL", "A Mun–Sil"),
  offer("Support hold", "A MUN S A BER", "A Mun S A Ber"),
  offer("Support move", "A MUN S A BER - SIL", "A Mun S A Ber–Sil"),
  offer("Support move", "A MUN S F KIE - BER", "A Mun S F Kie–Ber"),
];
const COASTS = [offer("Move", "F POR - SPA/NC", "F Por–Spa/nc"), offer("Move", "F POR - SPA/SC", "F Por–Spa/sc")];
const BUILDS = [offer("Build", "BUILD A BER", "Build A Ber"), offer("Build", "BUILD F BER", "Build F Ber"), offer("", "WAIVE", "Waive")];
const MUSTER = [offer("Hold", "A BUL H", "A Bul holds"), offer("Hold", "F BUL/EC H", "F Bul/ec holds"), offer("Move", "A BUL - SER", "A Bul–Ser")];

const pathsOf = (ways) => ways.map(({ path }) => path);

test("an order is chosen in a form by its kind, then by what its label names", () => {
  assert.deepEqual(pathsOf(waysInWords(MUNICH, false)), [
    ["Hold"],
    ["Move", "Bur"],
    ["Move", "Sil"],
    ["Support hold", "A Ber"],
    ["Support move", "A Ber", "Sil"],
    ["Support move", "F Kie", "Ber"],
  ]);
});

test("an order is given on the map by its kind, then by taps on provinces", () => {
  const ways = waysOnMap(MUNICH);
  assert.deepEqual(ways.map(({ path }) => [wordsIn(path), placesIn(path)]), [
    [["Hold"], []],
    [["Move"], ["BUR"]],
    [["Move"], ["SIL"]],
    [["Support hold"], ["BER"]],
    [["Support move"], ["BER", "SIL"]],
    [["Support move"], ["KIE", "BER"]],
  ]);
});

test("builds and waivers are chosen in one step", () => {
  assert.deepEqual(pathsOf(waysOnMap(BUILDS)), [["Build A Ber"], ["Build F Ber"], ["Waive"]]);
});

test("if a unit may take several forms, its order begins with the form", () => {
  assert.deepEqual(pathsOf(waysInWords(MUSTER, true)), [["A Bul", "Hold"], ["F Bul/ec", "Hold"], ["A Bul", "Move", "Ser"]]);
  assert.deepEqual(pathsOf(waysInWords(MUSTER, false)), [["Hold"], ["Hold"], ["Move", "Ser"]]);
  assert.deepEqual(waysOnMap(MUSTER).map(({ path }) => path[0]), ["A BUL", "F BUL/EC", "A BUL"]);
});

test("only what fits is offered next, each step once", () => {
  const ways = waysInWords(MUNICH, false);
  assert.deepEqual(nextSteps(ways, []), ["Hold", "Move", "Support hold", "Support move"]);
  assert.deepEqual(nextSteps(ways, ["Support move"]), ["A Ber", "F Kie"]);
  assert.deepEqual(nextSteps(ways, ["Hold"]), []);
  assert.deepEqual(fitting(ways, ["Move"]).map(({ value }) => value), ["A MUN - BUR", "A MUN - SIL"]);
});

test("a step that is the only way on is taken by itself, but never the first one", () => {
  const ways = waysInWords(MUNICH, false);
  assert.deepEqual(complete(ways, ["Support hold"]), ["Support hold", "A Ber"]);
  assert.deepEqual(complete(ways, ["Support move", "F Kie"]), ["Support move", "F Kie", "Ber"]);
  assert.deepEqual(complete(ways, ["Support move"]), ["Support move"]);
  assert.deepEqual(complete(ways.slice(0, 1), []), []);
});

test("an order that ends where another goes on stays within reach", () => {
  const ways = [{ value: "short", label: "", path: ["A"] }, { value: "long", label: "", path: ["A", "B"] }];
  assert.deepEqual(complete(ways, ["A"]), ["A"]);
  assert.deepEqual(endsOf(ways, ["A"]).ends.map(({ value }) => value), ["short"]);
});

test("coasts are asked for last, as they share a province", () => {
  const ways = waysOnMap(COASTS);
  const taken = complete(ways, ["Move"]);
  const { ends, isCoast } = endsOf(ways, taken);
  assert.deepEqual([placesIn(taken), ends.length, isCoast], [["SPA"], 2, true]);
  assert.equal(question(taken, "Fleet in Portugal", false, isCoast), "Move: to which coast?");
});

test("the map asks for each place in turn", () => {
  assert.equal(question(["Support move"], "Army", true, false), "Support move: support which unit? Tap a highlighted province.");
  assert.equal(question(["Support move", "@BER"], "Army", true, false), "Support move: into which province? Tap a highlighted province.");
  assert.equal(question(["A Bul"], "Unit in Bulgaria", false, false), "Unit in Bulgaria: which?");
});
