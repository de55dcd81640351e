// What the player asks of a document besides the digest: whether it has settled, and what a screenshot must not show.

// whole: the digest of this document with the frames of its origin; '' if an outer document includes it.
api.whole = () => (outermost() === half ? api.state() : '');

// Changes are observed in this document and the known open shadow roots.
let changedAt = -Infinity;
let touched = false;
const heed = () => {
  changedAt = now();
  touched = true;
};
const watcher = new MutationObserver(
  guarded((records) => {
    for (const r of records) for (const n of r.addedNodes) if (n.nodeType === Node.ELEMENT_NODE) attend(n);
    heed();
  }),
);
const heard = new WeakSet();
const OBSERVED = { subtree: true, childList: true, characterData: true, attributes: true };
const attend = (el) => {
  const into = (at) => {
    if (!at.shadowRoot || heard.has(at.shadowRoot)) return;
    heard.add(at.shadowRoot);
    watcher.observe(at.shadowRoot, OBSERVED);
    for (const inner of at.shadowRoot.querySelectorAll('*')) into(inner);
  };
  into(el);
  if (el.firstElementChild) for (const at of el.querySelectorAll('*')) into(at);
};
const listenTo = () => {
  if (heard.has(document)) return;
  heard.add(document);
  watcher.observe(document, OBSERVED);
  if (document.documentElement) attend(document.documentElement);
};
guarded(listenTo)();

// rest waits for the next frame and for tasks that the page has deferred briefly, so that the last act has had its
// effect, and after a change also for the quiet time given; it returns the document's activity.
const MOMENT = 5; // ms: a browser lets timers within timers wait for 4, and runs them in the order of their times
const FRAME_LATE = 60; // ms: a document that is not drawn has no frames
api.rest = (still) =>
  new Promise((answer) => {
    let over = false;
    let was = false;
    const tell = (waits) => {
      listenTo(); // an empty document gives its window to the next
      was = was || touched;
      touched = false;
      const quiet = now() - changedAt;
      if (waits && was && quiet < still) setTimeout(tell, still - quiet + 1);
      else
        answer(
          JSON.stringify({ ready: document.readyState === 'complete', quiet: Math.min(quiet, 1e6), touched: was, closing: window.closed }),
        );
    };
    const once = () => {
      if (!over) tell(true);
      over = true;
    };
    let awaited = 2;
    const one = () => {
      awaited--;
      if (!awaited) once();
    };
    requestAnimationFrame(() => setTimeout(one));
    setTimeout(one, MOMENT);
    setTimeout(once, FRAME_LATE);
  });

// hide lists the boxes, in window coordinates, that a screenshot must not show (decisions B3): fields, tables, lists,
// images, frames of other origins, all text that is no heading, message or control, and any text that contains one of
// the words. Tables, lists and frames that only lay out the page are searched instead: otherwise nothing of such a
// page would remain visible.
const PRESSED = 'button,[role=button],[role=tab],[role=menuitem]';
const TELLS =
  'h1,h2,h3,h4,h5,h6,[role=heading],label,legend,th,[role=columnheader],summary,nav a,[role=navigation] a,' +
  '[role=alert],[role=status],dialog > header,input[type=submit],input[type=button],' +
  PRESSED;
const DATA =
  'input:not([type=submit]):not([type=button]):not([type=checkbox]):not([type=radio]),textarea,select,' +
  '[contenteditable=""],[contenteditable=true],' +
  'img,picture,canvas,video,object,embed,svg image';
