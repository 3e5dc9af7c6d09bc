// The order sheet. The form works without this: its selects hold every lawful order. Here each of them is shown in two
// or three small steps, the points are counted, and the text box is kept in step. The server reads what is typed there.

import { keepDraft } from "./draft.js";
import { MapEntry } from "./entry.js";

const SEPARATOR = "–";

/** The steps that lead to an order of this heading: [whom, where] as they are written in its label. */
function steps(heading, label) {
  const object = label.match(/ [SC] (.*)$/)?.[1] ?? label;
  const [whom, where] = object.split(SEPARATOR);
  if (heading === "Move" || heading === "Retreat") return [where];
  if (heading === "Support hold") return [object];
  if (heading === "Support move" || heading === "Convoy") return [whom, where];
  return [label];
}

/** The unit as its order names it, as in "F Bul/ec". */
const unitOf = (label) => label.match(/^[A-Z]+ [^\s–]+/)?.[0] ?? "";

class OrderPicker {
  constructor(select) {
    this.select = select;
    this.place = document.createElement("span");
    this.place.className = "unit-row__choice picker";
    this.label = document.querySelector(`label[for="${select.id}"]`);
    this.name = this.label?.textContent ?? "Order";
    this.isOneUnit = "forms" in select.dataset;
    this.offers = new WeakMap();
    select.after(this.place);
    select.hidden = true;
    this.rebuild();
  }

  rebuild() {
    const options = [...this.select.querySelectorAll("optgroup > option")];
    const forms = new Set(options.map((option) => unitOf(option.label)));
    this.orders = options.map((option) => {
      const heading = option.parentElement.label;
      const path = [heading, ...steps(heading, option.label)].filter((part) => part && part !== option.label);
      const rest = path.length > 1 || heading === "Hold" ? path : [option.label];
      // an order that also says what its unit is begins with that
      return { value: option.value, path: this.isOneUnit && forms.size > 1 ? [unitOf(option.label), ...rest] : rest };
    });
    this.stray = [...this.select.options].find((option) => option.value && option.parentElement === this.select);
    const chosen = this.orders.find((order) => order.value === this.select.value);
    this.draw(chosen?.path ?? []);
  }

  /** One select a step; those that offer what they did stay, so that typing in one of them can go on. */
  draw(path) {
    const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.level : null;
    const taken = [];
    let level = 0;
    for (let isOpen = true; isOpen; level += 1) {
      const fitting = this.orders.filter((order) => taken.every((part, index) => order.path[index] === part));
      const parts = [...new Set(fitting.map((order) => order.path[level]).filter((part) => part !== undefined))];
      if (!parts.length) break;
      if (level > 0 && parts.length === 1) path[level] = parts[0];
      this.put(level, parts, path);
      isOpen = parts.includes(path[level]);
      taken.push(path[level]);
    }
    for (const left of [...this.place.children].slice(level)) left.remove();
    if (focused !== null && !this.place.contains(document.activeElement)) this.place.querySelector(`[data-level="${focused}"]`)?.focus();
  }

  put(level, parts, path) {
    const old = this.place.children[level];
    const label = level ? `${this.name}: ${path.slice(0, level).join(", ")}` : this.name;
    const offer = [label, ...parts].join("\n");
    if (this.offers.get(old) === offer) {
      old.value = path[level] ?? "";
      return;
    }
    const select = this.level(level, parts, path[level], label);
    this.offers.set(select, offer);
    if (old) old.replaceWith(select);
    else this.place.append(select);
  }

  level(level, parts, chosen, label) {
    const select = document.createElement("select");
    select.className = "input";
    select.dataset.level = level;
    select.setAttribute("aria-label", label);
    const blank = level ? "choose…" : this.stray?.label ?? this.select.options[0]?.label ?? "";
    select.append(new Option(blank, ""));
    if (this.select.getAttribute("aria-invalid")) {
      select.setAttribute("aria-invalid", "true");
      select.setAttribute("aria-describedby", this.select.getAttribute("aria-describedby"));
    }
    for (const part of parts) select.append(new Option(part, part, false, part === chosen));
    if (level === 0) {
      select.id = `${this.select.id}-pick`;
      if (this.label) this.label.htmlFor = select.id;
    }
    select.addEventListener("change", (event) => {
      event.stopPropagation();
      this.choose([...this.place.children].slice(0, level + 1).map((each) => each.value).filter(Boolean));
    });
    return select;
  }

