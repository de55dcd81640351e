// A compact digest of what a person could see: the difference before and after an act is the effect of the act. A
// look runs in steps, in order of importance, and can stop or pause after each. Body text is never part of it, except
// the text beside a label, which is treated as a field's value.

const MAX_STATE = 2000; // characters of an address
const pageURL = () => {
  try {
    const u = new URL(location.href);
    u.username = u.password = '';
    for (const field of secretNames) if (u.searchParams.has(field)) u.searchParams.set(field, '[[secret password]]');
    return u.href.slice(0, MAX_STATE);
  } catch {
    return '';
  }
};
const secretNames = new Set(); // names of this document's secret fields: a GET form puts them into the URL

// looking fills state, part by part. at once: an act is waiting, so there is no time to search for parts that the
// page may have added.
const looking = function* (state, atOnce) {
  modal = null;
  headings.length = 0;
  loginForms.clear();
  const scopes = [];
  for (const h of halvesHere()) {
    if (!atOnce) yield* h.findRoots();
    for (const scope of h.scopes()) scopes.push({ scope, roles: null });
  }
  for (const part of PARTS) {
    const out = [];
    all: for (const at of scopes) {
      if (part.roles && !at.roles) {
        at.roles = rolesIn(at.scope);
        yield;
      }
      for (const el of merged(part, at)) {
        const v = part.slow ? yield* part.what(el) : part.what(el, out);
        if (v) out.push(v);
        if (out.length >= part.most) break all;
        yield;
      }
    }
    if (part.key === 'tables') yield* counted(out, part.most);
    state[part.key] = part.told ? out.slice(0, part.told) : out;
  }
};

// What to look for. Tags, classes and single attributes cost the browser next to nothing, selector lists do.
const MESSAGES = ['alert', 'flash', 'notice', 'toast', 'snackbar', 'notification', 'growl', 'swal2-popup', 'success'];
const TOASTS = ['[class*=toast i]', '[class*=snackbar i]', '[data-sonner-toast]', '[class*=message-notice-content i]', '.messagelist>li'];
const PARTS = [
  {
    key: 'dialogs',
    most: 6,
    what: (el, out) => dialog(el, out),
    tags: ['dialog'],
    roles: ['dialog', 'alertdialog'],
    selectors: ['[aria-modal=true]'],
  },
  {
    key: 'alerts',
    most: 8,
    what: (el, out) => message(el, out),
    tags: ['output'],
    roles: ['alert', 'status'],
    classes: MESSAGES,
    selectors: ['[aria-live]', ...TOASTS],
  },
  { key: 'headings', most: 60, told: 12, what: (el) => heading(el), tags: ['h1', 'h2', 'h3'], roles: ['heading'] },
  {
    key: 'invalid',
    most: 12,
    what: (el) => el.ariaInvalid !== 'false' && shown(el) && name(el),
    selectors: [':user-invalid', '[aria-invalid]'],
  },
  {
    key: 'tables',
    most: 12,
    slow: true,
    what: (el) => table(el),
    tags: ['table', 'ul', 'ol'],
    roles: ['table', 'grid', 'treegrid', 'list', 'listbox', 'log', 'feed'],
  },
  {
    key: 'fields',
    most: 40,
    what: (el) => field(el),
    tags: ['input', 'select', 'textarea'],
    roles: ['checkbox', 'switch'],
    selectors: ['[contenteditable]'],
  },
  { key: 'details', most: 20, what: (el, out) => detail(el, out), tags: ['dt', 'th', 'label'], selectors: ['[aria-labelledby]'] },
];

const rolesIn = (scope) => {
  const by = new Map();
  for (const el of scope.querySelectorAll('[role]')) {
    const r = el.getAttribute('role').trim().split(' ')[0].toLowerCase();
    const same = by.get(r);
    if (same) same.push(el);
    else by.set(r, [el]);
  }
  return by;
};
const MOST = 500; // of each sort
// merged: the elements of a part in a scope, in document order. The lists may change during the look.
const merged = function* ({ tags = [], roles = [], classes = [], selectors = [] }, { scope, roles: by }) {
  const root = !scope.getElementsByTagName; // a shadow root only knows selectors
  const lists = [
    ...(root
      ? [...tags, ...classes.map((c) => '.' + c)].map((q) => scope.querySelectorAll(q))
      : tags.map((t) => scope.getElementsByTagName(t))),
    ...(root ? [] : classes.map((c) => scope.getElementsByClassName(c))),
    ...roles.map((r) => by.get(r) || []),
    ...selectors.map((q) => scope.querySelectorAll(q)),
  ]
    .filter((l) => l.length)
    .map((l) => ({ l, n: 0 }));
  for (;;) {
    let first = null;
    for (const at of lists) {
      const el = at.n < MOST ? at.l[at.n] : undefined;
      if (el && (!first || (el !== first && el.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING))) first = el;
    }
    if (!first) return;
    for (const at of lists) if (at.l[at.n] === first) at.n++;
    if (first !== badgeHost) yield first;
  }
};

const dialog = (el, out) => {
  if (!visible(el) || el.closest('[aria-hidden=true]') || !onScreen(el)) return '';
  if (!modal) modal = el;
  const called = name(el) || headingIn(el) || 'dialog';
  return out.includes(called) ? '' : called; // a wrapper and what it wraps
};

const heading = (el) => {
  if (inItem(el) || !shown(el) || tiny(el)) return '';
  const text = contentText(el, 120);
  if (text) headings.push({ el, text });
  return text;
};
const headings = []; // of this look

