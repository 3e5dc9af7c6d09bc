// A button beside each password that shows what was typed.

import { all, make } from "./dom.js";

for (const field of all(HTMLInputElement, "input[type=password]")) {
  const button = make("button", { type: "button", className: "button", textContent: "Show" });
  button.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-label", "Show the password");
  button.addEventListener("click", () => {
    const shows = field.type === "password";
    field.type = shows ? "text" : "password";
    button.setAttribute("aria-pressed", String(shows));
    button.textContent = shows ? "Hide" : "Show";
  });
  const line = make("div", { className: "copy-line" });
  field.classList.add("input");
  field.replaceWith(line);
  line.append(field, button);
}
