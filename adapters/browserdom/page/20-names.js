// Role and accessible name, computed here and at once: the proper subset of accname 1.2 that controls need.

const IMPLICIT = {
  A: (e) => (e.hasAttribute('href') ? 'link' : 'generic'), AREA: () => 'link', ARTICLE: () => 'article', ASIDE: () => 'complementary',
  BUTTON: () => 'button', DATALIST: () => 'listbox', DETAILS: () => 'group', DIALOG: () => 'dialog', FIELDSET: () => 'group',
  FORM: () => 'form', H1: () => 'heading', H2: () => 'heading', H3: () => 'heading', H4: () => 'heading', H5: () => 'heading', H6: () => 'heading',
  IMG: () => 'img', LI: () => 'listitem', MAIN: () => 'main', MENU: () => 'list', METER: () => 'meter', NAV: () => 'navigation',
  OL: () => 'list', OPTGROUP: () => 'group', OPTION: () => 'option', OUTPUT: () => 'status', P: () => 'paragraph', PROGRESS: () => 'progressbar',
  SECTION: (e) => (e.hasAttribute('aria-label') || e.hasAttribute('aria-labelledby') ? 'region' : 'generic'),
  SELECT: (e) => (e.multiple || e.size > 1 ? 'listbox' : 'combobox'), SUMMARY: () => 'button', TABLE: () => 'table', TBODY: () => 'rowgroup',
  TD: () => 'cell', TEXTAREA: () => 'textbox', TH: (e) => (e.scope === 'row' ? 'rowheader' : 'columnheader'), TR: () => 'row', UL: () => 'list', VIDEO: () => 'video',
};
const INPUT_ROLES = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', file: 'button' };

const role = (el) => {
  const said = (el.getAttribute('role') || '').trim().split(/\s+/)[0].toLowerCase();
  if (said && said !== 'none' && said !== 'presentation') return said;
  if (el.tagName === 'INPUT') return INPUT_ROLES[el.type] || (el.list ? 'combobox' : 'textbox');
  if (el.isContentEditable && (!el.parentElement || !el.parentElement.isContentEditable)) return 'textbox';
  const f = IMPLICIT[el.tagName];
  return f ? f(el) : 'generic';
};

// Roles whose name is their content.
const NAMED_BY_CONTENT = new Set(['button', 'link', 'heading', 'option', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio',
  'checkbox', 'radio', 'switch', 'treeitem', 'columnheader', 'rowheader', 'tooltip', 'cell', 'gridcell', 'row', 'listitem']);
// Roles a person operates; what they are called belongs to the program, not to somebody's data.
const CONTROLS = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio', 'switch', 'slider', 'spinbutton',
  'option', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'treeitem', 'columnheader', 'heading']);

const visible = (el) => el.checkVisibility ? el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) : !!el.getClientRects().length;

// contentText: what an element says by its content, images by their alt, hidden parts left out; bounded.
const contentText = (el, max = MAX_TEXT) => {
  let out = '';
  let nodes = 0;
  const walk = (node) => {
    if (out.length > max || ++nodes > 200) return;
    if (node.nodeType === Node.TEXT_NODE) {
      out += node.data;
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || node === badgeHost) return;
    if (node !== el) {
      if (node.getAttribute('aria-hidden') === 'true' || node.hidden) return;
      const label = node.getAttribute('aria-label');
      if (label) {
        out += ' ' + label + ' ';
        return;
      }
    }
    switch (node.tagName) {
      case 'SCRIPT': case 'STYLE': case 'NOSCRIPT': case 'TEMPLATE': case 'SELECT': case 'TEXTAREA': case 'INPUT': return;
      case 'IMG': out += ' ' + (node.alt || '') + ' '; return;
      case 'SVG': case 'svg': {
        const title = node.querySelector('title');
        if (title) out += ' ' + title.textContent + ' ';
        return;
      }
      case 'SLOT':
        for (const n of node.assignedNodes({ flatten: true })) walk(n);
        if (node.assignedNodes().length) return;
    }
    const inside = node.shadowRoot || node;
    for (const child of inside.childNodes) walk(child);
    if (node !== el && getDisplay(node)) out += ' ';
  };
  walk(el);
  return shorten(out, max);
};
const BLOCKS = new Set(['DIV', 'P', 'LI', 'TD', 'TH', 'TR', 'BR', 'H1', 'H2', 'H3', 'H4', 'UL', 'OL', 'SECTION', 'BUTTON', 'OPTION', 'DD', 'DT', 'LABEL']);
const getDisplay = (el) => BLOCKS.has(el.tagName);

const byIDs = (el, attr) => {
  const ids = el.getAttribute(attr);
  if (!ids) return '';
  const root = el.getRootNode();
  return shorten(ids.split(/\s+/).map((id) => {
    const other = root.getElementById && root.getElementById(id);
    return other ? other.getAttribute('aria-label') || contentText(other) : '';
  }).join(' '));
};

// label: the visible label of a field.
const label = (el) => {
  const labels = el.labels;
  if (labels && labels.length) return shorten(Array.from(labels, (l) => contentText(l)).join(' '));
  return byIDs(el, 'aria-labelledby');
};

