// The time zone of this browser: preset for a new account, offered to others. A button shows a new password.

import { find, make, the } from "./dom.js";

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

const password = find(HTMLInputElement, "#id_password1");
const button = make("button", { type: "button", className: "button button--small", textContent: "Show" });
button.onclick = () => {
  if (password) [password.type, button.textContent] = password.type === "text" ? ["password", "Show"] : ["text", "Hide"];
};
password?.after(button);
