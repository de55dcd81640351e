// What the finder asks of a page: everything that a person could operate, described for judging in Go. The elements
// are kept here until they are requested by number.

const MOST_SEEN = 4000; // candidates of one document
const NEAR = 6; // levels up to which a container without row markup counts as a row
const ALWAYS = INTERACTIVE + ',[contenteditable],[role=dialog] [role],[role=separator]';

let seenNow = [];
const closedRoots = new Set(); // handed in by Go, which can see them

// trees: the document and every reachable shadow root.
const trees = function* () {
  const todo = [document, ...closedRoots];
  const done = new Set();
  while (todo.length) {
    const root = todo.shift();
    if (done.has(root) || !(root === document || root.host.isConnected)) continue;
    done.add(root);
    yield root;
    for (const el of root.querySelectorAll('*')) if (el.shadowRoot) todo.push(el.shadowRoot);
  }
};

// veiled: custom elements whose content may be hidden from scripts.
const veiled = () => {
  for (const root of trees()) {
    for (const el of root.querySelectorAll('*')) if (el.tagName.includes('-') && !el.shadowRoot) return true;
  }
  return false;
};

// places: the named places around an element, the nearest first.
const placesOf = (el, memo) => {
  const at = up(el);
  if (!at) return [];
  let known = memo.get(at);
  if (known) return known;
  known = placesOf(at, memo);
  const r = placeRole(at);
  if (r !== 'row' && r !== 'listitem') {
    const called = placeName(at, r);
    if (r === 'list' || (r === 'group' && at.closest(MENUS))) {
      if (called && at.closest(MENUS)) known = [{ role: 'menu', name: called }, ...known];
    } else if (LANDMARKS[r] && (called || r === 'dialog' || r === 'navigation' || r === 'banner' || r === 'search' || r === 'form')) {
      known = [{ role: r, name: called, wide: r === 'form' && !called }, ...known];
    } else if (at.tagName === 'MAIN' || at.tagName === 'HEADER' || at.tagName === 'FOOTER' || at.tagName === 'ASIDE') {
      known = [{ role: r === 'generic' ? at.tagName.toLowerCase() : r, name: called, wide: true }, ...known];
    }
  }
  memo.set(at, known);
  return known;
};

// nearOf: the place by which a person would say where an element is: like landmark in the recorder's parts, computed
// from places.
const nearOf = (el, places, memos) => {
  const asked = radioPlace(el);
  if (asked) return { role: asked.role, name: asked.name };
  const place = places.find((p) => !p.wide);
  if (place) return { role: place.role, name: place.name };
  const h = headingOf(el, 'h1,h2,h3', memos.told);
  return h ? { role: 'heading', name: h } : undefined;
};

