// The order page. The form works without this: its selects hold every lawful order. With it each is chosen in small
// steps, points are counted, and the text follows the choices. The server reads typed text.

import { ask, Sender } from "./away.js";
import { all, around, button, find, make, targetOf, the } from "./dom.js";
import { keepDraft } from "./draft.js";
import { MapEntry } from "./entry.js";
import { bidIn, labelOf, lineOf, linesOf, offersOf, OrderForm, readLines, spellings, spentOn } from "./form.js";
import { watchWarnings } from "./warnings.js";
import { complete, fitting, nextSteps, waysInWords } from "./ways.js";
import { counted, filled, said } from "./words.js";

const MISTAKE = ["aria-invalid", "aria-describedby"];

/** @param {HTMLElement} row that has been changed */
function forgive(row) {
  row.classList.remove("is-wrong");
  row.querySelector(".field__wrong")?.remove();
  for (const part of row.querySelectorAll("select")) for (const name of MISTAKE) part.removeAttribute(name);
}

class OrderPicker {
  /** @param {HTMLSelectElement} select */
  constructor(select) {
    this.select = select;
    this.place = make("span", { className: "unit-row__choice picker" });
    this.label = find(HTMLLabelElement, `label[for="${select.id}"]`);
    this.name = this.label?.textContent ?? "";
    /** @type {Way[]} */
    this.ways = [];
    /** @type {WeakMap<Element, string>} */
    this.offers = new WeakMap();
    select.after(this.place);
    select.hidden = true;
    this.rebuild();
  }

  rebuild() {
    const offers = offersOf(this.select);
    this.blank = offers.find(({ heading }) => !heading)?.label ?? this.select.options[0]?.label ?? "";
    this.ways = waysInWords(offers.filter(({ heading }) => heading), "forms" in this.select.dataset);
    this.draw(this.ways.find(({ value }) => value === this.select.value)?.path ?? []);
  }

  get levels() {
    return all(HTMLSelectElement, "select", this.place);
  }

  /** One select for each step; a select whose offer is unchanged stays, so that typing in it can continue.
   *  @param {string[]} taken */
  draw(taken) {
    const focused = this.levels.findIndex((select) => select === document.activeElement);
    const path = complete(this.ways, taken);
    const offers = [...path, ""].map((_, level) => nextSteps(this.ways, path.slice(0, level))).filter((steps) => steps.length);
    offers.forEach((steps, level) => this.put(level, steps, path));
    for (const left of this.levels.slice(offers.length)) left.remove();
    if (focused >= 0 && !this.place.contains(document.activeElement)) this.levels[focused]?.focus();
  }

  /** @param {number} level @param {string[]} steps @param {string[]} path */
  put(level, steps, path) {
    const old = this.levels[level];
    const label = level ? `${this.name}: ${path.slice(0, level).join(", ")}` : this.name;
    const offer = [label, ...steps].join("\n");
    const isOld = old && this.offers.get(old) === offer;
    const select = isOld ? old : this.level(level, steps, label);
    select.value = path[level] ?? "";
    if (isOld) return;
    this.offers.set(select, offer);
    if (old) old.replaceWith(select);
    else this.place.append(select);
  }

  /** @param {number} level @param {string[]} steps @param {string} label */
  level(level, steps, label) {
    const options = [new Option(level ? said("choose…") : this.blank, ""), ...steps.map((step) => new Option(step, step))];
    const select = make("select", { className: "input", ariaLabel: label }, ...options);
    select.dataset.level = String(level);
    for (const { name, value } of [...this.select.attributes].filter((each) => MISTAKE.includes(each.name))) select.setAttribute(name, value);
    if (!level) select.id = `${this.select.id}-pick`;
    if (!level && this.label) this.label.htmlFor = select.id;
    select.addEventListener("change", (event) => {
      event.stopPropagation();
      this.choose(this.levels.slice(0, level + 1).map(({ value }) => value).filter(Boolean));
    });
    return select;
  }

