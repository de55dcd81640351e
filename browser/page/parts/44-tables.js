// Tables and lists: name, columns and number of rows, never a cell.

const TABLES = /^(table|grid|treegrid)$/;
const ASIDE = 'nav,[role=navigation],[role=tablist],[role=menu],[role=menubar],header,footer';
const table = function* (el) {
  const said = el.getAttribute('role') || '';
  if (el.tagName === 'TABLE' ? /^(presentation|none)$/.test(said) || nests(el) || laidOut(el) || bodied(el) : !TABLES.test(said))
    return yield* list(el, said);
  if (!shown(el)) return null;
  const t = { rows: 0 };
  const called = tableName(el);
  if (called) t.name = called;
  const half = el.tHead ? el : headHalf(el);
  const header = widest(half ? half.tHead.rows : [el.querySelector('tr,[role=row]')].filter(Boolean));
  const columns = header ? Array.from(header.querySelectorAll('th,[role=columnheader]')).slice(0, 20).map(headText).filter(Boolean) : [];
  if (columns.length) t.columns = columns;
  const own = said === 'grid' || said === 'treegrid' || el.tagName !== 'TABLE';
  const [rows, headers] = own ? yield* gridRows(el) : yield* tableRows(el);
  t.rows = calm(el, rows);
  const count = Number(el.getAttribute('aria-rowcount')); // of all rows, those included that are not in the page
  t.total = count > 0 ? Math.max(0, count - headers) : totalNear(el);
  if (t.total <= t.rows) delete t.total;
  return t;
};
// nests: a table that lays out other tables is not a table to a person.
const nests = (el) => !el.tHead && !!el.querySelector('table');

const tableName = (el) =>
  byIDs(el, 'aria-labelledby') ||
  shorten(el.getAttribute('aria-label')) ||
  (el.caption ? contentText(el.caption, 80) : '') ||
  headingOver(el);
// headingOver: the last heading of this look before it.
const headingOver = (el) => {
  const root = el.getRootNode();
  const at = root.host || el;
  let best = '';
  for (const h of headings) {
    if (h.el.getRootNode() === root && root.host) {
      if (h.el.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING) best = h.text;
    } else if (h.el.ownerDocument === at.ownerDocument && h.el.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING)
      best = h.text;
  }
  return shorten(best, 80);
};

const STEP = 32; // rows looked at in one step
const MANY = 300; // rows looked at one by one; the rest is taken to be shown
const rendered = (r) => !r.hidden && (r.checkVisibility ? r.checkVisibility() : !!r.getClientRects().length);

const tableRows = function* (el) {
  let n = 0;
  let rows = 0;
  for (const body of el.tBodies.length ? el.tBodies : [el]) {
    for (const r of body.rows) {
      if (r.closest('table') !== el || r.parentElement === el.tHead || r.parentElement === el.tFoot) continue;
      if (++n % STEP === 0) yield;
      if (n > MANY) return [rows + body.rows.length - n, 1];
      const first = r.cells[0];
      if (!first || (first.tagName === 'TH' && first.scope !== 'row' && !r.querySelector('td'))) continue;
      if (r.cells.length === 1 && first.colSpan > 1 && !standsFor(r)) continue; // "no entries", or a group's name
      if (rendered(r)) rows++;
    }
  }
  return [rows, el.tHead ? el.tHead.rows.length : 0];
};
// standsFor: an editor opened in place of a row, which is still there but hidden.
const standsFor = (r) => !!r.previousElementSibling && !rendered(r.previousElementSibling) && !!r.querySelector(ENTRIES);
const gridRows = function* (el) {
  let n = 0;
  let rows = 0;
  let headers = 0;
  const numbers = new Set(); // a row may be in pieces, one for each fixed part of the grid
  for (const r of el.querySelectorAll('[role=row],tr')) {
    if (++n % STEP === 0) yield;
    if (n > MANY) return [rows, headers];
    const number = r.getAttribute('aria-rowindex');
    if (number && numbers.has(number)) continue;
    if (number) numbers.add(number);
    if (r.querySelector('[role=columnheader],thead th') || r.closest('thead')) headers++;
    else if (r.childElementCount && rendered(r)) rows++;
  }
  return [rows, headers];
};

