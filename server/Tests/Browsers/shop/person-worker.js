// No person is there to click: the event is made here.
self.addEventListener('message', (event) => {
  if (event.data !== 'click') return;
  const click = async () => {
    const [notification] = await self.registration.getNotifications();
    if (notification) self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  };
  event.waitUntil(click());
});
