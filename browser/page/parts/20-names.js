// Role and accessible name, computed synchronously: the subset of accname 1.2 that controls need.

const IMPLICIT = {
  A: (e) => (e.hasAttribute('href') ? 'link' : entitled(e) ? 'button' : 'generic'),
  AREA: () => 'link',
  ARTICLE: () => 'article',
  ASIDE: () => 'complementary',
  BUTTON: () => 'button',
  DATALIST: () => 'listbox',
  DETAILS: () => 'group',
  DIALOG: () => 'dialog',
  FIELDSET: () => 'group',
  FORM: () => 'form',
  H1: () => 'heading',
  H2: () => 'heading',
  H3: () => 'heading',
  H4: () => 'heading',
  H5: () => 'heading',
  H6: () => 'heading',
  IMG: () => 'img',
  LI: () => 'listitem',
  MAIN: () => 'main',
  MENU: () => 'list',
  METER: () => 'meter',
  NAV: () => 'navigation',
  OL: () => 'list',
  OPTGROUP: () => 'group',
  OPTION: () => 'option',
  OUTPUT: () => 'status',
  P: () => 'paragraph',
  PROGRESS: () => 'progressbar',
  SECTION: (e) => (e.hasAttribute('aria-label') || e.hasAttribute('aria-labelledby') ? 'region' : 'generic'),
  SELECT: (e) => (e.multiple || e.size > 1 ? 'listbox' : 'combobox'),
  SUMMARY: () => 'button',
  TABLE: () => 'table',
  TBODY: () => 'rowgroup',
  TD: () => 'cell',
  TEXTAREA: () => 'textbox',
  TH: (e) => (e.scope === 'row' ? 'rowheader' : 'columnheader'),
  TR: () => 'row',
  UL: () => 'list',
  VIDEO: () => 'video',
};
const INPUT_ROLES = {
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  search: 'searchbox',
  file: 'button',
};

const ANNOUNCED = new Set(['alert', 'status', 'log', 'tooltip']);
const ENTRY_IN = { listbox: 'option', menu: 'menuitem', tree: 'treeitem', tablist: 'tab' };
const role = (el) => {
  const said = (el.getAttribute('role') || '').trim().split(/\s+/)[0].toLowerCase();
  if (ANNOUNCED.has(said) && el.parentElement && ENTRY_IN[el.parentElement.getAttribute('role')]) {
    return ENTRY_IN[el.parentElement.getAttribute('role')]; // announced while it is pointed at
  }
  if (said && said !== 'none' && said !== 'presentation') return said;
  if (el.tagName === 'INPUT' && el.readOnly && /^(text|search|)$/.test(el.type)) return 'combobox'; // what it holds is chosen elsewhere
  if (el.tagName === 'INPUT') return INPUT_ROLES[el.type] || (el.list ? 'combobox' : 'textbox');
  if (el.isContentEditable && (!el.parentElement || !el.parentElement.isContentEditable)) return 'textbox';
  if (el.hasAttribute('aria-selected') && el.matches(SELECTABLE)) return 'option';
  const f = IMPLICIT[el.tagName];
  if (f) return f(el);
  return entitled(el) && !/[\p{L}\p{N}]/u.test(el.textContent) && getComputedStyle(el).cursor === 'pointer' ? 'button' : 'generic';
};
// entitled: an element that is drawn and clicked, and says what it is for by its title.
const entitled = (el) => !!(el.getAttribute('title') || el.getAttribute('aria-label')) && el.tagName !== 'BODY';
// An entry of a custom list whose only attribute is whether it is selected, as in many libraries.
const SELECTABLE = 'div[aria-selected]:not([role]),span[aria-selected]:not([role]),li[aria-selected]:not([role])';

// Roles named by their content.
const NAMED_BY_CONTENT = new Set([
  'button',
  'link',
  'heading',
  'option',
  'tab',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'checkbox',
  'radio',
  'switch',
  'treeitem',
  'columnheader',
  'rowheader',
  'tooltip',
  'cell',
  'gridcell',
  'row',
  'listitem',
]);
// Roles that a person operates; their names belong to the program, not to somebody's data.
const CONTROLS = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'listbox',
  'checkbox',
  'radio',
  'switch',
  'slider',
  'spinbutton',
  'option',
  'tab',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'treeitem',
  'columnheader',
  'heading',
]);

const visible = (el) =>
  el.checkVisibility
    ? el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || (isBoxless(el) && visible(el.parentElement))
    : !!el.getClientRects().length;