  /** @param {string[]} taken */
  choose(taken) {
    this.draw(taken);
    const [only, ...others] = taken.length ? fitting(this.ways, taken) : [];
    this.select.value = only && !others.length ? only.value : "";
    this.select.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

export class Sheet extends OrderForm {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    super(form);
    this.text = the(HTMLTextAreaElement, "[data-text]", form);
    this.budget = Number(form.dataset.budget);
    /** @type {Set<HTMLSelectElement | HTMLInputElement>} */
    this.behind = new Set();
    const picked = all(HTMLSelectElement, "select[data-orders]:not([data-one-list])", form);
    this.pickers = new Map(picked.map((select) => [select, new OrderPicker(select)]));
    for (const link of all(HTMLAnchorElement, "#mistakes a", form)) {
      const pick = document.getElementById(`${link.hash.slice(1)}-pick`);
      if (pick) link.hash = pick.id;
    }
    this.written = this.text.defaultValue; // the user may have typed before this ran
    this.rest = linesOf(this.written).filter((line) => this.isMistake(line)); // what the text says and the lists don't
    for (const field of form.querySelectorAll("[data-without-scripts]")) field.remove();
    this.offerWishes();
    this.sent = this.state;
    this.hideBlankBids();
    this.count();
    form.addEventListener("change", (event) => this.changed(targetOf(event)));
    form.addEventListener("input", (event) => this.typed(targetOf(event)));
    form.addEventListener("click", (event) => this.clicked(targetOf(event)));
    form.addEventListener("submit", (event) => this.submitted(event));
    form.addEventListener("htmx:beforeSwap", (event) => {
      const { elt, parameters } = event.detail.requestConfig;
      this.catchUp();
      if (elt !== this.text) return;
      const isHeld = sender.held > Date.now();
      if (isHeld || parameters.text !== this.text.value) event.preventDefault(); // written since
      if (isHeld) sender.lifted().then(() => this.text.dispatchEvent(new Event("read")));
    });
  }

  /** The receipt code of the saved orders that this page knows; practice has none. */
  get after() {
    return the(HTMLInputElement, "[name=after]", this.form);
  }

  /** What is written for the next phases. */
  get wishes() {
    return all(HTMLInputElement, "[data-wish]", this.form);
  }

  /** What may be wished for becomes buttons, which add a wish or take it out again. */
  offerWishes() {
    for (const field of this.wishes) {
      const list = the(HTMLElement, `#${field.id}-help`, this.form);
      const toggle = (/** @type {string} */ wish) => {
        const written = field.value.split(/,\s*/).filter(Boolean);
        field.value = (written.includes(wish) ? written.filter((each) => each !== wish) : [...written, wish]).join(", ");
        field.dispatchEvent(new Event("input", { bubbles: true }));
      };
      list.replaceChildren(...(list.textContent ?? "").split(", ").map((wish) => button(wish, () => toggle(wish), "button--small")));
    }
  }

  get saysMore() {
    return this.text.value !== this.written || this.rest.length > 0;
  }

  /** What is saved is not as the form shows it. */
  get isOther() {
    return this.saysMore || this.form.querySelector(".mistakes") !== null;
  }

  /** @param {Element} control */
  changed(control) {
    this.catchUp();
    if (control === this.text) return;
    this.readText(control);
    this.replaceOther(control);
    const row = control.matches("[data-minor]") && control.closest("[data-bid]");
    if (row) this.offerOrders(bidIn(row));
    all(HTMLElement, ".is-wrong", this.form).filter((wrong) => wrong.contains(control)).forEach(forgive);
    this.unsaved();
    this.writeText();
    this.askServer();
  }

  /** Are they complete, what mistakes are left, and what do lines mean that only the server can read? */
  askServer() {
    const { form, text } = this;
    find(HTMLElement, "#sheet-status", form)?.setAttribute("hx-vals", JSON.stringify({ use: this.saysMore ? "text" : "controls" }));
    const isRead = this.rest.every((line) => this.isMistake(line));
    const send = () => (isRead ? form : text).dispatchEvent(new Event(isRead ? "choices" : "read"));
    if (document.readyState === "complete") send();
    else addEventListener("load", send);
  }

  /** @param {Element} control */
  typed(control) {
    this.unsaved();
    if (!control.matches("[data-bid-points], [data-wish]")) return;
    this.readText(control);
    this.writeText();
  }

  /** @param {Element} target */
  clicked(target) {
    const control = around(HTMLButtonElement, "button", target);
    if (!control) return;
    const row = control.closest("[data-bid]");
    if (row && control.matches("[data-step]")) this.addPoints(bidIn(row), Number(control.dataset.step));
    if (row && control.matches("[data-clear]")) {
      this.clear(bidIn(row));
      the(HTMLElement, "[data-add-bid]", this.form).focus();
    }
    if (control.matches("[data-add-bid]")) this.showNextBid();
    if (!control.matches("[data-read]")) return;
    this.catchUp(); // a tap just before may not be in the text yet
    this.text.dispatchEvent(new Event("read"));
  }

  /** @param {SubmitEvent} event */
  submitted(event) {
    this.catchUp();
    const { submitter } = event;
    if (!(submitter instanceof HTMLButtonElement)) return;
    if (this.saysMore && ["controls", "try"].includes(submitter.value)) submitter.value = "text";
    if (submitter.formTarget === "_blank") return;
    if ("practice" in this.form.dataset) {
      leaving = true;
      return;
    }
    event.preventDefault();
    this.text.dispatchEvent(new CustomEvent("htmx:abort", { bubbles: true, detail: {} })); // the answer says what the text means
    this.sent = this.state;
    entry?.select(null);
    sender.save(submitter);
  }

  /** @param {Document} fresh @param {boolean} isSame */
  saved(fresh, isSame) {
    const { form } = this;
    for (const part of ["sheet-status", "ahead-words", "receipt"]) {
      find(HTMLElement, `#${part}`)?.replaceChildren(...the(HTMLElement, `#${part}`, fresh).childNodes);
    }
    this.after.value = the(HTMLInputElement, "[name=after]", fresh).value;
    the(HTMLElement, "[data-newer]", form).hidden = true;
    for (const told of form.querySelectorAll(".mistakes")) told.remove();
    delete form.dataset.unsaved;
    this.marked = false;
    if (!isSame) this.unsaved();
    form.dispatchEvent(new Event("saved"));
  }

  /** Chooses for a unit, a place or a minor, as its own controls do; "" removes the order.
   *  @param {HTMLSelectElement} select @param {string} value */
  order(select, value) {
    this.readText();
    select.value = value;
    this.replaceOther(select);
    this.given(select);
  }

  /** The map shows at once what one of these controls holds now. The rest of the form, which counts, writes and keeps it,
   *  follows once that has been painted.
   *  @param {HTMLSelectElement | HTMLInputElement} control */
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
      if (row) this.showBid(bidIn(row));
      if (control instanceof HTMLSelectElement) this.pickers.get(control)?.rebuild();
    }
    const last = behind.find((control) => control instanceof HTMLSelectElement) ?? behind[0];
    last?.dispatchEvent(new Event(last instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
  }

  /** The bid for this minor.
   *  @param {string} minor */
  bidOn(minor) {
    return this.bids.find((bid) => bid.minor.value === minor);
  }

  /** Bids for this order of a minor; false if no row is left for another bid.
   *  @param {string} minor @param {string} order */
  bid(minor, order) {
    this.readText();
    const bid = this.bidOn(minor) ?? this.bidOn("");
    if (!bid) return false;
    if (bid.minor.value !== minor) {
      bid.minor.value = minor;
      this.listOrders(bid);
    }
    this.order(bid.order, order);
    return true;
  }

  /** Everything chosen and typed, to be restored later.
   *  @returns {State} */
  get state() {
    return {
      orders: Object.fromEntries([...this.selects, ...this.wishes].map(({ name, value }) => [name, value])),
      bids: this.bids.map(({ minor, points, order }) => [minor.value, points.value, order.value]),
      text: this.saysMore ? this.text.value : null,
    };
  }

  set state({ orders, bids, text }) {
    this.behind.clear();
    for (const field of [...this.selects, ...this.wishes]) field.value = orders[field.name] ?? "";
    for (const picker of this.pickers.values()) picker.rebuild();
    for (const [index, bid] of this.bids.entries()) this.putBid(bid, bids[index] ?? []);
    this.hideBlankBids();
    this.unsaved();
    this.rest = [];
    this.writeText(text);
    this.askServer();
  }

  /** Where one may be chosen, the last choice replaces the one before.
   *  @param {Element} chosen */
  replaceOther(chosen) {
    const given = this.selects.filter(({ value }) => value);
    if (!document.querySelector('[data-needed="1"]') || !given.some((select) => select === chosen)) return;
    for (const other of given) {
      if (other !== chosen) other.value = "";
      this.pickers.get(other)?.rebuild();
    }
  }

  /** Chooses what has been typed, before anything is written over it; lines that only the server can read stay.
   *  @param {any} [chosen] a control that has been changed since */
  readText(chosen) {
    const { selects, text, wishes } = this;
    if (text.value === this.written) return;
    const latest = chosen ?? text;
    const { value } = latest;
    const starts = wishes.map(({ dataset }) => String(dataset.wish));
    const { values, bids, rest } = readLines(text.value, selects.map(offersOf), starts, spellings(this.minorOrders), this.bids.length);
    [...selects, ...wishes].forEach((field, index) => { field.value = values[index] ?? ""; });
    this.bids.filter(({ minor }) => !bids.has(minor.value)).forEach((bid) => this.putBid(bid, []));
    bids.forEach(({ points, order }, minor) => this.putBid(this.bidOn(minor) ?? this.bidOn(""), [minor, points, order]));
    this.hideBlankBids();
    this.pickers.forEach((picker, select) => select === chosen || picker.rebuild());
    this.rest = rest;
    this.written = text.value;
    latest.value = value;
  }

  /** @param {Bid | undefined} bid @param {string[]} meant */
  putBid(bid, [minor = "", points = "", order = ""]) {
    if (!bid) return;
    bid.minor.value = minor;
    this.offerOrders(bid, order);
    bid.points.value = points;
  }

  /** The order select of a bid offers the lawful orders of its minor.
   *  @param {Bid} bid */
  offerOrders(bid, chosen = "") {
    this.listOrders(bid);
    bid.order.value = chosen;
    this.pickers.get(bid.order)?.rebuild();
    this.showBid(bid);
  }

  /** @param {Bid} bid */
  listOrders(bid) {
    super.listOrders(bid);
    const { minor, points } = bid;
    if (minor.value && !points.value && this.left() > 0) points.value = "1";
    if (!minor.value) points.value = "";
  }

  /** @param {Bid} bid */
  showBid({ row, minor }) {
    row.classList.toggle("is-blank", !minor.value);
    if (minor.value) row.hidden = false;
  }

  /** @param {Bid} bid @param {number} more */
  addPoints({ points }, more) {
    this.readText();
    points.value = String(Math.max(0, (Number(points.value) || 0) + more));
    this.given(points);
  }

  /** @param {Bid} bid */
  clear({ minor }) {
    this.readText();
    minor.value = "";
    minor.dispatchEvent(new Event("change", { bubbles: true }));
    this.hideBlankBids();
  }

  /** Shows only the first of the blank rows. */
  hideBlankBids() {
    const blank = this.bids.filter(({ minor }) => !minor.value);
    for (const { row, minor } of this.bids) row.hidden = !minor.value && row !== blank[0]?.row;
  }

  showNextBid() {
    const next = this.bids.find(({ row }) => row.hidden) ?? this.bidOn("");
    if (!next) return;
    next.row.hidden = false;
    next.minor.focus();
  }

  left() {
    return this.budget - spentOn(this.bids);
  }

  count() {
    this.countOrders();
    const bar = find(HTMLElement, "[data-points]", this.form);
    if (!bar) return;
    const spent = spentOn(this.bids);
    const over = spent - this.budget;
    bar.classList.toggle("is-over", over > 0);
    const says = {
      spent,
      left: -over,
      over: over > 0 ? this.tooMuch(spent, over) : "",
    };
    for (const [name, words] of Object.entries(says)) the(HTMLElement, `[data-${name}]`, bar).textContent = String(words);
  }

  /** @param {number} spent @param {number} over */
  tooMuch(spent, over) {
    const fields = { spent, over };
    return counted("You have {n} point but bid {spent}. Bid {over} less.", "You have {n} points but bid {spent}. Bid {over} less.", this.budget, fields);
  }

  /** Beside the button that saves. */
  countOrders() {
    const counter = find(HTMLElement, "[data-count]");
    if (counter) this.countOn(counter);
    const unused = find(HTMLElement, "[data-unused]");
    const left = this.left();
    if (unused) unused.textContent = left > 0 ? counted("{left} of {n} point unused.", "{left} of {n} points unused.", this.budget, { left }) : "";
  }

  /** @param {HTMLElement} counter */
  countOn(counter) {
    const { needed = "", counted: few = "", over: many = "" } = counter.dataset;
    const given = this.selects.filter(({ value }) => value).length;
    const over = given - Number(needed);
    counter.textContent = filled(over > 0 ? many : few, { given, needed, over });
    counter.classList.toggle("is-over", over > 0);
  }

  /** Makes the text say what the choices say, with what they don't say at its end; or the choices what `text` says.
   *  @param {string | null} [text] */
  writeText(text = null) {
    const lines = [
      ...this.selects.map(labelOf).filter(Boolean),
      ...this.bids.filter(({ order }) => order.value).map(lineOf),
      ...this.wishes.filter(({ value }) => value.trim()).map(({ dataset, value }) => `${dataset.wish}${value}`),
      ...this.rest,
    ];
    this.written = lines.join("\n");
    this.text.value = text ?? this.written;
    this.readText();
    this.count();
    this.form.dispatchEvent(new Event("written"));
  }

  /** @param {string} line */
  isMistake(line) {
    return all(HTMLElement, "[data-unread]", this.form).some(({ dataset }) => dataset.unread?.trim() === line);
  }

  unsaved() {
    const { form } = this;
    const chip = find(HTMLElement, '[data-state="saved"]', form);
    if ("practice" in form.dataset || !chip) return; // nothing is ever saved here
    if (this.marked) return;
    form.dataset.unsaved = "";
    this.marked = true;
    const counts = chip.classList.contains("is-on");
    chip.classList.remove("is-on");
    chip.classList.add("is-changed");
    the(HTMLElement, "b", chip).textContent = said("Changed, not saved");
    the(HTMLElement, "span", chip).textContent = counts ? said("Your earlier orders count until you save.") : said("Nothing counts until you save.");
    the(HTMLElement, "[data-hint]").textContent = said("Not saved.");
    tellAbout(said("The map shows the orders below, which are not saved."));
  }
}

/** What the page told of the orders goes.
 *  @param {string} drawn */
function tellAbout(drawn) {
  for (const told of document.querySelectorAll('[data-asked], .messages [data-about="sheet"]')) told.remove();
  const place = find(HTMLElement, "[data-drawn]");
  if (place) place.textContent = drawn;
}

let leaving = false;
const sender = new Sender({ saved, leave: () => { leaving = true; } });
/** @type {Sheet | null} */
let sheet = null;
/** @type {MapEntry | null} */
let entry = null;

function start() {
  const form = find(HTMLFormElement, "#sheet");
  if (!form || sheet?.form === form) return;
  if ("unsaved" in form.dataset) history.replaceState(history.state, ""); // a reload does not send these orders again
  sheet = new Sheet(form);
  keepDraft(sheet);
  watchWarnings(form);
  startMap(sheet);
}

/** @param {Sheet} on */
function startMap(on) {
  const view = find(HTMLElement, "#board .board-view:has([data-places])");
  const old = entry;
  old?.stop();
  entry = view && new MapEntry(on, view);
  if (old) entry?.resume(old);
}

/** @param {Document} fresh @param {boolean} isSame */
function saved(fresh, isSame) {
  tellAbout(said("The map shows your saved orders."));
  if (isSame && sheet?.isOther) replaceForm(sheet, fresh);
  else sheet?.saved(fresh, isSame);
  const words = the(HTMLElement, "#saved", fresh).textContent;
  if (entry && !entry.chosen) entry.select(null, words); // none has been begun since
  if (isSame) allSaved(words);
}

/** @param {string | null} hint */
function allSaved(hint) {
  the(HTMLElement, "[data-hint]").textContent = entry ? said("Saved.") : hint;
  if (isReadyNext) the(HTMLFormElement, "#ready").requestSubmit();
  isReadyNext = false;
}

/** Typed text may have chosen other orders than the lists showed, so the whole form follows it.
 *  @param {Sheet} old @param {Document} fresh */
function replaceForm(old, fresh) {
  old.form.dispatchEvent(new Event("saved"));
  the(HTMLElement, "#receipt").replaceChildren(...the(HTMLElement, "#receipt", fresh).childNodes);
  const form = the(HTMLFormElement, "#sheet", fresh);
  old.form.replaceWith(form);
  window.htmx.process(form);
  start();
}

let isReadyNext = false;

/** Unsaved orders are saved before the player says that they are ready.
 *  @param {SubmitEvent} event */
function saidReady(event) {
  if (!sheet || !("unsaved" in sheet.form.dataset) || sheet.form.querySelector("[data-away]:not([hidden])")) return;
  event.preventDefault();
  isReadyNext = true;
  sheet.form.requestSubmit(the(HTMLButtonElement, "[data-save]"));
}

/** The receipt code of what is saved by now for the phase of this page; "" if that is nothing, or if no one can say.
 *  @param {HTMLFormElement} form */
async function newestFor(form) {
  const mark = `${the(HTMLInputElement, "[name=mark]", form).value} `;
  const answer = await ask(form.dataset.newest ?? "", {});
  const told = answer?.ok ? await answer.text().catch(() => "") : "";
  return told.startsWith(mark) ? told.slice(mark.length) : "";
}

/** While the page was hidden or offline, other orders may have been saved elsewhere. It says so before anything is typed. */
async function lookForNewer() {
  sender.retry();
  if (document.hidden || !sheet?.form.dataset.newest || sender.isBusy) return;
  const { after, form } = sheet;
  const shown = after.value;
  const newest = await newestFor(form);
  const isOvertaken = sender.isBusy || after.value !== shown;
  if (newest && !isOvertaken) warnOfNewer(form, newest !== shown);
}

/** The map may fill the screen, so the page scrolls to it.
 *  @param {HTMLFormElement} form @param {boolean} isNewer */
function warnOfNewer(form, isNewer) {
  const banner = the(HTMLElement, "[data-newer]", form);
  if (isNewer !== banner.hidden) return;
  banner.hidden = !isNewer;
  if (isNewer) banner.scrollIntoView({ block: "center" });
}

/** The phase has ended: its result takes the place of the page, unless something on it would be lost. */
function showResult() {
  const news = find(HTMLElement, "#news [data-result]");
  sheet?.catchUp();
  if (!news || !sheet || "unsaved" in sheet.form.dataset || sender.isBusy) return;
  leaving = true;
  location.assign(news.dataset.result ?? "");
}

start();
document.addEventListener("htmx:load", start);
document.addEventListener("htmx:oobAfterSwap", showResult);
document.addEventListener("visibilitychange", lookForNewer);
window.addEventListener("online", lookForNewer);
window.addEventListener("pageshow", ({ persisted }) => persisted && lookForNewer());
find(HTMLFormElement, "#ready")?.addEventListener("submit", saidReady);
window.addEventListener("pagehide", () => sheet?.catchUp());
window.addEventListener("beforeunload", (event) => {
  sheet?.catchUp();
  if (!leaving && sheet && "unsaved" in sheet.form.dataset) event.preventDefault();
});
