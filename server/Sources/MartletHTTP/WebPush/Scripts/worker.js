// What a site's service worker imports: shows pushes, opens what they lead to, and reports it.
//
//   importScripts('https://push.example.com/webpush/worker.js');
(() => {
  'use strict';

  const databaseName = 'martlet';
  const requestTimeout = 20_000;
  // Events that could not be sent wait in the browser: as many as one upload takes, twice.
  const eventLimit = 1_000;
  const uploadLimit = 500;
  const declarativeTimeout = 2_000;

  const open = () =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(databaseName, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore('values');
        request.result.createObjectStore('events', { autoIncrement: true });
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  const run = async (name, mode, body) => {
    const database = await open();
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(name, mode);
        const request = body(transaction.objectStore(name));
        transaction.oncomplete = () => resolve(request?.result);
        transaction.onerror = transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
  };

  const get = (name) => run('values', 'readonly', (values) => values.get(name));
  const set = (name, value) => run('values', 'readwrite', (values) => values.put(value, name));

  const call = async (options, method, path, { headers = {}, body } = {}) => {
    const response = await fetch(options.server + path, {
      method,
      credentials: 'omit',
      signal: AbortSignal.timeout(requestTimeout),
      headers: { Authorization: `Bearer ${options.key}`, 'Content-Type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw Object.assign(new Error(`HTTP ${response.status}`), { status: response.status });
    return response.status === 204 ? {} : response.json();
  };

  // Reports

  const report = async (type, data, value) => {
    const installation = await get('installation');
    if (!installation?.id) return;
    const event = {
      event_id: crypto.randomUUID(),
      type,
      time: new Date().toISOString(),
      platform: 'web',
      installation_id: installation.id,
    };
    if (typeof data?.message_id === 'string') event.message_id = data.message_id;
    if (typeof data?.campaign_id === 'string') event.campaign_id = data.campaign_id;
    if (value) event.value = String(value).slice(0, 1_000);
    await run('events', 'readwrite', (events) => {
      const count = events.count();
      count.onsuccess = () => {
        if (count.result >= eventLimit) events.openCursor().onsuccess = ({ target }) => target.result?.delete();
        events.add(event);
      };
    });
    await upload().catch(() => {});
  };

  let uploading = null;
  const upload = () => {
    uploading ??= sendEvents().finally(() => {
      uploading = null;
    });
    return uploading;
  };

  const sendEvents = async () => {
    for (;;) {
      const [options, installation] = [await get('options'), await get('installation')];
      if (!options || !installation?.secret) return;
      const keys = await run('events', 'readonly', (events) => events.getAllKeys(null, uploadLimit));
      if (!keys.length) return;
      const found = await run('events', 'readonly', (events) => events.getAll(null, uploadLimit));
      try {
        await call(options, 'POST', `/api/v1/events?app=${encodeURIComponent(options.app)}`, {
          headers: { 'Martlet-Installation-Secret': installation.secret },
          body: { events: found.slice(0, keys.length) },
        });
      } catch (error) {
        // What is refused for itself is refused again; what is not, is sent with the next push.
        if (error.status !== 400 && error.status !== 422) throw error;
      }
      await run('events', 'readwrite', (events) => {
        for (const key of keys) events.delete(key);
      });
    }
  };

  // Pushes

  const object = (value) => (value && typeof value === 'object' ? value : {});

  const parsed = (read) => {
    try {
      return object(read());
    } catch {
      return {};
    }
  };

  const shownMembers = [
    'actions', 'badge', 'body', 'dir', 'icon', 'image', 'lang', 'renotify', 'requireInteraction', 'silent', 'tag',
    'timestamp', 'vibrate',
  ];

  /** The notification that a browser has made of a declarative push: its getters, without what is only a default. */
  const proposed = (notification) => {
    const found = { title: notification.title, navigate: notification.navigate };
    for (const name of shownMembers) {
      const value = notification[name];
      if (value !== undefined && value !== null && value !== '' && value.length !== 0) found[name] = value;
    }
    const { data } = notification;
    found.data = typeof data === 'string' ? parsed(() => JSON.parse(data)) : object(data);
    return found;
  };

  /** What was pushed. Safari hands a declarative push over as the notification that it would show, without data. */
  const payloadOf = (event) => {
    const payload = parsed(() => event.data?.json());
    if (!event.notification || payload.notification) return payload;
    return { notification: proposed(event.notification), app_badge: event.appBadge ?? undefined };
  };

  // Safari shows a declarative push when its event has ended, and does not settle every promise before: nothing is waited
  // for longer than this. What was not uploaded by then goes with the next push.
  const bounded = (promise) => {
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, declarativeTimeout);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
  };

  const show = async (event) => {
    const payload = payloadOf(event);
    const notification = payload.notification ?? {};
    const options = {};
    for (const name of shownMembers) if (notification[name] !== undefined) options[name] = notification[name];
    if (options.tag && options.renotify === undefined) options.renotify = true;
    const data = { message_id: payload.message_id, ...notification.data };
    options.data = { ...data, martlet: { navigate: notification.navigate } };
    const isDeclarative = Boolean(event.notification);
    // Safari opens it by itself, and takes no notification in place of its own without it.
    const more = isDeclarative ? { navigate: await destination(notification.navigate) } : {};
    const settled = isDeclarative ? bounded : (promise) => promise;
    const title = notification.title || (await get('options').catch(() => null))?.title || self.location.hostname;
    // Whatever it was: a site that gets pushes and shows nothing loses its permission.
    try {
      await settled(self.registration.showNotification(title, { ...options, ...more }));
    } catch {
      // What is refused of a declarative push, Safari shows as it came.
      if (!isDeclarative) await self.registration.showNotification(title, { data: options.data });
    }
    const badge = notification.app_badge ?? payload.app_badge;
    if (badge !== undefined) await settled(self.navigator.setAppBadge?.(Number(badge) || 0).catch(() => {}));
    await settled(report('delivery', data));
  };

  /** Where a notification leads: to the site itself, or to what it has allowed; anything else leads to its start. */
  const destination = async (link) => {
    const start = self.registration.scope;
    if (typeof link !== 'string') return start;
    let address;
    try {
      address = new URL(link, start);
    } catch {
      return start;
    }
    if (address.origin === self.location.origin) return address.href;
    const allowed = (await get('options').catch(() => null))?.navigate ?? [];
    const isAllowed = allowed.some((prefix) => {
      try {
        const permitted = new URL(prefix);
        return (
          permitted.protocol === 'https:' && permitted.origin === address.origin &&
          address.pathname.startsWith(permitted.pathname)
        );
      } catch {
        return false;
      }
    });
    return isAllowed ? address.href : start;
  };

  const visit = async (address) => {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const same = pages.find((page) => page.url === address);
    if (same) return same.focus();
    return self.clients.openWindow(address);
  };

  const clicked = async (event) => {
    const { martlet, ...data } = event.notification.data ?? {};
    event.notification.close();
    const action = (event.notification.actions ?? []).find(({ action: name }) => name === event.action);
    const opened = destination(action?.navigate ?? martlet?.navigate).then(visit);
    await Promise.allSettled([opened, report('open', data, event.action)]);
  };

  // Subscriptions

  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));

  const isSame = (buffer, expected) => {
    const found = new Uint8Array(buffer ?? []);
    return found.length === expected.length && found.every((byte, index) => byte === expected[index]);
  };

  /** The browser's push service has ended a subscription: another takes its place. */
  const resubscribe = async (event) => {
    const [options, installation] = [await get('options'), await get('installation')];
    if (!options || !installation?.secret || (await get('isOff'))) return;
    const before = event.oldSubscription?.endpoint ?? (await get('endpoint'));
    const key = (await call(options, 'GET', `/api/v1/webpush/key?app=${encodeURIComponent(options.app)}`)).data;
    const applicationServerKey = bytes(key.public_key);
    const manager = self.registration.pushManager;
    let subscription = event.newSubscription ?? (await manager.getSubscription());
    if (subscription && !isSame(subscription.options.applicationServerKey, applicationServerKey)) {
      // The browser has renewed it with the key of before.
      await subscription.unsubscribe();
      subscription = null;
    }
    subscription ??= await manager.subscribe({ userVisibleOnly: true, applicationServerKey });
    const body = {
      app: options.app,
      installation_id: installation.id,
      platform: 'webpush',
      subscription: subscription.toJSON(),
      vapid_key_id: key.key_id,
    };
    if (before && before !== subscription.endpoint) body.previous_token = before;
    await call(options, 'POST', '/api/v1/tokens', {
      headers: { 'Martlet-Installation-Secret': installation.secret },
      body,
    });
    await set('endpoint', subscription.endpoint);
  };

  self.addEventListener('install', () => self.skipWaiting());
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('push', (event) => event.waitUntil(show(event)));
  self.addEventListener('notificationclick', (event) => event.waitUntil(clicked(event)));
  self.addEventListener('notificationclose', (event) => {
    const { martlet, ...data } = event.notification.data ?? {};
    event.waitUntil(report('dismiss', data));
  });
  self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(resubscribe(event)));
})();
