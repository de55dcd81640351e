// An act is told to Go at once, in up to four messages: "down" (it began; nothing can be lost any more), "is" or "not" (what it was),
// "after" (what came of it). A page that goes away between them loses nothing: Go then takes a "down" for what it looked like.

const unsettled = new Map(); // id -> {t, version}

// begin reports an act on el. kind is "down" for one whose verb is not certain yet, else "act".
const begin = (kind, verb, el, at, extra = {}) => {
  const before = extra.before || digest();
  settleNow(before, mayDouble(el, at));
  if (withheldLogin(verb, el)) {
    post({ k: 'n', r: 'login_page', n: 1 });
    return null;
  }
  const act = { id: nextID(), el, at, kind, verb, version: before.version };
  const { target, chosen } = describe(el);
  const message = { k: kind, id: act.id, verb, t: micros(at), target, before: stateOf(before), page: { url: pageURL(), title: shorten(document.title) } };
  if (extra.value) message.value = extra.value;
  else if (chosen && !isTextField(el)) message.value = { text: chosen, chosen: true, field: target.landmark ? target.landmark.role : '' };
  if (extra.keys) message.keys = extra.keys;
  if (extra.file) message.file = extra.file;
  if (extra.xy && target.opaque) message.xy = extra.xy;
  post(message);
  if (kind === 'act') settle(act);
  return act;
};

// is says what an act turned out to be; a later word replaces an earlier one.
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

// settle waits for the outcome: until nothing has changed for a while, or long enough.
let ticking = 0;
const settle = (act) => {
  unsettled.set(act.id, { t: now(), version: act.version });
  if (!ticking) {
    changes.disconnect(); // one that is waiting for the first change of all may stay silent for long
    watchChanges();
    ticking = setTimeout(tick, TICK);
  }
};
const tick = guarded(() => {
  ticking = 0;
  if (!unsettled.size) return;
  const at = now();
  if (changes.takeRecords().length) spoil();
  let oldest = 0;
  let newest = Infinity;
  for (const u of unsettled.values()) {
    oldest = Math.max(oldest, at - u.t);
    newest = Math.min(newest, at - u.t);
  }
  const still = at - lastChange >= QUIET && newest >= QUIET;
  if (oldest >= MAX_SETTLE || (still && !busy())) {
    const d = digest(true);
    const changed = Array.from(unsettled.values()).some((u) => u.version !== d.version);
    if (changed || oldest >= NO_EFFECT) {
      settleNow(d);
      return;
    }
  }
  if (dirty) watchChanges();
  ticking = setTimeout(tick, TICK);
});
const busy = () => !!document.querySelector('[aria-busy=true]');

// settleNow gives every act that waits the state d as its outcome: at the latest when the next act begins.
// Except the click that may become the first half of a double click.
const settleNow = (d, except) => {
  const ids = Array.from(unsettled.keys()).filter((id) => id !== except);
  if (!ids.length) return;
  ids.forEach((id) => unsettled.delete(id));
  post({ k: 'after', ids, after: stateOf(d || digest(true)) });
};
const DOUBLE = 500; // ms between the clicks of a double click
const mayDouble = (el, at) => (lastClick && lastClick.el === el && at - lastClick.at < DOUBLE ? lastClick.id : undefined);
