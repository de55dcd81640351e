// What a person could see, compactly: the difference before and after an act is what the act did.

const roots = new Set(); // open shadow roots that events or a first look have come across
const rememberRoot = (el) => {
  if (el.shadowRoot && roots.size < 50) roots.add(new WeakRef(el.shadowRoot));
};
const scopes = function* () {
  yield document;
  for (const ref of roots) {
    const r = ref.deref();
    if (r && r.host.isConnected) yield r;
    else roots.delete(ref);
  }
};
const lookForRoots = () => {
  const end = now() + 3;
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT);
  for (let n = 0, el = walker.currentNode; el; el = walker.nextNode()) {
    if (el.shadowRoot) rememberRoot(el);
    if (++n % 256 === 0 && now() > end) return;
  }
};
const FEW = 32; // elements of each sort that are always looked at: a small page is complete on a slow machine, too
const query = function* (selector, end) {
  let n = 0;
  for (const scope of scopes()) {
    for (const el of scope.querySelectorAll(selector)) {
      if (el === badgeHost) continue;
      if (++n > FEW && n % 16 === 0 && now() > end) return;
      yield el;
    }
  }
};

const pageURL = () => {
  try {
    const u = new URL(location.href);
    u.username = u.password = '';
    for (const field of secretNames) if (u.searchParams.has(field)) u.searchParams.set(field, '[[secret password]]');
    return u.href.slice(0, 2000);
  } catch {
    return '';
  }
};
const secretNames = new Set(); // names of this document's secret fields: a GET form puts them into the URL

// look stops at its budget, per sort of thing: of a large page it sees the beginning.
const look = (budget) => {
  const begin = now();
  const end = begin + budget;
  const s = { url: pageURL(), title: shorten(document.title) };
  const collect = (key, max, selector, f) => {
    const out = [];
    for (const el of query(selector, end)) {
      const v = f(el);
      if (v) out.push(v);
      if (out.length >= max) break;
    }
    if (out.length) s[key] = out;
  };
  collect('dialogs', 6, 'dialog[open],[role=dialog],[role=alertdialog]', (el) => visible(el) && (name(el) || headingIn(el) || 'dialog'));
  collect('alerts', 6, '[role=alert],[role=status],[aria-live=polite],[aria-live=assertive],output', (el) => visible(el) && contentText(el, 200));
  collect('headings', 12, 'h1,h2,h3,[role=heading]', (el) => !inItem(el) && visible(el) && contentText(el, 120));
  collect('invalid', 12, 'input:user-invalid,select:user-invalid,textarea:user-invalid,[aria-invalid]:not([aria-invalid=false])', (el) => visible(el) && name(el));
  collect('tables', 12, 'table,[role=table],[role=grid],[role=treegrid],ul,ol,[role=list],[role=listbox]', table);
  collect('fields', 40, 'input,select,textarea,[contenteditable=""],[contenteditable=true],[role=checkbox],[role=switch]', field);
  loginForms.clear();
  s.focus = focus();
  const cost = now() - begin;
  return { state: s, cost };
};
const inItem = (el) => !!el.closest('tr,li,[role=row],[role=listitem],[role=option]');

const focus = () => {
  let el = document.activeElement;
  while (el && el.shadowRoot && el.shadowRoot.activeElement) el = el.shadowRoot.activeElement;
  if (!el || el === document.body || el === document.documentElement) return '';
  const item = inItem(el) && role(el) === 'link';
  return shorten(role(el) + (item ? '' : ' ' + name(el)));
};

// table: its shape, never its cells.
const table = (el) => {
  const isTable = el.tagName === 'TABLE' || /^(table|grid|treegrid)$/.test(el.getAttribute('role') || '');
  if (!isTable && (el.closest('nav,[role=navigation],[role=tablist],[role=menu],header,footer') || el.children.length < 2)) return null;
  if (!isTable && el.parentElement && el.parentElement.closest('table,ul,ol,[role=list]')) return null;
  if (!visible(el)) return null;
  const t = { rows: 0 };
  const called = byIDs(el, 'aria-labelledby') || shorten(el.getAttribute('aria-label')) || (el.caption ? contentText(el.caption, 80) : '') || headingBefore(el);
  if (called) t.name = called;
  if (!isTable) {
    t.rows = el.children.length;
    return t;
  }
  const header = el.tHead ? el.tHead.rows[0] : el.querySelector('tr,[role=row]');
  const columns = header ? Array.from(header.querySelectorAll('th,[role=columnheader]')).slice(0, 20).map((h) => contentText(h, 60)).filter(Boolean) : [];
  if (columns.length) t.columns = columns;
  if (el.tBodies && el.tBodies.length) {
    for (const body of el.tBodies) for (const r of body.rows) if (r.cells.length && r.cells[0].tagName !== 'TH' || (r.cells.length && r.cells[0].scope === 'row')) if (!r.hidden) t.rows++;
  } else {
    t.rows = Math.max(0, el.querySelectorAll('[role=row]').length - (columns.length ? 1 : 0));
  }
  return t;
};

