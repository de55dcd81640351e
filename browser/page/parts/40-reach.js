// What can be reached and seen: this document, its open shadow roots and the frames of its own origin, whose halves
// of the recorder are in the same world. The outermost half looks for all: one look, one record of what was seen.

const roots = new Set(); // open shadow roots that events or a look have come across
const MAX_ROOTS = 60;
const rememberRoot = (el) => {
  if (el.shadowRoot && roots.size < MAX_ROOTS) {
    for (const ref of roots) if (ref.deref() === el.shadowRoot) return;
    roots.add(new WeakRef(el.shadowRoot));
  }
};
const scopes = function* () {
  yield document;
  for (const ref of roots) {
    const r = ref.deref();
    if (r && r.host.isConnected) yield r;
    else roots.delete(ref);
  }
};

// framesHere: the halves of the visible frames of this origin.
const framesHere = function* () {
  if (!window.length) return;
  for (const scope of scopes()) {
    for (const f of scope.querySelectorAll('iframe,frame')) {
      const inner = guarded(() => f.contentWindow.showhow.half)();
      if (inner && visible(f)) yield inner;
    }
  }
};
const halvesHere = function* () {
  yield half;
  for (const inner of framesHere()) yield* inner.halves();
};

// outermost: the half that looks for this one.
const outermost = () => {
  let out = half;
  for (let w = window; w !== w.parent;) {
    w = w.parent;
    const outer = guarded(() => w.showhow.half)();
    if (!outer) break;
    out = outer;
  }
  return out;
};
const halfOf = (el) => guarded(() => el.ownerDocument.defaultView.showhow.half)();

// findRoots searches the document for open shadow roots, in steps. It is expensive on a large page, so it runs only
// now and then.
const ROOTS_SHARE = 0.01; // of all time
let rootsAt = -Infinity;
let rootsCost = 0;
const findRoots = function* () {
  const at = now();
  if (at - rootsAt < rootsCost / ROOTS_SHARE) return;
  rootsAt = at;
  let n = 0;
  for (const scope of scopes()) {
    // including those found on the way
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_ELEMENT);
    for (let el = walker.nextNode(); el; el = walker.nextNode()) {
      if (el.shadowRoot && el !== badgeHost) rememberRoot(el);
      if (++n % 64 === 0) yield;
    }
  }
  rootsCost = n / 4000; // ms, roughly; what other tasks did between the steps does not count
};

// query finds elements of this document until the time is up.
const query = function* (selector, end) {
  let n = 0;
  for (const scope of scopes()) {
    for (const el of scope.querySelectorAll(selector)) {
      if (el === badgeHost) continue;
      if (++n % 16 === 0 && now() > end) return;
      yield el;
    }
  }
};

// shown: a person can see it, if need be by scrolling. What is hidden from assistive technology does not count,
// except the page behind a modal dialog.
let modal = null; // an open dialog of this look
const shown = (el) => {
  if (!visible(el)) return false;
  const hidden = el.closest('[aria-hidden=true]');
  return !hidden || (!!modal && !hidden.contains(modal) && (hidden.parentElement === document.body || modal.ariaModal === 'true'));
};
// tiny: for screen readers only.
const tiny = (el) => el.offsetWidth <= 1 && el.offsetHeight <= 1 && el.offsetWidth + el.offsetHeight > 0;

const inView = (el) => {
  const r = el.getBoundingClientRect();
  const w = el.ownerDocument.defaultView;
  return r.width > 1 && r.height > 1 && r.right > 0 && r.bottom > 0 && r.left < w.innerWidth && r.top < w.innerHeight;
};
// onScreen: the element, or something in it if it has no box of its own, is in the viewport.
const onScreen = (el) => {
  if (inView(el)) return true;
  const r = el.getBoundingClientRect();
  if (r.width > 1 && r.height > 1) return false;
  return Array.prototype.slice.call(el.querySelectorAll('*'), 0, 12).some(inView);
};
