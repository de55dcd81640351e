// Secrets must never leave the page: only that something was entered, and its kind.
const everSecret = new WeakMap();
const SECRET_NAMES = new RegExp(
  'passw|passphrase|passcode|\\bpwd\\b|\\bpin\\b|\\botp\\b|\\btotp\\b|\\bmfa\\b|\\b2fa\\b|one.?time|' +
    'verification.?code|security.?code|auth.?code|\\bsecret\\b|\\btoken\\b|api.?key|private.?key|access.?key|' +
    'recovery.?code',
  'i',
);
const CODE_WORDS = new RegExp('{code words}', 'iu');
const PASSWORD_WORDS = new RegExp('{password words}', 'iu'); // in all other languages; Compose puts them in
const CARD_NAMES = /card.?(number|no\b|num)|cardnum|\bccnum|\bcvv|\bcvc|\bcsc\b|credit.?card|kartennummer|\biban\b/i;
const secretKind = (el) => {
  if (el.ownerDocument !== document) {
    // in another frame, whose half knows what was typed there
    const other = halfOf(el);
    return other && other !== half ? other.secretKind(el) : judgeSecret(el);
  }
  const seen = everSecret.get(el);
  if (seen) return seen;
  const sign = [el.type, el.name, el.id, el.getAttribute('autocomplete'), el.placeholder, el.ariaLabel].join('\n');
  const before = cleared.get(el);
  if (before && before.sign === sign && now() - before.at < CLEARED) return '';
  const kind = judgeSecret(el);
  if (kind) distrust(el, kind);
  else cleared.set(el, { sign, at: now() });
  return kind;
};
const CLEARED = 1000; // ms for which a field classified as not secret stays so unless its name changes
const cleared = new WeakMap();
const distrust = (el, kind) => {
  if (!everSecret.has(el)) secretFields.add(new WeakRef(el));
  everSecret.set(el, kind);
};

// blotter removes the content of secret fields from a message: a page may repeat it in its title, a heading or its
// address. Earlier content counts too, once the person has moved on.
const secretFields = new Set();
const secretTexts = new Set();
const BLOT_MIN = 6; // characters: a shorter one is part of ordinary words
const held = (el) => (el.isContentEditable ? el.innerText : el.value) || '';
const keepSecret = (el) => {
  const text = held(el);
  if (text.length >= BLOT_MIN && secretTexts.size < 100) secretTexts.add(text);
  blot(text, everSecret.get(el) || 'secret');
};
const heldSecrets = () => {
  const texts = new Set(secretTexts);
  for (const ref of secretFields) {
    const el = ref.deref();
    if (!el) secretFields.delete(ref);
    else if (!isToggle(el) && el.tagName !== 'SELECT' && held(el).length >= BLOT_MIN) texts.add(held(el));
  }
  return texts;
};
const blotter = () => {
  let texts = heldSecrets();
  const base = outermost();
  if (base !== half || window.length) for (const h of base.halves()) if (h !== half) texts = texts.union(h.secrets());
  if (!texts.size) return undefined;
  const forms = Array.from(texts)
    .sort((a, b) => b.length - a.length)
    .flatMap((t) => [t, encodeURIComponent(t), encodeURI(t)]);
  return (key, v) => (typeof v === 'string' ? forms.reduce((s, form) => s.replaceAll(form, '[[secret password]]'), v) : v);
};
// offersNothing: what a field takes is chosen from a list, and it is marked as one for a new password only so that the browser offers
// nothing of its own there. One for the current password is for a password, whatever list it has.
const offersNothing = (el) =>
  el.getAttribute('role') === 'combobox' &&
  /^(listbox|true)$/.test(el.ariaHasPopup || '') &&
  /(^|\s)new-password$/i.test(el.getAttribute('autocomplete') || '');
