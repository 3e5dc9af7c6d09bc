// A map that is moved and enlarged by finger, wheel, mouse, keys and buttons. Only a transform changes, so that nothing
// is laid out anew on the way.

const MOST = 9;
const STEP = 1.5;
const DRAG = 6;                // pixels that a finger may tremble
const READABLE = 0.68;         // pixels for a map unit at which a small screen opens
const NAMED = 1.45;            // from here on names fit where abbreviations were
const NARROW = "(width < 48rem)";
const TALLEST = 0.6;           // of a narrow window
const COASTING = 200;          // milliseconds in which a wheel still moves the page

let scrolled = -COASTING;
addEventListener("scroll", (event) => { scrolled = event.timeStamp; }, { passive: true });

const KEYS = { "+": (zoom) => zoom.by(STEP), "=": (zoom) => zoom.by(STEP), "-": (zoom) => zoom.by(1 / STEP), 0: (zoom) => zoom.whole() };
const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const BUTTONS = [
  ["+", "Zoom in", (zoom) => zoom.by(STEP)],
  ["−", "Zoom out", (zoom) => zoom.by(1 / STEP)],
  ["Whole map", "", (zoom) => zoom.whole()],
];

const bound = (value, least, most) => Math.min(most, Math.max(least, value));
const middleOf = (points) => points.reduce((sum, at) => ({ x: sum.x + at.x / points.length, y: sum.y + at.y / points.length }), { x: 0, y: 0 });
const spanOf = ([one, other]) => Math.hypot(one.x - other.x, one.y - other.y);

export class Zoom {
  /** `view` holds the map and nothing else. */
  constructor(view) {
    this.view = view;
    this.map = view.querySelector(".board");
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.fingers = new Map();
    this.map.classList.add("is-movable");
    view.classList.add("can-zoom");
    this.addButtons();
    this.listen();
    new ResizeObserver(() => this.measure()).observe(view.parentElement);
    this.measure();
  }

