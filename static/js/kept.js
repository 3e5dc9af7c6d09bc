// What this device keeps for its reader: drafts of orders and of messages. Who signs out takes them along.

const OURS = ["sheet ", "talk "];
const SIGNING_OUT = "/accounts/logout/";
const LEFT = "signed out";

export function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key));
  } catch {
    return null; // storage may be switched off, or hold what somebody else wrote
  }
}

export function write(storage, key, value) {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(value));
  } catch {
    // without storage nothing is kept
  }
}

function forget() {
  try {
    const ours = Object.keys(localStorage).filter((name) => OURS.some((prefix) => name.startsWith(prefix)));
    for (const name of ours) localStorage.removeItem(name);
  } catch {
    // without storage there is none
  }
}

/** On the page after: what other tabs still show and would keep again goes as well. */
function sendOthersAway() {
  const left = read(sessionStorage, LEFT);
  write(sessionStorage, LEFT, null);
  if (!left || document.querySelector(`form[action="${SIGNING_OUT}"]`)) return;
  forget();
  write(localStorage, LEFT, Date.now());
  write(localStorage, LEFT, null);
}

function goAway() {
  for (const form of document.querySelectorAll("[data-unsaved]")) delete form.dataset.unsaved; // nobody is asked whether to stay
  location.replace(location.pathname + location.search);
}

export function forgetOnSigningOut() {
  document.addEventListener("submit", (event) => {
    if ((event.target.getAttribute("action") || location.pathname) !== SIGNING_OUT) return;
    forget();
    write(sessionStorage, LEFT, true);
  });
  window.addEventListener("storage", ({ key, newValue }) => key === LEFT && newValue && goAway());
  sendOthersAway();
}
