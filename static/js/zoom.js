// Moving and enlarging a map by finger, wheel, mouse, keys and buttons, by a transform alone.

import { all, button, find, make, the } from "./dom.js";
import { read, write } from "./kept.js";
import { said } from "./words.js";

const STEP = 1.5;
const DRAG = 6;                // pixels by which a finger may tremble
const NAMED = 1.45;            // from this scale on names fit in place of abbreviations
const LEGIBLE = 11;            // pixels of a letter
const LEVELS = 8;              // steps in which the scale doubles
const AWAY = 4;                // pixels between a name and its marks
const FAR = 0.75;              // from this scale down owners have no letters
const TINY = 0.35;             // from this scale down names are larger than units
const LETTER = { width: 0.66, height: 0.9 };
const NARROW = "(width < 64rem)";
const LOW = "(height < 36rem)";
const COASTING = 200;          // milliseconds for which a wheel still moves the page
const PAN = 60;
const MOST = 9;
const MARGIN = 32;             // pixels around the units with which it opens
const WORTH_READING = 0.6;     // of the scale at which a map opens
const KEPT = "map ";
const READABLE = { small: 0.8, large: 0.93 }; // pixels per map unit with which a screen opens: units of 16, names of 11 pixels
const TALLEST = 0.5;           // of a small screen
const BAR = 52;                // pixels that the buttons cover: the map ends above them
const WHEEL = 120;             // the most that one turn counts
const LINE = 30;               // pixels, for wheels that count lines

/** @param {number} value @param {number} least @param {number} most */
const bound = (value, least, most) => Math.min(most, Math.max(least, value));

/** @param {Point[]} points */
export const middleOf = (points) => points.reduce((sum, at) => ({ x: sum.x + at.x / points.length, y: sum.y + at.y / points.length }), { x: 0, y: 0 });

/** @param {Point[]} points */
export function boundsOf(points) {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return { middle: { x: (left + right) / 2, y: (top + bottom) / 2 }, width: right - left, height: bottom - top };
}

/** @param {Point[]} points */
export const spanOf = ([one, other]) => (one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0);

/** How much a turn of the wheel enlarges. Two fingers on a pad, reported as a wheel with the control key, enlarge more.
 *  @param {{ deltaY: number, deltaMode: number, ctrlKey: boolean }} turn */
export const factorOf = ({ deltaY, deltaMode, ctrlKey }) =>
  Math.exp(-bound(deltaY * (deltaMode ? LINE : 1), -WHEEL, WHEEL) * (ctrlKey ? 0.01 : 0.003));

/** The same names as large as can be read, away from their marks; null for those that would meet a larger one.
 *  @param {Name[]} names @param {number} pixels of the screen for one unit of the map */
export function fitted(names, pixels) {
  /** @type {Name[]} */
  const written = [];
  /** @param {Name} one @param {Name} other */
  const meet = (one, other) =>
    Math.abs(one.x - other.x) < (LETTER.width * (one.size * one.letters + other.size * other.letters)) / 2 &&
    Math.abs(one.y - other.y) < (LETTER.height * (one.size + other.size)) / 2;
  const grown = names.map((name) => {
    const size = Math.max(name.size, LEGIBLE / pixels);
    /** @param {number} by */
    const away = (by) => (name.hasMarks ? Math.min((by * (size - name.size)) / 2, AWAY / pixels) : 0);
    return { ...name, size, x: name.x + away(LETTER.width * name.letters), y: name.y + away(LETTER.height), own: name.size };
  });
  for (const name of [...grown].sort((one, other) => other.own - one.own)) {
    if (name.size === name.own || !written.some((other) => meet(name, other))) written.push(name);
  }
  return grown.map((name) => (written.includes(name) ? name : null));
}

/** How a map lies in its view: numbers alone, in pixels of the screen. */
export class Lens {
  scale = 1;
  x = 0;
  y = 0;
  width = 0;
  height = 0;
  free = 0;
  mapWidth = 0;
  mapHeight = 0;
  units = 1;
  least = 1;

