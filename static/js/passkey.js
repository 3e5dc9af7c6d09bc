// Says in words why a passkey was not made or not read.

import { find } from "./dom.js";

/** @type {Record<string, string>} */
const WHY = {
  NotAllowedError: "Nothing happened: it was stopped, or took too long. Try again.",
  InvalidStateError: "This device has a passkey for your account already.",
  SecurityError: "Passkeys work only where the site is opened securely and by its name, not by a number such as 127.0.0.1.",
};

document.addEventListener("allauth.error", (event) => {
  const place = find(HTMLElement, "[data-passkey-wrong]");
  if (!place) return;
  event.preventDefault();
  const { exception } = /** @type {CustomEvent} */ (event).detail;
  place.textContent = WHY[exception?.name] ?? "This did not work. Perhaps this browser has no passkeys.";
  place.hidden = false;
});
