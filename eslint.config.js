import js from "@eslint/js";
import globals from "globals";

const TEXT_AS_MARKUP = ["innerHTML", "outerHTML", "insertAdjacentHTML", "createContextualFragment", "setHTMLUnsafe"];

export default [
  js.configs.recommended,
  {
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
  { files: ["static/js/**", "templates/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["templates/**/worker.js"], languageOptions: { globals: globals.serviceworker } },
  { files: ["tests/js/**"], languageOptions: { globals: globals.node } },
];
