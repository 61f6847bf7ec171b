// A site's side of Martlet's Web Push: asks for the permission, subscribes, registers, and reads what belongs to the user.
//
//   const martlet = new Martlet({ server: 'https://push.example.com', app: 'shop', key: 'mk_client_…' });
//   await martlet.start();                                    // at each visit
//   button.onclick = () => martlet.subscribe();               // after an explanation, from a click
(() => {
  'use strict';

  const databaseName = 'martlet';
  // Firefox never answers a subscription that is asked for before it has reached its push service.
  const subscribeTimeout = 30_000;
  const requestTimeout = 20_000;
  // What is subscribed is looked up in the browser itself; Firefox never answers who asks before that part of it runs.
  const lookupTimeout = 5_000;

  /** What went wrong, with the server's code where the server said it. */
  class MartletError extends Error {
    constructor(code, message, status) {
      super(message);
      this.name = 'MartletError';
      this.code = code;
      this.status = status;
    }
  }

  /** Values that pages and the worker share, by name. */
  const storage = {
    async open() {
      return new Promise((resolve, reject) => {
        const request = indexedDB.open(databaseName, 1);
        request.onupgradeneeded = () => {
          request.result.createObjectStore('values');
          request.result.createObjectStore('events', { autoIncrement: true });
        };
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    },
    async run(mode, body) {
      const database = await storage.open();
      try {
        return await new Promise((resolve, reject) => {
          const transaction = database.transaction('values', mode);
          const request = body(transaction.objectStore('values'));
          transaction.oncomplete = () => resolve(request.result);
          transaction.onerror = transaction.onabort = () => reject(transaction.error);
        });
      } finally {
        database.close();
      }
    },
    get: (name) => storage.run('readonly', (values) => values.get(name)),
    set: (name, value) => storage.run('readwrite', (values) => values.put(value, name)),
  };

  const withTimeout = (promise, milliseconds, message) => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new MartletError('timeout', message)), milliseconds);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
  };

  /** Waits for a registration's own worker: `serviceWorker.ready` is of the page's, which a scope elsewhere does not touch. */
  const activation = (registration) =>
    new Promise((resolve, reject) => {
      const watched = new Set();
      const look = () => {
        const { active, installing, waiting } = registration;
        if (active) return resolve();
        const coming = installing ?? waiting;
        if (!coming && watched.size) return reject(new MartletError('worker_failed', 'The service worker did not start.'));
        if (!coming || watched.has(coming)) return undefined;
        watched.add(coming);
        return coming.addEventListener('statechange', look);
      };
      registration.addEventListener('updatefound', look);
      look();
    });

  const subscriptionOf = (worker) =>
    withTimeout(worker.pushManager.getSubscription(), lookupTimeout, 'The browser does not say what is subscribed.');

  const bytes = (text) => {
    const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(plain, (character) => character.charCodeAt(0));
  };

  const isSame = (buffer, expected) => {
    const found = new Uint8Array(buffer ?? []);
    return found.length === expected.length && found.every((byte, index) => byte === expected[index]);
  };

  const isAppleMobile = () =>
    /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

  const isInstalled = () => navigator.standalone === true || matchMedia('(display-mode: standalone)').matches;

  class Martlet {
    /**
     * @param {object} options
     * @param {string} options.server    the server's address
     * @param {string} options.app       the app's name or id
     * @param {string} options.key       the app's client key
     * @param {string} [options.worker]  the site's own worker, one line: importScripts('SERVER/webpush/worker.js')
     * @param {string} [options.scope]   the worker's scope
     * @param {() => Promise<string>} [options.userToken]  the signed-in user's token
     * @param {string} [options.userID]  the user, where the app's word is enough
     * @param {string[]} [options.navigate]  addresses beside the site's own that a notification may open, as prefixes
     * @param {string} [options.title]   what is shown of a push that cannot be read
     */
    constructor(options) {
      for (const name of ['server', 'app', 'key']) {
        if (!options?.[name]) throw new MartletError('invalid_value', `The option ${name} is required.`);
      }
      this.options = { worker: '/sw.js', navigate: [], ...options, server: options.server.replace(/\/+$/, '') };
      this.working = Promise.resolve();
    }

    /**
     * Where this browser stands: 'unsupported', 'needs-install' (on an iPhone the site is first added to the Home Screen),
     * 'prompt', 'granted' or 'denied'.
     */
    state() {
      const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
      if (!isSupported) return isAppleMobile() && !isInstalled() ? 'needs-install' : 'unsupported';
      return Notification.permission === 'default' ? 'prompt' : Notification.permission;
    }

    /** Whether pushes reach this browser now. */
    async isSubscribed() {
      if (this.state() !== 'granted') return false;
      const worker = await navigator.serviceWorker.getRegistration(this.options.scope ?? this.options.worker);
      return Boolean(worker && (await subscriptionOf(worker))) && Boolean(await storage.get('endpoint'));
    }

    /** Call it at each visit: hands the worker its settings, and registers again what was subscribed. Asks for nothing. */
    async start() {
      return this.once(async () => {
        await this.saveOptions();
        if (this.state() !== 'granted' || (await storage.get('isOff'))) return false;
        const worker = await this.worker();
        if (!(await subscriptionOf(worker)) && !(await storage.get('endpoint'))) return false;
        await this.register(worker);
        return true;
      });
    }

    /**
     * Asks for the permission, subscribes and registers. Only from a click, and after the page has said what for: a prompt
     * that comes by itself is refused, and a refusal is for good.
     *
     * @returns the state afterwards
     */
    async subscribe() {
      const state = this.state();
      if (state !== 'prompt' && state !== 'granted') return state;
      if (navigator.userActivation && !navigator.userActivation.isActive) {
        throw new MartletError('needs_click', 'Call subscribe() from a click.');
      }
      // Before anything is awaited: Safari forgets the click.
      const permission = state === 'granted' ? 'granted' : await Notification.requestPermission();
      if (permission !== 'granted') return this.state();
      await this.once(async () => {
        await this.saveOptions();
        await storage.set('isOff', false);
        await this.register(await this.worker());
      });
      return this.state();
    }

    /** Ends the subscription in this browser, and tells the server where it can be reached; the permission stays. */
    async unsubscribe() {
      await this.once(async () => {
        await storage.set('isOff', true);
        try {
          const worker = await this.worker();
          const subscription = await subscriptionOf(worker);
          await subscription?.unsubscribe();
          await storage.set('endpoint', undefined);
        } finally {
          await this.switchPush(false).catch(() => {});
        }
      });
    }

    /** Call it after a user has signed in, and after one has signed out (with null): their pushes follow them. */
    async setUser(userID, userToken) {
      this.options.userID = userID;
      this.options.userToken = userToken;
      await this.start();
    }

    // What belongs to the signed-in user; each needs the option userToken.

    /** A page of the inbox: { data, next }. */
    inbox({ status, category, limit, cursor } = {}) {
      return this.ofUser('GET', '/api/v1/inbox', { query: { status, category, limit, cursor } });
    }

    /** How many items are unread and unseen. */
    async inboxCounts() {
      return (await this.ofUser('GET', '/api/v1/inbox/counts')).data;
    }

    /** Changes one item, for example { is_read: true }. */
    async updateInboxItem(id, changes) {
      return (await this.ofUser('PATCH', `/api/v1/inbox/${encodeURIComponent(id)}`, { body: changes })).data;
    }

    /** Does the same to many items, as POST /api/v1/inbox/actions says. */
    async inboxAction(action) {
      return (await this.ofUser('POST', '/api/v1/inbox/actions', { body: action })).data;
    }

    /** What the user wants, category by category. */
    async preferences() {
      return (await this.ofUser('GET', '/api/v1/preferences')).data;
    }

    /** Changes it, for example { categories: { comment: { push: false } } }; with a revision only if nobody else did. */
    async updatePreferences(changes, revision) {
      const headers = revision === undefined ? {} : { 'If-Match': `"${revision}"` };
      return (await this.ofUser('PATCH', '/api/v1/preferences', { body: changes, headers })).data;
    }

    // One after the other: two registrations at once would make two installations.
    once(body) {
      const next = this.working.then(body, body);
      this.working = next.catch(() => {});
      return next;
    }

    async saveOptions() {
      const { server, app, key, navigate, title } = this.options;
      await storage.set('options', { server, app, key, navigate, title });
    }

    async worker() {
      const { worker, scope } = this.options;
      const registration = await navigator.serviceWorker.register(worker, scope ? { scope } : undefined);
      await withTimeout(activation(registration), subscribeTimeout, 'The service worker did not start.');
      return registration;
    }

    /** Subscribes where that is needed, and tells the server, with the endpoint that this one takes the place of. */
    async register(worker) {
      const key = (await this.call('GET', '/api/v1/webpush/key', { query: { app: this.options.app } })).data;
      const applicationServerKey = bytes(key.public_key);
      const before = await storage.get('endpoint');
      let subscription = await subscriptionOf(worker);
      if (subscription && !isSame(subscription.options.applicationServerKey, applicationServerKey)) {
        // It is bound to the key of before.
        await subscription.unsubscribe();
        subscription = null;
      }
      subscription ??= await this.makeSubscription(worker, applicationServerKey);
      try {
        await this.tell(subscription, key.key_id, before);
      } catch (error) {
        if (error.code !== 'subscription_ended') throw error;
        // The push service has ended it, and the browser has not heard of it.
        await subscription.unsubscribe();
        subscription = await this.makeSubscription(worker, applicationServerKey);
        await this.tell(subscription, key.key_id, before);
      }
      await storage.set('endpoint', subscription.endpoint);
      // A registration does not do it.
      if (await storage.get('isSwitchedOff')) await this.switchPush(true);
    }

    /** Tells the server whether this browser wants pushes. */
    async switchPush(isOn) {
      const installation = await storage.get('installation');
      if (!installation?.secret) return;
      // Before: an answer that is lost may have been a change.
      if (!isOn) await storage.set('isSwitchedOff', true);
      await this.call('PATCH', `/api/v1/installations/${installation.id}`, {
        query: { app: this.options.app },
        headers: { 'Martlet-Installation-Secret': installation.secret },
        body: { push: isOn },
      });
      if (isOn) await storage.set('isSwitchedOff', false);
    }

    makeSubscription(worker, applicationServerKey) {
      return withTimeout(
        worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }),
        subscribeTimeout,
        'The browser did not reach its push service.'
      );
    }

    async tell(subscription, keyID, before) {
      const body = {
        app: this.options.app,
        platform: 'webpush',
        subscription: subscription.toJSON(),
        vapid_key_id: keyID,
        permission: 'authorized',
        device_model: navigator.userAgentData?.platform,
        locale: navigator.language,
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      };
      if (before && before !== subscription.endpoint) body.previous_token = before;
      if (this.options.userID !== undefined) body.user_id = this.options.userID;
      const token = await this.options.userToken?.();
      for (let attempt = 0; ; attempt += 1) {
        const installation = (await storage.get('installation')) ?? { id: crypto.randomUUID() };
        await storage.set('installation', installation);
        const headers = {};
        if (installation.secret) headers['Martlet-Installation-Secret'] = installation.secret;
        if (token) headers['Martlet-User-Token'] = token;
        try {
          const answer = await this.call('POST', '/api/v1/tokens', {
            headers,
            body: { ...body, installation_id: installation.id },
          });
          const secret = answer.data.installation_secret ?? installation.secret;
          await storage.set('installation', { id: installation.id, secret });
          return;
        } catch (error) {
          // The secret was lost, with a part of the browser's data: it is another installation now.
          if (error.code !== 'installation_secret_required' || attempt > 0) throw error;
          await storage.set('installation', undefined);
        }
      }
    }

    async ofUser(method, path, options = {}) {
      const token = await this.options.userToken?.();
      if (!token) throw new MartletError('unauthorized', 'This needs the option userToken.');
      return this.call(method, path, { ...options, credential: token });
    }

    async call(method, path, { query = {}, body, headers = {}, credential } = {}) {
      const address = new URL(this.options.server + path);
      for (const [name, value] of Object.entries(query)) {
        if (value !== undefined) address.searchParams.set(name, value);
      }
      const response = await fetch(address, {
        method,
        credentials: 'omit',
        signal: AbortSignal.timeout(requestTimeout),
        headers: {
          Authorization: `Bearer ${credential ?? this.options.key}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const answer = response.status === 204 ? {} : await response.json().catch(() => ({}));
      if (response.ok) return answer;
      const error = answer.error ?? {};
      throw new MartletError(error.code ?? 'http_error', error.message ?? `HTTP ${response.status}`, response.status);
    }
  }

  window.Martlet = Martlet;
  window.MartletError = MartletError;
})();
