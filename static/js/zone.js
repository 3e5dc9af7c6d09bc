// The time zone of this browser: taken where an account is made, offered where another one is set.

import { find, the } from "./dom.js";

const field = the(HTMLInputElement, "#id_time_zone");
const offer = find(HTMLElement, "[data-zone-offer]");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (!offer) field.value = here || "";
if (offer && here && here !== field.value) {
  offer.textContent = `Use the zone of this browser: ${here}`;
  offer.hidden = false;
  offer.addEventListener("click", () => {
    field.value = here;
    offer.hidden = true;
    field.focus();
  });
}
