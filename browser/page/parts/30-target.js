// Describes the target of an act so that it can be found again by meaning.

const INTERACTIVE =
  'a[href],area[href],button,input,select,textarea,summary,option,label,[contenteditable=""],' +
  '[contenteditable=true],[contenteditable=plaintext-only],' +
  '[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],' +
  '[role=menuitemcheckbox],[role=menuitemradio],' +
  SELECTABLE +
  ',[role=option],[role=treeitem],[role=combobox],[role=textbox],[role=searchbox],[role=slider],[role=spinbutton],' +
  '[role=gridcell],[onclick],[tabindex]';

// Elements operated by the pointer that no key reaches.
const BY_POINTER = '[role],a,button,input,select,textarea,summary';

const MUTE = '[role=presentation],[role=none]';
const ENTRY = '[role=tab],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=option],[role=treeitem]';

// deepest: the innermost element of an event, through open shadow roots.
const deepest = (event) => {
  const path = event.composedPath();
  for (const node of path) if (node.nodeType === Node.ELEMENT_NODE) return node;
  return document.documentElement;
};

// actionable: the control for which an event on some inner element is meant.
const actionable = (event) => {
  const aimed = aimedAt(event);
  const el = drawnInside(aimed) || guarded(fieldDrawnAt)(deepest(event)) || (aimed.matches(INTERACTIVE) ? null : boxDrawn(aimed)) || aimed;
  return dayCell(el) || el;
};
// dayCell: the calendar cell around what a library draws in it.
const dayCell = (el) => {
  const cell = !el.matches('a,button,input,[role=button]') && el.parentElement && el.parentElement.closest(CELLS);
  const text = cell ? contentText(cell, 3) : '';
  return DAY.test(text) && contentText(el, 3) === text && isDay(cell, text) ? cell : null;
};
const aimedAt = (event) => {
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
      if (node.hasAttribute('tabindex') && !node.matches(BY_POINTER) && node.tabIndex < 0) {
        if (saysOneThing(node)) pointer = node; // else a focus trap, no control
        continue;
      }
      if (node.matches(MUTE) && node.parentElement.closest(ENTRY)) continue; // what an entry is pressed by, and says to be nothing itself
      if (PLACES.has(role(node)) && node.querySelector(OTHERS)) continue; // the keyboard reaches it to go through what is in it
      const cell = role(node) === 'row' && getComputedStyle(node).cursor !== 'pointer' && first.closest(CELLS);
      if (cell && node.contains(cell) && columnOf(cell)) return cell; // likewise a row: what is done there may be done to the cell
      return node.matches(BY_POINTER) && !PLACES.has(role(node)) ? node : oneOfSeveral(first, node);
    }
    if (node.isContentEditable) {
      let host = node;
      while (host.parentElement && host.parentElement.isContentEditable) host = host.parentElement;
      return host;
    }
    if (first === node || pointer) {
      try {
        if (getComputedStyle(node).cursor === 'pointer')
          pointer = node; // outermost of a run: the whole card, not its icon
        else if (pointer) return oneOfSeveral(first, pointer);
      } catch {
        /* not rendered */
      }
    }
  }
  return (pointer && oneOfSeveral(first, pointer)) || (first && first.closest(CELLS)) || first || document.documentElement;
};

// saysOneThing: the element shows a few words and holds nothing that is operated apart from it.
const saysOneThing = (el) => {
  const text = el.textContent.trim();
  return text.length <= 80 && /[\p{L}\p{N}]/u.test(text) && !el.querySelector(OTHERS);
};
// oneOfSeveral: if a list listens for all its entries, the act belongs to the one that was clicked: the largest around the click.
const oneOfSeveral = (pressed, list) => {
  const icon = iconOn(pressed, list);
  if (icon) return icon;
  const opened = onLayer(pressed, list);
  return opened || (repeats(list) ? entryBelow(pressed, list) : entryUnder(pressed, list)) || list;
};
// repeats: the element has a sibling of the same kind that also shows text.
const repeats = (el) =>
  !el.matches(CELLS) && shows(el) && !!el.parentElement && Array.from(el.parentElement.children).some((o) => ofItsKind(el, o) && shows(o));
