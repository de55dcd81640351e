// What was acted upon, described so that it can be found again by meaning.

const INTERACTIVE = 'a[href],area[href],button,input,select,textarea,summary,option,label,[contenteditable=""],[contenteditable=true],[contenteditable=plaintext-only],' +
  '[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],' +
  '[role=option],[role=treeitem],[role=combobox],[role=textbox],[role=searchbox],[role=slider],[role=spinbutton],[role=gridcell],[onclick],[tabindex]';

// deepest: the innermost element of an event, through open shadow roots.
const deepest = (event) => {
  const path = event.composedPath();
  for (const node of path) if (node.nodeType === Node.ELEMENT_NODE) return node;
  return document.documentElement;
};

// actionable: the control that an event on some inner element is meant for.
const actionable = (event) => {
  let first = null;
  let pointer = null;
  for (const node of event.composedPath()) {
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    rememberRoot(node);
    if (!first) first = node;
    if (node === document.body || node === document.documentElement) break;
    if (node.matches(INTERACTIVE)) {
      if (node.tagName === 'LABEL') return node.control && node.control !== first ? node.control : node;
      if (node.tagName === 'OPTION' && node.closest('select')) return node.closest('select');
      if (node.hasAttribute('tabindex') && !node.matches('[role]') && node.tabIndex < 0) continue; // a focus trap, no control
      return node;
    }
    if (node.isContentEditable) {
      let host = node;
      while (host.parentElement && host.parentElement.isContentEditable) host = host.parentElement;
      return host;
    }
    if (first === node || pointer) {
      try {
        if (getComputedStyle(node).cursor === 'pointer') pointer = node; // outermost of a run: the whole card, not its icon
        else if (pointer) return pointer;
      } catch { /* not rendered */ }
    }
  }
  return pointer || first || document.documentElement;
};

const LANDMARKS = { dialog: 1, alertdialog: 1, form: 1, region: 1, navigation: 1, search: 1, group: 1, radiogroup: 1, banner: 1, contentinfo: 1, complementary: 1, toolbar: 1, menu: 1, tabpanel: 1, row: 1, listitem: 1 };
// Places whose name is the program's own, and never their content.
const PLACES = new Set(['dialog', 'alertdialog', 'form', 'region', 'navigation', 'search', 'group', 'radiogroup', 'toolbar', 'menu', 'menubar', 'tabpanel', 'tablist', 'list', 'table', 'grid', 'separator', 'scrollbar', 'progressbar']);
const up = (el) => el.parentElement || (el.getRootNode().host || null);

