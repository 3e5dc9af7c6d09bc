// What is new, without reloading. The server tells a browser which games have changed, over one connection however many
// pages are open; each page then asks what it may see. Where that fails the pages go on asking by themselves.

import { keepPositions, moveUnits } from "./moves.js";

const NAME = "live";
const SLOWLY = 60_000;       // how often a page asks that is told
const SPREAD = 300;          // so that not all ask at once
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 60_000;
const ANSWERS = 200;         // how long the other pages may take to say what they show
const MOST = 20;             // games of which a browser is told at once

const pulses = () => [...document.querySelectorAll("[data-pulse]")];
const ticketed = () => [...document.querySelectorAll("[data-ticket]")];
const after = (pause, act) => setTimeout(act, pause + Math.random() * SPREAD);

let told = new Set();        // the games of which this browser is told
let asked = Date.now();
let asking = null;

// -- every page
function look() {
  asking = null;
  asked = Date.now();
  pulses().forEach((pulse) => pulse.dispatchEvent(new Event("look")));
}

function lookSoon() {
  asking ??= after(0, look);
}

function hear({ hello, heard, game, version, lost }) {
  if (hello ?? heard) told = new Set(hello ?? heard);
  if (lost) told = new Set();
  const shown = ticketed();
  const news = hello ? shown.some((pulse) => told.has(pulse.dataset.game))
    : shown.some((pulse) => pulse.dataset.game === game && pulse.dataset.version !== version);
  if (news) lookSoon();
}

/** A page that nobody looks at, or that is told, need not ask by itself. */
function spare(event) {
  if (!event.target.matches("[data-pulse]")) return;
  if (document.hidden) return event.preventDefault();
  const byItself = event.detail.requestConfig.triggeringEvent?.type !== "look";
  const isTold = ticketed().some((pulse) => told.has(pulse.dataset.game));
  if (!byItself || !event.target.matches("[data-ticket]")) return;
  if (isTold && Date.now() - asked < SLOWLY) event.preventDefault();
  else asked = Date.now();
}

// -- the page that listens for all
class Ear {
  constructor(tell) {
    this.tell = tell;
    this.tickets = new Map();
    this.pause = FIRST_PAUSE;
    this.notBefore = 0;
    this.opening = null;
  }

  want(tickets) {
    const known = tickets.every(([game]) => told.has(game) && this.tickets.has(game));
    for (const [game, ticket] of tickets) this.tickets.set(game, ticket);
    if (known) this.tell({ heard: [...told] });
    else this.opening ??= after(Math.max(ANSWERS, this.notBefore - Date.now()), () => this.open());
  }

  open() {
    this.opening = null;
    this.source?.close();
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
    this.source.close();
    this.tickets.clear();
    this.tell({ lost: true });
    this.notBefore = Date.now() + this.pause;
    setTimeout(() => this.tell({ show: true }), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  close() {
    this.source?.close();
    clearTimeout(this.opening);
    this.opening = null;
  }
}

const myTickets = () => ticketed().map((pulse) => [pulse.dataset.game, pulse.dataset.ticket]);

/** Pages of this browser that know of each other: one has the ear, and another takes over when it is gone. */
function together() {
  const pages = new BroadcastChannel(NAME);
  let ear = null;
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
  if (!ticketed().length || !("EventSource" in window)) return;
  const show = "locks" in navigator && "BroadcastChannel" in window ? together() : alone();
  document.addEventListener("htmx:load", (event) => {
    if (event.target.matches?.("[data-ticket]") || event.target.querySelector?.("[data-ticket]")) show();
  });
}

export function watchForNews() {
  document.addEventListener("htmx:beforeRequest", spare);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) look();
  });
  document.addEventListener("phase-changed", keepPositions);
  document.addEventListener("htmx:afterSwap", moveUnits);
  listen();
}