const judgeSecret = (el) => {
  if (el.type === 'password') return 'password';
  const auto = (el.getAttribute('autocomplete') || '').toLowerCase();
  if (/(^|\s)one-time-code$/.test(auto)) return 'otp';
  if (/(^|\s)(current|new)-password$/.test(auto) && !offersNothing(el)) return 'password';
  if (/(^|\s)cc-(number|csc|exp)/.test(auto)) return 'card';
  const names = [el.name, el.id, el.getAttribute('aria-label'), el.placeholder, label(el)]
    .filter((s) => typeof s === 'string')
    .join(' ')
    .replace(/[_-]/g, ' ');
  if (CARD_NAMES.test(names)) return 'card';
  if (CODE_WORDS.test(names)) return 'otp';
  if (PASSWORD_WORDS.test(names)) return 'password';
  if (SECRET_NAMES.test(names)) return /passw|pwd/i.test(names) ? 'password' : /otp|one.?time|code|mfa|2fa/i.test(names) ? 'otp' : 'secret';
  try {
    const security = getComputedStyle(el).webkitTextSecurity;
    if (security && security !== 'none') return 'password';
  } catch {
    /* not rendered */
  }
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
const setsByChange = (el) =>
  el.tagName === 'SELECT' || (el.tagName === 'INPUT' && (el.type === 'file' || el.type === 'range' || el.type === 'color'));

// onLoginForm: the field or button belongs to a form with a visible password field (or stands beside one outside any
// form), and the form asks for nothing but who signs in. In other forms, for a new user say, only the password itself
// is withheld.
const PASSWORDS = 'input[type=password],input[autocomplete~="current-password" i],input[autocomplete~="new-password" i]';
const MANY_INPUTS = 100; // of a form: so many are judged by what they are called
const onLoginForm = (el) => {
  const form = el.form || el.closest('form');
  const scope = form || el.closest('[role=dialog],dialog,main') || el.ownerDocument;
  const asked = form ? Array.from(form.elements) : Array.from(scope.querySelectorAll(FIELDS_ASKED)).filter((e) => !e.form);
  if (setsPassword(asked) || asksMore(asked)) return false;
  const counts = (p) => secretKind(p) === 'password' && visible(p) && (!!form || !p.form);
  for (const p of scope.querySelectorAll(PASSWORDS)) if (counts(p)) return true;
  for (const ref of secretFields) {
    const p = ref.deref();
    if (p && p.tagName === 'INPUT' && scope.contains(p) && counts(p)) return true;
  }
  let n = 0;
  for (const p of scope.querySelectorAll('input')) {
    if (++n > MANY_INPUTS) return false;
    if (counts(p)) return true;
  }
  return false;
};
// setsPassword: fields that ask for a password twice and for nothing else set a password. Nobody signs in there, so
// no user name is revealed.
const FIELDS_ASKED = 'input,textarea,select';
const setsPassword = (fields) => {
  const asked = fields.slice(0, MANY_INPUTS).filter((e) => (isTextField(e) || e.tagName === 'SELECT') && visible(e));
  return (
    asked.length > 1 &&
    asked.every((e) => secretKind(e) === 'password' && !(e.getAttribute('autocomplete') || '').includes('current-password'))
  );
};
// asksMore: a form, or what a page asks outside of any, with this many other fields is for more than signing in; fewer suffice where its
// passwords are marked as new, or one is asked for twice. Nobody signs in with a text of several lines, or by ticking several boxes.
const asksMore = (fields) => {
  const passwords = [];
  const names = [];
  let others = 0;
  let boxes = 0;
  let lines = false;
  for (const e of fields.slice(0, MANY_INPUTS)) {
    if (e.type === 'checkbox' && visible(e)) boxes++;
    if (!(isTextField(e) || e.tagName === 'SELECT')) continue;
    if (e.tagName === 'TEXTAREA' && visible(e)) lines = true;
    if (secretKind(e)) {
      passwords.push((e.getAttribute('autocomplete') || '').toLowerCase());
      names.push((e.name || e.id).toLowerCase().replace(AGAIN, ''));
    } else if (visible(e)) others++;
  }
  const are = (word) => (auto) => auto.includes(word);
  return (
    !passwords.some(are('current-password')) &&
    (lines ||
      boxes > BOXES_AT_LOGIN ||
      others >= (passwords.every(are('new-password')) || names.some((n, i) => n && names.indexOf(n) < i) ? 3 : 5))
  );
};
const BOXES_AT_LOGIN = 3; // such as "stay signed in"
const AGAIN = /[^a-z]|confirm(ation)?|again|repeat(ed)?|retype|verify/g;