const ofItsKind = (el, o) =>
  o !== el &&
  o.tagName === el.tagName &&
  (/^(LI|TR|ARTICLE|OPTION|DT|DD)$/.test(el.tagName) ||
    (el.tagName === 'A' ? !el.href && !o.href : el.tagName.includes('-')) || // a script's entries, each of its own class; components
    sharesClass(el, o));
const shows = (el) => /[\p{L}\p{N}]{2}/u.test(el.shadowRoot ? contentText(el, 400) : el.textContent.slice(0, 400));
// holdsSeveral: the element is not a control but a list of separately clickable things.
const holdsSeveral = (el) => {
  if (!/^(generic|list|table|group|)$/.test(role(el))) return false;
  for (let at = el, n = 0; at && n < 4; at = at.children.length === 1 ? at.firstElementChild : null, n++)
    if (Array.from(at.children).slice(0, 60).some(repeats)) return true;
  return false;
};

// boxDrawn: the control that a drawing around or beside it stands for, if it can mean nothing else: an invisible
// checkbox, the field of a dropdown, or one that takes no pointer itself.
const boxDrawn = (el) => {
  for (let at = el, n = 0; at && at !== document.body && n < 4 && !at.matches('td,tr,li,form,label,' + CELLS); at = at.parentElement, n++) {
    const all = at.querySelectorAll(OTHERS);
    if (!all.length) continue;
    return all.length === 1 &&
      ((isToggle(all[0]) && unseen(all[0])) ||
        (isTextField(all[0]) && getComputedStyle(all[0]).pointerEvents === 'none') ||
        (all[0].matches('input[role=combobox]') && !all[0].closest('[role=listbox],[role=option]'))) &&
      contentText(at, 61).length <= 60
      ? all[0]
      : null;
  }
  return null;
};
const unseen = (el) => !visible(el) || el.offsetWidth <= 1 || el.offsetHeight <= 1;
// drawn: the visible stand-in of an invisible checkbox.
const drawn = (el) => {
  if (!(isToggle(el) || el.matches('input[role=combobox]')) || !unseen(el)) return false;
  for (
    let at = el.parentElement, n = 0;
    at && n < 3 && !at.matches('body,form,td,tr,li') && at.querySelectorAll(OTHERS).length === 1;
    at = at.parentElement, n++
  )
    if (visible(at)) return true;
  return false;
};

const LANDMARKS = {
  dialog: 1,
  alertdialog: 1,
  form: 1,
  region: 1,
  navigation: 1,
  search: 1,
  group: 1,
  radiogroup: 1,
  banner: 1,
  contentinfo: 1,
  complementary: 1,
  toolbar: 1,
  menu: 1,
  tabpanel: 1,
  row: 1,
  listitem: 1,
};
// Places named by the program, never by their content.
const PLACES = new Set([
  'dialog',
  'alertdialog',
  'form',
  'region',
  'navigation',
  'search',
  'group',
  'radiogroup',
  'toolbar',
  'menu',
  'menubar',
  'tabpanel',
  'tablist',
  'list',
  'table',
  'grid',
  'separator',
  'scrollbar',
  'progressbar',
]);
const up = (el) => el.parentElement || el.getRootNode().host || null;

