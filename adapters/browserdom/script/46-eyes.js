// When to look. The state before an act is kept warm: after a change the page is looked at again in its idle time, in
// slices. An act finds a state that is current, or slightly old; it looks itself only while its allowance lasts. What
// a look has no time for stays as last seen: a large page loses detail, not time.

const SLICE = 4; // ms that a look may hold the page up
const LATE = 2; // ms of a slice that could not wait for the page to rest
const WARM = 120; // ms after a change until the page is looked at again
const LOOK_SHARE = 0.015; // of all time, for keeping the state warm
const ACT_SHARE = 0.02; // of all time, for what is done while an act waits
const SAVED = 60; // ms: as much allowance as can be saved up
const SMALL = 1500; // elements: a small page is seen whole on a slow machine, too
const SOON = 40; // ms that a look for an outcome waits for the page to rest
const SOMETIME = 1000; // ms likewise, for keeping warm

// Synchronous work has an allowance: bursts of acts and slow pages get less.
let saved = SAVED;
let savedAt = 0;
const allowance = (most) => {
  const at = now();
  saved = Math.min(SAVED, saved + (at - savedAt) * ACT_SHARE);
  savedAt = at;
  return Math.max(0, Math.min(most, saved));
};
const spend = (ms) => {
  saved = Math.max(0, saved - ms);
};

let cached = null; // {owner, state, text, core, version, serial, at, sent}: the last look
let dirty = true; // something changed since
let lookedAt = '';
let serial = 0;
let version = 0;

const accept = (seen) => {
  const state = { url: pageURL(), title: shorten(document.title) };
  for (const { key } of PARTS) if (seen[key] && seen[key].length) state[key] = seen[key];
  state.focus = seen.focus || '';
  const text = JSON.stringify(state);
  if (cached && cached.text === text) {
    cached.at = now();
    return cached;
  }
  const core = JSON.stringify({ ...state, focus: '' }); // a change of focus alone does not count
  if (!cached || cached.core !== core) version++;
  cached = { owner: half, doc: docID, state, text, core, version, serial: ++serial, at: now(), sent: false };
  return cached;
};

// A look in slices. Its waiters receive the state, which is younger than their request.
let glance = null; // {steps, seen, cost, waiting}
let queued = []; // who waits for the look after it
let idle = 0;
let idleBy = Infinity;
let lastCost = 0;
let lastEnd = 0;
const costs = { looks: 0, ms: 0, longest: 0, now: 0, nowMs: 0 }; // for the benchmarks: looks in slices, and at once

const soon = (ms) => {
  if (idle) {
    if (now() + ms >= idleBy) return;
    cancelIdleCallback(idle);
  }
  idleBy = now() + ms;
  idle = requestIdleCallback(guarded(slice), { timeout: ms });
};
const start = (waiting) => {
  const seen = {};
  glance = { seen, steps: looking(seen, false), cost: 0, waiting };
  dirty = restless = false;
  lookedAt = location.href; // pushState need not touch the document
  watch();
};
const slice = (deadline) => {
  idle = 0;
  if (!glance) return;
  const begin = now();
  const end = begin + (deadline.didTimeout ? LATE : Math.min(SLICE, Math.max(1, deadline.timeRemaining())));
  let done = false;
  try {
    do done = glance.steps.next().done;
    while (!done && now() < end);
    if (done) glance.seen.focus = focus();
  } catch {
    done = true; // the page pulled something away: what is missing stays as it was
    patch(glance.seen);
  }
  const took = now() - begin;
  glance.cost += took;
  costs.ms += took;
  costs.longest = Math.max(costs.longest, took);
  if (done) finish();
  else soon(glance.waiting.length ? SOON : LATE / LOOK_SHARE);
};
const finish = () => {
  const { seen, waiting, cost, overtaken } = glance;
  glance = null;
  lastEnd = now();
  lastCost = cost;
  costs.looks++;
  const d = overtaken ? cached : accept(seen); // what was seen at once meanwhile is younger
  for (const f of waiting) guarded(f)(d);
  if (queued.length) {
    start(queued);
    queued = [];
    soon(SOON);
  }
  noticed(d);
  notice();
  if (dirty) warm();
  else if (restless) warm(RESTED + 100);
};
// patch replaces what a look did not reach by what was last seen.
const patch = (seen) => {
  if (!cached) return;
  for (const { key } of PARTS) if (!(key in seen)) seen[key] = cached.state[key];
};

// lookSoon requests the current state, now or later: f(d).
const lookSoon = (f) => {
  notice();
  if (!config.states) f(accept({}));
  else if (!dirty && cached && !glance) f(cached);
  else if (glance && !dirty) glance.waiting.push(f);
  else if (glance) queued.push(f);
  else start([f]);
  if (glance) soon(SOON);
};
// lookNow is the state immediately, within the allowance.
const lookNow = () => {
  notice();
  if (!config.states) return accept({});
  if (cached && !dirty && !glance) return cached;
  const budget = allowance(SLICE);
  if (cached && budget < SLICE / 8) return cached; // a burst of acts
  const begin = now();
  const seen = {};
  const steps = looking(seen, true);
  const small = document.getElementsByTagName('*').length < SMALL;
  const end = small ? Infinity : begin + budget;
  let done = false;
  dirty = false;
  lookedAt = location.href;
  watch();
  do done = steps.next().done;
  while (!done && now() < end);
  seen.focus = focus();
  if (!done) {
    patch(seen);
    dirty = true;
    warm();
  } else if (glance) glance.overtaken = true;
  spend(Math.min(now() - begin, small ? SLICE / 4 : 2 * SLICE)); // what took longer was the machine's doing
  costs.now++;
  costs.nowMs += now() - begin;
  return accept(seen);
};

