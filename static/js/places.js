// Tapping a place on the map chooses it in the list beside it.

import { provinceOf } from "./arrows.js";
import { around, the } from "./dom.js";

const form = the(HTMLFormElement, "form[data-choose]");
const choice = the(HTMLSelectElement, "[name=place]", form);
const view = the(HTMLElement, ".board-view");

view.classList.add("takes-orders");
view.addEventListener("click", ({ clientX, clientY }) => {
  const [hit] = document.elementsFromPoint(clientX, clientY).flatMap((part) => around(SVGElement, "[data-province], [data-unit]", part) ?? []);
  const place = provinceOf(hit?.dataset.province ?? hit?.dataset.unit ?? "");
  if (!place || ![...choice.options].some((option) => option.value === place)) return;
  choice.value = place;
  form.requestSubmit();
});
