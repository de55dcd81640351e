// Pointer and keyboard. One gesture of the person is one act: pointerdown, mouse events, click, and the clicks that a
// label forwards or Enter generates are folded. Only trusted events count: what a script dispatches is not a person's
// act. A control operated by Space or Enter is clicked, with that key.

let gesture = null; // the pointer's: {act, el, x, y, moved, clicked, drag}
let lastClick = null; // for double clicks: the act of the click before
let stroke = null; // the keyboard's: {key, el, at, act}
let keyed = 0; // when the key was pressed whose input has not come yet

const onPointerDown = (e) => {
  if (!e.isTrusted || !e.isPrimary) return;
  settleEnter();
  stroke = null;
  keyed = 0;
  if (gesture && gesture.drag) endDrag(gesture);
  if (gesture && gesture.act && !gesture.act.verdict && !gesture.clicked) is(gesture.act, 'click'); // its click never came
  const el = actionable(e);
  flushFields(el);
  gesture = { el, on: el.checked, x: e.clientX, y: e.clientY, button: e.button, before: digest(), at: e.timeStamp };
  if (e.button > 1) return;
  if (setsByChange(el)) {
    // opening it is not an act, choosing is
    settleNow(gesture.before);
    expectChange(el, gesture.before);
    return;
  }
  gesture.act = begin('down', 'click', el, e.timeStamp, {
    before: gesture.before,
    keys: e.button === 1 ? 'Middle' : chord(e),
    xy: [e.clientX, e.clientY],
  });
  if (gesture.act && e.button === 0) mayDrag(gesture, e);
};

const onPointerUp = (e) => {
  if (e.isTrusted && gesture) gesture.up = true;
  if (!e.isTrusted || !gesture || !gesture.act || !e.isPrimary) return;
  const g = gesture;
  g.moved = Math.hypot(e.clientX - g.x, e.clientY - g.y) > MOVED;
  if (g.moved && g.act.counter && isHandle(g.el)) {
    endDrag(g);
    setTimeout(guarded(() => settle(g.act))); // how far it was pulled is known with its outcome
    g.act.verb = 'type';
    g.act.pulled = true;
    return;
  }
  if (g.drag && g.moved && letGo(g, e)) return;
  endDrag(g);
  setTimeout(
    guarded(() => {
      if (g.clicked || g.act.verdict) return;
      if (g.moved) isNot(g.act);
      else is(g.act, 'click'); // the page replaced the element under the pointer: no click event, but a person clicked
    }),
    60,
  );
};

const onPointerCancel = (e) => {
  if (e.isTrusted && gesture && gesture.act && !gesture.clicked && !carried) {
    endDrag(gesture);
    isNot(gesture.act);
    gesture = null;
  }
};

const onClick = (e) => {
  if (!e.isTrusted) return;
  const inner = deepest(e);
  if (inner.tagName === 'SELECT' || inner.tagName === 'OPTION') return; // a keyboard select's extra click as well
  const g = gesture;
  if (g && !g.clicked && e.pointerId !== -1 && e.detail !== 0) {
    g.clicked = true;
    if (!g.act || g.act.verdict === 'drag') return;
    if (g.act.pulled) return;
    if (g.moved && (!e.composedPath().includes(g.el) || marking() || !operable(g.el))) {
      isNot(g.act);
      return;
    }
    if (isToggle(g.el)) {
      setTimeout(
        guarded(() => {
          // no change means no toggle: it was chosen already, or the page's script did it by itself
          if (!g.act.verdict) is(g.act, g.el.checked === g.on ? 'click' : g.el.checked ? 'check' : 'uncheck');
        }),
      );
      return;
    }
    is(g.act, 'click');
    if (e.detail >= 2 && lastClick) g.act.second = lastClick;
    lastClick = g.act;
    return;
  }
  // forwarded by a label
  if (g && g.clicked && performance.now() - g.at < 1000 && (inner === g.el || (g.el.control && g.el.control === inner))) return;
  if (e.detail !== 0) return;
  const el = actionable(e);
  if (stroke && now() - stroke.at < 1500) {
    if (stroke.key === 'Enter' || stroke.act) return; // what Enter does on a button or in a form
    if (stroke.key === ' ' && !isToggle(el)) {
      stroke.act = begin('act', 'click', el, stroke.at, { keys: 'Space', before: stroke.before });
    }
    return;
  }
  if (!navigator.userActivation || !navigator.userActivation.isActive) return;
  if (g && now() - g.at < 1000) return;
  flushFields(el);
  begin('act', 'click', el, e.timeStamp); // an assistive technology's click
};