// landmark: the nearest place that a person would name. A row is named by its key, which the observation also carries
// as a chosen value, so that the pipeline masks it.
const landmark = (el, item) => {
  const radios = radioPlace(el);
  if (radios) return radios;
  const boxes = boxGroup(el);
  if (boxes && boxes.called) return { el: boxes.at, role: 'group', name: boxes.called };
  const buttons = pressGroup(el);
  if (buttons) return { el: buttons.at, role: 'group', name: buttons.called };
  for (let at = up(el), n = 0; at && n < 40; at = up(at), n++) {
    const r = placeRole(at);
    if (r === 'row' || r === 'listitem') {
      if (item && item.el === at) return { el: at, role: r, name: item.key };
      continue;
    }
    const called = placeName(at, r);
    if (r === 'list' || (r === 'group' && at.closest(MENUS))) {
      if (called && at.closest(MENUS)) return { el: at, role: 'menu', name: called };
    } else if (LANDMARKS[r] && (called || r === 'dialog' || r === 'navigation' || r === 'banner' || r === 'search'))
      return { el: at, role: r, name: called };
  }
  const h = headingBefore(el);
  return h ? { el: null, role: 'heading', name: h } : null;
};
const placeName = (el, r) => {
  const said =
    byIDs(el, 'aria-labelledby') || shorten(el.getAttribute('aria-label')) || (el.tagName === 'FIELDSET' ? firstChild(el, 'LEGEND') : '');
  if (said) return said;
  if (el.id && (r === 'group' || r === 'radiogroup')) {
    // a label for the group
    const l = el.getRootNode().querySelector('label[for="' + CSS.escape(el.id) + '"]');
    if (l) return contentText(l, 80);
  }
  if (el.tagName === 'FORM' || r === 'dialog' || r === 'alertdialog') return headingIn(el) || shorten(el.getAttribute('title'));
  return (r === 'list' || r === 'menu' || r === 'group') && el.closest(MENUS) ? openedBy(el) : '';
};
const headingIn = (el) => {
  let h = el.querySelector('h1,h2,h3,h4,[role=heading],legend');
  if (h && h.tagName === 'LEGEND' && el.tagName === 'FORM' && partOf(h.parentElement, el)) h = null;
  return h ? contentText(h, 80) : '';
};
// partOf: a group is only a part of the form.
const partOf = (group, form) =>
  Array.from(form.elements).some(
    (e) => e.type !== 'hidden' && !/^(FIELDSET|BUTTON|OUTPUT)$/.test(e.tagName) && e.type !== 'submit' && !group.contains(e),
  );
