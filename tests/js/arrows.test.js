import assert from "node:assert/strict";
import { test } from "node:test";

import { along, arrowFor, bow, keyOf, read, readPlaces, Scene } from "../../static/js/arrows.js";

const PLACES = readPlaces("BER 100 100;SIL 200 100;SPA 300 300;SPA/NC 310 280;MUN 100 200;PAR 400 200");
const army = (location, dislodged = false, colour = "3") => ({ location, colour, dislodged });
const sceneOf = (...tokens) => new Scene(PLACES, tokens, (province) => (province === "PAR" ? "2" : undefined));
const order = (text, points = 0, isRetreat = false) => arrowFor(text, text, points, isRetreat);
const inside = (tag) => tag.slice(2).filter((child) => Array.isArray(child));
const named = (tag, name) => inside(tag).find(([, { class: style }]) => style === name);

for (const [text, kind, unit, target, aux, form] of [
  ["A MUN H", "hold", "MUN", "", "", "A MUN"],
  ["F BUL/EC - CON", "move", "BUL/EC", "CON", "", "F BUL/EC"],
  ["A LON - BEL VIA", "move", "LON", "BEL", "", "A LON"],
  ["A MUN S A BER", "support-hold", "MUN", "BER", "", "A MUN"],
  ["A MUN S A BER - SIL", "support-move", "MUN", "SIL", "BER", "A MUN"],
  ["F ENG C A LON - BEL", "convoy", "ENG", "BEL", "LON", "F ENG"],
  ["A MUN D", "disband", "MUN", "", "", "A MUN"],
  ["DISBAND A MUN", "disband", "MUN", "", "", "A MUN"],
  ["BUILD F SPA/NC", "build", "SPA/NC", "SPA/NC", "", "F SPA/NC"],
  ["MUN - SIL", "move", "MUN", "SIL", "", "MUN"],
]) {
  test(`${text} is read as what it does and where`, () => {
    assert.deepEqual(read(text), { kind, unit, target, aux, form });
  });
}

test("an order without a place is not drawn", () => {
  for (const text of ["WAIVE", "", "DECLARE WAR"]) assert.equal(read(text), null);
});

test("a move and a retreat have one key, other orders have their own", () => {
  const [move, support] = [read("A MUN - SIL"), read("A MUN S A SIL")];
  assert.equal(keyOf({ ...move, kind: "retreat" }), keyOf(move));
  assert.notEqual(keyOf(support), keyOf(move));
});

test("a curve bends to its right and keeps its distance from both ends", () => {
  const { a, control, b } = bow({ x: 0, y: 0 }, { x: 100, y: 0 }, 15, 5);
  assert.ok(control.y > 0);
  assert.ok(Math.abs(Math.hypot(a.x, a.y) - 15) < 1e-6);
  assert.ok(Math.abs(Math.hypot(100 - b.x, b.y) - 5) < 1e-6);
  assert.deepEqual([along({ a, control, b }, 0), along({ a, control, b }, 1)], [a, b]);
});

test("a curve between neighbours is never longer than its gaps leave", () => {
  const { a, b } = bow({ x: 0, y: 0 }, { x: 10, y: 0 }, 15, 15);
  assert.ok(a.x > 0 && a.x < b.x && b.x < 10);
});

test("a curve from a place to itself has no length and is no error", () => {
  const { a, control, b } = bow({ x: 7, y: 7 }, { x: 7, y: 7 });
  assert.deepEqual([a, control, b], Array(3).fill({ x: 7, y: 7 }));
});

test("an order says what it does, a bid also what it costs, and a move of a dislodged unit is a retreat", () => {
  assert.equal(order("A MUN - SIL").title, "A MUN - SIL");
  assert.equal(order("A MUN - SIL", 1).title, "Bid of 1 point: A MUN - SIL");
  assert.equal(order("A MUN - SIL", 2).title, "Bid of 2 points: A MUN - SIL");
  assert.deepEqual([order("A MUN - SIL", 0, true).kind, order("A MUN D", 0, true).kind], ["retreat", "disband"]);
  assert.equal(order("WAIVE"), null);
});

test("orders are laid over each other by kind, then by place, whichever was chosen first", () => {
  const { orders } = sceneOf().draw(["A SIL S A BER", "A MUN - SIL", "A BER - SIL", "A PAR H"].map((text) => order(text)));
  assert.deepEqual(orders.map(([, { "data-unit": unit }]) => unit), ["PAR", "BER", "MUN", "SIL"]);
});

test("an order that names a place which the map does not have is not drawn", () => {
  const { orders, verdicts } = sceneOf().draw([order("A MUN - XXX"), order("A XXX D"), order("A MUN S A XXX - SIL")]);
  assert.deepEqual([orders, verdicts], [[], []]);
});

test("only a unit that leaves is drawn where dislodged units stand", () => {
  const scene = sceneOf(army("MUN", false, "1"), army("MUN", true, "2"));
  assert.deepEqual(scene.start("MUN", true), { x: 118, y: 184 });
  assert.deepEqual(scene.start("MUN", false), { x: 100, y: 200 });
  assert.deepEqual(sceneOf(army("MUN")).start("MUN", true), { x: 100, y: 200 });
  const { orders } = scene.draw([order("A MUN - BER", 0, true), order("A MUN H")]);
  assert.deepEqual(orders.map(([, { "data-colour": colour }]) => colour), ["1", "2"]);
});

test("an order without a unit has the colour of the land, or no power's", () => {
  const { orders, units } = sceneOf().draw([order("BUILD A PAR"), order("BUILD A MUN")]);
  assert.deepEqual([...orders, ...units].map(([, { "data-colour": colour }]) => colour), ["minor", "2", "minor", "2"]);
});

test("an arrow stops short of a unit at its end, and comes closer to an empty place", () => {
  const [[empty], [taken]] = [sceneOf(), sceneOf(army("SIL"))].map((scene) => scene.draw([order("A BER - SIL")]).orders);
  const endOf = (tag) => Number(named(tag, "line")[1].d.match(/ ([\d.]+) [\d.]+$/)[1]);
  assert.ok(endOf(empty) - endOf(taken) > 10);
});

test("helpers of one move meet it side by side", () => {
  const { orders } = sceneOf().draw([order("A MUN S A BER - SIL"), order("A PAR S A BER - SIL"), order("A SPA S A BER - SIL")]);
  assert.equal(new Set(orders.map((tag) => named(tag, "knob")[1].cx)).size, 3);
});

test("the points of a bid are drawn on top of everything", () => {
  const { verdicts: [sign, ...others] } = sceneOf().draw([order("A MUN - SIL", 3), order("A BER - SIL")]);
  assert.deepEqual(others, []);
  assert.deepEqual(named(sign, "bid").at(-1), ["text", { y: 4, "font-size": 11 }, "3"]);
});

test("a unit to be built is drawn on its site with the letter of its kind", () => {
  const { units: [unit] } = sceneOf().draw([order("BUILD F SPA/NC")]);
  assert.equal(unit[1].transform, "translate(310.0 280.0)");
  assert.equal(inside(unit).at(-1).at(-1), "F");
});
