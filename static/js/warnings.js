// Warnings are also shown at their lines, and waved away for the phase.

import { all, find, make, the } from "./dom.js";
import { read, write } from "./kept.js";

/** @param {HTMLFormElement} form */
export function watchWarnings(form) {
  const link = find(HTMLElement, "[data-warnings]");
  if (!link) return;
  const key = `waved ${form.action}`;
  const mark = the(HTMLInputElement, "[name=mark]", form).value;
  const waved = () => read(localStorage, key)?.[mark] ?? [];
  const show = () => {
    for (const old of all(HTMLElement, ".warned")) old.remove();
    for (const line of all(HTMLElement, "li[data-about]")) {
      const select = all(HTMLSelectElement, "select[data-orders]", form).find(({ value }) => value === line.dataset.about);
      const box = the(HTMLInputElement, "input", line);
      box.checked = waved().includes(box.value);
      box.onchange = (event) => event.stopPropagation(); // it is no order
      box.oninput = (event) => {
        event.stopPropagation();
        write(localStorage, key, { [mark]: [...waved(), box.value] });
        show();
      };
      line.hidden = box.checked || !select;
      const row = line.matches("#warnings :not([hidden])") && select?.closest("[data-row], [data-bid]");
      if (row) row.append(make("p", { className: "small soft warned", textContent: the(HTMLElement, "span", line).textContent }));
    }
    link.hidden = !find(HTMLElement, ".warned");
  };
  show();
  for (const sign of ["choices", "saved", "htmx:oobAfterSwap"]) form.addEventListener(sign, show);
}