// message: what the page says to the person, however it is marked up. A live region that holds a list, a table or a
// form is content.
const LIVE = '[role=alert],[role=status],[aria-live],output';
const message = (el, out) => {
  if (el.ariaLive === 'off' || el.getAttribute('role') === 'log' || !shown(el) || tiny(el)) return '';
  const live = el.matches(LIVE);
  const around = up(el); // right below a shadow root there is no parent element
  if (
    !live &&
    (el.closest('button,a,label') ||
      entryAround(el, 'tr') ||
      (el.tagName === 'LI' && around && around.children.length > 2 && !el.matches(TOASTS.join())) ||
      inItem(around) ||
      (around && around.closest(LIVE)) ||
      !onScreen(el))
  )
    return '';
  if (el.querySelector('table,[role=grid],form,article') || el.querySelectorAll('li,[role=listitem]').length > 3) return '';
  const text = contentText(el, 200, true) || contentText(el, 200); // without the text of its close button
  if (el.tagName === 'OUTPUT' && !/[^\d\s.,:+−-]/u.test(text)) return ''; // the number that something was set to
  if (!text || (text.length === 200 && el.getAttribute('role') !== 'alert') || out.some((o) => o.includes(text))) return '';
  return calm(el, text);
};

const inItem = (el) => !!el && !!entryAround(el, 'tr,li,[role=row],[role=listitem],[role=option]');

const focus = () => {
  let el = document.activeElement;
  for (let inner = el; inner; el = inner || el) {
    inner = (el.shadowRoot && el.shadowRoot.activeElement) || guarded(() => el.contentDocument && el.contentDocument.activeElement)();
  }
  if (!el || el.tagName === 'BODY' || el.tagName === 'HTML') return '';
  const item = inItem(el) && role(el) === 'link';
  return shorten(role(el) + (item ? '' : ' ' + name(el)));
};

const loginForms = new Map(); // during one look
const onLogin = (el) => {
  const form = el.form || el.closest('form') || el.getRootNode();
  if (!loginForms.has(form)) loginForms.set(form, onLoginForm(el));
  return loginForms.get(form);
};

const field = (el) => {
  if (el.hasAttribute('contenteditable') && !el.isContentEditable) return null;
  if (
    el.tagName === 'INPUT' &&
    (el.type === 'hidden' || el.type === 'submit' || el.type === 'button' || el.type === 'reset' || el.type === 'image')
  )
    return null;
  const secret = secretKind(el);
  if (secret && el.name) secretNames.add(el.name);
  if (!shown(el) && !(isToggle(el) && (labelsOf(el).some(shown) || drawn(el)))) return null; // a box that is drawn by its label
  const called = label(el) || name(el);
  if (!called) return null;
  const f = { label: called, role: role(el) };
  if (!secret && onLogin(el)) return f; // the user name is private
  if (!secret) f.raw = value(el);
  else f.raw = { kind: secret, filled: !el.matches(':placeholder-shown') };
  return f;
};

// value: a field's content and kind. The caller has checked that it is not a secret.
const value = (el) => {
  const v = {
    input_type: el.tagName === 'INPUT' ? el.type : undefined,
    autocomplete: (!offersNothing(el) && el.getAttribute('autocomplete')) || undefined,
    field: shorten([el.name, el.id, label(el)].filter((s) => typeof s === 'string' && s).join(' '), 200),
  };
  if (isToggle(el)) return { ...v, kind: 'boolean', text: el.checked ? 'on' : 'off', chosen: true };
  if (el.getAttribute('aria-checked'))
    return { ...v, kind: 'boolean', text: el.getAttribute('aria-checked') === 'true' ? 'on' : 'off', chosen: true };
  if (el.tagName === 'SELECT')
    return { ...v, kind: 'choice', chosen: true, text: Array.from(el.selectedOptions, (o) => shorten(o.label || o.text, 200)).join(', ') };
  if (el.tagName === 'INPUT' && el.type === 'file')
    return { ...v, kind: 'file', chosen: true, text: Array.from(el.files || [], (f) => f.name).join('\n') };
  const text = isEditingHost(el) ? el.innerText : el.value;
  const t = (text || '').slice(0, 20000);
  if (cardNumber(t)) {
    distrust(el, 'card');
    return { ...v, kind: 'card', filled: true };
  }
  const kinds = {
    number: 'number',
    range: 'number',
    date: 'date',
    'datetime-local': 'date',
    month: 'date',
    week: 'date',
    email: 'email',
    url: 'url',
  };
  return { ...v, kind: (el.tagName === 'INPUT' && kinds[el.type]) || undefined, text: t };
};

// calm keeps the old text of what keeps changing by itself: a clock or a ticker is not a message. It counts again
// once it has rested or has changed because of an act.
const RESTLESS = 4; // changes without an act
const RESTED = 2000; // ms
const ACTED = 1500; // ms after an act in which a change is taken for its effect
let actedAt = -Infinity; // when something was last done
const calmed = new WeakMap(); // element -> {v, told, at, flips}
let restless = false; // something that this look left out may come to rest
const calm = (el, v) => {
  const at = now();
  const c = calmed.get(el);
  if (!c) {
    calmed.set(el, { v, told: v, at, flips: 0 });
    return v;
  }
  if (c.v !== v) {
    if (at - actedAt > ACTED) c.flips = at - c.at > RESTED ? 1 : c.flips + 1;
    c.v = v;
    c.at = at;
  } else if (at - c.at >= RESTED) c.flips = 0;
  if (c.flips < RESTLESS) c.told = v;
  restless = restless || c.told !== c.v;
  return c.told;
};
