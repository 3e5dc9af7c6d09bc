// Pages of an account: the time zone of this browser, preset or offered; showing a password; why a passkey didn’t work.

import { button, find } from "./dom.js";
import { said } from "./words.js";

const zone = find(HTMLInputElement, "#id_time_zone");
const offer = find(HTMLElement, "[data-zone-offer]");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (zone && !offer) zone.value = here;
if (zone && offer && here && here !== zone.value) {
  offer.textContent = said("Use this browser’s time zone: {zone}", { zone: here });
  offer.hidden = false;
  offer.addEventListener("click", () => {
    zone.value = here;
    offer.hidden = true;
    zone.focus();
  });
}

const password = find(HTMLInputElement, "#id_password1");
const [shows, hides] = [said("Show"), said("Hide")];
const show = button(shows, () => {
  if (password) [password.type, show.textContent] = password.type === "text" ? ["password", shows] : ["text", hides];
}, "button--small");
password?.after(show);

/** @type {Record<string, string>} */
const WHY = {
  NotAllowedError: said("Nothing has changed: the request was cancelled, or took too long. Try again."),
  InvalidStateError: said("This device already has a passkey for your account."),
  SecurityError: said("Passkeys work only where the site is opened securely and by its name, not by a number such as 127.0.0.1."),
};

document.addEventListener("allauth.error", (event) => {
  const place = find(HTMLElement, "[data-passkey-wrong]");
  if (!place) return;
  event.preventDefault();
  const { exception } = /** @type {CustomEvent} */ (event).detail;
  place.textContent = WHY[exception?.name] ?? said("That didn’t work. This browser may not support passkeys.");
  place.hidden = false;
});
