// The time zone of this browser: preset when an account is created, offered when another one is set.

import { find, the } from "./dom.js";

const field = the(HTMLInputElement, "#id_time_zone");
const offer = find(HTMLElement, "[data-zone-offer]");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (!offer) field.value = here || "";
if (offer && here && here !== field.value) {
  offer.textContent = `Use this browser’s time zone: ${here}`;
  offer.hidden = false;
  offer.addEventListener("click", () => {
    field.value = here;
    offer.hidden = true;
    field.focus();
  });
}