// plain normalises texts for comparison: one line, lower case, no punctuation around.
const plain = (text) =>
  (text || '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@.]+/gu, ' ')
    .trim();
const contains = (text, part) => (' ' + text + ' ').includes(' ' + part + ' ');

const ITEM = 'tr,[role=row],li,[role=listitem],[role=option],[role=treeitem],article,[role=article],' + SELECTABLE;

// rowFit rates an element's row against the key: 4 it is the row's own key, 3 it is one of its cells, 2 the row's own key
// contains it, 1 something around the element that is not a row does, 0 nothing does, -1 another thing has it as its own, whatever this one
// says of it.
const rowFit = (el, key, memos) => {
  const fit = sayFit(el, key, memos);
  return fit > 0 && fit < 4 && headsAnother(el, key, memos) ? -1 : fit;
};
const sayFit = (el, key, memos) => {
  const card = guarded(panelOf)(el) || cardItem(el);
  if (card) return cardFit(el, card, key);
  let at = nearest(outside(el), ITEM);
  for (let n = 0; at && n < 3; n++) {
    let fit = memos.rows.get(at);
    if (fit === undefined) {
      fit = fitOf(at, key);
      if (fit && !calledSo(at, key) && (ownBeside(at, fit, key, memos.lists) || (fit < 4 && ownElsewhere(at, key, memos.lists)))) fit = -1;
      memos.rows.set(at, fit);
    }
    if (fit) return fit;
    const peers = at.parentElement ? Array.prototype.slice.call(at.parentElement.children, 0, 20).filter((p) => p.matches(ITEM)) : [];
    if (peers.length > 1) return ofRow(at, key, memos.rows); // a container of several rows is not a row
    const out = up(at);
    at = out && out.closest(ITEM);
  }
  if (nearest(outside(el), ITEM)) return 0;
  at = up(el);
  for (let n = 0; at && n < NEAR && !at.matches('body,main,form,table,ul,ol,[role=dialog],dialog'); n++, at = up(at)) {
    if (at.textContent.length > 2000) return 0;
    if (contains(plain(contentText(at, 1000)), key))
      return mentionsOnly(at, key) || calledBeside(at, key) ? -1 : calledSo(at, key) && alikeBeside(at).length ? 3 : 1;
    if (saidOfAnother(at, key)) return -1;
  }
  return 0;
};
// headsAnother: the key is the head of something on the page, and the last such head before an element is another one.
const HEADS = 'h2,h3,h4,h5,h6,[role=heading],legend,caption,figcaption,summary,dt,th,strong,b';
const headsSomething = (h) =>
  h.tagName === 'TH' ? h.parentElement.childElementCount === 1 : !h.matches('strong,b') || (!!h.parentElement && boldLine(h.parentElement));
const headsAnother = (el, key, memos) => {
  const root = el.getRootNode();
  let all = memos.heads.get(root);
  if (!all) {
    all = Array.prototype.slice
      .call(root.querySelectorAll(HEADS), 0, 4 * MOST_HEADINGS)
      .filter(headsSomething)
      .slice(0, MOST_HEADINGS)
      .map((h) => ({ h, called: bare(contentText(h, 200, true)) }));
    memos.heads.set(root, all);
  }
  const kinds = new Set(all.filter(({ h, called }) => called === bare(key) && rendered(h)).map(({ h }) => h.tagName));
  for (const kind of kinds) {
    const its = all.findLast(
      ({ h }) => h.tagName === kind && (h === el || h.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING),
    );
    if (!its || its.called !== bare(key)) return true;
  }
  return false;
};
// bare: a text for comparison without the mark that says it is somebody's name.
const bare = (text) => plain(text).replace(/@/g, ' ').replace(/ +/g, ' ').trim();
const cardFit = (el, card, key) => {
  const said = bare(key);
  if (bare(card.key) === said) return 4;
  const told = contains(bare(card.key), said) || leafTexts(card.el).some((t) => bare(t) === said);
  if (card.others ? card.others.some((o) => bare(o) === said) || saidInOtherHead(card, said) : calledBeside(card.el, said)) return -1;
  if (!told) return 0;
  if (calledSo(card.el, said)) return 3;
  for (let at = up(el); at && at !== card.el && card.el.contains(at); at = up(at)) if (saidOfAnother(at, key)) return -1;
  return 2;
};
// saidInOtherHead: another panel's head, open or closed, has the words as one of its texts: beside its states it may be called so too.
const saidInOtherHead = ({ el, group }, said) => {
  const own = group.heads[group.boxes.indexOf(el)];
  return group.heads.some((h) => h !== own && leafTexts(h).some((t) => bare(t) === said));
};
// ownBeside: one of the rows beside a row, of its shape, begins with the key, or has it as its own while this one does not. What else
// mentions it is another one.
const ownBeside = (row, fit, key, lists) => {
  const of = lists.get(row.parentElement) || new Map(); // shape -> the best fit
  lists.set(row.parentElement, of);
  const shape = row.tagName + (row.tagName === 'TR' ? row.childElementCount : '');
  if (!of.has(shape)) {
    const rows = Array.from(row.parentElement.children).filter(
      (o) => o.tagName === row.tagName && (o.tagName !== 'TR' || o.childElementCount === row.childElementCount) && rendered(o),
    );
    const fits = rows.map((o) => (!contains(plain(contentText(o, 1000)), key) ? 0 : calledSo(o, key) ? 5 : fitOf(o, key)));
    of.set(shape, Math.max(...fits));
  }
  return of.get(shape) > Math.max(fit, 3);
};
// ownElsewhere: a row of its shape in another list begins with the key.
const ownElsewhere = (row, key, lists) => {
  const root = row.getRootNode();
  const of = lists.get(root) || new Map(); // shape -> the lists in which a row begins so
  lists.set(root, of);
  const shape = row.tagName + row.childElementCount;
  if (!of.has(shape)) {
    const rows = Array.prototype.slice.call(root.querySelectorAll(row.tagName), 0, 2000);
    const called = rows.filter(
      (o) => o.childElementCount === row.childElementCount && plain(o.textContent).includes(key) && rendered(o) && calledSo(o, key),
    );
    of.set(shape, new Set(called.map((o) => o.parentElement)));
  }
  return of.get(shape).size > (of.get(shape).has(row.parentElement) ? 1 : 0);
};
// mentionsOnly: an element is one of several things, and says the key only among other words behind its own name.
const mentionsOnly = (at, key) => {
  const [name] = leafTexts(at);
  return saysItself(at) && alikeBeside(at).length > 0 && !contains(bare(name), key) && !leafTexts(at).some((t) => bare(t) === key);
};
// calledBeside: of the things beside one, which are marked up as it is, another one is called by the key: that is what it says first.
const calledBeside = (at, key) => !!at.parentElement && !calledSo(at, key) && alikeBeside(at).some((o) => calledSo(o, key));
const calledSo = (el, key) => [cardHeading(el), leafTexts(el)[0]].some((t) => t && bare(t) === key);
// saidOfAnother: an element is one of several things, or a part of one, and what says the key beside it is another thing, or heads another
// one.
const saidOfAnother = (at, key) => {
  if (!at.parentElement || !saysItself(at)) return false;
  const all = Array.prototype.slice.call(at.parentElement.children, 0, 200);
  const saying = all.filter((o) => contains(plain(contentText(o, 1000)), key));
  const called = saying.filter((o) => plain(contentText(o, 200)) === key || calledSo(o, key));
  const alike = alikeBeside(at);
  for (const o of called.length ? called : saying) {
    if (alike.includes(o)) return true;
    const heads = all.filter((h) => h.tagName === o.tagName && h.className === o.className);
    if (heads.length < 2) continue;
    const i = all.indexOf(at);
    const its = heads.findLast((h) => all.indexOf(h) < i) || heads[0];
    if (its !== o) return true;
  }
  return false;
};
// saysItself: an element of several parts says something besides what can be done there.
const saysItself = (el) =>
  el.childElementCount > 1 &&
  Array.from(el.querySelectorAll('*')).some(
    (e) => !e.childElementCount && !e.closest(OTHERS) && /\p{L}{2}|\d/u.test(e.textContent) && visible(e),
  );
// ofRow: 4 for an entry of a list within a row that has the key: what can be done to the row is often told in a list.
const ofRow = (entry, key, memo) => {
  const row = entry.tagName !== 'TR' && up(entry) && up(entry).closest('tr,[role=row]');
  if (!row || (row.tagName === 'TR' && laidOut(row.closest('table')))) return 0;
  if (memo.get(row) === undefined) memo.set(row, fitOf(row, key));
  return memo.get(row) === 4 ? 4 : 0;
};
const fitOf = (row, key) => {
  const said = plain(contentText(row, 1000));
  if (!contains(said, key)) {
    const parts = new Set(said.split(' '));
    return core.length && core.every((w) => parts.has(w)) ? 1 : 0;
  }
  const item = listItem(row) || listItem(row.firstElementChild || row);
  if (item && plain(item.key) === key) return 4;
  const deed = row.tagName !== 'TR' && row.querySelector(OTHERS);
  const own = (deed && listItem(deed)) || item; // a whole entry may be called by all of its words
  for (const cell of row.querySelectorAll('td,th,[role=cell],[role=gridcell],[role=rowheader],a,span,p,div,h1,h2,h3,h4,h5,h6,strong,b')) {
    if (cell.textContent.length < 400 && plain(contentText(cell, 200)) === key) return 3;
  }
  return !own || own.key.endsWith('…') || contains(plain(own.key), key) ? 2 : 0; // else it says something of another one
};
let core = []; // the words of the key that programs do not use

// toldInColumn: one of a row's cells says just that, in a column in which each row of its list says something else: it names the row as
// well as what its first cell says.
const toldInColumn = (row, said) => {
  const rows = [row, ...rowsBeside(row)];
  return Array.from(row.children)
    .slice(0, 12)
    .some((cell, i) => {
      if (bare(cellKey(cell)) !== said && bare(besideIcons(cell)) !== said) return false;
      const all = rows.map((r) => bare(contentText(r.children[i], 80)));
      return all.every((t) => t) && new Set(all).size === all.length;
    });
};

// headingOf: the last heading before an element, in its own tree or around its host.
const headingOf = (el, selector, memo) => {
  const root = el.getRootNode();
  let all = memo.get(root);
  if (!all) {
    all = Array.prototype.slice.call(root.querySelectorAll(selector), 0, MOST_HEADINGS);
    memo.set(root, all);
  }
  let low = 0;
  for (let high = all.length; low < high;) {
    const mid = (low + high) >> 1;
    if (all[mid].compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING) low = mid + 1;
    else high = mid;
  }
  if (low) return contentText(all[low - 1], 80);
  return root.host ? headingOf(root.host, selector, memo) : '';
};
const MOST_HEADINGS = 500;

// clickable: elements without a role that show a pointer cursor. Of nested ones only the outermost counts.
const pointed = (el) => {
  const over = el.parentElement;
  return getComputedStyle(el).cursor === 'pointer' && !(over && getComputedStyle(over).cursor === 'pointer');
};

const operableHere = (el, want) => {
  if (el.tagName === 'LABEL') return !el.control && want.tag === 'label';
  if (el.tagName === 'OPTION') return !el.closest('select') || want.role === 'option';
  if (el.tagName === 'INPUT' && el.type === 'hidden') return false;
  if (el.hasAttribute('tabindex') && !el.matches(BY_POINTER + ',' + CELLS) && el.tabIndex < 0) return saysOneThing(el);
  return true;
};
// toldOnCard: a button of several texts, one of several like it, says this in one of them, and no other of them does.
const toldOnCard = (el, called) => {
  if (!holdsParts(el) || !repeats(el)) return false;
  const says = (o) => leafTexts(o).some((t) => plain(t) === called);
  return says(el) && !Array.from(el.parentElement.children).some((o) => ofItsKind(el, o) && says(o));
};
// there: a person can see the element, or operates it through a visible one.
const there = (el, want) =>
  (visible(el) && !clipped(el)) ||
  seenThrough(el) ||
  handsOn(el) ||
  (el.tagName === 'INPUT' &&
    (el.type === 'file' ||
      ((isToggle(el) || el.matches('[role=combobox]')) && (labelsOf(el).some(visible) || drawn(el) || overlaid(el))))) ||
  (want.verb === 'upload' && el.tagName === 'INPUT' && el.type === 'file');

// clipped: a list option without any size, for screen readers only; the visible option is another element.
const clipped = (el) => {
  if (el.getAttribute('role') !== 'option') return false;
  for (let at = el.parentElement, n = 0; at && n < 2; at = at.parentElement, n++) {
    if (!at.offsetHeight && !at.offsetWidth && getComputedStyle(at).overflow === 'hidden') return true;
  }
  return false;
};

const HIT_FROM = 8; // px: nobody clicks what is smaller: it is there for screen readers
const LINES_OF_FIELD = 2.5; // fields' heights: its label and a line of help make a box as high, a panel is higher
// seenThrough: a field that is transparent for as long as it is empty, so that its label can stand in its place. What is
// transparent is hardly higher than the field, holds nothing else and takes clicks; a closed panel does not.
const seenThrough = (el) => {
  if (!el.matches(ENTRIES) || isToggle(el) || !el.checkVisibility || !el.checkVisibility({ visibilityProperty: true })) return false;
  if (getComputedStyle(el).pointerEvents === 'none') return false;
  let box = null;
  for (let at = el, n = 0; at && n < 8; at = drawnIn(at), n++) if (getComputedStyle(at).opacity === '0') box = at;
  const around = box && drawnIn(box);
  if (!around || !visible(around) || !/[\p{L}\p{N}]/u.test(name(el))) return false;
  const own = el.getBoundingClientRect();
  if (own.width <= HIT_FROM || own.height <= HIT_FROM) return false;
  return box.offsetHeight <= own.height * LINES_OF_FIELD && box.querySelectorAll(OTHERS).length < 2;
};
const drawnIn = (el) => el.assignedSlot || el.parentElement || el.getRootNode().host;

// overlaid: a transparent checkbox over what the page draws in its place, so that a click there hits the checkbox.
const overlaid = (el) => {
  const r = el.getBoundingClientRect();
  return (
    r.width > HIT_FROM &&
    r.height > HIT_FROM &&
    getComputedStyle(el).opacity === '0' &&
    el.checkVisibility({ visibilityProperty: true }) &&
    !!el.parentElement &&
    visible(el.parentElement)
  );
};

const locatedBy = (want, by, root) => {
  const out = new Set();
  for (const l of want.locators || []) {
    if (l.by !== by) continue;
    const selectors = by === 'css' ? [l.value] : (by === 'sent' ? ['name'] : TEST_IDS).map((a) => withAttribute(a, l.value));
    for (const s of selectors) {
      const found = guarded(() => Array.from(root.querySelectorAll(s)))() || [];
      for (const el of found) out.add(el);
    }
  }
  return out;
};

const testID = (el) => {
  const attr = TEST_IDS.find((a) => el.getAttribute(a));
  return attr ? el.getAttribute(attr) : '';
};

// sketch: the properties by which a candidate is judged.
const sketch = (el, want, memos) => {
  const item = guarded(listItem)(el);
  const r = role(el);
  let called = item && item.el === el && !el.hasAttribute('aria-label') ? item.key : nameIn(el, item);
  const place = want.verb === 'drop_on' && r !== 'listitem' && r !== 'row' && dropCalled(el);
  if (place) called = place;
  if (!CONTROLS.has(r) && !PLACES.has(r) && r !== 'img' && called.length > 80) called = '';
  if (!called && r === 'generic') called = entryHead(el);
  if ((!item || item.key === called) && !/[\p{L}\p{N}]/u.test(called)) called = ownMark(el) || called;
  const c = {
    role: place && r === 'generic' ? 'group' : r,
    tag: el.tagName.toLowerCase(),
    name: called,
    disabled: el.disabled === true || el.getAttribute('aria-disabled') === 'true' || undefined,
    focused: el.getRootNode().activeElement === el || undefined,
  };
  if (isTextField(el) || isToggle(el) || setsByChange(el)) {
    c.label = rankOf(el) ? '' : label(el);
    c.placeholder = shorten(el.getAttribute('placeholder'));
    if (el.tagName === 'INPUT') c.type = el.type;
    c.hint = el.getAttribute('autocomplete') || undefined;
  } else {
    c.text = contentText(el, 80);
    if (el.tagName === 'BUTTON' || el.tagName === 'INPUT') c.type = el.type;
  }
  c.placeholder = c.placeholder || columnAt(el, r);
  c.title = shorten(el.getAttribute('title')) || undefined;
  c.alt = shorten(el.getAttribute('alt')) || undefined;
  c.options = options(el);
  c.href = cleanHref(el);
  c.sends = requestOf(el, item) || undefined;
  c.several = (!CONTROLS.has(r) && holdsSeveral(el)) || undefined;
  c.testid = testID(el) || undefined;
  const places = placesOf(el, memos.places);
  c.near = nearOf(el, places, memos);
  c.places = places.slice(0, 8).map((p) => ({ role: p.role, name: p.name }));
  const month = dayOf(el, called) && monthOf(el);
  if (month) c.near = ofMonth(el, month.el) ? { role: month.role, name: month.name } : undefined;
  c.heading = headingOf(el, 'h1,h2,h3,h4,h5,h6,[role=heading]', memos.headings) || undefined;
  if (item) c.item = item.key;
  if (want.called && r === 'row') c.told = guarded(toldInColumn)(el, bare(want.called)) || undefined;
  if (want.called && r === 'button') c.told = guarded(toldOnCard)(el, plain(want.called)) || undefined;
  if (asksDrawn(want)) {
    c.drawn = drawnAs(el) || undefined;
    c.spot = (item && spotOf(el, item.el)) || undefined;
  }
  if (asksPopup(want)) c.over = inPopup(el) || undefined;
  if (asksItemText(want)) c.in_item_text = guarded(inItemText)(el) || undefined;
  if (asksBeside(want) && /^(button|link)$/.test(c.role)) c.beside = fieldBeside(el) || undefined;
  return c;
};
const asksPopup = (want) => (want.locators || []).some((l) => l.by === 'over');
const asksItemText = (want) => (want.locators || []).some((l) => l.by === 'structure' && l.value.startsWith('item > '));
const asksBeside = (want) => (want.locators || []).some((l) => l.by === 'beside');

// requestOf is what a browser sends when a submit button is pressed, where the page itself says so and no script beside it, and where the
// button stands: buttons that send one form under one name are one deed if they stand in the same row and group, or in none. '' where that
// is not known.
const requestOf = (el, item) => {
  if (el.hasAttribute('onclick') || el.hasAttribute('onmousedown')) return '';
  const form = el.matches('input[type=submit],button[type=submit]') && el.form;
  if (!form || !form.getAttribute('action') || form.hasAttribute('onsubmit')) return '';
  const sent = [el.name, el.value, ...['formaction', 'formmethod', 'formtarget'].map((a) => el.getAttribute(a))];
  return JSON.stringify([...[form, item && item.el, el.closest(GROUPS)].map(numberFor), ...sent]);
};
const GROUPS = 'fieldset,section,article,details,dialog,[role=group],[role=region],[role=radiogroup],[role=tabpanel],[role=dialog]';
// numberFor: a number that an element keeps while its document is shown; 0 for none.
const numberFor = (el) => {
  if (!el) return 0;
  if (!numbers.has(el)) numbers.set(el, ++lastNumber);
  return numbers.get(el);
};
const numbers = new WeakMap();
let lastNumber = 0;

const asksDrawn = (want) => (want.locators || []).some((l) => l.by === 'drawn' || l.by === 'spot');

// alikeFirst: on a page with thousands of elements, those of the wanted role come first.
const alikeFirst = (picked, want) => {
  if (picked.size < MOST_SEEN) return picked;
  const all = Array.from(picked);
  const alike = new Set(all.filter((el) => role(el) === want.role));
  return [...alike, ...all.filter((el) => !alike.has(el))];
};
const OTHER_ROWS = 300;
const DROPS = 'section,div,ul,ol,td,article,fieldset,[role=list],[role=listbox],[role=group],[role=region]';

// modalShown: the modal dialog in front of the page. behind: whether it is in front of an element.
const modalShown = () =>
  Array.from(document.querySelectorAll('dialog:modal,[aria-modal=true]')).findLast((d) => visible(d) && inView(d)) || null;
const behind = (modal, el) => {
  if (!modal || modal.contains(el)) return false;
  const { host } = el.getRootNode();
  return !(host && modal.contains(host));
};

// scan collects all candidates and keeps them until the next scan.
api.scan = (text) => {
  const want = JSON.parse(text);
  if (want.key) want.key = plain(want.key);
  core = want.core || [];
  seenNow = [];
  const out = [];
  const memos = { places: new Map(), rows: new Map(), lists: new Map(), heads: new Map(), headings: new Map(), told: new Map() };
  let cut = false; // there is more than can be told
  let others = 0;
  const generic = want.role === 'generic' || want.deep;
  const modal = modalShown();
  for (const root of trees()) {
    const picked = new Set(root.querySelectorAll(ALWAYS));
    if (want.role && want.role !== 'generic') for (const el of root.querySelectorAll(withRole(want.role))) picked.add(el);
    const css = locatedBy(want, 'css', root);
    const ids = locatedBy(want, 'testid', root);
    const sent = locatedBy(want, 'sent', root);
    for (const el of css) picked.add(el);
    for (const el of ids) picked.add(el);
    if (generic && want.tag) {
      for (const el of root.querySelectorAll(CSS.escape(want.tag))) if (el.textContent.length < 400) picked.add(el);
    }
    if (root.querySelectorAll('*').length < 20000) {
      for (const el of root.querySelectorAll('div,span,li,td,tr,p,img,svg,i,section,article,figure'))
        if (visible(el) && pointed(el)) picked.add(el);
    }
    const counters = (want.verb === 'type' && /^(spinbutton|slider)$/.test(want.role) && guarded(countersIn)(root)) || new Map();
    for (const el of counters.keys()) picked.add(el);
    if (want.verb === 'drop_on') for (const el of root.querySelectorAll(DROPS)) if (guarded(dropCalled)(el)) picked.add(el);
    for (const el of alikeFirst(picked, want)) {
      if (out.length >= MOST_SEEN) {
        cut = true;
        break;
      }
      if (el === document.body || el === document.documentElement || !operableHere(el, want) || !there(el, want)) continue;
      if (el.closest('[aria-hidden=true]') && !isToggle(el) && el.type !== 'file' && !CONTROLS.has(role(el))) continue;
      const row = (want.key && guarded(rowFit)(el, want.key, memos)) || 0;
      if (want.key && row < 1 && ++others > OTHER_ROWS && nearest(outside(el), ITEM)) continue; // in other rows; some are reported
      const c = guarded(sketch)(el, want, memos);
      if (!c) continue;
      if (counters.has(el) && !/^(spinbutton|slider)$/.test(c.role)) {
        Object.assign(c, { role: isHandle(el) ? 'slider' : 'spinbutton', name: counterName(counters.get(el)), text: '' });
        c.label = c.name;
      }
      c.row = row || undefined;
      if (css.has(el)) c.css = css.size;
      if (ids.has(el)) c.ids = ids.size;
      if (sent.size === 1) c.sent = sent.has(el) ? 'same' : sentAs(el) && 'other';
      if (behind(modal, el)) c.blocked = true;
      c.i = seenNow.length;
      seenNow.push(el);
      out.push(c);
    }
  }
  // what is inside another candidate: by number
  const at = new Map(seenNow.map((el, i) => [el, i]));
  for (const c of out) {
    for (let el = up(seenNow[c.i]), n = 0; el && n < 12; el = up(el), n++) {
      if (at.has(el)) {
        c.within = at.get(el);
        break;
      }
    }
  }
  return JSON.stringify({ url: location.href, frame: isTop ? '' : frameName(), veiled: veiled(), cut, candidates: out }, blotter());
};
// counted: the number that an element shows or sets, its plus and minus buttons, and whether it is a handle.
api.counter = (el) => {
  const out = { is: '', handle: isHandle(el) };
  const all = out.handle ? counterOf(el) : countersIn(el.getRootNode()).get(el);
  if (all) out.is = numberOf(all.el);
  return all ? { ...out, signs: all.signs } : null;
};
// editor: what draws the content of a field that shows nothing itself; null for any other.
api.editor = (el) => (handsOn(el) ? editorAround(el) : null);
api.element = (i) => seenNow[i];
// itemText: the text at a path of the item that an element belongs to.
api.itemText = (el, path) => {
  const item = itemOf(el, guarded(listItem)(el));
  return (item && guarded(itemTextAt)(item, path)) || '';
};
api.formOf = (i) => seenNow[i].form;
api.unveil = (root) => {
  closedRoots.add(root);
};