// isBoxless: what is in the element is laid out as if it stood in the one around it.
const isBoxless = (el) => getComputedStyle(el).display === 'contents' && !!el.parentElement;

// contentText: an element's text content, images by their alt, hidden parts omitted; bounded. With bare, buttons,
// checkboxes and graphics in it are omitted as well.
const OPERATED_IN_ITEMS = new Set(['button', 'checkbox', 'radio', 'switch']);
const contentText = (el, max = MAX_TEXT, bare = false) => {
  let out = '';
  let nodes = 0;
  const walk = (node) => {
    if (out.length > max || ++nodes > 200) return;
    if (node.nodeType === Node.TEXT_NODE) {
      const line = oneLine(node.data, max + 2);
      out += out.endsWith(' ') && line.startsWith(' ') ? line.slice(1) : line; // a page's indentation is no text
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || node === badgeHost) return;
    if (node !== el) {
      if (
        node.getAttribute('aria-hidden') === 'true' ||
        node.hidden ||
        (bare && (OPERATED_IN_ITEMS.has(role(node)) || node.getAttribute('role') === 'img'))
      )
        return;
      const label = node.getAttribute('aria-label');
      if (label) {
        out += ' ' + label + ' ';
        return;
      }
    }
    switch (node.tagName) {
      case 'SCRIPT':
      case 'STYLE':
      case 'NOSCRIPT':
      case 'TEMPLATE':
      case 'SELECT':
      case 'TEXTAREA':
      case 'INPUT':
        return;
      case 'IMG':
        out += ' ' + (node.alt || '') + ' ';
        return;
      case 'SVG':
      case 'svg': {
        const title = node.querySelector('title');
        if (title) out += ' ' + title.textContent + ' ';
        return;
      }
      case 'SLOT':
        for (const n of node.assignedNodes({ flatten: true })) walk(n);
        if (node.assignedNodes().length) return;
    }
    const apart = node !== el && getDisplay(node) ? ' ' : ''; // a line of its own
    out += apart;
    const inside = node.shadowRoot || node;
    for (const child of inside.childNodes) walk(child);
    out += apart;
  };
  walk(el);
  return shorten(out, max);
};
const BLOCKS = new Set([
  'DIV',
  'P',
  'LI',
  'TD',
  'TH',
  'TR',
  'BR',
  'H1',
  'H2',
  'H3',
  'H4',
  'UL',
  'OL',
  'SECTION',
  'BUTTON',
  'OPTION',
  'DD',
  'DT',
  'LABEL',
]);
const getDisplay = (el) => BLOCKS.has(el.tagName);

const byIDs = (el, attr) => {
  const ids = el.getAttribute(attr);
  if (!ids) return '';
  const root = el.getRootNode();
  return shorten(
    ids
      .split(/\s+/)
      .map((id) => {
        const other = root.getElementById && nearestOf(el, id);
        return other ? other.getAttribute('aria-label') || contentText(other) : '';
      })
      .join(' '),
  );
};

// label: the visible label of a field. el.labels walks the whole document for each field; this walks it once for all.
const LABELABLE = 'button,input,meter,output,progress,select,textarea';
const LABELS_LAST = 50; // ms
// briefly: f's answer about an element is kept for as long: a look at many rows asks for the same ones again.
const briefly = (f) => {
  const known = new WeakMap(); // el -> {at, out}
  return (el) => {
    const k = known.get(el);
    if (k && now() - k.at < LABELS_LAST) return k.out;
    const out = f(el);
    known.set(el, { at: now(), out });
    return out;
  };
};
const labelsOf = (el) => {
  if (!el.matches(LABELABLE)) return Array.from(el.labels || []);
  const out = [];
  const around = el.closest('label');
  if (around && around.control === el) out.push(around);
  if (!el.id) return out;
  const root = el.getRootNode();
  let known = labelsIn.get(root);
  if (!known || now() - known.at > (known.by.has(el.id) ? LABELS_LAST : LABELS_LAST / 10)) {
    known = { at: now(), by: new Map() };
    for (const l of root.querySelectorAll('label[for]')) known.by.set(l.htmlFor, (known.by.get(l.htmlFor) || []).concat(l));
    labelsIn.set(root, known);
  }
  for (const l of known.by.get(el.id) || []) if (l !== around && fieldNamed(l) === el) out.push(l);
  return out;
};
// nearestOf: the element with an id. If several have it, as parts of a page that are drawn separately may, it is the nearest one.
const nearestOf = (el, id) => {
  const root = el.getRootNode();
  const first = root.getElementById(id);
  const same = '#' + CSS.escape(id);
  if (!first || root.querySelectorAll(same).length < 2) return first;
  for (let at = el.parentElement; at; at = at.parentElement) {
    const own = at.querySelector(same);
    if (own) return own;
  }
  return first;
};
// fieldNamed: the field that a label is for.
const fieldNamed = (l) => (l.control ? nearestOf(l, l.htmlFor) : null);
const labelsIn = new WeakMap(); // root -> {at, by}
const label = (el) => {
  const labels = labelsOf(el);
  if (labels.length) return shorten(labels.map((l) => captionIn(l, el)).join(' '));
  return byIDs(el, 'aria-labelledby');
};
// captionIn: what a label says without what is drawn of the content of its field: an editor's lines, what a list holds now.
const captionIn = (l, el) => {
  const said = contentText(l);
  const drawn = l.contains(el) && (handsOn(el) ? editorAround(el) : role(el) === 'button' ? el : null);
  const caption = drawn && l.contains(drawn) && drawn !== l ? plainEnd(said, contentText(drawn)) : '';
  return caption || said;
};
const plainEnd = (said, end) => (end && said.endsWith(end) ? said.slice(0, -end.length).trim() : '');

