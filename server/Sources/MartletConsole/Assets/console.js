// The console's one script. Every page works without it: it adds the reader's own times, live numbers, search while typing,
// files dropped on a page, a phone that shows what is being written, and what is done in parts without a press for each.
(() => {
  'use strict';

  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const language = document.documentElement.lang;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  /** Times in the reader's own zone: how long ago what is less than an hour old is, everything else to the second. */
  const showTimes = (root = document) => {
    const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
    const ago = new Intl.RelativeTimeFormat(language, { style: 'short' });
    for (const time of all('time[datetime]', root)) {
      const date = new Date(time.dateTime);
      if (Number.isNaN(date.getTime())) continue;
      const [exact, seconds] = [format.format(date), Math.round((Date.now() - date.getTime()) / 1000)];
      time.title = `${exact} ${zone}`;
      const isRecent = time.dataset.seconds === undefined && seconds >= 0 && seconds < 3600;
      time.textContent = !isRecent ? exact : seconds < 60 ? ago.format(-seconds, 'second') : ago.format(-Math.floor(seconds / 60), 'minute');
    }
    const minutes = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
    const hours = [minutes, { ...minutes, second: '2-digit' }].map((parts) => new Intl.DateTimeFormat(language, parts));
    for (const text of all('svg text[data-at]', root)) {
      text.textContent = hours[text.dataset.seconds === undefined ? 0 : 1].format(new Date(Number(text.dataset.at)));
    }
  };

  /** A text as a paragraph. */
  const paragraph = (text, name = '') => {
    const element = document.createElement('p');
    element.textContent = text;
    element.className = name;
    return element;
  };

  /** What a page that was asked for beside this one says that it refused; nothing where it says nothing. */
  const refusal = (page) => all('[role=alert] p', page).map((line) => line.textContent).join(' ');

  /** A form is sent once, however often its button is pressed. */
  const sendOnce = () => {
    for (const form of all('form[method=post]')) {
      form.addEventListener('submit', (event) => {
        if (form.dataset.sent) return event.preventDefault();
        form.dataset.sent = 'yes';
        for (const button of all('button', form)) setTimeout(() => { button.disabled = true; }, 0);
      });
    }
    // The page comes back from the history as it was left.
    addEventListener('pageshow', (event) => {
      // What is sent once may be sent by now: the server knows.
      if (event.persisted && document.querySelector('form[data-once]')) location.reload();
      for (const form of all('form[data-sent]')) {
        delete form.dataset.sent;
        for (const button of all('button', form)) button.disabled = false;
      }
    });
  };

  /** A part of the page that is read again when the server says that it changed: data-live is the stream's address. */
  const live = () => {
    const place = document.querySelector('[data-live]');
    if (!place) return;
    const said = place.querySelector('[data-stale]');
    // In seconds; the last is how long a page stays hidden before it gives its connection to others: a browser has six.
    const [shortest, longest, hidden] = [5, 60, 5];
    let [source, timer, leaving, known] = [];
    let [failures, pause, isOver] = [0, shortest, false];
    const replace = (html) => {
      const page = new DOMParser().parseFromString(html, 'text/html');
      for (const part of all('[data-part]', page)) {
        const old = document.querySelector(`[data-part="${CSS.escape(part.dataset.part)}"]`);
        if (old) old.replaceWith(document.importNode(part, true));
      }
      showTimes();
    };
    const stage = () => document.querySelector('[data-stage]')?.dataset.stage;
    const readAgain = async () => {
      const response = await fetch(location.href).catch(() => undefined);
      if (response?.ok) replace(await response.text());
    };
    const showStale = (isStale) => {
      if (isStale !== said.hasChildNodes()) said.replaceChildren(...(isStale ? [paragraph(said.dataset.stale, 'notice warn')] : []));
    };
    const close = () => {
      clearTimeout(timer);
      source?.close();
      source = undefined;
    };
    const open = () => {
      const address = new URL(place.dataset.live, location.href);
      if (known) address.searchParams.set('v', known);
      source = new EventSource(address);
      source.addEventListener('open', () => {
        [failures, pause] = [0, shortest];
        showStale(false);
      });
      source.addEventListener('error', (event) => {
        // Each stream ends after a while, and the browser opens the next one by itself; after a refusal it does not.
        const isClosed = event.target.readyState === EventSource.CLOSED;
        failures += 1;
        if (isClosed || failures > 1) showStale(true);
        if (!isClosed) return;
        timer = setTimeout(open, pause * 1000);
        pause = Math.min(pause * 2, longest);
      });
      source.addEventListener('changed', (event) => {
        const before = stage();
        known = event.lastEventId;
        replace(event.data);
        // What may be done is another thing then.
        if (stage() !== before) readAgain();
      });
      source.addEventListener('end', () => {
        isOver = true;
        close();
        readAgain();
      });
    };
    // The page has the numbers that it had: that they are old is said at the first failure.
    const resume = () => {
      if (source || isOver) return;
      [failures, pause] = [1, shortest];
      open();
    };
    const look = () => {
      clearTimeout(leaving);
      if (document.hidden) leaving = setTimeout(close, hidden * 1000);
      else resume();
    };
    if (!document.hidden) open();
    document.addEventListener('visibilitychange', look);
    addEventListener('pagehide', close);
    addEventListener('pageshow', (event) => { if (event.persisted) look(); });
  };

  /** A search that finds while one types: data-search on the form, data-results on what its answer replaces. */
  const search = () => {
    for (const form of all('form[data-search]')) {
      let timer;
      let asked = 0;
      form.addEventListener('input', () => {
        clearTimeout(timer);
        timer = setTimeout(async () => {
          const number = ++asked;
          const address = `${form.getAttribute('action') ?? location.pathname}?${new URLSearchParams(new FormData(form))}`;
          const response = await fetch(address, { headers: { 'X-Requested-With': 'search' } }).catch(() => undefined);
          if (!response?.ok || number !== asked) return;
          const page = new DOMParser().parseFromString(await response.text(), 'text/html');
          const [next, old] = [page, document].map((root) => root.querySelector('[data-results]'));
          if (next && old) old.replaceWith(document.importNode(next, true));
          showTimes();
          history.replaceState(null, '', address);
        }, 250);
      });
    }
  };

  /** Files dropped on a place go into its file field. */
  const drop = () => {
    for (const place of all('[data-drop]')) {
      const field = place.querySelector('input[type=file]');
      for (const name of ['dragover', 'dragenter']) {
        place.addEventListener(name, (event) => {
          event.preventDefault();
          place.classList.add('dropping');
        });
      }
      place.addEventListener('dragleave', () => place.classList.remove('dropping'));
      place.addEventListener('drop', (event) => {
        event.preventDefault();
        place.classList.remove('dropping');
        if (!event.dataTransfer.files.length) return;
        field.files = event.dataTransfer.files;
        field.dispatchEvent(new Event('change', { bubbles: true }));
      });
    }
  };

  /** What takes its time is asked for beside the page: data-load is its address, data-loaded what is taken of the answer. */
  const loadBeside = () => {
    for (const place of all('[data-load]')) {
      const was = [...place.childNodes];
      const wait = document.createElement('p');
      wait.textContent = place.dataset.loading;
      place.replaceChildren(wait);
      place.setAttribute('aria-busy', 'true');
      fetch(place.dataset.load)
        .then(async (response) => {
          const page = new DOMParser().parseFromString(await response.text(), 'text/html');
          const found = page.querySelector('[data-loaded]') ?? page.querySelector('[role=alert]');
          place.replaceChildren(...(found ? [document.importNode(found, true)] : was));
        })
        .catch(() => place.replaceChildren(...was))
        .finally(() => place.removeAttribute('aria-busy'));
    }
  };

  /** Whether the sign-in page came in place of what was asked for. */
  const isSignedOut = (response) => response.status === 401
    || (response.redirected && new URL(response.url).pathname === '/console/sign-in');

  /** Says so at the head of a place, and takes nothing from it. */
  const saySignedOut = (place) => {
    if (document.querySelector('[data-said-signed-out]')) return;
    const notice = document.createElement('p');
    notice.className = 'notice warn';
    notice.setAttribute('role', 'alert');
    notice.dataset.saidSignedOut = '';
    const link = document.createElement('a');
    Object.assign(link, { href: '/console/sign-in', target: '_blank', rel: 'noopener' });
    link.textContent = document.body.dataset.signIn;
    notice.append(document.body.dataset.signedOut, ' ', link);
    place.prepend(notice);
  };

  /** Says at once what a chosen credential is: data-look-at is where the form is sent to, [data-look] where it says so. */
  const lookAtFiles = () => {
    for (const form of all('form[data-look-at]')) {
      const field = form.querySelector('input[type=file]');
      const place = form.querySelector('[data-look]');
      let asked = 0;
      let filledIn;
      const look = async () => {
        const file = field.files[0];
        if (!file) return;
        const keyID = /^AuthKey_([A-Z0-9]{10})\.p8$/.exec(file.name)?.[1];
        const keyField = form.elements.key_id;
        // What the name of another file said is not this one's.
        if (keyField && (keyID || keyField.value === filledIn)) keyField.value = keyID ?? '';
        filledIn = keyID;
        const number = ++asked;
        place.setAttribute('aria-busy', 'true');
        const response = await fetch(form.dataset.lookAt, { method: 'POST', body: new FormData(form) }).catch(() => undefined);
        if (number !== asked) return;
        place.removeAttribute('aria-busy');
        if (!response) return;
        if (isSignedOut(response)) return saySignedOut(place);
        const page = new DOMParser().parseFromString(await response.text(), 'text/html');
        const found = page.querySelector('[data-look] > *') ?? page.querySelector('[role=alert]');
        place.replaceChildren(...(found ? [document.importNode(found, true)] : []));
        showTimes(place);
      };
      field.addEventListener('change', look);
      for (const name of ['bundle_id', 'key_id', 'team_id', 'password', 'environment', 'url', 'trust']) {
        form.elements[name]?.addEventListener('change', look);
      }
    }
  };

  /** Buttons that copy what is shown: data-copy is its id. Addresses of this server are shown whole. */
  const copyButtons = () => {
    for (const link of all('a[data-whole-address]')) link.textContent = link.href;
    if (!navigator.clipboard) return;
    for (const button of all('button[data-copy]')) {
      button.hidden = false;
      button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
        button.textContent = button.dataset.copied;
      });
    }
  };

  /** The large clocks of lock screens, in the reader's own time. */
  const lockScreenClocks = () => {
    if (!document.querySelector('[data-live]')) return;
    const format = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    const show = () => {
      for (const clock of all('[data-clock]')) {
        clock.textContent = format.format(new Date(clock.dataset.clock));
        clock.removeAttribute('data-clock');
      }
    };
    show();
    new MutationObserver(show).observe(document.querySelector('main'), { childList: true, subtree: true });
  };

  /** The keyboard stays where it was when a part of the page is put in place of an old one. */
  const keepFocus = () => {
    if (!document.querySelector('[data-live]')) return;
    let last;
    addEventListener('focusin', (event) => { last = event.target.closest('[data-part]') ? event.target.id : undefined; });
    new MutationObserver(() => {
      if (last && document.activeElement === document.body) document.getElementById(last)?.focus({ preventScroll: true });
    }).observe(document.querySelector('main'), { childList: true, subtree: true });
  };

  /** A list of people from a file is sent at once: what was found stands below it, and what was refused beside it. */
  const composeList = (form, done) => {
    const field = form.elements.list;
    const target = form.querySelector('[data-compose-list]');
    const said = form.querySelector('[data-list-limit]');
    const texts = said.dataset;
    const named = (text, file) => text.replace('{name}', () => file.name);
    let request;
    const refuse = (file, text) => said.replaceChildren(paragraph(`${file.name}: ${text}`, 'notice bad'));
    const refuseSize = (file) => {
      // With it the form itself would be refused, and all that is written in it.
      field.value = '';
      refuse(file, texts.tooLarge);
    };
    const read = (file, { status, response: page, responseURL: address }) => {
      if (status === 413) return refuseSize(file);
      if (status !== 200 || !page) return refuse(file, (page && refusal(page)) || texts.unanswered);
      if (new URL(address).pathname !== texts.address) return refuse(file, texts.signedOut);
      target.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
      said.replaceChildren();
      field.value = '';
      done();
    };
    const send = (file) => {
      const text = paragraph(named(texts.sending, file));
      const bar = document.createElement('progress');
      bar.setAttribute('aria-label', file.name);
      said.replaceChildren(text, bar);
      target.setAttribute('aria-busy', 'true');
      const own = request = new XMLHttpRequest();
      own.open('POST', texts.address);
      own.setRequestHeader('X-CSRF-Token', form.elements.csrf.value);
      own.responseType = 'document';
      own.upload.addEventListener('progress', (event) => {
        if (event.lengthComputable) [bar.max, bar.value] = [event.total, event.loaded];
      });
      own.upload.addEventListener('load', () => {
        bar.removeAttribute('value');
        text.textContent = named(texts.checking, file);
      });
      own.addEventListener('load', () => read(file, own));
      own.addEventListener('error', () => refuse(file, texts.unanswered));
      own.addEventListener('loadend', () => { if (own === request) target.removeAttribute('aria-busy'); });
      own.send(new FormData(form));
    };
    field.addEventListener('change', () => {
      const file = field.files[0];
      if (!file) return;
      request?.abort();
      if (file.size > Number(texts.listLimit)) refuseSize(file);
      else send(file);
    });
  };

  /** What is being written, as phones show it and as many as it reaches: asked of the server a moment after a change. */
  const compose = () => {
    const form = document.querySelector('form[data-compose]');
    if (!form) return;
    const numbers = {};
    const timers = {};
    // Says whether it was answered.
    const ask = async (part, without) => {
      const target = document.querySelector(`[data-compose-${part}]`);
      const data = new FormData(form);
      for (const name of without) data.delete(name);
      const number = numbers[part] = (numbers[part] ?? 0) + 1;
      const headers = { 'X-CSRF-Token': form.elements.csrf.value };
      const response = await fetch(`/console/compose/${part}`, { method: 'POST', body: data, headers }).catch(() => undefined);
      if (!response || number !== numbers[part]) return false;
      if (isSignedOut(response)) {
        saySignedOut(document.querySelector('[data-compose-preview]'));
        return false;
      }
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      // Somebody signed in again in another tab: the form goes on with that session's token.
      const token = page.querySelector('form[data-kept] input[name=csrf]')?.value;
      if (token && token !== headers['X-CSRF-Token']) {
        form.elements.csrf.value = token;
        return ask(part, without);
      }
      if (!response.ok) return false;
      document.querySelector('[data-said-signed-out]')?.remove();
      showTimes(page);
      target.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
      return true;
    };
    const soon = (part, wait, without) => {
      clearTimeout(timers[part]);
      timers[part] = setTimeout(() => ask(part, without), wait);
    };
    const aboutPeople = ['audience', 'users', 'topic', 'attributes', 'devices', 'platform', 'category', 'data', 'skip_bad'];
    form.addEventListener('input', (event) => {
      if (event.target.type === 'file') return;
      soon('preview', 300, ['users', 'list', 'devices']);
      if (aboutPeople.includes(event.target.name)) soon('count', 700, ['list']);
    });
    composeList(form, () => ask('count', ['list']));
    // What is not shown is not sent.
    const number = () => { form.elements.badge.disabled = form.elements.badge_kind.value !== 'number'; };
    form.addEventListener('change', number);
    if (!form.querySelector('#e-badge')) number();
    const zone = form.querySelector('select[data-own-zone]');
    if (zone) {
      const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
      if ([...zone.options].some((option) => option.value === own)) zone.value = own;
    }
    if (!form.querySelector('[data-compose-count] .count')) ask('count', ['list']);
  };

  /** What is done in parts goes on by itself, until nothing is left: data-goes-on is on the form of the next part. */
  const goOn = async () => {
    const place = document.querySelector('[data-run]');
    if (!place) return;
    const step = (name) => place.querySelector(`[data-step="${name}"]`);
    for (let form; (form = place.querySelector('form[data-goes-on]'));) {
      const button = form.querySelector('button');
      button.hidden = true;
      const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) }).catch(() => undefined);
      // Nobody is signed in any more.
      if (response?.redirected) return location.assign(response.url);
      const html = await response?.text().catch(() => undefined);
      const page = new DOMParser().parseFromString(html ?? '', 'text/html');
      const steps = all('[data-step]', page);
      if (!response?.ok || !steps.length) {
        step('said').append(paragraph(refusal(page) || place.dataset.unanswered, 'notice bad'));
        button.hidden = false;
        return;
      }
      for (const next of steps) {
        const old = step(next.dataset.step);
        const hadFocus = old.contains(document.activeElement);
        old.replaceChildren(...[...next.childNodes].map((node) => document.importNode(node, true)));
        if (hadFocus) old.querySelector('a')?.focus();
      }
    }
  };

  // Which zone the times are in: on this page, and for what the server writes and looks for.
  for (const place of all('[data-zone]')) place.textContent = zone;
  document.cookie = `martlet_zone=${encodeURIComponent(zone)}; path=/console; max-age=31536000; samesite=lax`;
  showTimes();
  setInterval(showTimes, 30_000);
  sendOnce();
  live();
  search();
  drop();
  loadBeside();
  lookAtFiles();
  copyButtons();
  lockScreenClocks();
  keepFocus();
  compose();
  goOn();
})();
