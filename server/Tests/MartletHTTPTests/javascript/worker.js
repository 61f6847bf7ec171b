// Runs worker.js with doubles of what a browser gives it: node worker.js SCRIPT, prints what became of each case as JSON.
const { readFileSync } = require('node:fs');
const { runInNewContext } = require('node:vm');
const { makeDatabase } = require('./database.js');

const source = readFileSync(process.argv[2], 'utf8');
const scope = 'https://shop.example.com/';

// The app's VAPID key is 'new' now.
const subscriptionWith = (key, endpoint, found) => ({
  endpoint,
  options: { applicationServerKey: key && new TextEncoder().encode(key).buffer },
  toJSON: () => ({ endpoint }),
  unsubscribe: async () => found.unsubscribed.push(endpoint),
});

const run = async ({ options = {}, refused = 0, subscribed, renewed, type, event }) => {
  const found = { shown: [], opened: [], events: [], options: [], badges: [], registered: [], unsubscribed: [] };
  const isDeclarative = type === 'push' && Boolean(event.notification);
  const listeners = {};
  const self = {
    location: new URL(scope),
    navigator: {
      setAppBadge: (count) => {
        found.badges.push(count);
        // WebKit's promise stays open while it hands a declarative push over.
        return isDeclarative ? new Promise(() => {}) : Promise.resolve();
      },
    },
    registration: {
      scope,
      pushManager: {
        getSubscription: async () => (subscribed ? subscriptionWith(...subscribed, found) : null),
        subscribe: async ({ applicationServerKey }) =>
          subscriptionWith(new TextDecoder().decode(applicationServerKey), 'https://push.example.org/made', found),
      },
      showNotification: async (title, shown) => {
        if (refused-- > 0) throw new TypeError('no');
        if (isDeclarative && !URL.canParse(shown.navigate)) throw new TypeError('no navigate');
        found.shown.push([title, shown.body ?? null]);
        found.options.push(shown);
      },
    },
    clients: { matchAll: async () => [], openWindow: async (address) => found.opened.push(address), claim() {} },
    addEventListener: (name, listener) => (listeners[name] = listener),
  };
  const fetch = async (address, { body, headers }) => {
    if (address.includes('/webpush/key')) {
      return { ok: true, status: 200, json: async () => ({ data: { key_id: 'v2', public_key: btoa('new') } }) };
    }
    if (address.endsWith('/api/v1/tokens')) {
      const { subscription, vapid_key_id, previous_token } = JSON.parse(body);
      found.registered.push([subscription.endpoint, vapid_key_id, previous_token ?? null]);
      return { ok: true, status: 200, json: async () => ({}) };
    }
    for (const { type, message_id, platform } of JSON.parse(body).events) {
      found.events.push([type, message_id ?? null, platform, headers['Martlet-Installation-Secret']]);
    }
    return { ok: true, status: 204 };
  };
  const values = [
    ['options', { server: 'https://push.example.com', app: 'shop', key: 'k', ...options }],
    ['installation', { id: 'i', secret: 's' }],
    ['endpoint', 'https://push.example.org/before'],
  ];
  const globals = { self, indexedDB: makeDatabase(values), fetch, crypto, URL, AbortSignal, setTimeout, clearTimeout, atob };
  runInNewContext(source, globals);
  const waits = [];
  if (renewed) event = { newSubscription: subscriptionWith(...renewed, found) };
  listeners[type]({ ...event, waitUntil: (promise) => waits.push(promise) });
  await Promise.all(waits);
  return found;
};

const push = (json) => ({ data: { json: () => JSON.parse(json) } });
const click = (navigate, action, actions) => ({
  action: action ?? '',
  notification: { data: { message_id: 'm', martlet: { navigate } }, actions, close() {} },
});
// As WebKit hands a declarative push over: getters of a prototype, no data.
const declarative = (members, appBadge = null) => {
  const made = {
    body: '', data: null, dir: 'auto', icon: '', lang: '', navigate: '', silent: null, tag: '', title: '', ...members,
  };
  const getters = Object.entries(made).map(([name, value]) => [name, { get: () => value }]);
  return { data: null, notification: Object.create(Object.create({}, Object.fromEntries(getters))), appBadge };
};
const safari = {
  title: 'T', body: 'B', tag: 'order-7', navigate: 'https://shop.example.com/a', icon: 'https://shop.example.com/i.png',
  data: { message_id: 'm', delivery_id: 'd' },
};
const cases = {
  declarative: { type: 'push', event: declarative(safari, 3) },
  declarativeRefused: { type: 'push', event: declarative(safari), refused: 1 },
  declarativeElsewhere: {
    type: 'push', event: declarative({ title: 'T', navigate: 'https://evil.example.com/', data: '{"message_id":"m"}' }),
  },
  shown: { type: 'push', event: push('{"notification":{"title":"T","body":"B","data":{"message_id":"m"}}}') },
  unreadable: { type: 'push', event: push('{'), options: { title: 'Shop' } },
  unreadableWithoutTitle: { type: 'push', event: push('[') },
  empty: { type: 'push', event: { data: null } },
  refusedOnce: { type: 'push', event: push('{"notification":{"title":"T","actions":3}}'), refused: 1 },
  renewed: { type: 'pushsubscriptionchange', renewed: ['new', 'https://push.example.org/renewed'] },
  renewedWithOldKey: { type: 'pushsubscriptionchange', renewed: ['old', 'https://push.example.org/renewed'] },
  foundWithOldKey: { type: 'pushsubscriptionchange', subscribed: ['old', 'https://push.example.org/found'] },
  foundWithoutKey: { type: 'pushsubscriptionchange', subscribed: [null, 'https://push.example.org/found'] },
  ended: { type: 'pushsubscriptionchange' },
  dismissed: { type: 'notificationclose', event: click() },
  ownPage: { type: 'notificationclick', event: click('/a?b=c') },
  allowedPage: {
    type: 'notificationclick', event: click('https://help.example.com/faq/1'),
    options: { navigate: ['https://help.example.com/faq'] },
  },
  action: { type: 'notificationclick', event: click('/a', 'go', [{ action: 'go', navigate: '/b' }]) },
};
const elsewhere = [
  'https://evil.example.com/', 'http://help.example.com/faq', 'https://help.example.com/other',
  'https://help.example.com.evil.example.com/faq', 'javascript:alert(1)', 'data:text/html,x', 'https://[', undefined, 7,
];
for (const [number, address] of elsewhere.entries()) {
  const options = { navigate: ['https://help.example.com/faq', 'http://help.example.com/faq', 'no address'] };
  cases[`elsewhere${number}`] = { type: 'notificationclick', event: click(address), options };
}

(async () => {
  const found = {};
  for (const [name, one] of Object.entries(cases)) found[name] = await run(one);
  console.log(JSON.stringify(found));
})();
