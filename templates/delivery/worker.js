// Shows the site's notifications on this device, and a page of the site where there is no connection. It keeps that page
// and its look, the same for everyone, and nothing else.
const OFFLINE = "{{ offline }}";
const KEPT = [OFFLINE, ..."{{ look }}".split(" ")];
const keep = () => caches.open("offline");

self.addEventListener("install", (event) => {
  self.skipWaiting();
  const asked = KEPT.map((path) => new Request(path, { credentials: "omit" }));
  event.waitUntil(keep().then((kept) => kept.addAll(asked)));
});

async function begin() {
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
  const kept = await keep();
  const old = (await kept.keys()).filter(({ url }) => !KEPT.includes(new URL(url).pathname));
  await Promise.all(old.map((request) => kept.delete(request)));
}

self.addEventListener("activate", (event) => event.waitUntil(begin()));

/** The page from the site, or the page that says there is no connection. Without one, Firefox preloads an error. */
async function visited({ request, preloadResponse }) {
  try {
    const preloaded = await preloadResponse;
    return preloaded && preloaded.type !== "error" ? preloaded : await fetch(request);
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(visited(event));
  else if (KEPT.includes(new URL(request.url).pathname))
    event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()));
});

self.addEventListener("push", (event) => {
  if (!event.data) return;
  const { title, path, tag } = event.data.json();
  self.navigator.setAppBadge?.();
  event.waitUntil(self.registration.showNotification(title, { tag, data: path }));
});

/** Tells the site this device's new address. */
async function renew({ newSubscription }) {
  const asked = { userVisibleOnly: true, applicationServerKey: "{{ push_key }}" };
  const { endpoint, keys } = (newSubscription ?? (await self.registration.pushManager.subscribe(asked))).toJSON();
  const body = new URLSearchParams({ endpoint, key: keys.p256dh, auth: keys.auth });
  await fetch("{{ push_to }}", { method: "POST", body });
}

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const page = new URL(event.notification.data, self.location.origin);
  if (page.origin === self.location.origin) event.waitUntil(self.clients.openWindow(page.href));
});
