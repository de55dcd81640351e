// An act is reported to Go at once, in up to four messages: "down" (it began; from now on it cannot be lost), "is" or
// "not" (what it was), "after" (its outcome). A page that goes away between them loses nothing: Go then takes a
// "down" for what it looked like.

const unsettled = new Map(); // id -> {t, version}

// begin reports an act on el. kind is "down" if its verb is not certain yet, else "act".
const begin = (kind, verb, el, at, extra = {}) => {
  const before = extra.before || digest();
  settleNow(before, mayDouble(el, at));
  outermost().acted(before);
  if (extra.login || withheldLogin(verb, el)) {
    post({ k: 'n', r: 'login_page', n: 1 });
    return null;
  }
  const act = { id: nextID(), el, at, kind, verb, version: before.version, said: saidBy(el), group: pressedOne(el) };
  const counter = (verb === 'click' || isHandle(el)) && guarded(counterOf)(el);
  if (extra.ends) act.ends = fieldSign(el);
  if (counter) act.counter = { ...counter, was: numberOf(counter.el) };
  if (!config.acts) {
    // only page states are wanted
    post({ k: kind, id: act.id, verb, t: micros(at), before: stateOf(before), page: { url: pageURL(), title: shorten(document.title) } });
    if (kind === 'act') settle(act);
    return act;
  }
  const shown = extra.shown || describe(el);
  if (verb === 'click') act.entry = guarded(entryBefore)(el);
  const { target, chosen } = shown;
  shown.id = act.id;
  if (extra.called) target.name = extra.called;
  const message = {
    k: kind,
    id: act.id,
    verb,
    t: micros(at),
    target,
    before: stateOf(before),
    page: { url: pageURL(), title: shorten(document.title) },
  };
  if (extra.value) message.value = extra.value;
  else if (chosen && !isTextField(el)) message.value = { text: chosen, chosen: true, field: target.landmark ? target.landmark.role : '' };
  if (extra.keys) message.keys = extra.keys;
  if (extra.until) message.until = micros(extra.until); // the last key; it is told of when the visit ends
  if (extra.file) message.file = extra.file;
  if (extra.xy && target.opaque) Object.assign(message, inRoot(extra.xy));
  post(message);
  if (kind === 'act') settle(act);
  return act;
};

// closed: Enter ended an edit, so that its field is gone, and no other stands in its place as one that was only drawn anew does. Where
// nothing of the field is part of a state, this is all there is to see.
const closed = (act) => {
  if (act.ends === undefined || (act.el.isConnected && visible(act.el))) return false;
  let on = document.activeElement;
  while (on && on.shadowRoot && on.shadowRoot.activeElement) on = on.shadowRoot.activeElement;
  return !on || fieldSign(on) !== act.ends;
};

// inRoot: a point of this frame in the document of the outermost frame of this process, relative to the document's
// origin, as DOM.getNodeForLocation counts.
const inRoot = ([x, y]) => {
  let w = window;
  for (; w.frameElement; w = w.parent) {
    const r = w.frameElement.getBoundingClientRect();
    x += r.x + w.frameElement.clientLeft;
    y += r.y + w.frameElement.clientTop;
  }
  return { xy: [x + w.scrollX, y + w.scrollY], whole: w === window.top };
};

// is reports what an act turned out to be; a later report replaces an earlier one.
const is = (act, verb, extra = {}) => {
  if (!act || act.verdict === 'not') return;
  act.verdict = verb;
  post({ k: 'is', id: act.id, verb, ...extra });
  settle(act);
};
const isNot = (act) => {
  if (!act || act.verdict === 'not') return;
  act.verdict = 'not';
  unsettled.delete(act.id);
  post({ k: 'not', id: act.id });
};

const withheldLogin = (verb, el) => (isTextField(el) || isToggle(el) || setsByChange(el)) && onLoginForm(el);

// A switch or slider of a design system states its value in an attribute. Whether an act was a tick, or which value
// was set, is known with its outcome.
const SAYING = new Set(['checkbox', 'switch', 'menuitemcheckbox', 'slider', 'spinbutton']);
const saidBy = (el) =>
  el.tagName !== 'INPUT' && SAYING.has(role(el))
    ? el.getAttribute('aria-checked') || el.getAttribute('aria-valuetext') || el.getAttribute('aria-valuenow') || ''
    : undefined;
const tellSaid = (act, last) => {
  tellCounted(act, last);
  if (act.said === undefined || act.told || act.verdict === 'not') return;
  const said = saidBy(act.el);
  if (said === undefined || said === act.said || !act.el.isConnected) {
    if (last && act.verb === 'type') isNot(act);
    return;
  }
  act.told = true;
  if (isAdjusted(act.el)) post({ k: 'is', id: act.id, verb: 'type', value: { kind: 'number', text: said, field: shorten(name(act.el)) } });
  else if (said !== 'mixed') post({ k: 'is', id: act.id, verb: said === 'true' ? 'check' : 'uncheck' });
};
// A number set by the buttons beside it is a field with that value.
const tellCounted = (act, last) => {
  const c = act.counter;
  if (!c || act.verdict === 'not' || !c.el.isConnected) return;
  const is = numberOf(c.el);
  if (is === c.was || !NUMBER.test(is)) {
    if (last && act.verb === 'type' && act.said === undefined) isNot(act);
    return;
  }
  post({ k: 'is', id: act.id, verb: 'type', value: { kind: 'number', text: is }, target: describeCounter(c, act.el) });
};
// Whether a button is a toggle of a group in which one is always pressed is also known with the outcome: one was
// pressed, and now it is this one.
const pressedIn = (group) => group.all.filter((b) => b.getAttribute('aria-pressed') === 'true');
const pressedOne = (el) => {
  const group = pressGroup(el);
  return group && pressedIn(group).length === 1 ? { called: group.called, mine: name(el) } : undefined;
};
const tellPressed = (act) => {
  if (!act.group || act.told || (act.verdict || act.verb) !== 'click') return;
  const mine = (b) => name(b) === act.group.mine && (pressGroup(b) || {}).called === act.group.called;
  const el = act.el.isConnected ? act.el : Array.from(document.querySelectorAll('[aria-pressed]')).find(mine); // drawn anew
  const group = el && pressGroup(el);
  const on = group ? pressedIn(group) : [];
  if (on.length !== 1 || on[0] !== el) return;
  act.told = true;
  post({ k: 'is', id: act.id, verb: 'check' });
};
const DOUBLE = 500; // ms between the clicks of a double click
const mayDouble = (el, at) => (lastClick && lastClick.el === el && at - lastClick.at < DOUBLE ? lastClick.id : undefined);
