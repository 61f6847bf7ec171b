// Has martlet.js subscribe and unsubscribe with doubles of what a browser and a server give it: node page.js SCRIPT, prints
// what became of each case as JSON.
const { readFileSync } = require('node:fs');
const { runInNewContext } = require('node:vm');
const { makeDatabase } = require('./database.js');

const source = readFileSync(process.argv[2], 'utf8');

// A registration whose worker goes through these states, one at a turn of the loop.
const makeRegistration = (states, found) => {
  const registration = Object.assign(new EventTarget(), { installing: null, waiting: null, active: null });
  registration.pushManager = {
    subscription: null,
    getSubscription: async () => registration.pushManager.subscription,
    subscribe: async ({ applicationServerKey }) => {
      if (!registration.active) throw new Error('no active worker');
      const endpoint = 'https://push.example.org/1';
      const unsubscribe = async () => {
        registration.pushManager.subscription = null;
        found.push('unsubscribed');
      };
      const made = { endpoint, options: { applicationServerKey }, toJSON: () => ({ endpoint }), unsubscribe };
      registration.pushManager.subscription = made;
      return made;
    },
  };
  const worker = new EventTarget();
  const slots = { installing: 'installing', installed: 'waiting', activating: 'active', activated: 'active' };
  const go = () => {
    const state = states.shift();
    if (!state) return;
    registration.installing = registration.waiting = registration.active = null;
    if (slots[state]) registration[slots[state]] = worker;
    if (registration.installing) registration.dispatchEvent(new Event('updatefound'));
    worker.dispatchEvent(new Event('statechange'));
    setImmediate(go);
  };
  return { registration, go };
};

const make = ({ states = ['activated'], failing = [] }) => {
  const found = [];
  const { registration, go } = makeRegistration([...states], found);
  const navigator = {
    userAgent: 'Firefox',
    language: 'en',
    serviceWorker: {
      // The page has no worker of its own: its scope is another.
      ready: new Promise(() => {}),
      register: async () => {
        go();
        return registration;
      },
      getRegistration: async () => registration,
    },
  };
  const Notification = { permission: 'granted' };
  const window = { navigator, Notification, PushManager: {} };
  const fetch = async (address, { method, body, headers }) => {
    const { pathname } = new URL(address);
    const secret = headers['Martlet-Installation-Secret'] ?? null;
    const sent = body && JSON.parse(body);
    if (pathname.endsWith('/tokens')) found.push(['registered', sent.subscription.endpoint]);
    if (method === 'PATCH') found.push([address.toString().replace(/[0-9a-f-]{36}/, 'ID'), sent, secret]);
    if (method === 'PATCH' && failing.shift()) throw new TypeError('no network');
    const data = pathname.endsWith('/key') ? { key_id: 'v', public_key: btoa('key') } : { installation_secret: 's' };
    return { ok: true, status: method === 'PATCH' ? 204 : 200, json: async () => ({ data }) };
  };
  runInNewContext(source, {
    window, navigator, Notification, matchMedia: () => ({ matches: false }), indexedDB: makeDatabase([]), fetch,
    crypto, URL, AbortSignal, atob, clearTimeout,
    // As fast as leaves a busy machine some time.
    setTimeout: (body, milliseconds) => setTimeout(body, milliseconds / 20),
  });
  const server = 'https://push.example.com';
  const martlet = new window.Martlet({ server, app: 'shop', key: 'k', scope: '/push/' });
  return { martlet, found };
};

const said = (promise) => promise.catch((error) => error.code ?? error.message);

(async () => {
  const found = {};
  const lives = {
    active: ['activated'], installing: ['installing', 'installed', 'activating', 'activated'],
    waiting: ['installed', 'activating'], late: ['none', 'installing', 'activating'], failed: ['installing', 'redundant'],
    stuck: ['installing'],
  };
  for (const [name, states] of Object.entries(lives)) {
    const { martlet, found: done } = make({ states });
    found[name] = [await said(martlet.subscribe()), done];
  }

  const ending = make({});
  await ending.martlet.subscribe();
  await ending.martlet.unsubscribe();
  await ending.martlet.start();
  found.ended = ending.found.splice(0);
  await ending.martlet.subscribe();
  await ending.martlet.start();
  found.again = ending.found;

  // The first change does not reach the server, and the second neither.
  const offline = make({ failing: [true, true] });
  await offline.martlet.subscribe();
  found.offline = [await said(offline.martlet.unsubscribe()), await said(offline.martlet.subscribe())];
  offline.found.splice(0);
  await offline.martlet.start();
  found.online = offline.found;

  const stranger = make({});
  await stranger.martlet.unsubscribe();
  found.stranger = stranger.found;
  console.log(JSON.stringify(found));
})();
