import assert from "node:assert/strict";
import { test } from "node:test";

import { coastOf, complete, contradicts, convoying, endsOf, fitting, helping, needsConvoy, nextSteps } from "../../static/js/ways.js";
import { placesIn, question, waysInWords, waysOnMap, wordsIn } from "../../static/js/ways.js";

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

test("on the map a move is a tap on its goal, and help is a button and then taps", () => {
  const ways = waysOnMap(MUNICH);
  assert.deepEqual(ways.map(({ path }) => [wordsIn(path), placesIn(path)]), [
    [["Hold"], []],
    [[], ["BUR"]],
    [[], ["SIL"]],
    [["Support hold"], ["BER"]],
    [["Support move"], ["BER", "SIL"]],
    [["Support move", "A Ber"], ["SIL"]],
    [["Support move"], ["KIE", "BER"]],
  ]);
});

test("a move that is helped is known by its goal alone, unless a unit that can be helped stands there", () => {
  const ways = waysOnMap(MUNICH);
  assert.deepEqual(fitting(ways, complete(ways, ["Support move", "@SIL"])).map(({ value }) => value), ["A MUN S A BER - SIL"]);
  assert.deepEqual(fitting(ways, ["Support move", "@BER"]).map(({ value }) => value), ["A MUN S A BER - SIL"]);
});

test("a unit that has a fitting order is helped with just that", () => {
  const ways = waysOnMap(MUNICH);
  const helped = (order) => helping(fitting(ways, ["Support move"]), (province) => (province === "BER" ? order : ""))?.value;
  assert.equal(helped("A BER - SIL"), "A MUN S A BER - SIL");
  for (const other of ["A BER - PRU", "A BER H", ""]) assert.equal(helped(other), undefined);
});

test("a goal with a unit in it is that unit, and is tapped only after the unit that goes there", () => {
  const ways = waysOnMap(MUNICH, (province) => province === "SIL");
  assert.deepEqual(placesIn(nextSteps(ways, ["Support move"])), ["BER", "KIE"]);
  assert.deepEqual(placesIn(nextSteps(ways, ["Support move", "@BER"])), ["SIL"]);
});

test("of two units that go there, none is helped unasked", () => {
  const both = [...MUNICH, offer("Support move", "A MUN S A WAR - SIL", "A Mun S A War–Sil")];
  const orders = { BER: "A BER - SIL", WAR: "A WAR - SIL" };
  assert.equal(helping(fitting(waysOnMap(both), ["Support move", "@SIL"]), (province) => orders[province] ?? ""), undefined);
});

test("help contradicts any other order of the unit that is helped, and none that it has not", () => {
  const by = (value, order) => contradicts({ value, label: "", path: [] }, () => order);
  assert.deepEqual(["A BER - SIL", "A BER - PRU", "A BER H", ""].map((order) => by("A MUN S A BER - SIL", order)), [false, true, true, false]);
  assert.deepEqual(["A BER - SIL", "A BER H", "A BER S A MUN", ""].map((order) => by("A MUN S A BER", order)), [true, false, false, false]);
  assert.equal(by("A MUN - SIL", "A SIL - BER"), false);
});

test("builds and waivers are chosen in one step", () => {
  assert.deepEqual(pathsOf(waysOnMap(BUILDS)), [["Build A Ber"], ["Build F Ber"], ["Waive"]]);
});

test("an army of a faction is chosen in words", () => {
  const armies = [offer("Communist army", "BUILD CA BRN", "Place CA Brn"), offer("Democratic army", "BUILD DA BRN", "Place DA Brn")];
  for (const ways of [waysOnMap(armies), waysInWords(armies, false)]) assert.deepEqual(pathsOf(ways), [["Communist army"], ["Democratic army"]]);
});