const headingBefore = (el) => {
  let best = '';
  let n = 0;
  for (const h of document.querySelectorAll('h1,h2,h3')) {
    if (++n > 60 || !(h.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    best = h;
  }
  return best ? contentText(best, 80) : '';
};

// entryItem: the row or list entry of a target, and the text by which a person tells it from its neighbours. That text
// is somebody's data: it travels as a chosen value, never as a name (decisions B3).
const entryItem = (inner) => {
  const el = outside(inner);
  const at = entryAround(el);
  if (!at || el.closest('[role=tab]') || at.closest(MENUS_AND_HEADS))
    return at ? iconEntry(el, at) : el.closest('[role=tab]') ? null : cardItem(el);
  if (at.tagName === 'TR' && laidOut(at.closest('table'))) return null; // a line of a form
  const list = at.parentElement;
  const row = at.closest('tr,[role=row]') || at;
  if (!list || list.closest('select') || inCover(el, row)) return null;
  let key = '';
  if (row.tagName === 'TR' || role(row) === 'row') {
    // a header row
    if (row.querySelector('th:not([scope=row]),[role=columnheader]') && !row.querySelector('td,[role=cell],[role=gridcell]')) return null;
    const said = row.querySelector('th[scope=row],[role=rowheader]');
    const header = said || row.querySelector('th'); // beside cells it heads the row
    if (header && !header.querySelector('input,select')) key = contentText(header, 80); // else it heads nothing: it holds the row's box
    for (const cell of row.querySelectorAll('td,[role=cell],[role=gridcell]')) {
      if (key) break;
      if (!deedOfRows(cell, row)) key = cellKey(cell);
    }
    for (const cell of row.querySelectorAll(CELLS)) key = key || (deedOfRows(cell, row) ? '' : besideIcons(cell));
    if (!key && header) key = contentText(header, 80);
    if (!said && RUNNING.test(key)) key = calledInRow(row, key);
    else if (!said && key && sharesKey(row, key)) key = ownInRow(row, key);
  } else key = entryKey(row, el);
  return key ? { el: row, key } : null;
};

// entryKey: the key of a list entry: its link, unless every entry has that link; if something in the entry is
// operated, the first of its texts that no other entry has; otherwise its whole text.
const entryKey = (row, el) => {
  const head = headOfList(row, el);
  if (head) return head;
  const peers = Array.from(row.parentElement.children)
    .filter((o) => o !== row && o.tagName === row.tagName)
    .slice(0, 60);
  const link = row.querySelector('a[href],[role=link]');
  const said = link ? contentText(link, 80) : '';
  if (said && !peers.some((o) => hasDeed(o, link, said))) return said;
  const bare = contentText(row, 80, true);
  const all = bare || (el.matches(ENTRIES) && saidInEach(row, peers) ? '' : contentText(row, 80));
  if (el === row || !(wordless(el) || deedSaid(el) || el.matches(ENTRIES))) return lineOwn(row, peers) || all;
  const own = leafTexts(row).filter((t) => t !== said);
  if (own.length < 2 || !peers.length) return own.length && said ? own[0] : all;
  const others = new Set(peers.flatMap(leafTexts));
  return own.find((t) => !others.has(t)) || all;
};

// saidInEach: what an entry says beside a field is what its buttons are called, as in every other: while it is edited, nothing names it.
const saidInEach = (row, peers) => {
  const said = contentText(row, 80);
  return peers.some((o) => contentText(o, 400).includes(said));
};

// lineOwn: an entry of several lines is identified by the first line that no other entry has. The lines below it show its
// state, which changes.
const lineOwn = (row, peers) => {
  if (role(row) !== 'listitem' || !peers.length) return '';
  const lines = [];
  for (const e of Array.from(row.querySelectorAll('*')).slice(0, 60)) {
    const said = Array.from(e.childNodes).some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
    if (said && visible(e) && getComputedStyle(e).display !== 'inline') lines.push(contentText(e, 80));
  }
  if (lines.length < 2 || Array.from(row.childNodes).some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim())) return '';
  const others = new Set(peers.flatMap((o) => Array.from(o.querySelectorAll('*')).slice(0, 60)).map((e) => contentText(e, 80)));
  return lines.find((t) => /[\p{L}\p{N}]{2}/u.test(t) && !others.has(t)) || '';
};

// calledInRow: a row that begins with a short number, such as a database id, is identified by its first text that no
// other row has in that place.
const RUNNING = /^#?\d{1,3}\.?$/;
const calledInRow = (row, number) => {
  const cells = row.querySelectorAll(CELLS);
  const others = Array.from(row.parentElement.children)
    .filter((r) => r !== row && r.children.length === row.children.length)
    .slice(0, 60);
  for (const cell of Array.from(cells).slice(0, 12)) {
    const text = cell.querySelector('input,button,select') ? '' : contentText(cell, 80);
    if (!/\p{L}{2}/u.test(text) || cell.parentElement !== row) continue;
    const i = Array.prototype.indexOf.call(row.children, cell);
    if (!others.some((r) => contentText(r.children[i], 80) === text)) return text;
  }
  return number;
};

// sharesKey: another row of the list begins with the same text, or half of the rows begin like another: with a state, a kind. ownInRow
// is what tells such a row from the others: the text of a cell that no other row has in that place, best one that is a link, or one
// without digits, which may be counting.
const rowsBeside = (row) => {
  const out = [];
  for (let r = row.parentElement.firstElementChild; r && out.length < 60; r = r.nextElementSibling)
    if (r !== row && r.tagName === row.tagName && r.children.length === row.children.length) out.push(r);
  return out;
};
const sharesKey = (row, key) => {
  const at = Array.from(row.children).findIndex((c) => contentText(c, 80) === key);
  if (at < 0) return false;
  const all = rowsBeside(row).map((r) => contentText(r.children[at], 80));
  return all.includes(key) || 2 * all.filter((t, i) => all.indexOf(t) !== i || all.lastIndexOf(t) !== i).length > all.length;
};
const ownInRow = (row, key) => {
  const others = rowsBeside(row);
  const own = Array.from(row.children)
    .slice(0, 12)
    .map((cell, i) => ({ cell, i, text: cell.querySelector('input,button,select') ? '' : contentText(cell, 80) }))
    .filter(({ i, text }) => text !== key && /\p{L}{2}/u.test(text) && !others.some((r) => contentText(r.children[i], 80) === text));
  const linked = ({ cell, text }) => Array.from(cell.querySelectorAll('a')).some((a) => contentText(a, 80) === text);
  const best = own.find(linked) || own.find(({ text }) => !/\d/.test(text)) || own[0];
  return best ? best.text : key;
};

// cellKey: the text by which a cell identifies its row. If the cell also holds actions ("Edit", "Trash"), it is what
// precedes them: a text, or the first link. What its icons are called says nothing of the row.
const cellKey = (cell) => {
  if (cell.querySelector('input,select,textarea')) return '';
  const deeds = cell.querySelectorAll(DEEDS);
  if (deeds.length < 2 && !cell.querySelector('button') && !besideIcons(cell)) return contentText(cell, 80);
  const before = shorten(wordsBeforeIn(cell, deeds[0]), 80);
  return before || (role(deeds[0]) === 'link' && !besideIcons(cell) ? contentText(deeds[0], 80) : '');
};
const wordsBeforeIn = (cell, el) => {
  let text = '';
  for (let at = el; at !== cell; at = at.parentElement) {
    for (let n = at.previousSibling; n; n = n.previousSibling) {
      text = (n.nodeType === Node.TEXT_NODE ? n.data : n.nodeType === Node.ELEMENT_NODE ? contentText(n, 80) + ' ' : '') + text;
    }
  }
  return text;
};

// isItemText: the target's name is the item's text, not a control that every item has ("Edit").
const isItemText = (el, item, called) => {
  if (!item || !called) return false;
  if (el.matches(CELLS) && called !== item.key && item.el !== el && columnOf(el)) return false; // another column of the row
  if (role(item.el) === 'listitem' && CONTROLS.has(role(el)) && called === item.key) {
    // a short list of links without numbers or names is a menu
    const peers = item.el.parentElement ? Array.from(item.el.parentElement.children) : [];
    return peers.length > 7 || /[\d@]/.test(called) || numbered(peers);
  }
  if (called === item.key || item.key.includes(called)) return true;
  if (called.includes(item.key) && CONTROLS.has(role(el))) return false; // "Move “{key}” to the trash": a deed that says what it is done to
  if (el === item.el) return true;
  if (!CONTROLS.has(role(el))) return !ofOthersToo(el, item);
  const peers = item.el.parentElement ? item.el.parentElement.querySelectorAll(el.tagName) : [];
  let same = 0;
  let n = 0;
  for (const p of peers) {
    if (++n > 60) break;
    if (p !== el && name(p) === called) same++;
  }
  return same === 0 && (/\d/.test(called) || role(el) === 'link') && n > 1;
};

// ofOthersToo: something that is a control only by its looks says the same in another entry: it is the program's
// word.
const ofOthersToo = (el, item) => {
  const says = deedSaid(el);
  const peers = says && item.el.parentElement ? Array.from(item.el.parentElement.children).slice(0, 60) : [];
  return peers.some((o) => o !== item.el && o.tagName === item.el.tagName && hasDeed(o, el, says));
};

// numbered: the addresses of the entries differ only in a number: they lead to records, not to views.
const numbered = (entries) => {
  const links = entries.map((li) => li.querySelector('a[href]')).filter(Boolean);
  const forms = new Set(
    links.map((a) =>
      (a.pathname + a.search)
        .split(/([/?&=])/)
        .map((part) => (/\d/.test(part) ? '#' : part))
        .join(''),
    ),
  );
  return (
    forms.size === 1 &&
    forms.values().next().value.includes('#') &&
    new Set(links.map((a) => a.href)).size === links.length &&
    links.length > 1
  );
};

// ofEveryRow: every row has this link by the same name, except for the row's own key, and in each it leads elsewhere:
// an action ("edit", "Move “{key}” to the trash"), and nobody's name.
const ofEveryRow = (el, item) => {
  const rows = Array.from(item.el.parentElement ? item.el.parentElement.children : [])
    .filter((r) => r.tagName === item.el.tagName && rendered(r))
    .slice(0, 60);
  const deed = (a, key) => name(a).replace(key, '\uFFFC');
  const called = deed(el, item.key);
  const places = new Set();
  let n = 0;
  for (const r of rows) {
    const links = Array.from(r.querySelectorAll('a[href]')).slice(0, 20);
    if (!links.length) continue; // what stands between rows
    const its = listItem(links[0]);
    const same = links.find((a) => deed(a, its ? its.key : '') === called);
    if (!same) return false;
    places.add(same.href);
    n++;
  }
  return n > 1 && places.size === n;
};

// dayOf: the day that an element of a custom calendar stands for: by its name, or by what it shows if its name is the
// whole date.
const dayOf = (el, called) => [called, (called || TEXTS.has(role(el))) && contentText(el, 3)].find((text) => text && isDay(el, text)) || '';
// isDay: the target is a day of a calendar drawn as a month, whatever its markup. Which day was taken is the person's
// choice.
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

// monthOf: the month shown by a day's calendar, nearest first: two of them may stand side by side.
const monthOf = (el) => {
  for (let at = el.parentElement, n = 0; at && n < 8; at = at.parentElement, n++) {
    const inside = at.getElementsByTagName('*');
    if (inside.length > 600) return null;
    for (const e of [at, ...inside]) {
      const said = byIDs(e, 'aria-labelledby') || e.getAttribute('aria-label') || '';
      const texts = said ? [said] : e === at || e.childElementCount > 5 ? [] : [saidIn(e), saidBesideControls(e)];
      const text = texts.map((t) => shorten(t).trim()).find((t) => t.length < 30 && MONTH.test(t));
      if (text && (!e.checkVisibility || e.checkVisibility())) return { el: at, role: 'group', name: monthTold(text, at) };
    }
  }
  return null;
};
// monthTold: month and year as calendars write them in English, whatever the page's language.
const ENGLISH = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const monthTold = (text, el) => {
  const figures = /^(\d{4}) ?年 ?(\d{1,2}) ?月$/.exec(text);
  if (figures) return (ENGLISH[figures[2] - 1] || figures[2]) + ' ' + figures[1];
  const told = text.replace(YEAR_FIRST, '$2 $1');
  const [, word, year] = /^(\p{L}+)\.?,? (\d{4})$/u.exec(told) || [];
  if (!word || ENGLISH.some((m) => m === word || m.slice(0, 3) === word || (m === 'September' && word === 'Sept'))) return told;
  const at = monthsOf(langOf(el)).findIndex((names) => names.includes(word.toLowerCase()));
  return at < 0 ? told : ENGLISH[at] + ' ' + year;
};
const langOf = (el) => (el.closest('[lang]') || { lang: '' }).lang || navigator.language;
const monthsIn = new Map(); // language -> the names of each month
const monthsOf = (lang) => {
  if (!monthsIn.has(lang)) {
    const of = (m, o) =>
      guarded(
        () =>
          new Intl.DateTimeFormat(lang, { ...o, timeZone: 'UTC' }).formatToParts(Date.UTC(2026, m, 1)).find((p) => p.type === 'month')
            .value,
      )() || '';
    const ways = [
      { month: 'long' },
      { month: 'short' },
      { month: 'long', year: 'numeric' },
      { month: 'short', year: 'numeric' },
      { month: 'long', day: 'numeric' },
    ];
    monthsIn.set(
      lang,
      ENGLISH.map((_, m) => ways.map((o) => of(m, o).toLowerCase().replace(/\.$/, ''))),
    );
  }
  return monthsIn.get(lang);
};
const YEAR_FIRST = /^((?:19|20)\d\d),? (\p{L}{3,}\.?)$/u;
const MONTH = /^(\p{L}{3,}\.?,? (19|20)\d\d|(19|20)\d\d,? \p{L}{3,}\.?|(19|20)\d\d ?年 ?\d{1,2} ?月)$/u;

// ofMonth: a day of the calendar's month, not one of the adjacent months that fill the first and the last week.
const ofMonth = (el, calendar) => {
  const days = Array.from(calendar.getElementsByTagName('*')).filter((e) => !e.childElementCount && DAY.test(e.textContent.trim()));
  const first = days.findIndex((e) => Number(e.textContent) === 1);
  const next = days.findIndex((e, i) => i > first && Number(e.textContent) === 1);
  const at = days.findIndex((e) => el.contains(e) || e.contains(el));
  return first < 0 || at < 0 || (at >= first && (next < 0 || at < next));
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

// nameIn: something that is a control only by its looks, and says nothing but its row's key, is named so.
const nameIn = (el, item) =>
  rankOf(el) || name(el) || (item && TEXTS.has(role(el)) && withoutSign(contentText(el, 80)) === item.key ? item.key : '');
// withoutSign: without an arrow or the like behind or before the words.
const withoutSign = (text) => text.replace(/^[^\p{L}\p{N}\p{P}]+|[^\p{L}\p{N}\p{P}]+$/gu, '');

// describe: the whole description; for something in a list or table, with the item's key as a chosen value.
const describe = (el) => {
  const t = { role: role(el), tag: el.tagName.toLowerCase() };
  let item = guarded(listItem)(el);
  let called = item && item.el === el && !el.hasAttribute('aria-label') ? item.key : nameIn(el, item);
  const day = dayOf(el, called);
  if (day) called = day;
  if (day) item = null; // its week is not a list of records
  const its = isItemText(el, item, called);
  if (item && !its && item.key === called) item = null; // a menu's entry
  const nameable = CONTROLS.has(t.role) || PLACES.has(t.role) || t.role === 'img';
  const chosen = its || day ? called : item ? item.key : '';
  if (nameable || its || day) t.name = item || /[\p{L}\p{N}]/u.test(called) ? called : ownMark(el) || called;
  if (its && !CONTROLS.has(t.role)) t.name = called.length > 80 ? '' : called; // masked by the pipeline as the chosen value
  if (isTextField(el) || isToggle(el) || setsByChange(el)) {
    t.label = rankOf(el) ? '' : label(el); // all of its group have the same
    t.placeholder = shorten(el.getAttribute('placeholder'));
    if (el.tagName === 'INPUT') t.input_type = el.type;
  } else if (nameable && !its && !PLACES.has(t.role)) {
    const text = contentText(el, 80);
    if (text !== t.name) t.text = text;
  } else if (t.role === 'generic' && (item ? !its && ofOthersToo(el, item) : operated(el) || repeats(el))) {
    const said = entryHead(el) || contentText(el, 80);
    const text = item || /[\p{L}\p{N}]/u.test(said) ? said : ownMark(el) || said;
    if (text.length <= 60) t.text = text; // a control by its looks only
  }
  t.placeholder = t.placeholder || (day ? undefined : columnAt(el, t.role)); // which of the row's cells; a weekday does not count
  t.options = options(el);
  t.shows = guarded(showsOf)(el) || undefined;
  t.sends = guarded(sendsForm)(el) ? 'form' : undefined;
  t.href = cleanHref(el);
  t.of_every_row =
    (item && !its && (t.role === 'link' ? ofEveryRow(el, item) : t.role === 'generic' && ofOthersToo(el, item))) || undefined;
  t.item_texts = day ? undefined : guarded(itemTexts)(itemOf(el, item));
  let place = (day && monthOf(el)) || landmark(el, item);
  if (item && (!its || item.card) && (item.card || (place && place.role !== 'dialog')))
    place = { el: item.el, role: item.card ? 'listitem' : role(item.el), name: item.key };
  if (place) t.landmark = { role: place.role, name: place.name };
  if (!isTop) t.frame = frameName();
  const shown = { target: t, chosen };
  locate(el, shown, place);
  t.opaque = (t.role === 'generic' && !its && inComponent(el)) || undefined;
  return shown;
};
// inComponent: a custom element may have a closed shadow root, or a role that only the browser knows. Go queries the
// accessibility tree.
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
