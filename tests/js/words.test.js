// What scripts say is a message, in the language of the page.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.django = {
  gettext: (message) => (message === "{n} of {all}" ? "von {all} {n}" : message),
  ngettext: (one, many, n) => (one === "{n} day" ? ["{n} Tag", "{n} Tage"][Number(n > 1)] : n === 1 ? one : many),
};
const { counted, said } = await import("../../static/js/words.js");
const eslint = await import("eslint").catch(() => null);

test("a message is filled in the order of its translation, and without one it stays as written", () => {
  assert.deepEqual([said("{n} of {all}", { n: 1, all: "{n}" }), said("Whole {map}")], ["von {n} 1", "Whole {map}"]);
});

test("the language decides by a number", () => {
  assert.deepEqual([0, 1, 2].map((n) => counted("{n} day", "{n} days", n)), ["0 Tag", "1 Tag", "2 Tage"]);
  assert.deepEqual([0, 1, 2].map((n) => counted("{n} bid", "{n} bids", n)), ["0 bids", "1 bid", "2 bids"]);
});

test("words that are no message are refused", { skip: !eslint }, async () => {
  const check = new eslint.ESLint();
  const refused = async (/** @type {string} */ written) => {
    const [{ messages }] = await check.lintText(`export const words = (n) => ${written};\n`, { filePath: "static/js/any.js" });
    return messages.filter(({ ruleId }) => ruleId === "no-restricted-syntax").length;
  };
  const words = ['"Undo"', '"which one?"', '"Saving…"', "`${n} points left`", "said(`${n} points left`)", 'said(n ? "one left" : "")'];
  const none = ['said("Undo")', 'counted("one bid", "{n} bids", n)', 'find("main form[action]")', '"button--quiet is-on"', 'n.key === "Escape"'];
  for (const written of words) assert.equal(await refused(written), 1, written);
  for (const written of none) assert.equal(await refused(written), 0, written);
});
