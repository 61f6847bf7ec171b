// What a person does on the page of examples/web, on a test's orders; after each the page is reported as it is.
(() => {
  'use strict';

  // A script's clicks are not a person's, which the page asks for.
  Object.defineProperty(navigator, 'userActivation', { value: { isActive: true } });

  const find = (id) => document.getElementById(id);
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const line = (name) => [...find('choices').children].find((choice) => choice.firstChild.textContent === name);
  const channels = ['push', 'inbox'];
  // A person presses a button once, and looks what happens.
  let isTurningOn = false;

  const actions = {
    look: () => {},
    'turn-on': () => {
      if (isTurningOn || find('turn-on').hidden) return;
      isTurningOn = true;
      find('turn-on').click();
      // Longer than the page waits for the push service.
      setTimeout(() => { isTurningOn = false; }, 35_000);
    },
    'turn-off': () => find('turn-off').hidden || find('turn-off').click(),
    'sign-in': (token) => {
      find('token').value = token;
      find('user').requestSubmit();
    },
    language: (language) => {
      find('language').value = language;
      find('language').dispatchEvent(new Event('change'));
    },
    choose: (name, channel, value) => {
      const box = line(name)?.querySelectorAll('input')[channels.indexOf(channel)];
      if (box && box.checked !== (value === 'on')) box.click();
    },
    'read-all': () => find('read-all').click(),
    click: async () => (await navigator.serviceWorker.ready).active.postMessage('click'),
    reload: () => setTimeout(() => location.reload(), 200),
  };

  const choices = () =>
    Object.fromEntries(
      [...find('choices').children].map((choice) => [
        choice.firstChild.textContent,
        [...choice.querySelectorAll('input')].map((box) => box.checked),
      ])
    );

  const look = async () => {
    const worker = await navigator.serviceWorker.getRegistration();
    const subscription = await worker?.pushManager.getSubscription();
    const shown = (await worker?.getNotifications()) ?? [];
    return {
      title: document.title,
      state: find('push-state').textContent,
      endpoint: subscription?.endpoint ?? '',
      shown: shown.map((notification) => `${notification.title}: ${notification.body}`),
      items: [...find('items').querySelectorAll('li')].map((item) => item.querySelector('span').textContent),
      unread: [...find('items').querySelectorAll('li.unread')].length,
      choices: choices(),
      error: find('error').textContent,
    };
  };

  const nothing = { title: '', state: '', endpoint: '', shown: [], items: [], unread: 0, choices: {} };
  const report = (page) => fetch('/report', { method: 'POST', body: JSON.stringify(page) });
  // Firefox answers some questions about a worker only once it runs.
  const within = (milliseconds, promise) =>
    Promise.race([promise, pause(milliseconds).then(() => Promise.reject(new Error('the browser does not answer')))]);

  (async () => {
    for (;;) {
      const answer = await fetch('/order').catch(() => pause(500));
      if (answer?.status !== 200) continue;
      const [number, name, ...words] = (await answer.text()).split(' ');
      try {
        await actions[name](...words);
        await report({ number, ...(await within(5_000, look())) });
      } catch (error) {
        await report({ number, ...nothing, error: String(error) });
      }
    }
  })();
})();
