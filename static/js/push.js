// Turns on notifications on this device; turning them off needs no script.

import { all, the } from "./dom.js";
import { said } from "./words.js";

const section = the(HTMLElement, "[data-push]");
const off = the(HTMLElement, "[data-push-off]", section);
const button = the(HTMLButtonElement, "button", off);
const says = the(HTMLElement, "p", off);
const { push: applicationServerKey = "", pushTo = "" } = section.dataset;

async function subscribe() {
  await navigator.serviceWorker.register("/worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe(); // it may be another account's
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
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

async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Does the browser still hold what the site knows? */
async function compare() {
  const [here, ...known] = JSON.parse(section.dataset.pushHeld ?? "");
  const held = await subscription();
  if (here === (held && held.endpoint)) return;
  if (held && known.includes(held.endpoint)) {
    await tell(held.toJSON()); // a new session
    location.reload();
  } else if (here) {
    for (const part of all(HTMLElement, "[data-push-on]", section)) part.hidden = true;
    off.hidden = false;
    says.textContent = said("Notifications have stopped on this device. Turn them on again.");
  }
}

if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
  button.hidden = false;
  button.addEventListener("click", turnOn);
  compare();
} else {
  says.textContent = said("This browser doesn’t support push notifications.");
}