  addButtons() {
    const bar = document.createElement("div");
    bar.className = "zoom-bar";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Size of the map");
    for (const [text, label, act] of BUTTONS) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: text, className: "button" });
      if (label) button.setAttribute("aria-label", label);
      button.addEventListener("click", () => act(this));
      bar.append(button);
    }
    this.view.after(bar);
  }

  listen() {
    const { view } = this;
    view.addEventListener("pointerdown", (event) => this.put(event));
    view.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) view.addEventListener(end, (event) => this.lift(event));
    view.addEventListener("click", (event) => this.swallow(event), true);
    view.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    view.addEventListener("keydown", (event) => this.press(event));
    view.addEventListener("dragstart", (event) => event.preventDefault());
  }

  /** Sizes, whenever the room for the map changes; what was in the middle stays there. */
  measure() {
    const { view, map } = this;
    const width = view.clientWidth;
    if (!width || width === this.width) return;
    const middle = this.width ? this.middle() : null;
    view.style.blockSize = "";
    this.width = width;
    this.mapWidth = map.clientWidth || width;
    this.mapHeight = map.clientHeight || width;
    const narrow = matchMedia(NARROW).matches;
    const opening = narrow ? Math.max(1, READABLE / (this.mapWidth / map.viewBox.baseVal.width)) : 1;
    this.height = narrow ? Math.min(this.mapHeight * opening, innerHeight * TALLEST) : this.mapHeight;
    view.style.blockSize = `${this.height}px`;
    this.least = Math.min(1, this.height / this.mapHeight);
    if (middle) return this.show(this.scale, middle);
    this.scale = opening;
    return this.show(opening, this.home());
  }

  /** Where the map opens, in pixels of the unmoved map: at the player's home, for others at its middle. */
  home() {
    const names = (this.view.dataset.homes ?? "").split(" ").filter(Boolean);
    const homes = names.map((name) => this.map.querySelector(`[data-province="${name}"]`)).filter(Boolean);
    if (!homes.length) return { x: this.mapWidth * 0.48, y: this.mapHeight / 2 };
    const frame = this.map.getBoundingClientRect();
    const by = frame.width / this.map.clientWidth;
    return middleOf(homes.map((home) => {
      const box = home.getBoundingClientRect();
      return { x: (box.x + box.width / 2 - frame.x) / by, y: (box.y + box.height / 2 - frame.y) / by };
    }));
  }

  middle() {
    return { x: (this.width / 2 - this.x) / this.scale, y: (this.height / 2 - this.y) / this.scale };
  }

  show(scale, middle) {
    this.scale = bound(scale, this.least, MOST);
    this.x = this.width / 2 - middle.x * this.scale;
    this.y = this.height / 2 - middle.y * this.scale;
    this.draw();
  }

  whole() {
    this.show(this.least, { x: this.mapWidth / 2, y: this.mapHeight / 2 });
  }

  /** Larger or smaller, around a point of the view. */
  by(factor, at = { x: this.width / 2, y: this.height / 2 }) {
    const scale = bound(this.scale * factor, this.least, MOST);
    const real = scale / this.scale;
    this.x = at.x - (at.x - this.x) * real;
    this.y = at.y - (at.y - this.y) * real;
    this.scale = scale;
    this.draw();
  }

  pan(x, y) {
    this.x += x;
    this.y += y;
    this.draw();
  }

  get isWhole() {
    return this.scale <= this.least * 1.001;
  }

  /** One frame at most draws all that happened since the last one. */
  draw() {
    this.keepInside();
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.map.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
      this.view.classList.toggle("is-whole", this.isWhole);
      this.writeNames((this.scale * this.mapWidth) / this.map.viewBox.baseVal.width >= NAMED);
      this.view.dispatchEvent(new Event("moved"));
    });
  }

  keepInside() {
    const axis = (offset, room, size) => (size <= room ? (room - size) / 2 : bound(offset, room - size, 0));
    this.x = axis(this.x, this.width, this.mapWidth * this.scale);
    this.y = axis(this.y, this.height, this.mapHeight * this.scale);
  }

  /** Names where there is room for them, else abbreviations. */
  writeNames(named) {
    if (this.named === named) return;
    this.named = named;
    this.view.classList.toggle("is-named", named);
    for (const label of this.map.querySelectorAll(".labels text, .sea-labels text")) {
      label.dataset.short ??= label.textContent;
      const place = this.map.querySelector(`[data-province="${label.dataset.short.toUpperCase()}"] title`);
      label.textContent = named && place ? place.textContent : label.dataset.short;
    }
  }

  at(event) {
    const frame = this.view.getBoundingClientRect();
    return { x: event.clientX - frame.x, y: event.clientY - frame.y };
  }

  put(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    if (!this.fingers.size) this.dragged = false;
    this.fingers.set(event.pointerId, this.at(event));
    this.start = this.at(event);
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = this.at(event);
    if (!this.dragged && this.fingers.size === 1 && spanOf([this.start, now]) < DRAG) return;
    if (!this.dragged) this.hold(event);
    const old = [...this.fingers.values()];
    this.fingers.set(event.pointerId, now);
    const fresh = [...this.fingers.values()];
    const [from, to] = [middleOf(old), middleOf(fresh)];
    this.pan(to.x - from.x, to.y - from.y);
    if (old.length === 2) this.by(spanOf(fresh) / (spanOf(old) || 1), to);
  }

  /** From here on it is a drag, and its end is no click. */
  hold(event) {
    this.dragged = true;
    this.map.classList.add("is-moving");
    if (!this.view.hasPointerCapture(event.pointerId)) this.view.setPointerCapture(event.pointerId);
  }

  lift(event) {
    if (!this.fingers.delete(event.pointerId) || this.fingers.size) return;
    this.map.classList.remove("is-moving");
    setTimeout(() => { this.dragged = false; });
  }

  swallow(event) {
    if (!this.dragged) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** A wheel that was moving the page, or can make the map no smaller, goes on to move the page. */
  turn(event) {
    const forPage = (event.deltaY > 0 && this.isWhole) || event.timeStamp - scrolled < COASTING;
    if (forPage && !event.ctrlKey) return;
    event.preventDefault();
    const lines = event.deltaMode ? 30 : 1;
    this.by(Math.exp(-bound(event.deltaY * lines, -120, 120) * (event.ctrlKey ? 0.01 : 0.003)), this.at(event));
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== this.view) return;
    const arrow = !this.isWhole && ARROWS[event.key];
    if (arrow) this.pan(arrow[0] * 60, arrow[1] * 60);
    else if (KEYS[event.key]) KEYS[event.key](this);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