const name = (el) => {
  const said = byIDs(el, 'aria-labelledby') || shorten(el.getAttribute('aria-label'));
  if (said && !(el.getAttribute('role') === 'combobox' && said === contentText(el))) return said; // what a list holds now is not its name
  if (el.tagName === 'INPUT' && (el.type === 'submit' || el.type === 'button' || el.type === 'reset')) {
    return shorten(el.value) || { submit: 'Submit', reset: 'Reset' }[el.type] || '';
  }
  if (el.tagName === 'IMG' || el.tagName === 'AREA' || (el.tagName === 'INPUT' && el.type === 'image')) {
    const alt = shorten(el.alt);
    if (alt) return alt;
  }
  const l = label(el) || captionAround(el);
  if (l) return l;
  let inner = '';
  if (el.tagName === 'FIELDSET') inner = firstChild(el, 'LEGEND');
  if (el.tagName === 'TABLE') inner = el.caption ? contentText(el.caption) : '';
  if (el.tagName === 'DETAILS') inner = firstChild(el, 'SUMMARY');
  if (!inner && NAMED_BY_CONTENT.has(role(el))) inner = guarded(headOwn)(el) || contentText(el);
  return (
    inner ||
    shorten(el.getAttribute('title')) ||
    (sharesHint(el) && beside(el)) ||
    shorten(el.getAttribute('placeholder')) ||
    shorten(el.getAttribute('aria-placeholder')) ||
    componentLabel(el) ||
    beside(el)
  );
};
// sharesHint: another field has the same placeholder, which tells neither.
const sharesHint = briefly((el) => {
  const hint = el.getAttribute('placeholder');
  if (!hint) return false;
  const same = el.getRootNode().querySelectorAll('[placeholder="' + hint.replace(/["\\]/g, '\\$&') + '"]');
  return Array.from(same).some((o) => o !== el && visible(o));
});

// captionAround: a button without a tag of its own in a label with other words opens a list, and says what the list holds now.
const captionAround = (el) => {
  const l = !el.matches(LABELABLE) && role(el) === 'button' && el.closest('label');
  return l ? plainEnd(contentText(l), contentText(el)) : '';
};

// beside: the text beside a field without a label, on pages that lay their forms out in tables or lines: the text
// after a checkbox; otherwise the text before the field, its column header, the cell before.
const ENTRIES =
  'input:not([type=hidden]):not([type=submit]):not([type=button]):not([type=reset]):not([type=image]),select,' +
  'textarea,[contenteditable=""],[contenteditable=true],' +
  '[role=textbox],[role=combobox],[role=searchbox],[role=spinbutton]';
const OTHERS = ENTRIES + ',button,a[href],input,[role=button]';
const BESIDE_MOST = 60;
const beside = (el) => {
  if (el.matches(SWITCHES) && !el.matches('input')) return besideSwitch(el);
  if (!el.matches(ENTRIES)) return '';
  if (el.type === 'checkbox' || el.type === 'radio') {
    const behind = plainWords(wordsAlong(el, 'nextSibling').text);
    if (behind || el.type === 'radio' || el.closest('li,[role=listitem],[role=row],[role=option]')) return behind;
    if (el.closest(CELLS) && !laidOut(el.closest('table'))) return '';
  }
  if (editsEntry(el)) return ''; // the text beside it is data
  for (let at = el, n = 0; at && n < 5 && !/^(FORM|FIELDSET|TABLE|BODY|DIALOG)$/.test(at.tagName); at = at.parentElement, n++) {
    if (at.matches(CELLS)) {
      const head = columnOf(at);
      if (head) return plainWords(head);
      if (at.tagName !== 'TD' && at.tagName !== 'TH') return ''; // the cell before belongs to another column
    }
    const { text, stopped } = wordsAlong(at, 'previousSibling');
    if (text) return at.tagName === 'TD' && !laidOut(at.closest('table')) && !/[:*]$/.test(text) ? '' : plainWords(text);
    if (stopped) return at.tagName === 'TD' && soleInLine(el, at.parentElement) ? lineName(at) : '';
  }
  return '';
};
// besideSwitch: the text that a switch without any stands with, in a form. One that each of several alike things has belongs to its thing.
const SWITCHES = '[role=switch],[role=checkbox]';
const SWITCH_LEVELS = 6; // a component wraps its switch, and the form its line, in a few boxes each; farther out the text is a section's
const besideSwitch = (el) => {
  if (el.closest('li,[role=listitem],[role=row],[role=option],[role=grid],[role=tree],[role=menu]')) return '';
  if (el.closest(CELLS) && !laidOut(el.closest('table'))) return '';
  const same = el.getAttribute('role') === 'switch' ? '[role=switch]' : '[role=checkbox]';
  let said = plainWords(wordsAlong(el, 'nextSibling').text);
  for (let at = el, n = 0; at && n < SWITCH_LEVELS && !/^(FORM|FIELDSET|TABLE|BODY|DIALOG)$/.test(at.tagName); at = at.parentElement, n++) {
    if (n && alikeBeside(at).some((o) => o.querySelector(same))) return '';
    if (said) continue;
    const { text, stopped } = wordsAlong(at, 'previousSibling');
    if (stopped) break;
    said = plainWords(text);
  }
  return said;
};
// editsEntry: the field stands in one of several similar items and no other item has a field: it edits that item in
// place.
const editsEntry = (el) => {
  if (el.closest(CELLS)) return false;
  if (guarded(cardOf)(el) || guarded(inItemText)(el)) return true;
  const entry = el.closest('li,[role=listitem],[role=row]');
  const peers =
    entry && entry.parentElement ? Array.from(entry.parentElement.children).filter((o) => o !== entry && o.tagName === entry.tagName) : [];
  return peers.length > 1 && !peers.some((o) => o.querySelector(ENTRIES));
};
// inItemText: the field stands where one of several things had its only text. Everything else in the thing, such as a picture, is as in
// the things beside it, none of which has a field.
const inItemText = (el) => {
  for (let at = el, n = 0; at.parentElement && n < 5 && !at.parentElement.matches('body,form,table,tr,fieldset,nav'); n++) {
    const inner = at;
    at = at.parentElement;
    const peers = at.childElementCount > 1 ? alikeBeside(at) : [];
    const same = (o) => Array.from(at.children).every((c, i) => c === inner || (o.children[i] && o.children[i].tagName === c.tagName));
    if (peers.length > 1 && !leafTexts(at).length)
      return peers.every((o) => o.childElementCount === at.childElementCount && same(o) && !o.querySelector(ENTRIES));
  }
  return false;
};
// wordsAlong collects the words on one side of a node, up to the next control.
const wordsAlong = (node, side) => {
  let text = '';
  for (let at = node[side]; at; at = at[side]) {
    if (at.nodeType === Node.TEXT_NODE) text = side === 'nextSibling' ? text + at.data : at.data + text;
    if (at.nodeType !== Node.ELEMENT_NODE || !visible(at)) continue;
    if (at.matches(OTHERS) || at.querySelector(OTHERS)) return { text: text.trim(), stopped: true };
    if (at.tagName === 'BR' && text.trim()) break;
    if (at.tagName === 'SCRIPT' || at.tagName === 'STYLE') continue;
    text = side === 'nextSibling' ? text + contentText(at) : contentText(at) + text;
    if (text.trim()) break;
  }
  return { text: text.trim(), stopped: false };
};
// plainWords: a text short enough for a label, without numbers or addresses of people.
const plainWords = (text) => {
  const s = shorten(text, BESIDE_MOST + 1);
  return s.length > BESIDE_MOST || /@|\d{3}/.test(s) || isSentence(s) ? '' : s;
};
// isSentence: the text is an instruction or explanation, not a name: it has many words, ends like a sentence, or
// quotes something.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const isSentence = (text) => {
  if (UNSPACED.test(text)) return text.length > 24 || /。$/.test(text);
  const words = text.match(/[\p{L}\p{N}\p{M}'’-]+/gu) || [];
  return words.length > 7 || (words.length > 3 && /[.!…]$/.test(text)) || (words.length > 2 && /["“”„«»]/.test(text));
};
// lineName: the name of a line in a form laid out as a table: the words of its first cell.
const lineName = (el) => {
  const row = el.closest('tr');
  const head = row && row.cells[0];
  if (!head || head.contains(el) || head.querySelector(OTHERS) || !laidOut(row.closest('table'))) return '';
  return plainWords(contentText(head, BESIDE_MOST + 1));
};
// soleInLine: no other field of its kind is in the line.
const soleInLine = (el, row) => Array.from(row.querySelectorAll(ENTRIES)).every((e) => e === el || role(e) !== role(el));
// headText: the text of a column header without its controls for sorting or menus.
const CELLS = 'td,th,[role=cell],[role=gridcell]';
const headText = (h) => shorten(h.getAttribute('aria-label'), 60) || contentText(h, 60, true) || contentText(h, 60);
// headHalf: the table that holds only the column headers, where they are a separate table so that they stay visible.
const headHalf = (table) => {
  if (!table || table.tagName !== 'TABLE' || table.tHead || table.querySelector('th')) return null;
  for (let at = table.parentElement, n = 0; at && n < 7; at = at.parentElement, n++) {
    const all = at.querySelectorAll('table');
    if (all.length < 2) continue;
    return (
      Array.from(all).find(
        (t) => t !== table && headsOnly(t) && widest(t.tHead.rows).cells.length === (table.rows[0] ? table.rows[0].cells.length : 0),
      ) || null
    );
  }
  return null;
};
const headsOnly = (table) => !!table.tHead && table.tHead.rows.length > 0 && table.rows.length === table.tHead.rows.length;
// bodied: the rows of this header table are in another table.
const bodied = (table) =>
  headsOnly(table) &&
  Array.from((table.parentElement.parentElement || table.parentElement).querySelectorAll('table')).some(
    (t) => t !== table && headHalf(t) === table,
  );
const widest = (rows) => Array.from(rows).sort((a, b) => b.children.length - a.children.length)[0];
// columnOf: the header of a cell's column.
const columnOf = (cell) => {
  const row = cell.closest('tr,[role=row]');
  const table = row && row.closest('table,[role=grid],[role=table],[role=treegrid]');
  if (!table) return '';
  const at = cell.getAttribute('aria-colindex');
  const numbered = at && table.querySelector('[role=columnheader][aria-colindex="' + CSS.escape(at) + '"]');
  if (numbered) return headText(numbered);
  const half = headHalf(table);
  const head = half ? widest(half.tHead.rows) : table.querySelector('tr,[role=row]');
  if (!head || head === row || head.children.length !== row.children.length) return '';
  const column = head.children[Array.prototype.indexOf.call(row.children, cell)];
  return column && column.matches('th,[role=columnheader]') ? headText(column) : '';
};
// laidOut: a table that only lays out a form: it has no column headers, or a label in the line of every field; it
// stands in a form and asks for something different in every line, except for one or two that repeat, as a password
// does. Lines that ask for the same are records.
const laidOut = (table) => {
  if (!table) return false;
  if (table.matches('[role=presentation],[role=none]')) return true;
  if (!table.closest('form,dialog,[role=dialog],[role=alertdialog]')) return false;
  const headed = !!table.querySelector('thead,th+th,[role=columnheader]');
  const asked = new Set();
  let fields = 0;
  for (const e of table.querySelectorAll('input,select,textarea')) {
    if (e.type === 'checkbox' || e.type === 'radio' || !e.matches(ENTRIES)) continue;
    if (headed && !labelsOf(e).some((l) => l.closest('tr') === e.closest('tr'))) return false;
    asked.add((e.name || e.id).replace(/[\d[\]_.-]+/g, ''));
    fields++;
  }
  return asked.size > fields / 2;
};
const firstChild = (el, tag) => {
  for (const c of el.children) if (c.tagName === tag) return contentText(c);
  return '';
};
