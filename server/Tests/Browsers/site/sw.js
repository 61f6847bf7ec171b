const report = (value) => fetch("/report", { method: "POST", body: JSON.stringify(value) });

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const show = async () => {
    const text = event.data ? event.data.text() : "";
    await self.registration.showNotification("Push", { body: text, tag: "push" });
    const shown = await self.registration.getNotifications();
    await report({ kind: "push", text, shown: shown.map((notification) => notification.body) });
  };
  event.waitUntil(show().catch((error) => report({ kind: "failed", reason: String(error) })));
});

self.addEventListener("notificationclick", (event) => {
  event.waitUntil(report({ kind: "click", body: event.notification.body }));
});

// No person is there to click: the event is made here.
self.addEventListener("message", (event) => {
  if (event.data !== "click") return;
  const click = async () => {
    const [notification] = await self.registration.getNotifications();
    self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  };
  event.waitUntil(click().catch((error) => report({ kind: "failed", reason: String(error) })));
});

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(report({ kind: "changed" }));
});
