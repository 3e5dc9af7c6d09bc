import css from "@eslint/css";
import js from "@eslint/js";
import baseline from "eslint-plugin-baseline-js";
import globals from "globals";

const TEXT_AS_MARKUP = ["innerHTML", "outerHTML", "insertAdjacentHTML", "createContextualFragment", "setHTMLUnsafe"];

/** What people read: two words, one that begins a sentence, or something that goes on; but no selector and no list of classes. */
const READ = String.raw`/^(?!\.|.*([[=]|--|\w:\w)|[a-z -]+-[a-z]+$)(.*\p{L}{2} \p{L}{2}|[A-Z][a-z]+[.:]?$|.*…)/u`;
const SAID = "CallExpression[callee.name=/^(said|counted)$/] > *";
const UNSEEN = [
  "NewExpression[callee.name='Error'] *", "Property[key.name=/^class/] > *", "BinaryExpression > *",
  "CallExpression[callee.property.name=/^(replace|supports)$/] > *",
];
const WORDS = `:matches(Literal[value=${READ}], TemplateElement[value.cooked=${READ}]):not(${[SAID, ...UNSEEN].join()})`;

/** What every browser has had since then; README.md names the versions. */
const SINCE = 2023;
/** Newer, but without it nothing is lost: pages look a little plainer, or a button is not there. */
const PLAINER = {
  allowProperties: [
    "accent-color", "field-sizing", "forced-color-adjust", "overscroll-behavior", "overscroll-behavior-x", "paint-order",
    "print-color-adjust", "resize", "scrollbar-width", "text-size-adjust", "text-wrap", "user-select",
  ],
  allowPropertyValues: { "break-after": ["avoid"] },
  allowSelectors: ["fullscreen", "selection"],
  allowAtRules: ["page"],
};
/** Asked for before they are used, or older in all but one way that does not matter here. */
const ASKED_FOR = ["abortsignal-timeout", "async-clipboard", "badging", "notifications", "share"];

export default [
  { files: ["static/css/**"], language: "css/css", plugins: { css }, rules: { "css/use-baseline": ["error", { available: SINCE, ...PLAINER }] } },
  {
    files: ["static/js/**", "templates/**/*.js"],
    plugins: { "baseline-js": baseline },
    rules: {
      "baseline-js/use-baseline": [
        "error",
        { available: SINCE, includeWebApis: { preset: "auto" }, includeJsBuiltins: { preset: "auto" }, ignoreFeatures: ASKED_FOR },
      ],
    },
  },
  { files: ["**/*.js"], ...js.configs.recommended },
  {
    files: ["**/*.js"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      complexity: ["error", 8],
      "consistent-return": "error",
      eqeqeq: "error",
      "max-depth": ["error", 2],
      "max-len": ["error", { code: 160 }],
      "no-else-return": "error",
      "no-param-reassign": "error",
      "no-restricted-properties": ["error", ...TEXT_AS_MARKUP.map((property) => ({ property, message: "What anybody wrote is put into a page as text." }))],
      "no-shadow": "error",
      "no-unused-expressions": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  {
    files: ["static/js/**", "templates/**/*.js"],
    languageOptions: { globals: globals.browser },
    rules: { "no-restricted-syntax": ["error", { selector: WORDS, message: "Write words as messages, with said(…) or counted(…)." }] },
  },
  { files: ["templates/**/worker.js"], languageOptions: { globals: globals.serviceworker } },
  { files: ["tests/js/**"], languageOptions: { globals: globals.node } },
];