  /** Fits a view of this width to an unmoved map; without `room`, the view is as high as the map. Returns the scale at
   *  which the map opens.
   *  @param {number} width @param {{ width: number, height: number, units: number }} map @param {Room | null} room */
  fit(width, map, room) {
    const opening = room ? Math.max(1, room.readable / (map.width / map.units)) : 1;
    this.width = width;
    this.mapWidth = map.width;
    this.mapHeight = map.height;
    this.units = map.units;
    this.height = room?.height ?? map.height;
    if (room && !room.isFilled) this.height = Math.min(map.height * opening, room.height);
    this.free = this.height - (room?.covered ?? 0);
    this.least = Math.min(1, this.free / map.height);
    return opening;
  }

  /** What is in the middle of the view, in pixels of the unmoved map. */
  middle() {
    return { x: (this.width / 2 - this.x) / this.scale, y: (this.height / 2 - this.y) / this.scale };
  }

  /** Pixels of the view for one unit of the map. */
  get pixels() {
    return (this.scale * this.mapWidth) / this.units;
  }

  /** From a point of the view to the point of the map, in its units, that is seen there.
   *  @param {Point} at */
  toMap({ x, y }) {
    return { x: (x - this.x) / this.pixels, y: (y - this.y) / this.pixels };
  }

  /** From a point of the map to where the view shows it.
   *  @param {Point} at */
  toView({ x, y }) {
    return { x: this.x + x * this.pixels, y: this.y + y * this.pixels };
  }

  /** @param {number} scale @param {Point} middle */
  show(scale, middle) {
    this.scale = bound(scale, this.least, MOST);
    this.put(this.width / 2 - middle.x * this.scale, this.height / 2 - middle.y * this.scale);
  }

  /** The scale at which all of these points, in pixels of the unmoved map, can be seen.
   *  @param {Point[]} points */
  scaleFor(points) {
    const { width, height } = boundsOf(points);
    return Math.min((this.width - MARGIN) / width, (this.free - MARGIN) / height);
  }

  /** Shows all of these points.
   *  @param {Point[]} points @param {number} largest */
  frame(points, largest) {
    const scale = Math.min(largest, this.scaleFor(points));
    const { x, y } = boundsOf(points).middle;
    this.show(scale, { x, y: y + (this.height - this.free) / 2 / scale });
  }

  /** For a screen of any size. */
  get seen() {
    const { isWhole, pixels, scale } = this;
    const { x, y } = this.middle();
    return { isWhole, pixels, x: (x * scale) / pixels, y: (y * scale) / pixels };
  }

  /** @param {Lens["seen"]} seen */
  showAgain({ isWhole, pixels, x, y }) {
    const by = this.units / this.mapWidth;
    if (isWhole) this.whole();
    else this.show(pixels * by, { x: x / by, y: y / by });
  }

  whole() {
    this.show(this.least, { x: this.mapWidth / 2, y: this.mapHeight / 2 });
  }

  /** Larger or smaller, around a point of the view.
   *  @param {number} factor */
  by(factor, at = { x: this.width / 2, y: this.height / 2 }) {
    const scale = bound(this.scale * factor, this.least, MOST);
    const real = scale / this.scale;
    this.scale = scale;
    this.put(at.x - (at.x - this.x) * real, at.y - (at.y - this.y) * real);
  }

  /** @param {number} x @param {number} y */
  pan(x, y) {
    this.put(this.x + x, this.y + y);
  }

  /** Fingers go from these points of the view to those.
   *  @param {Point[]} before @param {Point[]} now */
  drag(before, now) {
    const [from, to] = [middleOf(before), middleOf(now)];
    this.pan(to.x - from.x, to.y - from.y);
    if (before.length === 2) this.by(spanOf(now) / (spanOf(before) || 1), to);
  }

  /** Shows nothing beside the map, unless all of it is in view; below it, only what the buttons cover.
   *  @param {number} x @param {number} y */
  put(x, y) {
    /** @param {number} offset @param {number} room @param {number} size */
    const axis = (offset, room, size) => (size <= room ? (room - size) / 2 : bound(offset, room - size, 0));
    this.x = axis(x, this.width, this.mapWidth * this.scale);
    this.y = axis(y, this.free, this.mapHeight * this.scale);
  }