const onDoubleClick = (e) => {
  if (!e.isTrusted || !gesture || !gesture.act) return;
  const second = gesture.act;
  const first = second.second;
  if (first && first.el === second.el && first.verdict === 'click') {
    is(first, 'double_click');
    isNot(second);
    lastClick = null;
  } else {
    is(second, 'double_click');
  }
};

const onContextMenu = (e) => {
  if (!e.isTrusted) return;
  const g = gesture && gesture.button === 2 ? gesture : null;
  const el = g ? g.el : actionable(e);
  if (!g) flushFields(el);
  begin('act', 'right_click', el, g ? g.at : e.timeStamp, { before: g ? g.before : undefined });
};

const onAuxClick = (e) => {
  if (!e.isTrusted || e.button !== 1 || !gesture || !gesture.act) return;
  gesture.clicked = true;
  is(gesture.act, 'click');
};

// Keys that are acts by themselves. Typed text is reported by its field; a plain letter is never reported.
const SPECIAL = new Set([
  'Enter',
  'Escape',
  'F1',
  'F2',
  'F3',
  'F4',
  'F5',
  'F6',
  'F7',
  'F8',
  'F9',
  'F10',
  'F11',
  'F12',
  'Delete',
  'Insert',
  'ContextMenu',
]);
const FORMATTING = new Set(['b', 'i', 'u']);
const EDITING = new Set([
  'a',
  'c',
  'v',
  'x',
  'z',
  'y',
  'backspace',
  'delete',
  'arrowleft',
  'arrowright',
  'arrowup',
  'arrowdown',
  'home',
  'end',
  'insert',
]);
const isMac = navigator.platform.startsWith('Mac');

// chord names the modifiers, "" if there are none.
const chord = (e) =>
  [
    e.ctrlKey && 'Control',
    e.altKey && 'Alt',
    e.metaKey && 'Meta',
    e.shiftKey && (e.ctrlKey || e.altKey || e.metaKey || SPECIAL.has(e.key)) && 'Shift',
  ]
    .filter(Boolean)
    .join('+');
const keyName = (e) => {
  const mods = chord(e);
  const key =
    e.key.length === 1
      ? /^Key[A-Z]$/.test(e.code)
        ? e.code.slice(3)
        : /^Digit\d$/.test(e.code)
          ? e.code.slice(5)
          : e.key.toUpperCase()
      : e.key;
  return mods ? mods + '+' + key : key;
};
const isShortcut = (e, editable) => {
  if (e.getModifierState('AltGraph') || ['Control', 'Alt', 'Meta', 'Shift'].includes(e.key)) return false;
  const strong = e.ctrlKey || e.metaKey || (e.altKey && !isMac);
  if (strong) {
    if (editable && EDITING.has(e.key.toLowerCase())) return false;
    return e.key.length > 1 || /^[\x21-\x7e]$/.test(e.key);
  }
  if (e.key === 'Delete' || e.key === 'Insert') return !editable;
  return SPECIAL.has(e.key);
};

const onKeyDown = (e) => {
  if (e.isTrusted) keyed = e.timeStamp;
  if (!e.isTrusted || e.isComposing || e.keyCode === 229) return;
  settleEnter();
  const el = actionable(e);
  const all = e.key.toLowerCase() === 'a' && (e.ctrlKey || e.metaKey); // of an editor: its field holds nothing to be replaced
  const editable = isTextField(el) && !(all && inEditor(el));
  settleKey();
  keyToEditor(e, el);
  if (e.repeat) return;
  gesture = null;
  stroke = { key: e.key, el, at: e.timeStamp, act: null };
  const plain = !chord(e);
  if (e.key === ' ' && !editable) {
    stroke.before = digest();
    if (plain && OPERATED.has(role(el)) && !clicksBySpace(el)) stroke.act = operate(el, e, 'Space', stroke.before);
    return;
  }
  if (plain && MOVES.has(e.key) && adjustsByKeys(el)) {
    adjust(el, e);
    return;
  }
  if (!isShortcut(e, editable)) return;
  if (e.key === 'Enter' && plain) {
    if (el.tagName === 'SELECT') return;
    if (el.tagName === 'TEXTAREA' || isEditingHost(el)) {
      enterInText(e, el);
      return;
    }
    if (OPERATED.has(role(el)) && !isToggle(el)) {
      stroke.act = operate(el, e, 'Enter');
      return;
    }
  }
  const shown = toldField(el);
  if (!(editable && FORMATTING.has(e.key.toLowerCase()))) flushFields(null); // Control+Enter sends and empties the field
  const ends = e.key === 'Enter' && plain && editable;
  stroke.act = begin('act', 'press', el, e.timeStamp, { keys: keyName(e), value: markedOption(el, e), shown, ends });
};

