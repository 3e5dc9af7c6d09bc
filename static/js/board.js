// A map that is larger than its window opens at the player's home, for others at its middle.

const MIDDLE = 0.4;

function middleOf(shapes) {
  const boxes = shapes.map((shape) => shape.getBoundingClientRect());
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return {
    x: mean(boxes.map((box) => box.x + box.width / 2)),
    y: mean(boxes.map((box) => box.y + box.height / 2)),
  };
}

function openAt(view) {
  const names = (view.dataset.homes ?? "").split(" ").filter(Boolean);
  const homes = names.map((name) => view.querySelector(`[data-province="${name}"]`)).filter(Boolean);
  if (homes.length) {
    const frame = view.getBoundingClientRect();
    const home = middleOf(homes);
    view.scrollBy({ left: home.x - frame.x - frame.width / 2, top: home.y - frame.y - frame.height / 2, behavior: "instant" });
  } else {
    view.scrollLeft = (view.scrollWidth - view.clientWidth) * MIDDLE;
  }
}

function openNew() {
  for (const view of document.querySelectorAll(".board-view:not([data-opened])")) {
    view.dataset.opened = "";
    openAt(view);
  }
}

export function watchBoards() {
  openNew();
  document.addEventListener("htmx:load", openNew);
  document.addEventListener("change", (event) => {
    if (event.target.matches(".whole-map-switch")) openAt(event.target.closest(".board-box").querySelector(".board-view"));
  });
}