  get isWhole() {
    return this.scale <= this.least * 1.001;
  }
}

/** @type {Record<string, Act>} */
const KEYS = { "+": (lens) => lens.by(STEP), "=": (lens) => lens.by(STEP), "-": (lens) => lens.by(1 / STEP), 0: (lens) => lens.whole() };
/** @type {Record<string, [x: number, y: number]>} */
const ARROWS = { ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0], ArrowUp: [0, PAN], ArrowDown: [0, -PAN] };
/** @type {[text: string, label: string | null, act: Act][]} */
const BUTTONS = [
  ["+", said("Zoom in"), (lens) => lens.by(STEP)],
  ["−", said("Zoom out"), (lens) => lens.by(1 / STEP)],
  [said("Whole map"), null, (lens) => lens.whole()],
];

const wordsIn = (text = "") => text.split(" ").filter(Boolean);

const isSmall = () => matchMedia(NARROW).matches;

/** @returns {Room | null} */
const smallScreen = () => (isSmall() ? { height: innerHeight * TALLEST, readable: READABLE.small, covered: BAR, isFilled: false } : null);

let scrolled = -COASTING;

export function watchScrolling() {
  addEventListener("scroll", (event) => { scrolled = event.timeStamp; }, { passive: true });
}

export class Zoom {
  /** @param {HTMLElement} view holds the map and nothing else */
  constructor(view) {
    this.view = view;
    this.map = the(SVGSVGElement, ".board", view);
    this.lens = new Lens();
    this.drawn = this.lens; // as it was last drawn: taps mean what is seen
    /** @type {Map<number, Point>} */
    this.fingers = new Map();
    this.start = { x: 0, y: 0 };
    this.dragged = false;
    this.named = false;
    this.isChosen = false;
    this.of = wordsIn(view.dataset.keeps);
    this.level = Infinity;
    this.waiting = 0;
    this.map.classList.add("is-movable");
    view.classList.add("can-zoom");
    this.addButtons();
    this.listen();
    const resized = new ResizeObserver(() => this.measure());
    for (const part of [view.parentElement, this.map]) if (part) resized.observe(part);
    this.measure();
  }

  addButtons() {
    const buttons = BUTTONS.map(([text, name, act]) => button(text, () => this.change(act), "", name));
    this.view.after(make("div", { className: "zoom-bar", role: "group", ariaLabel: said("Size of the map") }, ...buttons, ...this.fullScreen()));
  }

  /** The map, with the orders if they are beside it. */
  fullScreen() {
    const whole = find(HTMLElement, ".table-top--full") ?? this.view.closest(".board-box");
    if (!document.fullscreenEnabled || !whole) return [];
    return [button(said("Full screen"), () => (document.fullscreenElement ? document.exitFullscreen() : whole.requestFullscreen()), "zoom-bar__full")];
  }

