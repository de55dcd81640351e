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
const up = (el) => el.parentElement || (el.getRootNode().host || null);

// landmark: the nearest place a person would name. A row is named by its key, which the observation also carries as a chosen
// value: so the pipeline masks it.
const landmark = (el, item) => {
  for (let at = up(el), n = 0; at && n < 40; at = up(at), n++) {
    const r = role(at);
    if (!LANDMARKS[r]) continue;
    if (r === 'row' || r === 'listitem') {
      if (item && item.el === at) return { role: r, name: item.key };
      continue;
    }
    const called = byIDs(at, 'aria-labelledby') || shorten(at.getAttribute('aria-label')) || (at.tagName === 'FIELDSET' ? firstChild(at, 'LEGEND') : '') ||
      (at.tagName === 'FORM' || r === 'dialog' || r === 'alertdialog' ? headingIn(at) || shorten(at.getAttribute('title')) : '');
    if (called || r === 'dialog' || r === 'navigation' || r === 'banner' || r === 'search') return { role: r, name: called };
  }
  const h = headingBefore(el);
  return h ? { role: 'heading', name: h } : null;
};
const headingIn = (el) => {
  const h = el.querySelector('h1,h2,h3,h4,[role=heading],legend');
  return h ? contentText(h, 80) : '';
};
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
    key = control ? contentText(control, 80) : contentText(row, 80);
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

const options = (el) => {
  if (el.tagName === 'SELECT') return Array.from(el.options).slice(0, 50).map((o) => shorten(o.label || o.text, 80));
  if (el.tagName === 'INPUT' && el.type === 'radio' && el.name) {
    return radioGroup(el).slice(0, 50).map((r) => name(r));
  }
  return undefined;
};
const radioGroup = (el) => {
  const root = el.form || el.getRootNode();
  return Array.from(root.querySelectorAll('input[type=radio]')).filter((r) => r.name === el.name && r.form === el.form);
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

const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'];

// locators: ranked, best first. Matches are counted for those that cost little.
const locators = (el, t, budgetEnd) => {
  const out = [];
  const add = (by, value, extra, count) => {
    if (!value) return;
    const l = { by, value, ...extra };
    if (count && now() < budgetEnd) l.matches = guarded(count)() || 0;
    out.push(l);
  };
  const root = el.getRootNode();
  const all = (selector) => Array.from(root.querySelectorAll(selector)).slice(0, 400);
  const tag = CSS.escape(el.tagName.toLowerCase());
  if (t.name && t.role !== 'generic') add('role', t.name, { role: t.role }, () => all(t.role === 'textbox' ? 'input,textarea,[role=textbox]' : tag + ',[role=' + CSS.escape(t.role) + ']').filter((e) => role(e) === t.role && name(e) === t.name).length);
  if (t.label) add('label', t.label, { role: t.role }, () => all('label').filter((l) => contentText(l) === t.label).length);
  if (t.placeholder) add('placeholder', t.placeholder, { role: t.role }, () => all('[placeholder]').filter((e) => e.placeholder === t.placeholder).length);
  for (const attr of TEST_IDS) {
    const v = el.getAttribute(attr);
    if (v) {
      add('testid', v, {}, () => all('[' + attr + '=' + JSON.stringify(v) + ']').length);
      break;
    }
  }
  if (t.text && t.text !== t.name) add('text', t.text, { role: t.role }, () => all(tag).filter((e) => contentText(e, 80) === t.text).length);
  const title = shorten(el.getAttribute('title'));
  if (title && title !== t.name) add('title', title);
  const alt = shorten(el.getAttribute('alt'));
  if (alt && alt !== t.name) add('alt', alt);
  if (t.landmark) {
    const place = el.closest('form,dialog,[role=dialog],tr,li,fieldset,section,nav') || document.body;
    const peers = Array.from(place.querySelectorAll(el.tagName)).filter((e) => role(e) === t.role);
    add('structure', t.landmark.role + ' > ' + t.role + '[' + (peers.indexOf(el) + 1) + ']', { role: t.role }, () => 1);
  }
  add('css', css(el), {}, () => root.querySelectorAll(css(el)).length);
  return out;
};

// css is the last resort: an id that looks written by a person, else the path from the nearest such id.
const css = (el) => {
  const parts = [];
  for (let at = el, n = 0; at && at.nodeType === Node.ELEMENT_NODE && n < 6; at = at.parentElement, n++) {
    if (at.id && !/\d{3,}|[0-9a-f]{8}|^:|radix|ember|react/i.test(at.id)) {
      parts.unshift('#' + CSS.escape(at.id));
      break;
    }
    if (at === document.body) {
      parts.unshift('body');
      break;
    }
    let i = 1;
    let only = true;
    if (at.parentElement) {
      for (const sib of at.parentElement.children) {
        if (sib === at) break;
        if (sib.tagName === at.tagName) i++;
      }
      only = Array.prototype.filter.call(at.parentElement.children, (s) => s.tagName === at.tagName).length === 1;
    }
    parts.unshift(at.tagName.toLowerCase() + (only ? '' : ':nth-of-type(' + i + ')'));
  }
  return parts.join(' > ');
};

// describe is the whole description with, for something in a list or table, the item's key as a chosen value.
const describe = (el) => {
  const budgetEnd = now() + 4;
  const t = { role: role(el), tag: el.tagName.toLowerCase() };
  let item = guarded(listItem)(el);
  const called = name(el);
  const its = isItemText(el, item, called);
  if (item && !its && item.key === called) item = null; // a menu's entry
  const nameable = CONTROLS.has(t.role) || t.role === 'img' || t.role === 'dialog' || t.role === 'button';
  let chosen = '';
  if (its) chosen = called;
  else if (item) chosen = item.key;
  if (nameable || its) t.name = called;
  if (its && !CONTROLS.has(t.role)) t.name = called.length > 80 ? '' : called; // masked by the pipeline as the chosen value
  if (isTextField(el) || isToggle(el) || setsByChange(el)) {
    t.label = label(el);
    t.placeholder = shorten(el.getAttribute('placeholder'));
    if (el.tagName === 'INPUT') t.input_type = el.type;
  } else if (nameable && !its) {
    const text = contentText(el, 80);
    if (text !== t.name) t.text = text;
  } else if (t.role === 'generic' && !item && operated(el)) {
    const text = contentText(el, 80);
    if (text.length <= 60) t.text = text; // a control by its looks only
  }
  t.options = options(el);
  t.href = cleanHref(el);
  t.landmark = landmark(el, item) || undefined;
  if (item && !its && t.landmark && t.landmark.role !== item.el && !(t.landmark.role === 'dialog')) t.landmark = { role: role(item.el), name: item.key };
  if (!isTop) t.frame = frameName();
  t.locators = locators(el, t, budgetEnd);
  t.counted_us = micros(now());
  if (el.tagName.includes('-') && !el.shadowRoot && !el.textContent.trim()) t.opaque = true; // perhaps a closed shadow root: Go asks the accessibility tree
  return { target: t, chosen };
};
const operated = (el) => el.hasAttribute('onclick') || el.hasAttribute('tabindex') || getComputedStyle(el).cursor === 'pointer';
const frameName = () => {
  try {
    return shorten(window.name) || location.pathname;
  } catch {
    return '';
  }
};
