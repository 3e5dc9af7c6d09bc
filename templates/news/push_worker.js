// Shows the site's notifications on this device, and opens their pages.
self.addEventListener("push", (event) => {
  if (!event.data) return;
  const { title, path, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { tag, data: path }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const page = new URL(event.notification.data, self.location.origin);
  if (page.origin === self.location.origin) event.waitUntil(self.clients.openWindow(page.href));
});
