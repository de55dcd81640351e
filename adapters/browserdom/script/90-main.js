// The mode decides what is observed: everything in scope, only a count elsewhere, nothing while paused.

let mode = ''; // watch, count, paused, off
let listening = null; // AbortController
let beats = 0;

const listen = (handlers) => {
  if (listening) listening.abort();
  listening = new AbortController();
  for (const [type, f] of Object.entries(handlers)) {
    window.addEventListener(type, guarded(f), { capture: true, passive: true, signal: listening.signal });
  }
  opened.observe(document, { childList: true });
};
// document.open removes the listeners together with the root element. This restores them before the person can act on
// what was written; the browser's own event comes later, on a busy machine after the next click.
const opened = new MutationObserver(
  guarded((records) => {
    if (records.some((r) => r.removedNodes.length > 0) && (mode === 'watch' || mode === 'count')) api.rearm();
  }),
);

const WATCH = {
  pointerdown: onPointerDown,
  pointerup: onPointerUp,
  pointercancel: onPointerCancel,
  click: onClick,
  dblclick: onDoubleClick,
  contextmenu: onContextMenu,
  auxclick: onAuxClick,
  dragstart: onDragStart,
  drop: onDrop,
  dragend: onDragEnd,
  paste: onPaste,
  keydown: onKeyDown,
  beforeinput: onBeforeInput,
  input: onInput,
  compositionend: onCompositionEnd,
  change: onChange,
  focusout: onFocusOut,
  focusin: () => spoil(),
  submit: onSubmit,
  beforeunload: () => flushFields(null),
  pagehide: () => leave(),
  pageshow: (e) => {
    if (e.persisted) restored();
  },
  focus: (e) => {
    if (e.target === window || e.target === document) seen();
  },
  visibilitychange: () => seen(),
  toggle: () => spoil(),
  invalid: () => spoil(),
};
// Out of scope: that something happened, not what.
const tally = (e) => {
  if (e.isTrusted) post({ k: 'n', r: 'off_scope', n: 1 });
};
const COUNT = {
  pointerdown: tally,
  change: tally,
  submit: tally,
  pageshow: (e) => {
    if (e.persisted) restored();
  },
};

// restored: back from the back/forward cache; Go has forgotten this document since.
const restored = () => {
  closeEyes();
  hello();
};
const leave = () => {
  settleEnter();
  flushFields(null);
  if (gesture && gesture.act && !gesture.act.verdict && !gesture.moved) is(gesture.act, 'click');
  settling = 0;
};
const seen = () => {
  if (document.visibilityState === 'hidden') {
    flushFields(null);
    settleNow();
  } else warm();
  if (isTop) post({ k: 'vis', on: document.visibilityState === 'visible' });
};

const apply = () => {
  const next = !inScope() ? 'count' : config.paused ? 'paused' : 'watch';
  if (next === mode) {
    if (mode !== 'count') guarded(showBadge)();
    return;
  }
  const before = mode;
  mode = next;
  clearInterval(beats);
  if (mode === 'watch') {
    if (before === 'paused') guarded(distrustFields)();
    listen(WATCH);
    guarded(showBadge)();
    spoil();
    guarded(firstBeats)();
    return;
  }
  forget();
  if (mode === 'paused') {
    guarded(rememberFields)();
    // A page left while paused: what was entered meanwhile may appear on the next page after the pause.
    listen({
      beforeunload: () => {
        distrustFields();
        blotSecrets();
      },
      pageshow: (e) => {
        if (e.persisted) restored();
      },
    });
    guarded(showBadge)();
    guarded(firstBeats)();
  } else {
    listen(COUNT);
    guarded(hideBadge)();
  }
};
// firstBeats tries often until the badge is on screen, so that even a page that is left after a moment has indicated
// capture. Then once a second.
const firstBeats = () => {
  if (!isTop) return;
  beat();
  const every = (ms) => {
    beats = setInterval(() => {
      beat();
      if (ms < 1000 && badgeShown()) {
        clearInterval(beats);
        every(1000);
      }
    }, ms);
  };
  every(badgeShown() ? 1000 : 100);
};
// forget drops unfinished acts: they began before the pause and were reported already, or must not be reported now.
const forget = () => {
  closeEyes();
  forgetOutcomes();
  if (gesture) endDrag(gesture);
  gesture = stroke = visit = change = lastClick = enterCheck = carried = null;
};

// hello announces the document; out of scope only that it exists and when it began. In a document that was being replaced
// when the script was installed, the way to Go may not exist yet: again() then announces it.
let announced = false;
const hello = () => {
  announced = false;
  const m = { k: 'hello', top: isTop, off: mode === 'count', epoch: config.epoch, t: micros(0) };
  if (mode !== 'count') {
    m.site = siteName();
    m.page = { url: pageURL(), title: shorten(document.title) };
    m.on = document.visibilityState === 'visible';
  }
  post(m);
  announced = true;
  if (mode === 'watch') arrive();
};

// arrive waits until the new document has settled and reports its state: the outcome of the act that led here.
let settling = 0;
const arrive = () => {
  const began = now();
  settling = began;
  const check = guarded(() => {
    if (settling !== began || mode !== 'watch') return;
    const at = now();
    const ready = document.readyState === 'complete' || (document.readyState === 'interactive' && at - began > 700);
    const base = outermost();
    if ((ready && at - began >= QUIET && (!config.states || (base.quietFor() >= QUIET && !base.busy()))) || at - began > MAX_SETTLE) {
      showBadge();
      base.lookSoon(
        guarded((d) => {
          if (settling === began && mode === 'watch')
            post({ k: 'loaded', site: siteName(), page: { url: pageURL(), title: shorten(document.title) }, after: stateOf(d) });
        }),
      );
      return;
    }
    setTimeout(check, TICK);
  });
  setTimeout(check, TICK);
};

let home = document;

const api = {
  half,
  // configure replaces scope and pause, effective immediately.
  configure(next) {
    if (next.flush) {
      guarded(flushFields)(null);
      guarded(settleNow)();
    }
    const before = mode;
    const states = config.states;
    config = next;
    apply();
    if (mode !== before && mode === 'watch' && before === 'count') hello();
    else if (mode === 'watch' && states !== config.states) {
      closeEyes();
      arrive();
    }
  },
  // flush reports unfinished acts.
  flush() {
    guarded(flushFields)(null);
    guarded(settleNow)();
  },
  // stop removes every trace.
  stop() {
    guarded(flushFields)(null);
    guarded(settleNow)();
    if (listening) listening.abort();
    opened.disconnect();
    clearInterval(beats);
    forget();
    hideBadge();
    mode = 'off';
    delete global.showhow;
  },
  // again is called for each new document and each new world of ours: a popup's first page takes over the window and this
  // world from its initial empty document, and a document may not have been announced.
  again(next) {
    if (home === document) {
      if (next) this.configure(next);
      if (!announced) hello();
      return;
    }
    home = document;
    docID = newID();
    if (next) config = next;
    forget();
    badgeHost = null;
    mode = '';
    apply();
    hello();
  },
  // glance is the document's current state: part of the outcome of an act in another document of its tab.
  glance() {
    return mode === 'watch' ? new Promise((answer) => lookSoon((d) => answer(JSON.stringify(stateOf(d), blotter())))) : '';
  },
  // look reports the document's state once it has settled, as after a load.
  look() {
    if (mode === 'watch') arrive();
  },
  // rearm restores the listeners: document.open removes them.
  rearm() {
    const m = mode;
    mode = '';
    apply();
    return m;
  },
};
global.showhow = api;
guarded(apply)();
guarded(hello)();
