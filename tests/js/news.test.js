import assert from "node:assert/strict";
import { test } from "node:test";

import { words } from "../../static/js/clock.js";
import { isNews, toldAfter } from "../../static/js/live.js";
import { wayAt } from "../../static/js/moves.js";

const BEFORE = new Set(["old"]);
const PAGE = [{ game: "mine", version: "7" }];

test("a browser is told about the games that the connection names, and about none once it is lost", () => {
  assert.deepEqual(toldAfter({ hello: ["mine"] }, BEFORE), new Set(["mine"]));
  assert.deepEqual(toldAfter({ heard: ["yours"] }, BEFORE), new Set(["yours"]));
  assert.deepEqual(toldAfter({ lost: true }, BEFORE), new Set());
  assert.equal(toldAfter({ game: "mine", version: "8" }, BEFORE), BEFORE);
});

test("a page asks when its game has another version, and when a connection opens that covers its game", () => {
  assert.equal(isNews({ game: "mine", version: "8" }, PAGE), true);
  assert.equal(isNews({ game: "mine", version: "7" }, PAGE), false);
  assert.equal(isNews({ game: "yours", version: "8" }, PAGE), false);
  assert.equal(isNews({ hello: ["yours", "mine"] }, PAGE), true);
  assert.equal(isNews({ hello: ["yours"] }, PAGE), false);
  for (const message of [{ heard: ["mine"] }, { lost: true }]) assert.equal(isNews(message, PAGE), false);
});

test("a unit goes to the end of its arrow, and one that fails turns back before it", () => {
  assert.deepEqual([0, 0.5, 1].map((time) => wayAt(time, false)), [0, 0.5, 1]);
  const [start, middle, end] = [0, 0.5, 1].map((time) => wayAt(time, true));
  assert.ok(start === 0 && end === 0 && middle !== undefined && middle > 0 && middle < 1);
});

test("a countdown is shown in its two largest units", () => {
  const told = [-1, 0, 59, 60, 3599, 3600, 86399, 86400, 200000].map(words);
  assert.deepEqual(told, [
    "due any moment now", "due any moment now", "59 seconds left", "1 minute left", "59 minutes 59 seconds left", "1 hour left",
    "23 hours 59 minutes left", "1 day left", "2 days 7 hours left",
  ]);
});