  choose(path) {
    this.draw(path);  // completes the path where only one way leads on
    const fitting = this.orders.filter((order) => path.every((part, index) => order.path[index] === part));
    const value = path.length && fitting.length === 1 ? fitting[0].value : "";
    this.select.value = value;
    this.select.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

class Sheet {
  constructor(form) {
    this.form = form;
    this.text = form.querySelector("[data-text]");
    this.budget = Number(form.dataset.budget);
    this.behind = new Set();
    this.pickers = new Map();
    for (const select of form.querySelectorAll("select[data-orders]:not([data-one-list])")) this.pickers.set(select, new OrderPicker(select));
    for (const link of form.querySelectorAll("#mistakes a")) {
      const pick = document.getElementById(`${link.hash.slice(1)}-pick`);
      if (pick) link.hash = pick.id;
    }
    const block = document.getElementById("minor-orders");
    this.minorOrders = block ? JSON.parse(block.textContent) : {};
    this.written = this.text.defaultValue; // somebody may have typed before this ran
    for (const field of form.querySelectorAll("[data-without-scripts]")) field.remove();
    this.chip = form.querySelector('[data-state="saved"]');
    this.untouchedChip = this.chip?.cloneNode(true);
    this.hideBlankBids();
    this.count();
    form.addEventListener("change", (event) => this.changed(event));
    form.addEventListener("input", (event) => this.typed(event));
    form.addEventListener("click", (event) => this.clicked(event));
    form.addEventListener("submit", (event) => this.submitted(event));
  }

  get bids() {
    return [...this.form.querySelectorAll("[data-bid]")];
  }

  get textIsAhead() {
    return this.text.value !== this.written;
  }

  changed(event) {
    this.catchUp();
    if (event.target === this.text) return;
    if (event.target.matches("[data-minor]")) this.offerOrders(event.target.closest("[data-bid]"));
    this.unsaved();
    this.count();
    this.writeText();
    this.form.dispatchEvent(new Event("choices"));
  }

  typed(event) {
    this.unsaved();
    if (event.target.matches("[data-bid-points]")) {
      this.count();
      this.writeText();
    }
  }

  clicked(event) {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.matches("[data-step]")) this.step(button);
    if (button.matches("[data-clear]")) {
      this.clear(button.closest("[data-bid]"));
      this.form.querySelector("[data-add-bid]").focus();
    }
    if (button.matches("[data-add-bid]")) this.addBid();
    if (button.matches("[data-read]")) this.text.dispatchEvent(new Event("read"));
  }

  submitted(event) {
    this.catchUp();
    const byText = this.textIsAhead || this.unreadLinesOf(this.text.value).length > 0;
    if (byText && ["controls", "try"].includes(event.submitter?.value)) event.submitter.value = "text";
    leaving = event.submitter?.formTarget !== "_blank";
  }

  /** Chooses for a unit, a place or a minor, as its own controls do; "" takes the order back. */
  order(select, value) {
    select.value = value;
    this.given(select);
  }

  /** The map shows at once what one of these controls holds now; the rest of the form, which counts, writes and keeps it,
   *  follows when that has been painted. */
  given(control) {
    this.form.dispatchEvent(new Event("given"));
    if (!this.behind.size) requestAnimationFrame(() => setTimeout(() => this.catchUp()));
    this.behind.add(control);
  }

  catchUp() {
    const behind = [...this.behind];
    this.behind.clear();
    for (const control of behind) {
      const row = control.closest("[data-bid]");
      if (row) this.showBid(row);
      this.pickers.get(control)?.rebuild();
    }
    const last = behind.find((control) => control.matches("select")) ?? behind[0];
    last?.dispatchEvent(new Event(last.matches("select") ? "change" : "input", { bubbles: true }));
  }

  /** The row of the bids for this minor. */
  bidOn(minor) {
    return this.bids.find((row) => row.querySelector("[data-minor]").value === minor);
  }

  /** Bids for this order of a minor; false where no row is left for another bid. */
  bid(minor, order) {
    const row = this.bidOn(minor) ?? this.bidOn("");
    if (!row) return false;
    const minors = row.querySelector("[data-minor]");
    if (minors.value !== minor) {
      minors.value = minor;
      this.listOrders(row);
    }
    this.order(row.querySelector("select[data-orders]"), order);
    return true;
  }

  /** Everything that is chosen and typed, to be put back later. */
  get state() {
    const value = (row, controls) => row.querySelector(controls).value;
    return {
      orders: Object.fromEntries([...this.form.querySelectorAll("[data-row] select[data-orders]")].map((select) => [select.name, select.value])),
      bids: this.bids.map((row) => [value(row, "[data-minor]"), value(row, "[data-bid-points]"), value(row, "select[data-orders]")]),
      text: this.textIsAhead || this.unreadLinesOf(this.text.value).length ? this.text.value : null,
    };
  }

  set state({ orders, bids, text }) {
    this.behind.clear();
    for (const select of this.form.querySelectorAll("[data-row] select[data-orders]")) {
      select.value = orders[select.name] ?? "";
      this.pickers.get(select)?.rebuild();
    }
    for (const [index, row] of this.bids.entries()) this.putBid(row, ...(bids[index] ?? ["", "", ""]));
    this.hideBlankBids();
    this.unsaved();
    this.count();
    this.writeText();
    if (text !== null) this.text.value = text;
    this.form.dispatchEvent(new Event("choices"));
  }

  putBid(row, minor, points, order) {
    row.querySelector("[data-minor]").value = minor;
    this.offerOrders(row, order);
    row.querySelector("[data-bid-points]").value = points;
  }

  /** The order select of a bid offers the lawful orders of its minor. */
  offerOrders(row, chosen = "") {
    const select = this.listOrders(row);
    select.value = chosen;
    this.pickers.get(select).rebuild();
    this.showBid(row);
  }

  listOrders(row) {
    const [minor, select] = [row.querySelector("[data-minor]"), row.querySelector("select[data-orders]")];
    const groups = new Map();
    for (const [value, label, heading] of this.minorOrders[minor.value] ?? []) {
      if (!groups.has(heading)) groups.set(heading, Object.assign(document.createElement("optgroup"), { label: heading }));
      groups.get(heading).append(new Option(label, value));
    }
    select.replaceChildren(new Option("choose its order", ""), ...groups.values());
    const points = row.querySelector("[data-bid-points]");
    if (minor.value && !points.value && this.left() > 0) points.value = "1";
    if (!minor.value) points.value = "";
    return select;
  }

  showBid(row) {
    const isBlank = !row.querySelector("[data-minor]").value;
    row.classList.toggle("is-blank", isBlank);
    if (!isBlank) row.hidden = false;
  }

  step(button) {
    this.addPoints(button.closest("[data-bid]"), Number(button.dataset.step));
  }

  addPoints(row, more) {
    const points = row.querySelector("[data-bid-points]");
    points.value = String(Math.max(0, (Number(points.value) || 0) + more));
    this.given(points);
  }

  clear(row) {
    const minor = row.querySelector("[data-minor]");
    minor.value = "";
    minor.dispatchEvent(new Event("change", { bubbles: true }));
    this.hideBlankBids();
  }

  /** Of the blank rows only the first is shown. */
  hideBlankBids() {
    let blanks = 0;
    for (const row of this.bids) {
      const blank = !row.querySelector("[data-minor]").value;
      row.hidden = blank && blanks > 0;
      blanks += blank ? 1 : 0;
    }
  }

  addBid() {
    const row = this.bids.find((candidate) => candidate.hidden)
      ?? this.bids.find((candidate) => !candidate.querySelector("[data-minor]").value);
    if (!row) return;
    row.hidden = false;
    row.querySelector("[data-minor]").focus();
  }

  spent() {
    return this.bids.reduce((sum, row) => {
      const counted = row.querySelector("[data-minor]").value;
      return sum + (counted ? Number(row.querySelector("[data-bid-points]").value) || 0 : 0);
    }, 0);
  }

  left() {
    return this.budget - this.spent();
  }

  count() {
    const bar = this.form.querySelector("[data-points]");
    if (!bar) return;
    const over = this.spent() - this.budget;
    bar.querySelector("[data-spent]").textContent = this.spent();
    bar.querySelector("[data-left]").textContent = this.left();
    bar.classList.toggle("is-over", over > 0);
    const points = this.budget === 1 ? "point" : "points";
    bar.querySelector("[data-over]").textContent =
      over > 0 ? `You have ${this.budget} ${points} and bid ${this.spent()}: take back ${over}.` : "";
  }

  /** The text says what the choices say; lines that could not be read stay at its end. */
  writeText() {
    const unread = this.unreadLinesOf(this.written);
    const orders = [...this.form.querySelectorAll("[data-row] select[data-orders]")].filter((select) => select.value);
    const bids = this.bids.map((row) => [row.querySelector("[data-bid-points]").value, row.querySelector("select[data-orders]")]);
    const lines = [
      ...orders.map((select) => select.selectedOptions[0].label),
      ...bids.filter(([, select]) => select.value).map(([points, select]) => `${points || 0}: ${select.selectedOptions[0].label}`),
      ...unread,
    ];
    this.text.value = lines.join("\n");
    this.written = this.text.value;
    this.form.dispatchEvent(new Event("written"));
  }

  /** The lines that the server could not read when it last read the text. */
  unreadLinesOf(text) {
    const marked = [...this.form.querySelectorAll("[data-unread]")].map((place) => place.dataset.unread.trim());
    return text.split("\n").filter((line) => line.trim() && marked.includes(line.trim()));
  }

  unsaved() {
    if ("practice" in this.form.dataset) return; // nothing is ever saved there
    if ("unsaved" in this.form.dataset && this.marked) return;
    this.form.dataset.unsaved = "";
    this.marked = true;
    const { chip } = this;
    const counts = chip.classList.contains("is-on");
    chip.classList.remove("is-on");
    chip.classList.add("is-changed");
    chip.querySelector("b").textContent = "Changed, not saved";
    chip.querySelector("span").textContent = counts ? "The sheet saved before counts until you save." : "Nothing counts until you save.";
    this.form.querySelector("[data-hint]").textContent = "Changed since the last save.";
  }

  /** Once what was changed has been put back. */
  untouched() {
    this.text.value = this.text.defaultValue;
    this.written = this.text.value;
    delete this.form.dataset.unsaved;
    this.marked = false;
    this.chip.replaceWith(this.untouchedChip);
    this.chip = this.untouchedChip;
    this.untouchedChip = this.chip.cloneNode(true);
    this.form.querySelector("[data-hint]").textContent = "";
  }
}

let leaving = false;
let sheet = null;
let entry = null;

function start() {
  const form = document.getElementById("sheet");
  if (!form || sheet?.form === form) return;
  sheet = new Sheet(form);
  keepDraft(sheet);
  entry?.stop();
  const view = document.querySelector("#board .board-view");
  entry = view?.querySelector("[data-places]") ? new MapEntry(sheet, view) : null;
}

start();
document.addEventListener("htmx:load", start);
window.addEventListener("pagehide", () => sheet?.catchUp());
window.addEventListener("beforeunload", (event) => {
  sheet?.catchUp();
  if (!leaving && sheet && "unsaved" in sheet.form.dataset) event.preventDefault();
});