// landmark: the nearest place a person would name. A row is named by its key, which the observation also carries as a chosen
// value: so the pipeline masks it.
const landmark = (el, item) => {
  const radios = radioPlace(el);
  if (radios) return radios;
  const boxes = boxGroup(el);
  if (boxes) return { el: boxes.at, role: 'group', name: boxes.called };
  for (let at = up(el), n = 0; at && n < 40; at = up(at), n++) {
    const r = role(at);
    if (r === 'row' || r === 'listitem') {
      if (item && item.el === at) return { el: at, role: r, name: item.key };
      continue;
    }
    const called = placeName(at, r);
    if (r === 'list' || (r === 'group' && at.closest(MENUS))) {
      if (called && at.closest(MENUS)) return { el: at, role: 'menu', name: called };
    } else if (LANDMARKS[r] && (called || r === 'dialog' || r === 'navigation' || r === 'banner' || r === 'search')) return { el: at, role: r, name: called };
  }
  const h = headingBefore(el);
  return h ? { el: null, role: 'heading', name: h } : null;
};
const placeName = (el, r) => {
  const said = byIDs(el, 'aria-labelledby') || shorten(el.getAttribute('aria-label')) || (el.tagName === 'FIELDSET' ? firstChild(el, 'LEGEND') : '');
  if (said) return said;
  if (el.tagName === 'FORM' || r === 'dialog' || r === 'alertdialog') return headingIn(el) || shorten(el.getAttribute('title'));
  return (r === 'list' || r === 'menu' || r === 'group') && el.closest(MENUS) ? openedBy(el) : '';
};
// openedBy: what a menu within a menu hangs on. That a person pointed at it to open the menu is no act of its own: where the
// entry was chosen says it.
const MENUS = 'nav,[role=navigation],[role=menubar],[role=menu]';
const openedBy = (el) => {
  const trigger = el.id && el.getRootNode().querySelector('[aria-controls~="' + CSS.escape(el.id) + '"]');
  if (trigger && !el.contains(trigger)) return name(trigger);
  const entry = el.parentElement;
  if (!entry || !entry.matches('li,[role=menuitem],[role=none],[role=presentation]')) return '';
  const own = Array.from(entry.children).find((c) => !c.contains(el) && contentText(c));
  return own ? contentText(own, 80) : '';
};
const headingIn = (el) => {
  let h = el.querySelector('h1,h2,h3,h4,[role=heading],legend');
  if (h && h.tagName === 'LEGEND' && el.tagName === 'FORM' && partOf(h.parentElement, el)) h = null;
  return h ? contentText(h, 80) : '';
};
// partOf: a group is only a part of the form.
const partOf = (group, form) => Array.from(form.elements).some((e) => e.type !== 'hidden' && !/^(FIELDSET|BUTTON|OUTPUT)$/.test(e.tagName) && e.type !== 'submit' && !group.contains(e));
const headingBefore = (el) => {
  let best = '';
  let n = 0;
  for (const h of document.querySelectorAll('h1,h2,h3')) {
    if (++n > 60 || !(h.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    best = h;
  }
  return best ? contentText(best, 80) : '';
};

// listItem: the row or list entry that a target stands in, and by what text a person tells it from its neighbours.
// That text is somebody's data: it travels as a chosen value, never as a name (decisions B3).
const listItem = (el) => {
  const at = el.closest('tr,[role=row],li,[role=listitem],[role=option],[role=treeitem],[role=gridcell]');
  if (!at || at.closest('nav,[role=navigation],[role=tablist],[role=menu],[role=menubar],[role=toolbar],thead,header,footer')) return null;
  if (at.tagName === 'TR' && laidOut(at.closest('table'))) return null; // a line of a form
  const list = at.parentElement;
  const row = at.closest('tr,[role=row]') || at;
  if (!list || list.closest('select')) return null;
  let key = '';
  if (row.tagName === 'TR' || role(row) === 'row') {
    if (row.querySelector('th:not([scope=row]),[role=columnheader]') && !row.querySelector('td,[role=cell],[role=gridcell]')) return null; // a header row
    const header = row.querySelector('th[scope=row],[role=rowheader]');
    if (header) key = contentText(header, 80);
    for (const cell of row.querySelectorAll('td,[role=cell],[role=gridcell]')) {
      if (key) break;
      if (!cell.querySelector('input,button,select')) key = contentText(cell, 80);
    }
  } else {
    const control = row.querySelector('a[href],[role=link]');
    key = control ? contentText(control, 80) : contentText(row, 80, true) || contentText(row, 80);
  }
  return key ? { el: row, key } : null;
};

// isItemText: the target's name is the item's text and not a control that every item has ("Edit").
const isItemText = (el, item, called) => {
  if (!item || !called) return false;
  if (role(item.el) === 'listitem' && CONTROLS.has(role(el))) { // a short list of links without numbers or names in it is a menu
    const peers = item.el.parentElement ? item.el.parentElement.children.length : 0;
    return peers > 7 || /[\d@]/.test(called);
  }
  if (called === item.key || item.key.includes(called)) return true;
  if (!CONTROLS.has(role(el)) || el === item.el) return true;
  const peers = item.el.parentElement ? item.el.parentElement.querySelectorAll(el.tagName) : [];
  let same = 0;
  let n = 0;
  for (const p of peers) {
    if (++n > 60) break;
    if (p !== el && name(p) === called) same++;
  }
  return same === 0 && (/\d/.test(called) || role(el) === 'link') && n > 1;
};

// isDay: the target is a day of a calendar that is drawn as the month's days, whatever it is made of. Which one was taken is the
// person's choice.
const isDay = (el, called) => {
  if (!DAY.test(called)) return false;
  for (let at = el.parentElement, n = 0; at && at !== document.body && n < 6; at = at.parentElement, n++) {
    const inside = at.getElementsByTagName('*');
    if (inside.length > 400) return false;
    const days = new Set();
    for (const e of inside) if (!e.childElementCount && DAY.test(e.textContent.trim())) days.add(Number(e.textContent));
    if (days.size >= 28) return true;
  }
  return false;
};
const DAY = /^(0?[1-9]|[12]\d|3[01])$/;

const options = (el) => {
  if (el.tagName === 'SELECT') return Array.from(el.options).slice(0, 50).map((o) => shorten(o.label || o.text, 80));
  if (role(el) === 'radio') return radioGroup(el).slice(0, MOST_BOXES).map((r) => name(r));
  const group = boxGroup(el);
  return group ? group.all.map((b) => name(b)) : undefined;
};
const radioGroup = (el) => {
  const around = el.closest('[role=radiogroup]');
  if (around && !el.name) return Array.from(around.querySelectorAll('[role=radio],input[type=radio]')).filter((r) => r.closest('[role=radiogroup]') === around);
  if (el.tagName !== 'INPUT' || !el.name) return [];
  const root = el.form || el.getRootNode();
  return Array.from(root.querySelectorAll('input[type=radio]')).filter((r) => r.name === el.name && r.form === el.form);
};

// radioPlace: the question that radio buttons answer, where no named group holds them: the words before the first.
const radioPlace = (el) => {
  if (role(el) !== 'radio' || el.closest('tr,[role=row],[role=grid],[role=tree]')) return null;
  const group = el.closest('fieldset,[role=group],[role=radiogroup]');
  if (group && placeName(group, 'group')) return null;
  const all = radioGroup(el);
  let at = el.parentElement;
  while (at && !all.every((r) => at.contains(r))) at = at.parentElement;
  const called = all.length > 1 && all.length <= MOST_BOXES && at && wordsBefore(all[0], at);
  return called ? { el: at, role: 'group', name: called } : null;
};

// boxGroup: the check boxes that a person takes for one question, el among them, and what the question is called. They are those of
// a named group in which nothing else is filled in, else those of a form that share a name below a few words. Boxes of rows, and
// more than anybody would read, are data.
const BOXES = 'input[type=checkbox],[role=checkbox]';
const FILLED = 'input:not([type=hidden]):not([type=submit]):not([type=button]):not([type=reset]):not([type=image]),select,textarea,[contenteditable=""],[contenteditable=true],' +
  '[role=checkbox],[role=radio],[role=switch],[role=textbox],[role=combobox],[role=spinbutton],[role=slider]';
const MOST_BOXES = 50;
const boxGroup = (el) => {
  if (!el.matches(BOXES) || el.closest('tr,[role=row],[role=grid],[role=tree]')) return null;
  const all = (at, which) => Array.from(at.querySelectorAll(which)).filter((b) => b.getAttribute('aria-hidden') !== 'true');
  const of = (at, called, list) => (called && list.length > 1 && list.length <= MOST_BOXES && list.every((b) => b.matches(BOXES)) ? { at, called, all: list } : null);
  const group = el.closest('fieldset,[role=group]');
  const named = group && of(group, placeName(group, 'group'), all(group, FILLED));
  if (named || !el.name) return named || null;
  const list = all(el.form || el.getRootNode(), BOXES).filter((b) => b.name === el.name);
  let at = el.parentElement;
  while (at && !list.every((b) => at.contains(b))) at = at.parentElement;
  return list.length > 1 && at ? of(at, wordsBefore(list[0], at), all(at, FILLED)) : null;
};
// wordsBefore: the heading or line that stands before the first of several controls, with nothing to fill in between.
const wordsBefore = (first, at) => {
  for (let here = first; here && here !== at.parentElement; here = here.parentElement) {
    const before = here.previousElementSibling;
    if (!before) continue;
    const text = before.matches(FILLED) || before.querySelector(FILLED) ? '' : contentText(before, 80);
    return text.length <= 60 ? text : '';
  }
  return '';
};

const cleanHref = (el) => {
  if (!(el.tagName === 'A' || el.tagName === 'AREA') || !el.href) return undefined;
  try {
    const u = new URL(el.href);
    u.username = u.password = '';
    return u.protocol === 'http:' || u.protocol === 'https:' ? u.href.slice(0, 500) : u.protocol;
  } catch {
    return undefined;
  }
};

// describe is the whole description with, for something in a list or table, the item's key as a chosen value.
const describe = (el) => {
  const t = { role: role(el), tag: el.tagName.toLowerCase() };
  let item = guarded(listItem)(el);
  const called = item && item.el === el && !el.hasAttribute('aria-label') ? item.key : name(el);
  const day = isDay(el, called);
  if (day) item = null; // its week is no list of things
  const its = isItemText(el, item, called);
  if (item && !its && item.key === called) item = null; // a menu's entry
  const nameable = CONTROLS.has(t.role) || PLACES.has(t.role) || t.role === 'img';
  let chosen = '';
  if (its || day) chosen = called;
  else if (item) chosen = item.key;
  if (nameable || its || day) t.name = called;
  if (its && !CONTROLS.has(t.role)) t.name = called.length > 80 ? '' : called; // masked by the pipeline as the chosen value
  if (isTextField(el) || isToggle(el) || setsByChange(el)) {
    t.label = label(el);
    t.placeholder = shorten(el.getAttribute('placeholder'));
    if (el.tagName === 'INPUT') t.input_type = el.type;
  } else if (nameable && !its && !PLACES.has(t.role)) {
    const text = contentText(el, 80);
    if (text !== t.name) t.text = text;
  } else if (t.role === 'generic' && !item && operated(el)) {
    const text = contentText(el, 80);
    if (text.length <= 60) t.text = text; // a control by its looks only
  }
  t.options = options(el);
  t.href = cleanHref(el);
  let place = landmark(el, item);
  if (item && !its && place && place.role !== 'dialog') place = { el: item.el, role: role(item.el), name: item.key };
  if (place) t.landmark = { role: place.role, name: place.name };
  if (!isTop) t.frame = frameName();
  const shown = { target: t, chosen };
  locate(el, shown, place);
  t.opaque = (t.role === 'generic' && !its && inComponent(el)) || undefined;
  return shown;
};
// inComponent: a custom element may have a closed shadow root, or a role that only the browser knows. Go asks the accessibility tree.
const inComponent = (el) => {
  for (let at = el, n = 0; at && n < 6; at = at.parentElement, n++) if (at.tagName.includes('-') && !at.shadowRoot) return true;
  return false;
};
const operated = (el) => el.hasAttribute('onclick') || el.hasAttribute('tabindex') || getComputedStyle(el).cursor === 'pointer';
const frameName = () => {
  try {
    return shorten(window.name) || location.pathname;
  } catch {
    return '';
  }
};
