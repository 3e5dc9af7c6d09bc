// A place that is tapped on the map is chosen in the list beside it.

const form = document.querySelector("form[data-choose]");
const choice = form.elements.namedItem("place");
const view = document.querySelector(".board-view");

view.classList.add("takes-orders");
view.addEventListener("click", ({ clientX, clientY }) => {
  const hit = document.elementsFromPoint(clientX, clientY).map((part) => part.closest("[data-province], [data-unit]")).find(Boolean);
  const place = hit?.dataset.province ?? hit?.dataset.unit.slice(0, 3);
  if (!place || ![...choice.options].some((option) => option.value === place)) return;
  choice.value = place;
  form.requestSubmit();
});

document.getElementById("unit")?.focus();