  listen() {
    const { view } = this;
    view.addEventListener("pointerdown", (event) => this.put(event));
    view.addEventListener("pointermove", (event) => this.move(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) view.addEventListener(end, (event) => this.lift(event));
    view.addEventListener("click", (event) => this.swallow(event), true);
    view.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    view.addEventListener("keydown", (event) => this.press(event));
    view.addEventListener("dragstart", (event) => event.preventDefault());
  }

  /** Whenever the room for the map changes: its middle and size stay, or it stays whole. */
  measure() {
    const { lens, view } = this;
    const width = view.clientWidth;
    const filled = this.filled();
    const size = this.size(width);
    const isKnown = width === lens.width && size.width === lens.mapWidth && (filled?.height ?? lens.height) === lens.height;
    if (width && !isKnown) this.fit(width, size, filled);
  }

  /** @param {number} width @param {{ width: number, height: number, units: number }} size @param {Room | null} filled */
  fit(width, size, filled) {
    const { lens, view } = this;
    const { mapWidth, scale, isWhole } = lens;
    const { x, y } = lens.middle();
    const opening = lens.fit(width, size, filled ?? smallScreen());
    if (!filled) view.style.blockSize = `${lens.height}px`;
    const by = lens.mapWidth / mapWidth;
    if (!mapWidth) this.open(opening);
    else lens.show(isWhole ? 0 : scale / by, { x: x * by, y: y * by });
    this.draw();
  }

  /** Opens as its reader left it: whole, or in the same phase a part.
   *  @param {number} opening */
  open(opening) {
    const { lens, of: [game, phase] } = this;
    const kept = game && read(localStorage, KEPT + game);
    if (kept && (kept.isWhole || kept.phase === phase)) lens.showAgain(kept);
    else if (this.view.dataset.shows === "all" || location.hash === "#play") lens.whole();
    else this.showOwn(opening);
    this.redraw();
  }

  /** All units of the player and the places to build in, and their orders where that can still be read. Or the places of a
   *  lesson, and the whole map if that can be read.
   *  @param {number} opening */
  showOwn(opening) {
    const { lens, view: { dataset: { shows, homes, frames } } } = this;
    const own = this.corners([`.unit[data-colour="${shows}"]`, ...wordsIn(frames ?? homes).map((home) => `[data-province="${home}"]`)].join());
    const more = [...own, ...this.corners(`.order[data-colour="${shows}"]`)];
    const points = own.length && lens.scaleFor(more) < opening * WORTH_READING ? own : more;
    if (frames && lens.least > opening * WORTH_READING) lens.whole();
    else if (points.length) lens.frame(points, opening);
    else lens.show(opening, { x: lens.mapWidth * 0.48, y: lens.mapHeight / 2 });
  }

  keep() {
    const { isChosen, of: [game, phase], lens } = this;
    if (isChosen && game) write(localStorage, KEPT + game, { phase, ...lens.seen });
  }

  /** The room of a map that fills the window.
   *  @returns {Room | null} */
  filled() {
    const isFilled = getComputedStyle(this.view).getPropertyValue("--fills").trim() === "1";
    if (!isFilled) return null;
    this.view.style.blockSize = "";
    const readable = isSmall() ? READABLE.small : READABLE.large;
    return { height: this.view.clientHeight, readable, covered: matchMedia(`${NARROW}, ${LOW}`).matches ? BAR : 0, isFilled };
  }

  /** The size of the unmoved map, to fractions of a pixel.
   *  @param {number} viewWidth */
  size(viewWidth) {
    const { width: units, height } = this.map.viewBox.baseVal;
    const width = parseFloat(getComputedStyle(this.map).width) || viewWidth;
    return { width, height: (width * height) / units, units };
  }

  /** Two corners of each part, in pixels of the unmoved map.
   *  @param {string} parts */
  corners(parts) {
    const frame = this.map.getBoundingClientRect();
    const by = frame.width / (this.lens.mapWidth || frame.width);
    const boxes = all(SVGElement, parts, this.map).map((part) => part.getBoundingClientRect()).filter(({ width }) => width);
    return boxes.flatMap(({ left, top, right, bottom }) => [{ x: left, y: top }, { x: right, y: bottom }])
      .map(({ x, y }) => ({ x: (x - frame.x) / by, y: (y - frame.y) / by }));
  }

  /** @param {number} scale @param {Point} middle */
  show(scale, middle) {
    this.lens.show(scale, middle);
    this.redraw();
  }

  /** What the reader does.
   *  @param {Act} act */
  change(act) {
    act(this.lens);
    this.isChosen = true;
    this.redraw();
  }

  /** At most once a frame. */
  redraw() {
    this.waiting ||= requestAnimationFrame(() => this.draw());
  }

  draw() {
    const { x, y, scale, isWhole } = this.lens;
    this.waiting = 0;
    this.drawn = Object.assign(new Lens(), this.lens);
    this.map.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    this.view.classList.toggle("is-whole", isWhole);
    this.writeNames(this.lens.pixels >= NAMED);
    this.fitNames(Math.floor(LEVELS * Math.log2(this.lens.pixels)));
    if (!this.fingers.size) this.keep();
    this.view.dispatchEvent(new Event("moved"));
  }

  /** Names where there is room for them, otherwise abbreviations.
   *  @param {boolean} named */
  writeNames(named) {
    if (this.named === named) return;
    this.named = named;
    this.view.classList.toggle("is-named", named);
    for (const label of all(SVGElement, ".labels text, .sea-labels text", this.map)) {
      const short = label.dataset.short ??= label.textContent;
      const place = find(SVGElement, `[data-province="${short.toUpperCase()}"] title`, this.map);
      label.textContent = named && place ? place.textContent : short;
    }
  }

  /** @param {number} level of the scale */
  fitNames(level) {
    if (this.level === level) return;
    this.level = level;
    const pixels = 2 ** (level / LEVELS);
    this.view.classList.toggle("is-far", pixels < FAR);
    this.view.classList.toggle("is-tiny", pixels < TINY);
    const labels = all(SVGElement, ".labels text, .sea-labels text, .coast-labels text", this.map);
    const names = labels.map((label) => {
      const [x = 0, y = 0, size = 0] = ["x", "y", "font-size"].map((name) => Number(label.getAttribute(name)));
      return { label, x, y, size, letters: label.textContent.length, hasMarks: label.matches(".labels > *") };
    });
    const places = fitted(names, pixels);
    for (const [index, { label: { style }, x, y }] of names.entries()) {
      const place = places[index];
      const isMoved = place && !this.named;
      style.display = place ? "" : "none";
      style.fontSize = isMoved ? `${place.size}px` : "";
      style.translate = isMoved ? `${place.x - x}px ${place.y - y}px` : "";
    }
  }

  /** From a point of the window to the point of the view. The matrices that browsers offer for this differ: WebKit's
   *  leaves out how a map is moved.
   *  @param {{ clientX: number, clientY: number }} at */
  at({ clientX, clientY }) {
    const frame = this.view.getBoundingClientRect();
    return { x: clientX - frame.x, y: clientY - frame.y };
  }

  /** From a point of the window to the point of the map, in its units, that is seen there.
   *  @param {{ clientX: number, clientY: number }} at */
  onMap(at) {
    return this.drawn.toMap(this.at(at));
  }

  /** From a point of the map to where the window shows it.
   *  @param {Point} place */
  onScreen(place) {
    const { x, y } = this.drawn.toView(place);
    const frame = this.view.getBoundingClientRect();
    return { x: x + frame.x, y: y + frame.y };
  }

  /** @param {PointerEvent} event */
  put(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    if (!this.fingers.size) this.dragged = false;
    this.start = this.at(event);
    this.fingers.set(event.pointerId, this.start);
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.fingers.has(event.pointerId)) return;
    const now = this.at(event);
    if (!this.dragged && this.fingers.size === 1 && spanOf([this.start, now]) < DRAG) return;
    if (!this.dragged) this.hold(event);
    const before = [...this.fingers.values()];
    this.fingers.set(event.pointerId, now);
    this.change((lens) => lens.drag(before, [...this.fingers.values()]));
  }

