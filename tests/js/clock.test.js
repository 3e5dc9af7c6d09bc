// Times as people say them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ago, lag, words } from "../../static/js/clock.js";

test("a wrong clock is corrected, and one that is nearly right is left alone", () => {
  const there = "Thu, 26 Nov 2026 12:00:00 GMT";
  const here = Date.parse(there);
  assert.equal(lag(there, here - 600_000), 600_000);
  assert.equal(lag(there, here + 600_000), -600_000);
  assert.equal(lag(there, here + 1_500), 0);
});

test("how long ago something was is said in its largest unit, for a week", () => {
  const said = [5, 60, 7_199, 7_200, 90_000, 6 * 86_400, 7 * 86_400].map(ago);
  assert.deepEqual(said, ["just now", "1 minute ago", "1 hour ago", "2 hours ago", "yesterday", "6 days ago", null]);
});

test("what is left is said in its two largest units", () => {
  assert.deepEqual([5_400, 61, 0].map(words), ["1 hour 30 minutes left", "1 minute 1 second left", "due any moment now"]);
});
