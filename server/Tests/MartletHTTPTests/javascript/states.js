// Asks martlet.js for its state in browsers of several kinds: node states.js SCRIPT, prints JSON.
const { readFileSync } = require('node:fs');
const { runInNewContext } = require('node:vm');

const source = readFileSync(process.argv[2], 'utf8');

const make = ({ permission, userAgent = 'Firefox', touch = 0, isInstalled = false, isActive = true }) => {
  const asked = [];
  const navigator = { userAgent, maxTouchPoints: touch, userActivation: { isActive } };
  const window = { navigator };
  const globals = { window, navigator, matchMedia: () => ({ matches: isInstalled }) };
  if (permission) {
    navigator.serviceWorker = {};
    globals.Notification = window.Notification = {
      permission,
      requestPermission: async () => {
        asked.push(permission);
        return 'denied';
      },
    };
    window.PushManager = {};
  }
  runInNewContext(source, globals);
  const martlet = new window.Martlet({ server: 'https://push.example.com', app: 'shop', key: 'k' });
  return { martlet, asked };
};

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X)';
const iPad = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const browsers = {
  old: {},
  phone: { userAgent: iPhone },
  tablet: { userAgent: iPad, touch: 5 },
  mac: { userAgent: iPad },
  oldOnHomeScreen: { userAgent: iPhone, isInstalled: true },
  onHomeScreen: { userAgent: iPhone, isInstalled: true, permission: 'default' },
  asking: { permission: 'default' },
  allowed: { permission: 'granted' },
  refused: { permission: 'denied' },
};

(async () => {
  const found = {};
  for (const [name, browser] of Object.entries(browsers)) found[name] = make(browser).martlet.state();
  // Nobody is asked without a click, nor after a refusal.
  const unclicked = make({ permission: 'default', isActive: false });
  found.unclicked = await unclicked.martlet.subscribe().catch((error) => error.code);
  const refused = make({ permission: 'denied' });
  found.afterRefusal = await refused.martlet.subscribe();
  const clicked = make({ permission: 'default' });
  await clicked.martlet.subscribe();
  found.asked = [unclicked.asked.length, refused.asked.length, clicked.asked.length];
  console.log(JSON.stringify(found));
})();
