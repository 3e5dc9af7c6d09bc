// A place that is tapped on the map is chosen in the list beside it.

const form = document.querySelector("[data-places]");
const choice = form.elements.namedItem("place");

document.querySelector(".board-view")?.addEventListener("click", ({ clientX, clientY }) => {
  const hit = document.elementsFromPoint(clientX, clientY).map((part) => part.closest("[data-province]")).find(Boolean);
  const place = hit?.dataset.province;
  if (!place || ![...choice.options].some((option) => option.value === place)) return;
  choice.value = place;
  form.requestSubmit();
});

document.getElementById("unit")?.focus({ preventScroll: true });
