// How long a page waits before it tries again to send orders.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pauseAfter } from "../../static/js/away.js";

test("the pauses grow to half a minute, and differ from page to page", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 9].map((tries) => pauseAfter(tries, 0)), [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  assert.equal(pauseAfter(9, 1), 45_000);
});
