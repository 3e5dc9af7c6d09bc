// The menu of a map: beside the chosen unit, or at the edge of the map where it hides least.

import { find, make } from "./dom.js";

/**
 * @import { Point } from "./arrows.js"
 * @typedef {{ width: number, height: number }} Size
 */

const GAP = 8;
const EDGE = 4;
const BESIDE = 28;
export const NEAR = 26;      // a tap within so many pixels means a place that can be chosen

/** As near to `value` as there is room.
 *  @param {number} value @param {number} size @param {number} whole */
const room = (value, size, whole) => Math.max(EDGE, Math.min(value, whole - size - EDGE));

/** Whether a menu of this height hides fewer of these places at the top of a map, below its buttons, than at its foot.
 *  @param {number[]} heights @param {number} height @param {number} frame @param {number} buttons */
export function isBetterAtHead(heights, height, frame, buttons) {
  /** @param {number} from @param {number} to */
  const hidden = (from, to) => heights.filter((y) => y > from && y < to).length;
  const size = height + GAP;
  const head = buttons + GAP;
  return hidden(head - NEAR, head + size) < hidden(frame - size - NEAR, frame);
}

/** Below what it is about, or above that if there is no room; inside the map.
 *  @param {Point} at @param {Size} menu @param {Size} frame */
export function beside(at, menu, frame) {
  const below = at.y + BESIDE;
  const top = below + menu.height <= frame.height ? below : at.y - menu.height - BESIDE;
  return {
    x: room(at.x - menu.width / 2, menu.width, frame.width),
    y: room(top, menu.height, Math.max(frame.height, menu.height + 2 * EDGE)),
  };
}

export class Menu {
  /** @param {HTMLElement} view */
  constructor(view) {
    this.view = view;
    this.box = make("div", { className: "map-menu", hidden: true, role: "group" });
    view.parentElement?.append(this.box);
  }

  /** Before anything else is changed: a button that goes while it has the focus lets the whole page be laid out. */
  clear() {
    this.box.replaceChildren();
  }

  /** @param {string} label @param {boolean} isHint it asks for a place on the map, and keeps to its edge
   *  @param {HTMLElement[]} parts */
  fill(label, isHint, parts) {
    this.box.ariaLabel = label;
    this.box.classList.toggle("is-hint", isHint);
    this.box.append(...parts);
  }

  /** @param {Partial<Record<"insetInlineStart" | "insetBlockStart" | "insetBlockEnd", string>>} styles */
  lie(styles) {
    Object.assign(this.box.style, { insetInlineStart: "", insetBlockStart: "", insetBlockEnd: "", ...styles });
  }

  /** In the middle of an edge, or at the width of a hint.
   *  @param {Point[]} places that are to be seen */
  putAtEdge(places) {
    const { box, view } = this;
    const isHint = box.classList.contains("is-hint");
    this.lie({});
    const middle = isHint ? "" : `${room((view.clientWidth - box.offsetWidth) / 2, box.offsetWidth, view.clientWidth)}px`;
    const buttons = find(HTMLElement, ".zoom-bar", view.parentElement ?? view)?.offsetHeight ?? 0;
    const isAtHead = isBetterAtHead(places.map(({ y }) => y), box.offsetHeight, view.clientHeight, buttons);
    const block = isAtHead ? { insetBlockStart: `${buttons + GAP}px`, insetBlockEnd: "auto" } : { insetBlockEnd: isHint ? "" : `${GAP}px` };
    this.lie({ insetInlineStart: middle, ...block });
  }

  /** @param {Point} at */
  putBeside(at) {
    const { box, view } = this;
    this.lie({});
    const { x, y } = beside(at, { width: box.offsetWidth, height: box.offsetHeight }, { width: view.clientWidth, height: view.clientHeight });
    this.lie({ insetInlineStart: `${x}px`, insetBlockStart: `${y}px` });
  }
}