const loginForms = new Map(); // during one look
const onLogin = (el) => {
  const form = el.form || document;
  if (!loginForms.has(form)) loginForms.set(form, onLoginForm(el));
  return loginForms.get(form);
};

const field = (el) => {
  if (el.tagName === 'INPUT' && (el.type === 'hidden' || el.type === 'submit' || el.type === 'button' || el.type === 'reset' || el.type === 'image')) return null;
  const secret = secretKind(el);
  if (secret && el.name) secretNames.add(el.name);
  if (!visible(el)) return null;
  const called = label(el) || name(el);
  if (!called) return null;
  const f = { label: called, role: role(el) };
  if (!secret && onLogin(el)) return f; // who signs in is nobody's business
  if (!secret) f.raw = value(el);
  else f.raw = { kind: secret, filled: !el.matches(':placeholder-shown') };
  return f;
};

// value: what a field holds, with what is known of its kind. The caller has made sure that it is no secret.
const value = (el) => {
  const v = { input_type: el.tagName === 'INPUT' ? el.type : undefined, autocomplete: el.getAttribute('autocomplete') || undefined,
    field: shorten([el.name, el.id, label(el)].filter((s) => typeof s === 'string' && s).join(' '), 200) };
  if (isToggle(el)) return { ...v, kind: 'boolean', text: el.checked ? 'on' : 'off', chosen: true };
  if (el.getAttribute('aria-checked')) return { ...v, kind: 'boolean', text: el.getAttribute('aria-checked') === 'true' ? 'on' : 'off', chosen: true };
  if (el.tagName === 'SELECT') return { ...v, kind: 'choice', chosen: true, text: Array.from(el.selectedOptions, (o) => shorten(o.label || o.text, 200)).join(', ') };
  if (el.tagName === 'INPUT' && el.type === 'file') return { ...v, kind: 'file', chosen: true, text: Array.from(el.files || [], (f) => f.name).join('\n') };
  const text = isEditingHost(el) ? el.innerText : el.value;
  const t = (text || '').slice(0, 20000);
  if (cardNumber(t)) {
    distrust(el, 'card');
    return { ...v, kind: 'card', filled: true };
  }
  const kinds = { number: 'number', range: 'number', date: 'date', 'datetime-local': 'date', month: 'date', week: 'date', email: 'email', url: 'url' };
  return { ...v, kind: (el.tagName === 'INPUT' && kinds[el.type]) || undefined, text: t };
};

// A digest is reused while nothing changed: an observer that disconnects itself at the first change costs a busy page nothing.
let cached = null; // {state, core, version, serial, at, cost, sent}
let dirty = true;
let lookedAt = '';
let serial = 0;
let version = 0;
const spoil = () => {
  dirty = true;
  changes.disconnect();
  lastChange = now();
};
let lastChange = 0;
const changes = new MutationObserver((records) => {
  if (records.every((r) => r.target === badgeHost)) return;
  spoil();
});
const watchChanges = () => changes.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });

// Under a burst of acts a look from a moment ago has to do (unless fresh), so that the page keeps its time.
const digest = (fresh) => {
  if (!dirty && (changes.takeRecords().length || lookedAt !== location.href)) dirty = true;
  const at = now();
  if (cached && (!dirty || (!fresh && at - cached.at < Math.min(cached.cost / DIGEST_SHARE, STALE)))) return cached;
  changes.disconnect();
  lookedAt = location.href; // pushState need not touch the document
  const seen = look(fresh ? SETTLED_BUDGET : DIGEST_BUDGET);
  if (cached && JSON.stringify(cached.state) === JSON.stringify(seen.state)) {
    cached.at = at;
    cached.cost = seen.cost;
  } else {
    const core = JSON.stringify({ ...seen.state, focus: '' }); // the focus alone is no change of the world
    if (!cached || cached.core !== core) version++;
    cached = { state: seen.state, core, version, serial: ++serial, at, cost: seen.cost, sent: false };
  }
  dirty = false;
  watchChanges();
  return cached;
};

// stateOf puts a digest into a message: whole the first time, by its serial after that.
const stateOf = (d) => {
  if (!d) return undefined;
  if (d.sent) return { n: d.serial };
  d.sent = true;
  return { n: d.serial, state: d.state };
};
