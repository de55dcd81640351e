// Fields: one act per visit, with the final value. Typing is reported when the person leaves the field, presses
// Enter, submits or goes elsewhere; choosing in a select and toggling at once.

let visit = null; // {el, is, login, shown, before, at, last, initial, seen, held, stood, handsOn}
let change = null; // a select, range, color or file being set: {el, act, before}

const fieldOf = (e) => {
  const el = deepest(e);
  if (isTextField(el)) return el;
  let host = el;
  if (!host.isContentEditable) return null;
  while (host.parentElement && host.parentElement.isContentEditable) host = host.parentElement;
  return host;
};
const textOf = (el) => (secretKind(el) ? null : isEditingHost(el) ? el.innerText : el.value);

const STOOD_BUDGET = 4; // ms that reading what stands beside a field may take
const visitField = (el, at) => {
  if (visit && visit.el === el) return;
  if (visit && !visit.el.isConnected && visit.is === fieldSign(el)) {
    // a framework replaced it while the person was typing
    visit.el = el;
    return;
  }
  flushFields(null);
  const before = digest();
  settleNow(before);
  // Its description is from the beginning of the visit: by the end a framework may have replaced it.
  visit = { el, before, at, initial: textOf(el), is: fieldSign(el), login: onLoginForm(el), shown: describe(el) };
  visit.handsOn = guarded(handsOn)(el);
  if (config.acts && !secretKind(el)) {
    const begin = now();
    visit.stood = guarded(standsNow)(el, begin + allowance(STOOD_BUDGET));
    spend(Math.min(now() - begin, STOOD_BUDGET)); // what took longer was the machine's doing
  }
};
// toldField: how the field that the person is in is described for what was entered. A key pressed in it is told of the same field, also
// where the page calls it by what it holds now.
const toldField = (el) =>
  visit && visit.el === el && visit.edited && !visit.shown.target.counting
    ? { ...visit.shown, target: { ...visit.shown.target } }
    : undefined;
// fieldSign identifies a field by attributes that a framework restores when it redraws the field.
const fieldSign = (el) => [el.tagName, el.type, el.name, el.id, el.getAttribute('aria-label'), el.placeholder, label(el)].join('\n');

const onBeforeInput = (e) => {
  if (!e.isTrusted) return;
  settleEnter();
  const el = fieldOf(e);
  if (el && !(el.tagName === 'INPUT' && e.inputType === 'insertLineBreak')) visitField(el, e.timeStamp); // that one is Enter
};
// inEditor: the field is drawn by an editor, asked once for each visit: a key should cost no layout.
const inEditor = (el) => (visit && visit.el === el ? visit.handsOn : guarded(handsOn)(el));
// What an editor takes over is told by what is done, because its field holds something else: nothing, a line, or signs of the editor's.
// In parts: what an input method composes counts once it is composed, and the editor acts itself upon the keys that a field would know.
const toEditor = (inputType, data) => {
  const v = visit;
  const typed = v.seen || '';
  switch (inputType) {
    case 'insertLineBreak':
    case 'insertParagraph':
      v.seen = typed + '\n';
      break;
    case 'deleteContentBackward':
      v.seen = Array.from(typed).slice(0, -1).join('');
      break;
    case 'insertCompositionText':
    case 'insertFromPaste': // told when it was pasted
      break;
    default:
      v.seen = typed + (data || '');
  }
};
const keyInEditor = (e, el) => {
  const v = visit;
  if (!v || v.el !== el || !v.handsOn || !v.edited || chord(e) || !e.defaultPrevented) return false;
  v.last = e.timeStamp;
  toEditor(e.key === 'Enter' ? 'insertLineBreak' : 'deleteContentBackward');
  return true;
};
// keyToEditor: whether a key's letter comes to the field, or the editor takes it from the key itself, is known before the next key, or
// when the visit ends.
let keyAt = null;
const keyToEditor = (e, el) => {
  if (e.ctrlKey || e.metaKey || e.altKey || !(e.key.length === 1 || e.key === 'Backspace') || !inEditor(el)) return;
  visitField(el, e.timeStamp);
  keyAt = e;
};
const settleKey = () => {
  const e = keyAt;
  keyAt = null;
  if (!e || !visit || !visit.handsOn) return;
  if (e.key === 'Backspace') {
    keyInEditor(e, visit.el);
    return;
  }
  toEditor('insertText', e.key);
  visit.edited = true;
  visit.last = e.timeStamp;
};
const onCompositionEnd = (e) => {
  if (e.isTrusted && visit && visit.handsOn && visit.el === fieldOf(e)) toEditor('insertText', e.data);
};