// Roles operated by Space or Enter. A native control clicked by Space dispatches a click event itself.
const OPERATED = new Set([
  'button',
  'link',
  'tab',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'treeitem',
  'checkbox',
  'switch',
  'radio',
  'gridcell',
]);
const clicksBySpace = (el) => el.tagName === 'BUTTON' || el.tagName === 'SUMMARY' || el.tagName === 'INPUT';
const operate = (el, e, keys, before) => {
  flushFields(null);
  return begin('act', 'click', el, e.timeStamp, { keys, before });
};

// markedOption: the option that a page highlights while the focus stays in its field; Enter chooses it.
const markedOption = (el, e) => {
  const id = e.key === 'Enter' && el.getAttribute('aria-activedescendant');
  const option = id && el.getRootNode().getElementById(id);
  return option ? { text: contentText(option), chosen: true, field: role(option) } : undefined;
};

// A slider, tab or radio button of a design system: the keys that move it. A slider's value is reported once it
// rests.
const MOVES = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']);
const isAdjusted = (el) =>
  el.tagName !== 'INPUT' && (role(el) === 'slider' || role(el) === 'spinbutton' || (isHandle(el) && !!counterOf(el)));
const adjustsByKeys = (el) => isAdjusted(el) || (el.tagName !== 'INPUT' && (role(el) === 'tab' || role(el) === 'radio'));
const adjust = (el, e) => {
  if (!isAdjusted(el)) {
    stroke.act = begin('act', 'press', el, e.timeStamp, { keys: e.key });
    return;
  }
  if (change && change.el === el && change.act && unsettled.has(change.act.id)) {
    change.act.told = false;
    settle(change.act);
    return;
  }
  flushFields(el);
  change = { el, act: begin('down', 'type', el, e.timeStamp) };
  if (change.act) settle(change.act);
};

// enterInText: Enter inserts a line break, unless the page takes it as "send"; then the field may be empty, so its
// value is kept. Which it was is known once the event has been dispatched, before the person does anything else.
let enterCheck = null;
const settleEnter = () => {
  const check = enterCheck;
  enterCheck = null;
  if (check) check();
};
const enterInText = (e, el) => {
  const s = stroke;
  holdField(el);
  enterCheck = () => {
    if (!e.defaultPrevented || keyInEditor(e, el)) {
      releaseField(el);
      return;
    }
    const shown = toldField(el);
    flushFields(null);
    s.act = begin('act', 'press', el, e.timeStamp, { keys: 'Enter', shown, ends: true });
  };
  setTimeout(guarded(settleEnter));
};

// submit belongs to the click or the Enter that caused it.
const onSubmit = (e) => {
  if (!e.isTrusted) return;
  flushFields(null);
  const fields = Array.from(e.target.elements || []).filter((el) => el.name);
  const login = fields.some((el) => secretKind(el) === 'password'); // then who signs in is a secret as well
  const names = fields.filter((el) => secretKind(el) || (login && isTextField(el))).map((el) => el.name);
  if (login) fields.filter((el) => isTextField(el) && !secretKind(el)).forEach((el) => blot(held(el), 'name'));
  if (names.length) {
    names.forEach((n) => secretNames.add(n));
    post({ k: 'secrets', names });
  }
  if (stroke && stroke.key === 'Enter' && stroke.act && stroke.act.verb === 'press' && now() - stroke.at < 1500)
    is(stroke.act, 'submit', { keys: 'Enter' });
};
