// A message being written is kept on this device, for one conversation and one reader, until it is sent. The key of its
// form is kept with it, so that a message that arrived though the answer got lost is not sent a second time.

import { all, the } from "./dom.js";
import { read, write } from "./kept.js";

const PREFIX = "talk ";
const SENT = "#sent-";

/** @param {HTMLFormElement} form */
export function keepTalk(form) {
  const text = the(HTMLTextAreaElement, "[name=text]", form);
  const key = the(HTMLInputElement, "[name=key]", form);
  const name = `${PREFIX}${form.getAttribute("action")} ${form.dataset.talk}`;
  const sent = location.hash.startsWith(SENT) ? location.hash.slice(SENT.length) : null;
  if (sent) history.replaceState(null, "", location.pathname + location.search);
  const draft = read(localStorage, name);
  if (draft && draft.key === sent) write(localStorage, name, null);
  else if (draft && !text.value) {
    text.value = draft.text;
    key.value = draft.key;
    for (const choice of all(HTMLInputElement, "[name=voice][type=radio]", form)) choice.checked = choice.value === draft.voice;
  }
  form.addEventListener("input", () => {
    const voice = new FormData(form).get("voice");
    write(localStorage, name, text.value.trim() ? { text: text.value, key: key.value, voice } : null);
  });
}
