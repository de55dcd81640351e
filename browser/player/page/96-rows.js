// The rows of the tables and lists on a page, cells included, and its labelled details: what the player's user
// compares before and after an act. It is other people's data and stays in memory.

const MOST_ROWS = 400;
const MAX_ROW = 600; // characters
const NODES = '[role=treeitem]';
const ITEMS = 'tr,[role=row],li,[role=listitem],[role=article],article,' + NODES;
const LISTS = 'table,[role=table],[role=grid],[role=treegrid],ul,ol,[role=list],[role=feed],[role=listbox],[role=tree]';

// said: a row's text, with the meaning of its images and the content of its fields; of a select only the chosen
// option. A node of a tree says nothing of those below it.
const said = (el) => {
  const node = el.matches(NODES);
  const walk = (n) => {
    if (n.nodeType === Node.TEXT_NODE) return n.data;
    if (n.nodeType !== Node.ELEMENT_NODE || n.matches('script,style,template') || !rendered(n)) return '';
    if (node && n !== el && n.matches(NODES)) return '';
    if (n.tagName === 'SELECT') return ' ' + Array.from(n.selectedOptions, (o) => o.label || o.text).join(' ') + ' ';
    if (n.matches('input,textarea'))
      return n.type === 'hidden' || secretKind(n) ? '' : isToggle(n) ? (n.checked ? ' [x] ' : ' [ ] ') : ' ' + n.value + ' ';
    if (n.matches('img,[role=img]')) return ' ' + (n.getAttribute('aria-label') || n.alt || '') + ' ';
    const inner = Array.from(n.childNodes, walk).join('');
    return /^inline/.test(getComputedStyle(n).display) ? inner : ' ' + inner + ' ';
  };
  return shorten(walk(el), MAX_ROW);
};

// heads: the names of a table's columns.
const heads = (t) => {
  const half = t.tHead ? t : headHalf(t);
  const first = half ? half.tHead.rows[half.tHead.rows.length - 1] : t.querySelector('tr,[role=row]');
  return first ? Array.from(first.children, (h) => (h.matches('th,[role=columnheader]') ? headText(h) : '')) : [];
};

// offersOnly: what stands in lists in a row's cells is nothing but its deeds, beside cells that say something: the lists are no lists of
// things, and their entries are the row's.
const offersOnly = (row) =>
  !!row &&
  row.matches('tr,[role=row]') &&
  Array.from(row.querySelectorAll(ITEMS)).every(deedAlone) &&
  Array.from(row.children).some((c) => !c.querySelector(ITEMS) && contentText(c, 80));
const deedAlone = (item) => {
  const deed = item.querySelector(OPERATED);
  return item.matches('li,[role=listitem]') && !!deed && contentText(deed, 80) === contentText(item, 80);
};

const rowOf = (el, lists) => {
  const node = el.matches(NODES); // others tell themselves by what they hold
  if (!node && el.querySelector(ITEMS) && !offersOnly(el)) return null;
  if (offersOnly(el.parentElement && el.parentElement.closest('tr,[role=row]'))) return null;
  if (el.closest('thead') || el.querySelector('[role=columnheader]')) return null;
  if (el.cells && el.cells[0] && el.cells[0].tagName === 'TH' && pairOf(el.cells[0])) return null; // told by its label
  const text = said(el);
  if (!text || (el.cells && !el.querySelector('td'))) return null;
  const row = { text };
  const of = el.closest(LISTS);
  if (of && !lists.has(of)) {
    const columns = of.matches('ul,ol,[role=list],[role=feed],[role=listbox],[role=tree]') ? [] : heads(of);
    lists.set(of, {
      columns,
      list: [shorten(of.getAttribute('aria-label')) || (of.caption ? contentText(of.caption, 80) : ''), ...columns]
        .join('|')
        .replace(/\d+/g, ''),
    });
  }
  const at = lists.get(of);
  if (at) row.list = at.list;
  if (at && at.columns.length && at.columns.length === el.children.length) {
    row.columns = at.columns;
    row.cells = Array.from(el.children, said);
  } else if (at && el.querySelector('[aria-colindex]')) {
    // a grid that renders only the visible columns
    const cells = Array.from(el.children).filter((c) => c.matches(CELLS));
    row.columns = cells.map(columnOf);
    row.cells = cells.map(said);
  }
  const own = (e) => !node || e.closest(NODES) === el;
  const links = Array.from(el.querySelectorAll('a[href]'))
    .filter(own)
    .map((a) => ({ name: contentText(a), href: a.href }))
    .filter((l) => l.name)
    .slice(0, 6);
  if (links.length) row.links = links;
  row.deeds = deedsIn(el, own);
  return row;
};
// deedsIn are what the controls of a row say that can be pressed.
const MOST_DEEDS = 12;
const deedsIn = (el, own = () => true) =>
  Array.from(el.querySelectorAll('*'))
    .slice(0, 60)
    .filter(own)
    .filter((e) => (e.matches(OPERATED) || e.shadowRoot || (!e.childElementCount && operated(e))) && !e.disabled && rendered(e))
    .map((e) => guarded(deedSaid)(e))
    .filter(Boolean)
    .slice(0, MOST_DEEDS);