let warming = 0;
const warm = (ms = Math.max(WARM, lastEnd + lastCost / LOOK_SHARE - now())) => {
  if (warming || !config.states || mode !== 'watch' || document.visibilityState === 'hidden') return;
  warming = setTimeout(
    guarded(() => {
      warming = 0;
      if (glance || mode !== 'watch') return;
      start([]);
      soon(SOMETIME);
    }),
    ms,
  );
};

// A change is noticed once: the observer disconnects itself at the first, so that a busy page pays nothing more. The
// queued look reconnects it, at increasing intervals on a page that never rests.
const changes = new MutationObserver(
  guarded((records) => {
    if (!records.every(ofBadge)) spoil();
  }),
);
const ofBadge = (r) =>
  r.target === badgeHost || (r.type === 'childList' && [...r.addedNodes, ...r.removedNodes].every((n) => n === badgeHost));
let watching = false;
let watchedAt = -Infinity;
let hot = 0; // how often in a row it had hardly listened
const HOT = 3;
const RESTLESS_WITHIN = 200; // ms
const watch = () => {
  if (watching || !config.states || now() - watchedAt < (hot > HOT ? TICK << (hot - HOT) : 0)) return;
  watching = true;
  watchedAt = now();
  for (const h of halvesHere())
    for (const scope of h.scopes()) changes.observe(scope, { subtree: true, childList: true, characterData: true, attributes: true });
};
let lastChange = 0;
const changed = () => {
  dirty = true;
  lastChange = now();
  if (watching) {
    changes.disconnect();
    watching = false;
    hot = now() - watchedAt < RESTLESS_WITHIN ? Math.min(hot + 1, HOT + 5) : 0;
  }
  warm();
};
const notice = () => {
  if (!watching)
    dirty = true; // nobody would have noticed
  else if (changes.takeRecords().some((r) => !ofBadge(r))) changed();
  if (lookedAt !== location.href) dirty = true;
};
// quietFor is how long nothing has changed, as far as is known.
const quietFor = () => {
  notice();
  if (watching) return now() - lastChange;
  watch();
  return watching ? now() - lastChange : 0;
};
const blind = () => {
  changes.disconnect();
  watching = false;
};

// spoil and digest are done by the outermost half.
const spoil = () => outermost().touched();
const digest = () => outermost().lookNow();

// stateOf adds a digest to a message: in full the first time, then by its number.
const stateOf = (d) => {
  if (!d) return undefined;
  d.owner.told(d);
  const ref = { n: d.serial, doc: d.doc === docID ? undefined : d.doc };
  if (!d.sent) ref.state = d.state;
  d.sent = true;
  return ref;
};

// What a page shows by itself is reported when it has settled, at increasing intervals until the next act.
const GAP = 300; // ms
const MAX_GAP = 60000;
const UNSETTLED = 800; // ms after which a page that goes on changing is told as it is
let told = null;
let gap = GAP;
let notBefore = 0;
let differs = 0; // since when the page shows something that was not told
const noticed = (d) => {
  if (!told || d.core === told.core) {
    differs = 0;
    return;
  }
  differs = differs || now();
  if (now() < notBefore || (dirty && now() - differs < UNSETTLED)) warm(Math.max(WARM, notBefore - now()));
  else tellChange(d);
};
const tellChange = (d) => {
  for (const h of halvesHere()) if (h.engaged()) return; // it belongs to what the person is doing
  differs = 0;
  post({ k: 'change', t: micros(d.at), after: stateOf(d), page: { url: pageURL(), title: shorten(document.title) } });
  notBefore = now() + gap;
  gap = Math.min(gap * 2, MAX_GAP);
};
// acted is called when an act begins that found the page in state d.
const acted = (d) => {
  if (config.states && told && d.core !== told.core && now() >= notBefore) tellChange(d);
  actedAt = now();
  gap = GAP;
  notBefore = 0;
};

// half is the interface for the halves in other frames of this origin.
const half = {
  scopes,
  findRoots,
  lookNow,
  lookSoon,
  quietFor,
  changed,
  acted,
  engaged: () => engaged(),
  secretKind: (el) => secretKind(el),
  secrets: () => heldSecrets(),
  told: (d) => {
    told = d;
  },
  touched: () => {
    // by the person
    actedAt = now();
    changed();
  },
  halves: halvesHere,
  busy: () => busy(),
  costs,
};

// close ends all looks.
const closeEyes = () => {
  blind();
  clearTimeout(warming);
  if (idle) cancelIdleCallback(idle);
  warming = idle = 0;
  glance = cached = told = null;
  queued = [];
  dirty = true;
};
