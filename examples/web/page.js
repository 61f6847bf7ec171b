'use strict';

const words = {
  en: {
    title: 'Shop',
    language: 'Language',
    pushTitle: 'Notifications',
    pushWhy: 'We tell you when an order ships and when somebody answers you: a few messages a week, never advertising. '
      + 'The browser asks you once; you can turn it off here at any time.',
    turnOn: 'Turn on notifications',
    turnOff: 'Turn off',
    userTitle: 'Your account',
    userNote: 'A real site signs you in and gets the token from its own backend.',
    token: 'User token',
    signIn: 'Sign in',
    inboxTitle: 'Inbox',
    empty: 'Nothing yet.',
    readAll: 'Mark all as read',
    more: 'More',
    choicesTitle: 'What you want to hear of',
    push: 'push',
    inbox: 'inbox',
    state: {
      unsupported: 'This browser has no notifications for sites.',
      'needs-install': 'On an iPhone or iPad: tap Share, then “Add to Home Screen”, and open the page from there.',
      prompt: 'Notifications are off.',
      denied: 'You have blocked notifications. You can allow them in the settings that the browser has for this site.',
      granted: 'Notifications are allowed, and off.',
      on: 'Notifications are on.',
    },
  },
  ja: {
    title: 'ショップ',
    language: '言語',
    pushTitle: '通知',
    pushWhy: 'ご注文の発送や返信をお知らせします。週に数件ほどで、広告は送りません。'
      + 'ブラウザの確認は一度だけで、いつでもここでオフにできます。',
    turnOn: '通知をオンにする',
    turnOff: 'オフにする',
    userTitle: 'アカウント',
    userNote: '実際のサイトではログイン後に、サイトのサーバーからトークンを受け取ります。',
    token: 'ユーザートークン',
    signIn: 'ログイン',
    inboxTitle: '受信箱',
    empty: 'まだ何もありません。',
    readAll: 'すべて既読にする',
    more: 'もっと見る',
    choicesTitle: '受け取るお知らせ',
    push: 'プッシュ',
    inbox: '受信箱',
    state: {
      unsupported: 'このブラウザはサイトからの通知に対応していません。',
      'needs-install': 'iPhone・iPad では「共有」から「ホーム画面に追加」を選び、そこから開いてください。',
      prompt: '通知はオフです。',
      denied: '通知がブロックされています。ブラウザのサイト設定で許可できます。',
      granted: '通知は許可されていますが、オフです。',
      on: '通知はオンです。',
    },
  },
};

const find = (id) => document.getElementById(id);
let language = localStorage.getItem('language') ?? (navigator.language.startsWith('ja') ? 'ja' : 'en');
let token = sessionStorage.getItem('token') ?? '';
let next;
// The newest item that the list shows: what came since is not marked with it.
let newest;

const martlet = new Martlet({
  ...window.site,
  worker: 'sw.js',
  title: 'Shop',
  userToken: async () => token || undefined,
});

const attempt = (body) => async (...values) => {
  find('error').textContent = '';
  try {
    await body(...values);
  } catch (error) {
    find('error').textContent = error.message;
  }
};

function translate() {
  document.documentElement.lang = language;
  find('language').value = language;
  for (const element of document.querySelectorAll('[data-text]')) {
    element.textContent = words[language][element.dataset.text];
  }
  document.title = words[language].title;
}

async function showState() {
  const state = martlet.state();
  const isOn = await martlet.isSubscribed();
  find('push-state').textContent = words[language].state[isOn ? 'on' : state];
  find('turn-on').hidden = isOn || !['prompt', 'granted'].includes(state);
  find('turn-off').hidden = !isOn;
}

function row(item) {
  const line = document.createElement('li');
  line.className = item.is_read ? '' : 'unread';
  const text = document.createElement('span');
  const title = document.createElement('strong');
  title.textContent = item.title ?? '';
  text.append(title, ` ${item.body ?? ''}`);
  const time = document.createElement('time');
  time.dateTime = item.published_at;
  time.className = 'note';
  time.textContent = new Date(item.published_at).toLocaleString(language);
  line.append(text, time);
  return line;
}

async function showInbox(cursor) {
  const page = await martlet.inbox({ limit: 20, cursor });
  if (!cursor) {
    find('items').replaceChildren();
    newest = page.data[0]?.id;
  }
  for (const item of page.data) find('items').append(row(item));
  if (!find('items').children.length) find('items').textContent = words[language].empty;
  next = page.next;
  find('more').hidden = !next;
  const counts = await martlet.inboxCounts();
  find('unread').textContent = counts.unread ? `(${counts.unread})` : '';
}

async function showPreferences() {
  const preferences = await martlet.preferences();
  find('choices').replaceChildren();
  for (const category of preferences.categories) {
    const line = document.createElement('li');
    const name = document.createElement('span');
    name.textContent = category.names[language] ?? category.names.en ?? category.key;
    line.append(name);
    for (const channel of ['push', 'inbox']) {
      const label = document.createElement('label');
      const box = document.createElement('input');
      box.type = 'checkbox';
      box.checked = category[channel].is_on;
      box.disabled = category[channel].source === 'required';
      box.onchange = attempt(async () => {
        await martlet.updatePreferences({ categories: { [category.key]: { [channel]: box.checked } } });
      });
      label.append(box, ` ${words[language][channel]}`);
      line.append(label);
    }
    find('choices').append(line);
  }
}

async function showUser() {
  find('inbox').hidden = find('preferences').hidden = !token;
  if (!token) return;
  await showInbox();
  await showPreferences();
}

find('language').onchange = attempt(async (event) => {
  language = event.target.value;
  localStorage.setItem('language', language);
  translate();
  await showState();
  await showUser();
});
find('turn-on').onclick = attempt(async () => {
  await martlet.subscribe();
  await showState();
});
find('turn-off').onclick = attempt(async () => {
  await martlet.unsubscribe();
  await showState();
});
find('user').onsubmit = (event) => {
  event.preventDefault();
  attempt(async () => {
    token = find('token').value.trim();
    sessionStorage.setItem('token', token);
    await martlet.start();
    await showUser();
  })();
};
find('read-all').onclick = attempt(async () => {
  if (newest) await martlet.inboxAction({ action: 'read', all: true, up_to: newest });
  await showInbox();
});
find('more').onclick = attempt(() => showInbox(next));

translate();
attempt(async () => {
  await showState();
  await martlet.start();
  await showState();
  await showUser();
})();
