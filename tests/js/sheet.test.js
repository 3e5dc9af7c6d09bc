// What a sheet counts, keeps and reads. Its form is a page's; here its controls are what they hold.

import assert from "node:assert/strict";
import { test } from "node:test";

import { saysMore, toKeep } from "../../static/js/draft.js";
import { readBid, readLines, spellings, spentOn } from "../../static/js/form.js";
import { read, write } from "../../static/js/kept.js";

const SHOWN = { orders: { "order-MUN": "A MUN H" }, bids: [["", "", ""]], text: null };
const CHANGED = { ...SHOWN, orders: { "order-MUN": "A MUN - SIL" } };
const KNOWN = spellings({ AUS: [["A AUS S A MUN - CZE", "A Aus S A Mun–Cze", "Support move"]], HUN: [["A HUN H", "A Hun holds", "Hold"]] });

const bid = (minor, points) => ({ minor: { value: minor }, points: { value: points } });

test("a draft says more if it differs from what the server sent", () => {
  assert.ok(saysMore({ ...CHANGED, mark: "1" }, SHOWN, false));
  assert.ok(!saysMore({ ...SHOWN, mark: "1" }, SHOWN, false));
});

test("a draft is newer than what it was begun with, though a browser sends that again", () => {
  assert.ok(saysMore({ ...CHANGED, mark: "1", came: JSON.stringify(Object.values(SHOWN)) }, SHOWN, true));
});

test("what the server sent unsaved is newer than any other draft", () => {
  assert.ok(!saysMore({ ...CHANGED, mark: "1", came: JSON.stringify(Object.values(CHANGED)) }, SHOWN, true));
});

test("anything on this device that no order page wrote is left alone", () => {
  for (const draft of [null, 7, "text", {}, { orders: {} }, { orders: {}, bids: "" }]) assert.ok(!saysMore(draft, SHOWN, false));
});

test("only what is not on the server is kept, with the mark of its phase and the code of the orders it follows", () => {
  const seen = { mark: "1", after: "c0de" };
  assert.equal(toKeep(SHOWN, SHOWN, false, seen), null);
  assert.deepEqual(toKeep(CHANGED, SHOWN, false, seen), { ...CHANGED, ...seen });
  assert.deepEqual(toKeep(SHOWN, SHOWN, true, seen), { ...SHOWN, ...seen });
});

test("what is kept can be read again; without storage nothing is kept, and nothing breaks", () => {
  const held = new Map();
  const storage = {
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => held.set(key, value),
    removeItem: (key) => held.delete(key),
  };
  write(storage, "key", CHANGED);
  assert.deepEqual(read(storage, "key"), CHANGED);
  write(storage, "key", null);
  assert.deepEqual([read(storage, "key"), held.size], [null, 0]);
  held.set("key", "{half");
  assert.equal(read(storage, "key"), null);
  const refuse = () => { throw new Error("refused"); };
  const broken = { getItem: refuse, setItem: refuse, removeItem: refuse };
  write(broken, "key", CHANGED);
  assert.equal(read(broken, "key"), null);
});

test("points count only if a minor is named", () => {
  assert.equal(spentOn([bid("AUS", "2"), bid("", "5"), bid("HUN", ""), bid("ROM", "x"), bid("SER", "1")]), 3);
});

test("a typed bid is understood however it is spaced, dashed and capitalised", () => {
  const meant = { points: "2", minor: "AUS", order: "A AUS S A MUN - CZE" };
  for (const line of ["2: A AUS S A MUN - CZE", " 2 :a aus  s a mun–cze ", "2:A Aus S A Mun—Cze"]) assert.deepEqual(readBid(line, KNOWN), meant);
  assert.deepEqual(readBid("1: a hun holds", KNOWN), { points: "1", minor: "HUN", order: "A HUN H" });
});

const LISTS = [["A MUN H", "A Mun holds"], ["A MUN - CZE", "A Mun–Cze"]].map(([value, label]) => ({ value, label, heading: "" }));
const readSheet = (text, lists = [LISTS], most = 2) => readLines(text, lists, ["BUILDS: "], KNOWN, most);

test("a text that is spelt like the lists chooses in them, and its other lines are left", () => {
  const { values, bids, rest } = readSheet("a mun - cze\n2: A Hun holds\nbuilds: A Ber, waive\n A Ber-Atl \n\nA Mun H");
  assert.deepEqual([values, [...bids.values()]], [["A MUN H", "A Ber, waive"], [{ minor: "HUN", points: "2", order: "A HUN H" }]]);
  assert.deepEqual(rest, ["a mun - cze", "A Ber-Atl"], "a second order of a unit is a mistake that stays");
});

test("each line chooses once, and a second bid for a minor or one without a row is left", () => {
  const waive = { value: "WAIVE", label: "Waive", heading: "" };
  const { values, rest } = readSheet("Waive\nWaive\nWaive", [[waive], [waive]]);
  assert.deepEqual([values, rest], [["WAIVE", "WAIVE", undefined], ["Waive"]]);
  assert.deepEqual(readSheet("1: A Hun H\n2: A Hun holds").rest, ["2: A Hun holds"]);
  assert.deepEqual(readSheet("1: A Hun H", [LISTS], 0).rest, ["1: A Hun H"]);
});

test("an empty text chooses nothing", () => {
  const { values, bids, rest } = readSheet("");
  assert.deepEqual([values, bids.size, rest], [[undefined, undefined], 0, []]);
});

test("any other line is not a bid", () => {
  for (const line of ["", "A AUS S A MUN - CZE", "2: A AUS - CZE", "two: A HUN H", "2:"]) assert.equal(readBid(line, KNOWN), null);
});