const RECORD_CELLS = 'td,[role=cell],[role=gridcell]';
const LAYOUT = 'h1,h2,h3,h4,h5,h6,[role=heading],form,fieldset,legend,table,nav,main,header,footer,[role=toolbar],[role=tablist]';
const LISTS_PRESSED = 'nav,[role=navigation],[role=tablist],[role=menu],[role=menubar],[role=toolbar]';
// laysOut: a table whose cells hold whole parts of the page, or the fields of the form around it, shows no records.
const laysOut = (cell) => {
  const table = cell.closest('table');
  if (cell.closest('[role=presentation],[role=none]') || cell.querySelector(LAYOUT)) return true;
  return !!table && !!table.closest('form') && !!table.querySelector('label,input:not([type=checkbox]):not([type=hidden]),textarea');
};
// ofAThing: a text that belongs to one of the records that the page lists, whatever element it is in.
const ofAThing = (el) => {
  if (el.closest('[contenteditable],[role=row] [role=link]')) return true;
  const cell = el.closest(RECORD_CELLS);
  if (cell && !laysOut(cell)) return true;
  const head = el.closest('th');
  if (head && head.parentElement && head.parentElement.querySelector('td') && !laysOut(head)) return true;
  const item = el.closest('li,[role=listitem]');
  if (!item || item.closest(LISTS_PRESSED)) return false;
  const control = el.closest(PRESSED);
  return !control || control.textContent.trim() === item.textContent.trim();
};
// holds: a short word only counts as a separate word; "on" is part of too many others.
const holds = (text, w) => {
  if (w.length > 3 || /[^\x20-\x7e]/.test(w)) return text.includes(w);
  const letter = /[\p{L}\p{N}]/u;
  for (let i = text.indexOf(w); i >= 0; i = text.indexOf(w, i + 1))
    if (!letter.test(text[i - 1] || '') && !letter.test(text[i + w.length] || '')) return true;
  return false;
};
api.hide = (words = []) => {
  const out = [];
  const secret = words.map((w) => w.toLowerCase());
  const tells = (text) => {
    const t = text.replace(/\s+/g, ' ').toLowerCase();
    return secret.some((w) => holds(t, w));
  };
  const add = (r) => {
    if (r.width > 0 && r.height > 0) out.push([r.x, r.y, r.width, r.height].map((n) => Math.round(n * 10) / 10));
  };
  // frame: one of this origin reports itself what it must not show; any other is hidden as a whole.
  const frame = (f) => {
    const at = f.getBoundingClientRect();
    const inner = guarded(() => JSON.parse(f.contentWindow.showhow.hide(words)))();
    if (!inner) return add(at);
    const left = at.x + f.clientLeft;
    const top = at.y + f.clientTop;
    for (const [x, y, width, height] of inner.boxes) {
      const from = [Math.max(x, 0), Math.max(y, 0)];
      const to = [Math.min(x + width, inner.width), Math.min(y + height, inner.height)];
      add({ x: left + from[0], y: top + from[1], width: to[0] - from[0], height: to[1] - from[1] });
    }
  };
  for (const scope of scopes()) {
    for (const el of scope.querySelectorAll(DATA)) add(el.getBoundingClientRect());
    for (const el of scope.querySelectorAll(RECORD_CELLS)) if (!laysOut(el)) add(el.getBoundingClientRect());
    for (const el of scope.querySelectorAll('[role=row]'))
      if (!el.querySelector(RECORD_CELLS + ',[role=columnheader]')) add(el.getBoundingClientRect());
    for (const f of scope.querySelectorAll('iframe,frame')) frame(f);
    for (const el of scope.querySelectorAll('input[type=submit],input[type=button]')) if (tells(el.value)) add(el.getBoundingClientRect());
    const walker = document.createTreeWalker(scope === document ? document.body || document.documentElement : scope, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let n = walker.nextNode(); n; n = walker.nextNode()) {
      if (!n.data.trim() || !n.parentElement) continue;
      const harmless = n.parentElement.closest(TELLS);
      if (harmless && !ofAThing(n.parentElement) && !tells(n.data) && !tells(harmless.textContent)) continue;
      range.selectNodeContents(n);
      for (const r of range.getClientRects()) add(r);
    }
  }
  return JSON.stringify({ width: innerWidth, height: innerHeight, boxes: out });
};
