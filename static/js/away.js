// Saving orders without leaving the page. While the site is away the page keeps them, says so, and sends them again by
// itself, just as they were when the button was pressed.

import { make, the } from "./dom.js";
import { said } from "./words.js";

const AWAY = [502, 503, 504];
const PATIENCE = 20_000;
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;
const SPREAD = 0.5;          // so that all pages don't send at once

/** How long to wait before the next try, in milliseconds.
 *  @param {number} tries @param {number} chance from 0 to 1 */
export const pauseAfter = (tries, chance) => Math.min(FIRST_PAUSE * 2 ** tries, LONGEST_PAUSE) * (1 + SPREAD * chance);

/** @param {HTMLFormElement} form @param {HTMLButtonElement} button */
function contentOf(form, button) {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return new URLSearchParams([...fields, [button.name, button.value]]).toString();
}

/** The answer of the site; null if it is away.
 *  @param {string} address @param {RequestInit} what */
export async function ask(address, what) {
  try {
    const answer = await fetch(address, { ...what, redirect: "manual", signal: AbortSignal.timeout(PATIENCE) });
    return AWAY.includes(answer.status) ? null : answer;
  } catch {
    return null;
  }
}

export class Sender {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.content = "";    // what is being sent, until the site has answered
    this.next = "";       // what the button has been pressed for since
    this.isSending = false;
    this.held = 0;        // until then a tap may still become a click
    this.tries = 0;
    /** @type {HTMLButtonElement | null} */
    this.button = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    window.addEventListener("pointerdown", () => { this.held = Date.now() + 1_000; });
    window.addEventListener("pointerup", () => { this.held = Date.now() + 100; });
    window.addEventListener("pagehide", () => clearTimeout(this.timer)); // the draft stays, for when the page is opened again
  }

  /** At once, if it waits. */
  retry() {
    if (this.timer !== undefined) this.send();
  }

  /** Another may have taken its place since the button was pressed. */
  get form() {
    return the(HTMLFormElement, "#sheet");
  }

  /** @param {string} words */
  set hint(words) {
    the(HTMLElement, "[data-hint]").textContent = words;
  }

  /** Nobody knows yet whether the last orders sent are saved. */
  get isBusy() {
    return this.content !== "";
  }

  /** A tap whose button goes meanwhile is lost. */
  async lifted() {
    while (this.held > Date.now()) await new Promise((done) => setTimeout(done, 100));
  }

  /** @param {HTMLButtonElement} button */
  save(button) {
    this.button = button;
    this.next = contentOf(this.form, button);
    this.hint = said("Saving…");
    this.send();
  }

  /** What was sent without an answer is sent again before anything else, because it may have been saved: the same orders
   *  sent again keep their receipt, and only with its code can others replace them. */
  async send() {
    if (this.isSending) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.content ||= this.takeNext();
    this.isSending = true;
    const answer = await ask(this.form.action, { method: "POST", body: new URLSearchParams(this.content), headers: { "HX-Target": "saved" } });
    const told = await answer?.text().catch(() => undefined);
    await this.lifted();
    this.isSending = false;
    if (!answer || told === undefined) this.wait();
    else this.show(answer, told);
  }

  /** With the code of the orders that the page knows to be saved by now. */
  takeNext() {
    const content = new URLSearchParams(this.next);
    content.set("after", the(HTMLInputElement, "[name=after]", this.form).value);
    this.next = "";
    return content.toString();
  }

  /** @param {Response} answer @param {string} told */
  show(answer, told) {
    const isSame = !this.next && this.button !== null && this.content === contentOf(this.form, this.button);
    this.tries = 0;
    if (answer.ok) {
      the(HTMLElement, "[data-away]", this.form).hidden = true;
      this.content = "";
      this.page.saved(new DOMParser().parseFromString(told, "text/html"), isSame);
    }
    if (this.next) {
      this.content = "";
      this.send();
    } else if (!answer.ok) this.leave(answer, isSame);
  }

  /** The page as it is now, or a refusal: that is asked for again, because only the browser itself can make a page of it.
   *  @param {Response} answer @param {boolean} isSent */
  leave({ type }, isSent) {
    const isGone = type === "opaqueredirect";
    this.page.leave(isGone && isSent);
    if (isGone) {
      location.assign(this.form.action);
      return;
    }
    const fields = [...new URLSearchParams(this.content)].map(([name, value]) => make("input", { type: "hidden", name, value }));
    const again = make("form", { method: "post", action: this.form.action, hidden: true }, ...fields);
    document.body.append(again);
    again.submit();
  }

  wait() {
    const banner = the(HTMLElement, "[data-away]", this.form);
    this.hint = "";
    if (banner.hidden) {
      banner.hidden = false;
      banner.scrollIntoView({ block: "center" });
    }
    this.timer = setTimeout(() => this.send(), pauseAfter(this.tries, Math.random()));
    this.tries += 1;
  }
}