const onInput = (e) => {
  if (!e.isTrusted) return;
  spoil();
  const el = fieldOf(e);
  if (!el) {
    const target = deepest(e);
    if (setsByChange(target) && target.type !== 'file' && !isPulled(target)) reportChange(target, e);
    return;
  }
  const fresh = !visit || visit.el !== el;
  visitField(el, e.timeStamp);
  if (fresh && isSegmented(el)) visit.initial = undefined; // it holds what was entered already: nothing is told before
  keyAt = null;
  if (visit.handsOn) toEditor(e.inputType, e.data);
  else visit.seen = textOf(el);
  visit.last = keyed || e.timeStamp; // the key's own time: a busy page is late with what the key enters
  keyed = 0;
  visit.edited = true;
};

// isPulled: the person is still choosing, with the button down or in a colour chooser; the following change event has
// the value.
const isPulled = (el) => el.type === 'color' || (el.type === 'range' && gesture && gesture.el === el && !gesture.up);

const onChange = (e) => {
  if (!e.isTrusted) return;
  spoil();
  const el = deepest(e);
  if (isToggle(el)) reportToggle(el, e);
  else if (setsByChange(el)) reportChange(el, e);
  else if (!isSegmented(el)) leaveField(el);
};
const isSegmented = (el) => el.tagName === 'INPUT' && /^(date|time|datetime-local|month|week)$/.test(el.type); // changes with each segment

const reportToggle = (el, e) => {
  const verb = el.checked ? 'check' : 'uncheck';
  const g = gesture;
  const byButton = (l) => l !== g.el && l.contains(g.el); // what was pressed stands in the box's label
  if (g && g.act && g.el !== el && now() - g.at < 1500 && labelsOf(el).some(byButton)) return;
  if (g && g.act && g.act.verdict !== 'not' && (g.el === el || g.el.control === el) && now() - g.at < 1500) {
    is(g.act, verb);
    return;
  }
  if (stroke && stroke.act) return;
  begin('act', verb, el, stroke && now() - stroke.at < 1500 ? stroke.at : e.timeStamp, { before: stroke && stroke.before });
};

// expectChange remembers the state before a control was opened that is set by its change event.
const expectChange = (el, before) => {
  if (!change || change.el !== el) change = { el, before };
};
const reportChange = (el, e) => {
  const verb = el.type === 'file' ? 'upload' : el.tagName === 'SELECT' ? 'select' : 'type';
  if (change && change.el === el && change.act && unsettled.has(change.act.id)) {
    // arrow by arrow, pixel by pixel: only the last value counts
    is(change.act, verb, { value: value(el) });
    return;
  }
  const trigger = el.type === 'file' && !name(el) && gesture && gesture.clicked ? name(gesture.el) : ''; // hidden behind a button
  const extra = {
    called: trigger,
    value: secretKind(el) ? { kind: secretKind(el), filled: true } : value(el),
    before: change && change.el === el && !change.act ? change.before : undefined,
  };
  if (el.type === 'file') {
    const f = el.files && el.files[0];
    if (!f) return;
    extra.file = fileInfo(f);
  }
  flushFields(el);
  change = { el, act: begin('act', verb, el, e.timeStamp, extra) };
};
const fileInfo = (f) => {
  const dot = f.name.lastIndexOf('.');
  return { name: f.name, ext: dot > 0 ? f.name.slice(dot).toLowerCase() : '', size: f.size };
};

