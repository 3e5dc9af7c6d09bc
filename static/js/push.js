// Turns on notifications on this device; turning them off needs no script.

import "./able.js";

import { the } from "./dom.js";
import { said } from "./words.js";

const section = the(HTMLElement, "[data-push]");
const button = the(HTMLButtonElement, "[data-push-on]", section);
const says = the(HTMLElement, "[data-push-says]", section);
const { push: key = "", pushTo = "" } = section.dataset;

/** @param {string} text */
function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

async function subscribe() {
  await navigator.serviceWorker.register("/worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe(); // it may be another account's
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
}

/** @param {PushSubscriptionJSON} subscription */
async function tell({ endpoint = "", keys: { p256dh = "", auth = "" } = {} }) {
  const headers = { "X-CSRFToken": the(HTMLInputElement, "[name=csrfmiddlewaretoken]", section).value };
  const body = new URLSearchParams({ endpoint, key: p256dh, auth });
  const answer = await fetch(pushTo, { method: "POST", headers, body });
  if (answer.status !== 204) throw new Error("not taken");
}

async function turnOn() {
  button.disabled = true;
  if ((await Notification.requestPermission()) === "granted") {
    try {
      await tell((await subscribe()).toJSON());
      location.reload();
      return;
    } catch {
      says.textContent = said("That didn’t work, and nothing has changed. Try again later.");
    }
  } else {
    says.textContent = said("Your browser blocks notifications from this site. Allow them in your browser’s settings, then try again.");
  }
  button.disabled = false;
}

if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
  button.hidden = false;
  button.addEventListener("click", turnOn);
} else {
  says.textContent = said("This browser doesn’t support push notifications.");
}