const name = (el) => {
  const said = byIDs(el, 'aria-labelledby') || shorten(el.getAttribute('aria-label'));
  if (said) return said;
  if (el.tagName === 'INPUT' && (el.type === 'submit' || el.type === 'button' || el.type === 'reset')) {
    return shorten(el.value) || { submit: 'Submit', reset: 'Reset' }[el.type] || '';
  }
  if (el.tagName === 'IMG' || el.tagName === 'AREA' || (el.tagName === 'INPUT' && el.type === 'image')) {
    const alt = shorten(el.alt);
    if (alt) return alt;
  }
  const l = label(el);
  if (l) return l;
  let inner = '';
  if (el.tagName === 'FIELDSET') inner = firstChild(el, 'LEGEND');
  if (el.tagName === 'TABLE') inner = el.caption ? contentText(el.caption) : '';
  if (el.tagName === 'DETAILS') inner = firstChild(el, 'SUMMARY');
  if (!inner && NAMED_BY_CONTENT.has(role(el))) inner = contentText(el);
  return inner || shorten(el.getAttribute('title')) || shorten(el.getAttribute('placeholder')) || shorten(el.getAttribute('aria-placeholder'));
};
const firstChild = (el, tag) => {
  for (const c of el.children) if (c.tagName === tag) return contentText(c);
  return '';
};

// What must never leave the page: only that something was entered, and its kind.
const everSecret = new WeakMap();
const SECRET_NAMES = /passw|passphrase|passcode|\bpwd\b|\bpin\b|\botp\b|\btotp\b|\bmfa\b|\b2fa\b|one.?time|verification.?code|security.?code|auth.?code|\bsecret\b|\btoken\b|api.?key|private.?key|access.?key|recovery.?code|kennwort|passwort|contrase|mot.de.passe/i;
const CARD_NAMES = /card.?(number|no\b|num)|cardnum|\bccnum|\bcvv|\bcvc|\bcsc\b|credit.?card|kartennummer|\biban\b/i;
const secretKind = (el) => {
  const seen = everSecret.get(el);
  if (seen) return seen;
  const kind = judgeSecret(el);
  if (kind) distrust(el, kind);
  return kind;
};
const distrust = (el, kind) => {
  if (!everSecret.has(el)) secretFields.add(new WeakRef(el));
  everSecret.set(el, kind);
};

// blotter takes what secret fields hold out of a message: a page may repeat it in its title, a heading or its address. What they
// held before counts too, once the person went on.
const secretFields = new Set();
const secretTexts = new Set();
const BLOT_MIN = 6; // characters: a shorter one is part of ordinary words
const held = (el) => (el.isContentEditable ? el.innerText : el.value) || '';
const keepSecret = (el) => {
  const text = held(el);
  if (text.length >= BLOT_MIN && secretTexts.size < 100) secretTexts.add(text);
};
const blotter = () => {
  const texts = new Set(secretTexts);
  for (const ref of secretFields) {
    const el = ref.deref();
    if (!el) secretFields.delete(ref);
    else if (!isToggle(el) && el.tagName !== 'SELECT' && held(el).length >= BLOT_MIN) texts.add(held(el));
  }
  if (!texts.size) return undefined;
  const forms = Array.from(texts).sort((a, b) => b.length - a.length).flatMap((t) => [t, encodeURIComponent(t), encodeURI(t)]);
  return (key, v) => (typeof v === 'string' ? forms.reduce((s, form) => s.replaceAll(form, '[[secret password]]'), v) : v);
};
const judgeSecret = (el) => {
  if (el.type === 'password') return 'password';
  const auto = (el.getAttribute('autocomplete') || '').toLowerCase();
  if (/(^|\s)one-time-code$/.test(auto)) return 'otp';
  if (/(^|\s)(current|new)-password$/.test(auto)) return 'password';
  if (/(^|\s)cc-(number|csc|exp)/.test(auto)) return 'card';
  const names = [el.name, el.id, el.getAttribute('aria-label'), el.placeholder, label(el)].filter((s) => typeof s === 'string').join(' ').replace(/[_-]/g, ' ');
  if (CARD_NAMES.test(names)) return 'card';
  if (SECRET_NAMES.test(names)) return /passw|pwd|kennwort|contrase|mot.de/i.test(names) ? 'password' : /otp|one.?time|code|mfa|2fa/i.test(names) ? 'otp' : 'secret';
  try {
    const security = getComputedStyle(el).webkitTextSecurity;
    if (security && security !== 'none') return 'password';
  } catch { /* not rendered */ }
  return '';
};
const cardNumber = (text) => {
  const digits = text.replace(/[ -]/g, '');
  if (!/^\d{13,19}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let d = +digits[digits.length - 1 - i];
    if (i % 2) d = d * 2 > 9 ? d * 2 - 9 : d * 2;
    sum += d;
  }
  return sum % 10 === 0;
};

const TEXTUAL = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number', 'date', 'time', 'datetime-local', 'month', 'week']);
const isTextField = (el) => el.tagName === 'TEXTAREA' || (el.tagName === 'INPUT' && TEXTUAL.has(el.type)) || isEditingHost(el);
const isEditingHost = (el) => el.isContentEditable && (!el.parentElement || !el.parentElement.isContentEditable);
const isToggle = (el) => el.tagName === 'INPUT' && (el.type === 'checkbox' || el.type === 'radio');
const setsByChange = (el) => el.tagName === 'SELECT' || (el.tagName === 'INPUT' && (el.type === 'file' || el.type === 'range' || el.type === 'color'));

// onLoginForm: the field or button belongs to a form with a visible password field (or stands beside one outside any form).
const onLoginForm = (el) => {
  const form = el.form || el.closest('form');
  const scope = form || (el.closest('[role=dialog],dialog,main') || document);
  for (const p of scope.querySelectorAll('input')) {
    if (secretKind(p) === 'password' && visible(p) && (form || !p.form)) return true;
  }
  return false;
};