test("if a unit may take several forms, its order begins with the form; on the map it may end with it", () => {
  assert.deepEqual(pathsOf(waysInWords(MUSTER, true)), [["Army", "Hold"], ["Fleet, east coast", "Hold"], ["Army", "Move", "Ser"]]);
  assert.deepEqual(pathsOf(waysInWords(MUSTER, false)), [["Hold"], ["Hold"], ["Move", "Ser"]]);
  assert.deepEqual(pathsOf(waysOnMap(MUSTER)), [["Army", "Hold"], ["Fleet, east coast", "Hold"], ["@SER", "Army"], ["Army", "@SER"]]);
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

test("an army that can march is convoyed only if that is said", () => {
  const orders = ["A LON - YOR", "A LON - YOR VIA", "A LON - NWY"];
  const ways = waysOnMap(orders.map((order) => offer("Move", order, order)));
  assert.deepEqual(pathsOf(ways), [["@YOR"], ["By convoy", "@YOR"], ["@NWY"]]);
});

test("where a convoy has to be said for one goal it may be said for all, so that no goal is taken unasked", () => {
  const orders = ["A LON - YOR", "A LON - YOR VIA", "A LON - NWY VIA"];
  const ways = waysOnMap(orders.map((order) => offer("Move", order, order)));
  assert.deepEqual(pathsOf(ways), [["@YOR"], ["By convoy", "@YOR"], ["@NWY"], ["By convoy", "@NWY"]]);
  assert.deepEqual(complete(ways, ["By convoy"]), ["By convoy"]);
  assert.deepEqual(pathsOf(waysOnMap([offer("Move", "A LON - NWY VIA", "A Lon–Nwy")])), [["@NWY"]]);
});

test("a convoy that need not be is named by the goal of the march, in any language", () => {
  const ways = waysInWords([offer("Move", "A LON - YOR", "A Lon–Yor"), offer("Move", "A LON - YOR VIA", "per Geleit A Lon–Yor")], false);
  assert.deepEqual(pathsOf(ways), [["Move", "Yor"], ["Move", "Yor via convoy"]]);
});

test("coasts are asked for last, as they share a province", () => {
  const ways = waysOnMap(COASTS);
  const taken = complete(ways, ["@SPA"]);
  const { ends, isCoast } = endsOf(ways, taken);
  assert.deepEqual([placesIn(taken), ends.length, isCoast], [["SPA"], 2, true]);
  assert.equal(question(ways, taken, "F Por"), "F Por: which coast?");
  assert.deepEqual(ends.map(({ label }) => coastOf(label)), ["Spa, north coast", "Spa, south coast"]);
});

test("the map asks for each place in turn", () => {
  const ways = waysOnMap(MUNICH);
  assert.equal(question(ways, ["Support move"], "A Mun"), "Support move: choose the unit to support, or where it goes.");
  assert.equal(question(ways, ["Support move", "@BER"], "A Mun"), "Support move: choose where it goes.");
  assert.equal(question(waysOnMap(MUSTER), ["Army"], "Bul"), "Army: which one?");
});

test("a goal is reached by convoy alone if no other way leads there", () => {
  const ways = waysOnMap([
    { value: "A LON - NWY VIA", label: "A Lon–Nwy", heading: "Move" },
    { value: "A LON - YOR", label: "A Lon–Yor", heading: "Move" },
    { value: "A LON - YOR VIA", label: "A Lon–Yor by convoy", heading: "Move" },
  ]);
  assert.deepEqual(["@NWY", "@YOR"].map((goal) => needsConvoy(ways, [], goal)), [true, false]);
});

test("the way that convoys a move is found among those of a fleet, whatever the coast", () => {
  const ways = waysOnMap([
    { value: "F NTH C A LON - DEN", label: "F NTH C A Lon–Den", heading: "Convoy" },
    { value: "F NTH C A EDI - NWY", label: "F NTH C A Edi–Nwy", heading: "Convoy" },
    { value: "F NTH C A LON - NWY", label: "F NTH C A Lon–Nwy", heading: "Convoy" },
  ]);
  assert.equal(convoying(ways, "A LON - NWY VIA")?.value, "F NTH C A LON - NWY");
  assert.equal(convoying(ways, "A LON - SWE VIA"), undefined);
});
