// What is new, without reloading. The server tells a browser which games have changed, over one connection for all its
// pages; each then asks for what it may see. If that fails, the pages keep asking by themselves.

import { all, targetOf } from "./dom.js";

const NAME = "live";
const SLOWLY = 60_000;       // how often a page asks that is being told
const SPREAD = 300;          // so that they don't all ask at once
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 60_000;
const ANSWERS = 200;         // how long the other pages may take to say what they show
const MOST = 20;             // games that a browser is told about at the same time

const pulses = () => all(HTMLElement, "[data-pulse]");
const ticketed = () => all(HTMLElement, "[data-ticket]");

/** @param {number} pause @param {() => void} act */
const after = (pause, act) => setTimeout(act, pause + Math.random() * SPREAD);

/** @type {Set<string>} */
let told = new Set();        // the games that this browser is told about
let asked = Date.now();
/** @type {number | null} */
let asking = null;
let again = false;           // something was to be asked while an answer was on its way

// -- every page

/** The games that this browser is told about after this message.
 *  @param {Message} message @param {Set<string>} before */
export function toldAfter({ hello, heard, lost }, before) {
  const now = hello ?? heard;
  if (lost) return new Set();
  return now ? new Set(now) : before;
}

/** Whether a message says more than a page shows: a new connection may have missed something.
 *  @param {Message} message @param {DOMStringMap[]} shown */
export function isNews({ hello, game, version }, shown) {
  if (hello) return shown.some((pulse) => hello.includes(pulse.game ?? ""));
  return shown.some((pulse) => pulse.game === game && pulse.version !== version);
}

function look(of = pulses()) {
  asking = null;
  asked = Date.now();
  of.forEach((pulse) => pulse.dispatchEvent(new Event("look")));
}

/** The answer on its way may be older than the news, and whatever waits for it is lost with the element it replaces.
 *  @param {Event} event */
const remember = (event) => {
  again ||= targetOf(event).matches("[data-pulse].htmx-request");
};

/** A page that comes whole may be older than what was told while it was on its way.
 *  @param {Event} event */
function lookAgain(event) {
  const target = targetOf(event);
  if (target.matches("main")) after(0, () => look(ticketed()));
  else if (again && target.matches("[data-pulse]")) asking ??= after(0, look);
  else return;
  again = false;
}

/** @param {Message} message */
function hear(message) {
  told = toldAfter(message, told);
  if (isNews(message, ticketed().map(({ dataset }) => dataset))) asking ??= after(0, look);
}

/** A page that is hidden, or that is told, need not ask by itself.
 *  @param {CustomEvent} event */
function spare(event) {
  const target = targetOf(event);
  if (!target.matches("[data-pulse]")) return;
  if (document.hidden) {
    event.preventDefault();
    return;
  }
  const isLook = event.detail.requestConfig.triggeringEvent?.type === "look";
  if (isLook || !target.matches("[data-ticket]")) return;
  const isTold = ticketed().some(({ dataset }) => told.has(dataset.game ?? ""));
  if (isTold && Date.now() - asked < SLOWLY) event.preventDefault();
  else asked = Date.now();
}

// -- the page that listens for all pages

class Ear {
  /** @param {(message: Message) => void} tell */
  constructor(tell) {
    this.tell = tell;
    /** @type {Map<string, string>} */
    this.tickets = new Map();
    this.pause = FIRST_PAUSE;
    this.notBefore = 0;
    /** @type {number | null} */
    this.opening = null;
    /** @type {EventSource | null} */
    this.source = null;
  }

  /** @param {Ticket[]} tickets */
  want(tickets) {
    const known = tickets.every(([game]) => told.has(game) && this.tickets.has(game));
    for (const [game, ticket] of tickets) this.tickets.set(game, ticket);
    if (known) this.tell({ heard: [...told] });
    else this.opening ??= after(Math.max(ANSWERS, this.notBefore - Date.now()), () => this.open());
  }

  open() {
    this.close();
    if (!this.tickets.size) return;
    const query = new URLSearchParams([...this.tickets.values()].slice(-MOST).map((ticket) => ["ticket", ticket]));
    this.source = new EventSource(`/events/?${query}`);
    this.source.addEventListener("hello", (event) => {
      this.pause = FIRST_PAUSE;
      this.tell({ hello: JSON.parse(event.data) });
    });
    this.source.addEventListener("message", (event) => this.tell(JSON.parse(event.data)));
    this.source.addEventListener("error", () => this.lose());
  }

  /** Tell the pages to ask by themselves, and come again with the tickets that they have then. */
  lose() {
    this.source?.close();
    this.tickets.clear();
    this.tell({ lost: true });
    this.notBefore = Date.now() + this.pause;
    setTimeout(() => this.tell({ show: true }), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  close() {
    this.source?.close();
    if (this.opening !== null) clearTimeout(this.opening);
    this.opening = null;
  }
}

const myTickets = () => ticketed().map(({ dataset: { game = "", ticket = "" } }) => /** @type {Ticket} */ ([game, ticket]));

/** Pages of this browser that know of each other: one has the ear, and another takes over when it is gone. */
function together() {
  const pages = new BroadcastChannel(NAME);
  /** @type {Ear | null} */
  let ear = null;
  /** @param {Message} message */
  const tell = (message) => {
    pages.postMessage(message);
    receive(message);
  };
  const show = () => {
    const want = myTickets();
    if (!want.length) return;
    if (ear) ear.want(want);
    else pages.postMessage({ want });
  };
  /** @param {Message} message */
  const receive = (message) => {
    if (message.show) show();
    else if (message.want) ear?.want(message.want);
    else hear(message);
  };
  pages.addEventListener("message", (event) => receive(event.data));
  navigator.locks.request(NAME, () => new Promise(() => {
    ear = new Ear(tell);
    tell({ show: true });
  }));
  show();
  return show;
}

/** Without that every page has an ear of its own, as long as it is looked at. */
function alone() {
  const ear = new Ear((message) => (message.show ? show() : hear(message)));
  const show = () => {
    if (!document.hidden && ticketed().length) ear.want(myTickets());
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      ear.close();
      told = new Set();
    } else show();
  });
  show();
  return show;
}

function listen() {
  if (!ticketed().length) return;
  const show = "locks" in navigator ? together() : alone();
  document.addEventListener("htmx:load", (event) => {
    if (targetOf(event).matches("[data-ticket], :has([data-ticket])")) show();
  });
}

export function watchForNews() {
  document.addEventListener("htmx:beforeRequest", spare);
  document.addEventListener("look", remember, true);
  document.addEventListener("htmx:load", lookAgain);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) look();
  });
  listen();
}
