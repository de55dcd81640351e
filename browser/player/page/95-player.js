// What the player asks of a document besides the digest: whether it rests, and what must not be seen in a picture of it.

// whole is the digest of this document with the frames of its origin; '' when an outer document tells it.
api.whole = () => (outermost() === half ? api.state() : '');

// Changes are heard in this document and the open shadow roots that are known.
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

// rest waits for the next frame and for what the page put off for a moment, so that what was just done has had its effect, and where
// that changed something for as long as it may take to be still; it says how this document is.
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

// hide lists the boxes, in the window's coordinates, that a picture must not show (decisions B3): fields, tables, lists, pictures,
// frames of other origins, all text that is no heading, message or control, and whatever text holds one of the words.
const TELLS =
  'h1,h2,h3,h4,h5,h6,[role=heading],button,[role=button],label,legend,th,[role=columnheader],[role=tab],' +
  '[role=menuitem],summary,nav a,[role=navigation] a,' +
  '[role=alert],[role=status],dialog > header,input[type=submit],input[type=button]';
const KEPT = 'td,[role=cell],[role=gridcell],[role=row] [role=link],tbody,li:not(nav li),[contenteditable]';
const DATA =
  'input:not([type=submit]):not([type=button]):not([type=checkbox]):not([type=radio]),textarea,select,' +
  '[contenteditable=""],[contenteditable=true],' +
  'tbody,[role=row],td,img,picture,canvas,video,object,embed,iframe,frame,svg image';
api.hide = (words = []) => {
  const out = [];
  const secret = words.map((w) => w.toLowerCase());
  const tells = (text) => {
    const t = text.replace(/\s+/g, ' ').toLowerCase();
    return secret.some((w) => t.includes(w));
  };
  const add = (r) => {
    if (r.width > 0 && r.height > 0) out.push([r.x, r.y, r.width, r.height].map((n) => Math.round(n * 10) / 10));
  };
  for (const scope of scopes()) {
    for (const el of scope.querySelectorAll(DATA)) add(el.getBoundingClientRect());
    for (const el of scope.querySelectorAll('input[type=submit],input[type=button]')) if (tells(el.value)) add(el.getBoundingClientRect());
    const walker = document.createTreeWalker(scope === document ? document.body || document.documentElement : scope, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let n = walker.nextNode(); n; n = walker.nextNode()) {
      if (!n.data.trim() || !n.parentElement) continue;
      const harmless = n.parentElement.closest(TELLS);
      if (harmless && !n.parentElement.closest(KEPT) && !tells(n.data) && !tells(harmless.textContent)) continue;
      range.selectNodeContents(n);
      for (const r of range.getClientRects()) add(r);
    }
  }
  return JSON.stringify({ width: innerWidth, height: innerHeight, boxes: out });
};