  /** From here on this is a drag, so its end is not a click.
   *  @param {PointerEvent} event */
  hold(event) {
    this.dragged = true;
    this.map.classList.add("is-moving");
    if (!this.view.hasPointerCapture(event.pointerId)) this.view.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  lift(event) {
    if (!this.fingers.delete(event.pointerId) || this.fingers.size) return;
    this.map.classList.remove("is-moving");
    this.keep();
    setTimeout(() => { this.dragged = false; });
  }

  /** @param {Event} event */
  swallow(event) {
    if (!this.dragged) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** A wheel that was moving the page, or cannot make the map any smaller, keeps moving the page.
   *  @param {WheelEvent} event */
  turn(event) {
    const forPage = (event.deltaY > 0 && this.lens.isWhole) || event.timeStamp - scrolled < COASTING;
    if (forPage && !event.ctrlKey) return;
    event.preventDefault();
    this.change((lens) => lens.by(factorOf(event), this.at(event)));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== this.view) return;
    const arrow = this.lens.isWhole ? undefined : ARROWS[event.key];
    const act = arrow ? (/** @type {Lens} */ lens) => lens.pan(...arrow) : KEYS[event.key];
    if (!act) return;
    this.change(act);
    event.preventDefault();
    event.stopPropagation();
  }
}
