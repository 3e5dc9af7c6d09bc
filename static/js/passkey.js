// Says why a passkey could not be created or used.

import { find } from "./dom.js";

/** @type {Record<string, string>} */
const WHY = {
  NotAllowedError: "Nothing has changed: the request was cancelled, or took too long. Try again.",
  InvalidStateError: "This device already has a passkey for your account.",
  SecurityError: "Passkeys work only where the site is opened securely and by its name, not by a number such as 127.0.0.1.",
};

document.addEventListener("allauth.error", (event) => {
  const place = find(HTMLElement, "[data-passkey-wrong]");
  if (!place) return;
  event.preventDefault();
  const { exception } = /** @type {CustomEvent} */ (event).detail;
  place.textContent = WHY[exception?.name] ?? "That didn’t work. This browser may not support passkeys.";
  place.hidden = false;
});
