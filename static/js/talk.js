// A message being written is kept on this device, for one conversation and one reader, until it is sent. The key of its
// form is kept with it, so that a message that arrived though the answer got lost is not sent a second time.

import { all, find, make, the } from "./dom.js";
import { read, write } from "./kept.js";
import { said } from "./words.js";

const PREFIX = "talk ";
const SENT = "#sent-";
const AT_A_DESK = "(hover: hover) and (pointer: fine)";

/** @param {string} address of a conversation @param {string | undefined} reader */
const nameOf = (address, reader) => `${PREFIX}${address} ${reader}`;

/** At a desk the enter key sends, and with shift it starts a new line; a finger has a button for the one only.
 *  @param {KeyboardEvent} event @param {HTMLFormElement} form */
function sendByKey(event, form) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !matchMedia(AT_A_DESK).matches) return;
  event.preventDefault();
  form.requestSubmit();
}

/** The page stays and asks for what is new. What cannot be sent so is sent as without scripts.
 *  @param {HTMLFormElement} form @param {HTMLTextAreaElement} text @param {HTMLInputElement} key @param {HTMLElement} news */
async function sendHere(form, text, key, news) {
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) }).catch(() => null);
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page && !find(HTMLElement, "[data-typed]", page) && find(HTMLInputElement, "[data-talk] [name=key]", page);
  if (!next) {
    form.submit();
    return;
  }
  key.value = next.value;
  text.value = "";
  text.dispatchEvent(new Event("input", { bubbles: true }));
  text.focus();
  news.dispatchEvent(new Event("look"));
}

/** In the list of conversations, those with a message that was begun show it.
 *  @param {HTMLElement} list */
export function showDrafts(list) {
  for (const thread of all(HTMLAnchorElement, "a.thread:not([aria-current])", list)) {
    const draft = read(localStorage, nameOf(thread.pathname, list.dataset.drafts));
    const last = find(HTMLElement, ".thread__last", thread) ?? make("span", { className: "thread__last" });
    if (!draft?.text) continue;
    last.replaceChildren(make("b", { textContent: said("Draft:") }), ` ${draft.text.slice(0, 80)}`);
    the(HTMLElement, ".thread__words", thread).append(last);
  }
}

/** @param {HTMLFormElement} form @param {{ text: string, key: string, voice: string }} draft */
function restore(form, draft) {
  the(HTMLTextAreaElement, "[name=text]", form).value = draft.text;
  the(HTMLInputElement, "[name=key]", form).value = draft.key;
  for (const choice of all(HTMLInputElement, "[name=voice][type=radio]", form)) choice.checked = choice.value === draft.voice;
}

/** @type {WeakSet<HTMLFormElement>} */
const kept = new WeakSet();

/** Every form within, once, even if it outlasts the page around it.
 *  @param {ParentNode} fresh */
export function keepTalks(fresh) {
  for (const form of all(HTMLFormElement, "[data-talk]", fresh)) {
    if (!kept.has(form)) keepTalk(form);
    kept.add(form);
  }
}

/** @param {HTMLFormElement} form */
function keepTalk(form) {
  const text = the(HTMLTextAreaElement, "[name=text]", form);
  const key = the(HTMLInputElement, "[name=key]", form);
  const name = nameOf(form.getAttribute("action") ?? "", form.dataset.talk);
  text.addEventListener("keydown", (event) => sendByKey(event, form));
  const sent = location.hash.startsWith(SENT) ? location.hash.slice(SENT.length) : null;
  if (sent) history.replaceState(null, "", location.pathname + location.search);
  form.addEventListener("submit", (event) => {
    const news = find(HTMLElement, ".talk__messages [data-pulse]");
    if (!news || event.submitter?.matches("[name]")) return;
    event.preventDefault();
    sendHere(form, text, key, news);
  });
  const draft = read(localStorage, name);
  if (draft && draft.key === sent) write(localStorage, name, null);
  else if (draft && !text.value) restore(form, draft);
  form.addEventListener("input", () => {
    const voice = new FormData(form).get("voice");
    write(localStorage, name, text.value.trim() ? { text: text.value, key: key.value, voice } : null);
  });
}
