// Drags: the browser's native drag and drop, and those that a page implements with pointer events (sortable lists,
// boards, splitters). Movements are observed only while a button is down. A drag is an act if the page visibly takes
// part in it; selecting text is not.

const MOVED = 8; // px: further than that is a drag or a selection, not a click
const FRAME = 16; // ms between looks at what a drag passes over
const ITEM = 'li,tr,[role=listitem],[role=row],[role=option],[role=treeitem],[role=gridcell],[draggable=true],[aria-roledescription]';
let carried = null; // what the browser's own drag and drop carries: {act, el, target, value}

const source = (el) => el.closest(ITEM) || el;

// mayDrag follows the pointer until the button is released.
const mayDrag = (g, e) => {
  const el = source(g.el);
  const drag = { el, pose: pose(el), over: null, at: 0, shown: null, taken: false, stop: new AbortController() };
  const on = (type, f) => window.addEventListener(type, guarded(f), { capture: true, passive: true, signal: drag.stop.signal });
  on('pointermove', (m) => {
    if (!m.isTrusted || Math.hypot(m.clientX - g.x, m.clientY - g.y) <= MOVED) return;
    if (!drag.shown) {
      drag.shown = describe(el);
      post({ k: 'hold', id: g.act.id });
    }
    if (m.timeStamp - drag.at < FRAME) return;
    drag.at = m.timeStamp;
    const item = under(m, el).find((at) => at.matches(ITEM));
    if (item) drag.over = item;
  });
  on('gotpointercapture', (c) => {
    drag.taken = drag.taken || c.isTrusted;
  });
  g.drag = drag;
};
const endDrag = (g) => {
  if (g.drag) g.drag.stop.abort();
  g.drag = null;
};

// under: the elements under the pointer, innermost first, without the dragged one.
const under = (e, el) => {
  let root = document;
  for (const node of e.composedPath())
    if (node instanceof ShadowRoot) {
      root = node;
      break;
    }
  return root.elementsFromPoint(e.clientX, e.clientY).filter((at) => at !== badgeHost && !el.contains(at));
};

// pose: an element's position and styling, which a page changes when it drags the element.
const pose = (el) => {
  let s = '';
  for (let at = el, n = 0; at && n < 4; at = at.parentElement, n++) {
    s += [at.className, at.getAttribute('style'), at.getAttribute('aria-grabbed'), at.getAttribute('aria-pressed')].join();
  }
  const r = el.getBoundingClientRect();
  return { s, x: r.x, y: r.y, parent: el.parentElement, next: el.nextElementSibling, style: el.getAttribute('style') };
};
const movedBy = (drag) => {
  if (drag.taken || !drag.el.isConnected) return true;
  const p = pose(drag.el);
  const q = drag.pose;
  if (p.style !== q.style || p.parent !== q.parent || p.next !== q.next || p.x !== q.x || p.y !== q.y) return true;
  if (marking()) return false;
  if (p.s !== q.s) return true;
  const style = getComputedStyle(drag.el);
  return style.touchAction === 'none' || /grab|move|resize|all-scroll/.test(style.cursor) || drag.el.tagName === 'CANVAS';
};

// marking: the pointer has selected text.
const marking = () => {
  const marked = getSelection();
  return !!marked && !marked.isCollapsed;
};
const operable = (el) => CONTROLS.has(role(el)) || isTextField(el) || (role(el) === 'generic' && operated(el));

// letGo ends a drag by pointer events; false if there was none.
const letGo = (g, e) => {
  const { drag } = g;
  if (!drag.shown || isAdjusted(g.el) || isTextField(g.el) || !movedBy(drag)) return false;
  const hit = under(e, drag.el);
  let at = hit[0];
  if (!hit.some((x) => x.matches(ITEM)) && drag.over && drag.over.isConnected && drag.over.parentElement === drag.el.parentElement)
    at = drag.over; // it has taken that one's place
  const drop = at ? describePlace(at, drag.el) : undefined;
  endDrag(g);
  tellDrag(g.act, drag.shown, drop);
  return true;
};
const tellDrag = (act, shown, drop) => {
  const extra = { target: shown.target, drop };
  if (shown.chosen) extra.value = { text: shown.chosen, chosen: true, field: shown.target.role };
  is(act, 'drag', extra);
};

// Native drag and drop.
const onDragStart = (e) => {
  if (!e.isTrusted || !gesture || !gesture.act || gesture.clicked) return;
  const el = deepest(e);
  const g = gesture;
  endDrag(g);
  if (e.composedPath()[0].nodeType === Node.TEXT_NODE) {
    // selected text: the field that it is dropped into reports it
    isNot(g.act);
    return;
  }
  carried = { act: g.act, el, shown: describe(source(el)) };
  post({ k: 'hold', id: g.act.id });
};
const onDrop = (e) => {
  if (!e.isTrusted) return;
  if (!carried) {
    if (!uploadFrom(e.dataTransfer, e)) post({ k: 'dropped', target: describePlace(deepest(e), null) }); // carried from another frame
    return;
  }
  if (isTextField(deepest(e))) isNot(carried.act);
  else tellDrag(carried.act, carried.shown, describePlace(deepest(e), carried.el));
  carried = null;
};
const onDragEnd = (e) => {
  if (!e.isTrusted || !carried) return;
  if (e.dataTransfer && e.dataTransfer.dropEffect !== 'none')
    tellDrag(carried.act, carried.shown); // dropped in another frame or window
  else isNot(carried.act);
  carried = null;
};

// describePlace: where something was dropped, as a person would say: onto an item, into the list or column of that
// name.
const describePlace = (el, dragged) => {
  let place = el;
  let called = '';
  for (let at = el, n = 0; at && n < 8 && at !== document.body; at = up(at), n++) {
    if (dragged && dragged.contains(at)) continue;
    called = at.matches(ITEM) ? '' : dropCalled(at);
    if (called || at.matches(ITEM) || CONTROLS.has(role(at))) {
      place = at;
      break;
    }
  }
  const { target, chosen } = describe(place);
  if (called) {
    target.name = called;
    if (target.role === 'generic') target.role = 'group';
  } else if (!target.name && chosen)
    target.name = chosen; // an item's own text, which is sealed
  else if (!target.name && target.role === 'generic') {
    const text = contentText(place, 80);
    if (text.length <= 40) target.text = text; // sealed as well
  }
  return target.name || target.text ? target : undefined; // anywhere
};
