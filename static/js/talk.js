// What is being written is kept on this device, for one thread and one reader, until it is sent. With it goes the key of its form:
// words that arrived although the answer got lost are not sent a second time.

import { read, write } from "./kept.js";

const PREFIX = "talk ";
const SENT = "#sent-";

function keep(form, name) {
  const { text, key } = form.elements;
  write(localStorage, name, text.value.trim() ? { text: text.value, key: key.value, voice: form.elements.voice.value } : null);
}

function restore(form, { text, key, voice }) {
  form.elements.text.value = text;
  form.elements.key.value = key;
  for (const choice of form.querySelectorAll("[name=voice][type=radio]")) choice.checked = choice.value === voice;
}

export function keepTalk(form) {
  const name = `${PREFIX}${form.getAttribute("action")} ${form.dataset.talk}`;
  const sent = location.hash.startsWith(SENT) ? location.hash.slice(SENT.length) : null;
  if (sent) history.replaceState(null, "", location.pathname + location.search);
  const draft = read(localStorage, name);
  if (draft && draft.key === sent) write(localStorage, name, null);
  else if (draft && !form.elements.text.value) restore(form, draft);
  form.addEventListener("input", () => keep(form, name));
}