const list = function* (el, said) {
  const live = said === 'log' || said === 'feed';
  if (!live && !/^(UL|OL)$/.test(el.tagName) && !/^(list|listbox)$/.test(said)) return null;
  if (el.closest(ASIDE) || (!live && el.children.length < 2)) return null;
  if (el.parentElement && el.parentElement.closest('table,ul,ol,[role=list],[role=grid],.messagelist,' + TOASTS.join())) return null;
  if (el.children.length <= 3 && el.closest('[aria-live],[role=status]')) return null; // messages
  if (!shown(el)) return null;
  let rows = 0;
  let n = 0;
  for (const item of el.children) {
    if (++n % STEP === 0) yield;
    if (n > MANY) {
      rows += el.children.length - n + 1;
      break;
    }
    if (item.getAttribute('role') !== 'presentation' && rendered(item)) rows++;
  }
  const t = { rows: calm(el, rows) };
  const called = tableName(el);
  if (called) t.name = called;
  const first = el.querySelector('[aria-setsize]');
  t.total = first ? Number(first.getAttribute('aria-setsize')) || 0 : rows >= 5 ? totalNear(el) : 0;
  if (t.total <= t.rows) delete t.total;
  return t;
};

// The total number as the page states it: "1-20 of 350", "Showing 1 to 10 of 57 entries", "350 results".
const FIGURE = "(\\d{1,3}(?:[.,' ]\\d{3}){1,2}|\\d{1,9})"; // in text whose white space has been made plain
const RANGE = new RegExp(
  FIGURE +
    ' ?(?:-|–|—|to|bis|à|a|al|t/m|до) ?' +
    FIGURE +
    ' ?(?:of|von|sur|de|di|van|z|av|из|/) ?(?:about |over |ca\\.? |environ )?' +
    FIGURE,
  'i',
);
const RESULTS = new RegExp(
  '(?:^|[^\\d.,#-])' +
    FIGURE +
    ' ?(?:total )?(?:results?|entries|entry|records?|rows?|items?|matches|treffer|einträge|ergebnisse|' +
    'résultats?|resultados?|risultati|elementos|resultaten|wyników)(?:$|[^\\p{L}])',
  'iu',
);
const number = (s) => Number(s.replace(/\D/g, ''));
const totalIn = (text) => {
  const range = RANGE.exec(text);
  if (range) return { rows: number(range[2]) - number(range[1]) + 1, total: number(range[3]) };
  const results = RESULTS.exec(text);
  return results ? { rows: 0, total: number(results[1]) } : null;
};

// totalNear looks at the short texts around a table, nearest first.
const claimed = new Set(); // elements whose count was taken, in this look
const totalNear = (el) => {
  let at = el;
  for (let level = 0; level < 4 && at.parentElement && at !== document.body; level++, at = at.parentElement) {
    const peers = Array.prototype.slice.call(at.parentElement.children, 0, 12);
    if (peers.filter((p) => p.matches('table,[role=grid]')).length > 1) return 0; // whose would it be?
    for (const p of peers) {
      if (p === at || p.matches('table,ul,ol,form,script,style,h1,h2,h3') || p.textContent.length > 400 || !visible(p)) continue;
      const c = totalIn(contentText(p, 300));
      if (c) {
        claimed.add(p);
        return c.total;
      }
    }
  }
  return 0;
};

// counted adds the counts of items that are not a table or list in the markup.
const counted = function* (out, max) {
  const taken = new Set(claimed);
  claimed.clear();
  if (out.length >= max || out.some((t) => t.total)) return;
  let n = 0;
  for (const p of document.querySelectorAll(
    '[role=status],[aria-live],[class*=pagin i],[class*=count i],[class*=result i],[class*=showing i]',
  )) {
    if (++n > 60) return;
    yield;
    if (taken.has(p) || inItem(p) || p.closest(ASIDE) || p.textContent.length > 200 || !visible(p)) continue;
    const c = totalIn(contentText(p, 160));
    if (!c) continue;
    const t = { rows: c.rows || c.total };
    const called = headingOver(p);
    if (called) t.name = called;
    if (c.total > t.rows) t.total = c.total;
    if (!out.some((o) => o.name === t.name && o.rows === t.rows)) out.push(t);
    return;
  }
};

// columnAt: the column of a cell, or of something in a cell that is a control only by its looks or that another cell of the row has, too.
const columnAt = (el, r) => {
  const cell = /^(cell|gridcell)$/.test(r) ? el : el.closest(CELLS);
  return (cell && (cell === el || r === 'generic' || inEachCell(el, cell, r)) && columnOf(cell)) || undefined;
};
// inEachCell: other cells of the row have a control that is called the same.
const inEachCell = (el, cell, r) =>
  !!cell.parentElement &&
  Array.from(cell.parentElement.children).some(
    (c) => c !== cell && Array.from(c.getElementsByTagName(el.tagName)).some((x) => role(x) === r && name(x) === name(el)),
  );