// Files that were dropped or pasted: their names, never their content.
const uploadFrom = (transfer, e) => {
  const files = transfer ? Array.from(transfer.files) : [];
  if (!files.length) return false;
  flushFields(null);
  begin('act', 'upload', actionable(e), e.timeStamp, {
    file: fileInfo(files[0]),
    value: { kind: 'file', chosen: true, text: files.map((f) => f.name).join('\n') },
  });
  return true;
};
const onPaste = (e) => {
  if (!e.isTrusted || uploadFrom(e.clipboardData, e)) return;
  const el = fieldOf(e);
  if (!el || !inEditor(el)) return;
  visitField(el, e.timeStamp);
  visit.edited = true;
  visit.last = e.timeStamp;
  toEditor('insertText', e.clipboardData && e.clipboardData.getData('text/plain'));
};

const onFocusOut = (e) => {
  settleEnter();
  spoil();
  if (e.isTrusted) leaveField(deepest(e));
};
// leaveField ends a visit, unless the field loses the focus because a framework is about to redraw it.
const leaveField = (el) => {
  if (!visit || visit.el !== el) return;
  setTimeout(
    guarded(() => {
      if (visit && visit.el === el && el.isConnected) flushFields(null);
    }),
  );
};

// flushFields reports what was entered so far, unless the person is still in that field.
const flushFields = (still) => {
  if (!visit || visit.el === still) return;
  settleKey();
  const v = visit;
  visit = null;
  if (!v.edited) return;
  const secret = secretKind(v.el) || (v.handsOn && !drawsLines(v.el, v.seen || '') && 'secret'); // a terminal does not draw a password
  if (secret) keepSecret(v.el);
  if (secret && v.handsOn) blot(v.seen || '', 'secret'); // its field holds the last letter at most
  const final = v.handsOn ? v.seen : v.held !== undefined ? v.held : textOf(v.el) || v.seen;
  if (!secret && v.login) blot(final, 'name'); // the user name is private
  if (!secret && final === v.initial) return; // entered and taken back
  const told = secret ? { kind: secret, filled: true } : value(v.el);
  if (!secret && told.kind !== 'card') told.text = cardNumber(final || '') ? '' : (final || '').slice(0, 20000);
  if (!secret && !v.login && told.kind !== 'card' && config.acts) told.source = guarded(sourceOf)(v.el, final, v.stood || '');
  begin('act', 'type', v.el, v.at, { before: v.before, value: told, login: v.login, shown: v.shown, until: v.last });
};
const holdField = (el) => {
  if (visit && visit.el === el) visit.held = textOf(el) || undefined;
};
const releaseField = (el) => {
  if (visit && visit.el === el) visit.held = undefined;
};

// What was entered while paused is never reported, not even afterwards: such a field counts as a secret from then on,
// in acts, digests and the address that a form makes of it.
const FIELDS = 'input,select,textarea,[contenteditable=""],[contenteditable=true]';
let atPause = new WeakMap(); // field -> what it held when the pause began
const holds = (el) =>
  isToggle(el)
    ? String(el.checked)
    : el.tagName === 'SELECT'
      ? Array.from(el.options, (o) => +o.selected).join('')
      : isEditingHost(el)
        ? el.innerText
        : el.value;
const asServed = (el) =>
  isToggle(el)
    ? el.checked === el.defaultChecked
    : el.tagName === 'SELECT'
      ? holds(el) === servedChoice(el)
      : isEditingHost(el)
        ? !el.innerText.trim()
        : el.value === (el.defaultValue || '');
const servedChoice = (el) => {
  const served = Array.from(el.options, (o) => +o.defaultSelected);
  if (!el.multiple && !served.includes(1) && served.length) served[0] = 1; // a drop-down begins with its first option
  return served.join('');
};
const fieldsNow = () => Array.from(query(FIELDS, now() + 50));
const rememberFields = () => {
  atPause = new WeakMap();
  for (const el of fieldsNow()) atPause.set(el, holds(el));
};
const distrustFields = () => {
  for (const el of fieldsNow()) {
    const same = atPause.has(el) ? atPause.get(el) === holds(el) : asServed(el);
    if (same || secretKind(el)) continue;
    distrust(el, 'secret');
    if (el.name) {
      secretNames.add(el.name);
      post({ k: 'secrets', names: [el.name] });
    }
  }
};