// told: a label with the text beside it, as one row.
const told = (el) => {
  const pair = pairOf(el);
  const label = pair && rendered(pair.value) && (el.tagName === 'DT' || !ofItem(el)) && labelText(pair.label);
  if (!label) return null;
  const value = said(pair.value);
  return { text: shorten(label + ' ' + value, MAX_ROW), list: 'dl', columns: [label], cells: [value] };
};

// boxed: rows that are rows only visually: things side by side of which some have the same control, or that can be
// dragged. Those in a named place belong to that place. Of a panel that holds rows of its own, the head is a row: it says the panel's name
// and its states, whether the panel is open or not.
const boxed = (scope) => {
  const out = new Map(); // el -> [the list it is in, what a panel is called whose head it is]
  const around = new Set(); // what panels stand in: they tell it
  const large = scope.querySelectorAll('*').length > LARGE;
  for (const el of scope.querySelectorAll(OPERATED + ',' + TICKABLE + (large ? '' : ',svg,i,div,span'))) {
    if (out.size >= MOST_ROWS + around.size) break;
    if (el.closest(ASIDE) || !rendered(el) || (el.matches(TICKABLE) && !boxSaid(el))) continue;
    if (el.matches('svg,i,div,span') && !el.matches('[role=button],[draggable=true]') && !pointedAt(el)) continue;
    const drag = el.matches('[draggable=true]');
    const panel = drag ? null : guarded(panelOf)(el) || guarded(headed)(el);
    const boxes = panel && panel.boxes;
    if (boxes) for (let at = panel.el.parentElement; at && !around.has(at); at = at.parentElement) around.add(at);
    const card = drag ? { el, peers: alikeBeside(el) } : boxes ? { el: panel.el, peers: boxes.filter(rendered) } : guarded(cardOf)(el);
    if (!card || out.has(card.el)) continue;
    const list = drag ? placeAround(el) : '';
    for (const at of new Set([card.el, ...card.peers])) {
      const i = boxes ? boxes.indexOf(at) : -1;
      if (at.querySelector(ITEMS)) i >= 0 && out.set(headOn(at, i, panel.group), [list, panel.group.called[i]]);
      else if (!at.matches(ITEMS)) out.set(at, [list, '']);
    }
  }
  for (const at of around) out.delete(at);
  return out;
};
// headed: the panel with rows in it whose head a control is: while all are closed, nothing else of them is shown.
const headed = (el) => {
  const group = foldOf(el);
  const at = group && ofAKind(group) && group.boxes[group.heads.indexOf(el)];
  return at && at.querySelector(ITEMS) ? { el: at, boxes: group.boxes, group } : null;
};
// headOn: the part of a panel that says what is so of it: of one that opens and closes, all that is shown either way.
const headOn = (panel, i, { heads, fold }) => (fold && Array.from(panel.children).find((c) => c.contains(heads[i]))) || heads[i];
const OPERATED = 'button,a,input[type=button],input[type=submit],[role=button],[draggable=true]';
const LARGE = 4000; // elements
const placeAround = (el) => {
  for (let at = el.parentElement, n = 0; at && n < 4; at = at.parentElement, n++) if (dropCalled(at)) return dropCalled(at);
  return '';
};
const boxRow = (el, [list, called]) => {
  const text = said(el);
  if (!text) return null;
  const parts = called ? headParts(el, called) : Array.from(el.children, said);
  return { text, list: 'box|' + list, deeds: deedsIn(el), ...(parts.length > 1 ? { columns: parts.map(() => ''), cells: parts } : {}) };
};
// headParts: the name in a head, and what is said beside it.
const headParts = (el, called) => {
  const parts = textsOf(el)
    .filter((o) => rendered(o.around))
    .map((o) => shorten(o.data, 80));
  return parts.includes(called) ? [called, ...parts.filter((s) => s !== called)] : parts;
};

api.rows = () => {
  if (outermost() !== half) return '';
  const out = [];
  const lists = new Map();
  for (const h of halvesHere()) {
    for (const scope of h.scopes()) {
      for (const el of scope.querySelectorAll(ITEMS + ',' + DETAILS)) {
        if (out.length >= MOST_ROWS) return JSON.stringify(out);
        if (el.closest(ASIDE) || !rendered(el)) continue;
        const row = el.matches(ITEMS) ? rowOf(el, lists) : told(el);
        if (row) out.push(row);
      }
      for (const [el, told] of boxed(scope)) {
        const row = out.length < MOST_ROWS && rendered(el) && boxRow(el, told);
        if (row) out.push(row);
      }
    }
  }
  return JSON.stringify(out);
};
