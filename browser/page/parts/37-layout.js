// Rows and entries of lists, told from the lines of tables that lay out a page.

const ENTRIES_OF_LISTS = 'tr,[role=row],li,[role=listitem],[role=option],[role=treeitem],[role=gridcell],' + SELECTABLE;
const entryAround = (el, kinds = ENTRIES_OF_LISTS) => {
  let at = nearest(el, kinds);
  while (at && at.tagName === 'TR' && laysOutPage(at.closest('table'))) at = at.parentElement.closest(kinds);
  return at;
};

// laysOutPage: the outermost table of a page holds most of its text and other tables, has no heads, and no two of its
// lines that hold tables are alike, as the lines of records would be.
const laysOutPage = (table) => !!table && holdsPage(table);
const holdsPage = briefly((table) => {
  const around = up(table); // a shadow root has no parent element
  if (table.tHead || table.caption || (around && around.closest('table,li')) || !table.querySelector('table')) return false;
  const shapes = new Set();
  for (const line of Array.from(table.rows).slice(0, 60)) {
    if (Array.from(line.cells).some((c) => c.tagName === 'TH')) return false;
    const inside = line.getElementsByTagName('table').length;
    if (!inside) continue;
    const shape = line.cells.length + ' ' + inside;
    if (shapes.has(shape)) return false;
    shapes.add(shape);
  }
  return table.innerText.length * 2 > document.body.innerText.length;
});

// deedOfRows: the cell holds only a link or a button, and those of other rows hold the same one: an action of each row.
const deedOfRows = (cell, row) => {
  const only = (c) => {
    const deed = c && c.querySelector('a[href],button,[role=link],[role=button]');
    const said = deed ? contentText(c, 80) : '';
    return said && said === name(deed) ? said : '';
  };
  const said = cell.parentElement === row && only(cell);
  const at = Array.prototype.indexOf.call(row.children, cell);
  return (
    !!said &&
    Array.from(row.parentElement.children)
      .slice(0, 60)
      .some((o) => o !== row && o.children.length === row.children.length && only(o.children[at]) === said)
  );
};

// besideIcons: what a cell says besides icons, if nothing else in it can be operated.
const DEEDS = 'a[href],button,[role=link],[role=button]';
const besideIcons = (cell) => {
  const icons = Array.from(cell.querySelectorAll(DEEDS));
  if (!icons.length || !icons.every(wordless) || cell.querySelector('input,select,textarea')) return '';
  const words = textsOf(cell).filter(({ around }) => rendered(around) && !icons.some((o) => o.contains(around)));
  return shorten(words.map(({ data }) => data).join(' '), 80);
};

// headOfList: the words before the list that an entry holds, of what is not in that list: a submenu, a folder.
const headOfList = (row, el) => {
  const inner = Array.from(row.querySelectorAll('ul,ol,[role=group],[role=menu]')).find(
    (l) => l.parentElement && l.parentElement.closest('li,[role=listitem],[role=treeitem]') === row,
  );
  if (!inner || inner.contains(el)) return '';
  const words = [];
  const walk = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  while (walk.nextNode() && inner.compareDocumentPosition(walk.currentNode) & Node.DOCUMENT_POSITION_PRECEDING) {
    const text = walk.currentNode.data.trim();
    if (/[\p{L}\p{N}]/u.test(text) && visible(walk.currentNode.parentElement)) words.push(text);
  }
  return shorten(words.join(' '), 80);
};

// dropCalled: the name of a drop area: its label, its title or its first heading.
const dropCalled = (el) =>
  byIDs(el, 'aria-labelledby') || shorten(el.getAttribute('aria-label')) || shorten(el.getAttribute('title')) || ownHeading(el);
const ownHeading = (el) => {
  for (const c of el.children)
    if (/^(H[1-6]|HEADER|LEGEND)$/.test(c.tagName) || c.getAttribute('role') === 'heading') return contentText(c, 80);
  return '';
};

// saidIn: what an element says; saidBesideControls: without what is pressed in it.
const saidIn = (e, pressed = () => false) =>
  Array.from(e.childNodes, (c) => (c.nodeType === Node.COMMENT_NODE || pressed(c) ? '' : c.textContent)).join(' ');
const saidBesideControls = (e) =>
  e.textContent.length < 60 ? saidIn(e, (c) => c.nodeType === Node.ELEMENT_NODE && (c.matches('a,button') || operated(c))) : '';

// entryUnder: the largest of several alike things around what was pressed, inside of something; null if there is none.
const entryUnder = (pressed, over) => {
  let entry = null;
  for (let at = pressed; at && at !== over; at = up(at)) if (repeats(at)) entry = at;
  return entry;
};

// entryBelow: the entry of a list within an entry, as in a tree or a menu of menus, around what was pressed; null for what an entry says
// in a list of its own, as a card may.
const entryBelow = (pressed, entry) => {
  const inner = pressed.closest('li');
  if (entry.tagName !== 'LI' || !inner || inner === entry || !entry.contains(inner) || !shows(inner)) return null;
  const lists = Array.from(entry.parentElement.children).flatMap((o) => Array.from(o.querySelectorAll('ul,ol')));
  const ofOneKind = entry.classList.length === 0 ? inner.classList.length === 0 : sharesClass(entry, inner);
  return ofOneKind || lists.some((l) => !visible(l)) ? inner : null;
};
const sharesClass = (a, b) => Array.from(a.classList).some((c) => b.classList.contains(c));

// inPopup: it is in something that a page opened over what else it shows, such as a menu: a box out of the flow that reaches beyond what it
// hangs on. One that is docked at the window's edges, as a side bar is, is none, nor is one that takes most of the window and has nothing
// under it.
const inPopup = (el) => {
  for (let at = up(el); at && at !== document.body; at = up(at)) {
    if (!/^(absolute|fixed)$/.test(getComputedStyle(at).position)) continue;
    const [box, on] = [at.getBoundingClientRect(), at.offsetParent];
    if (on && on !== document.body && !reachesBeyond(box, on.getBoundingClientRect())) continue;
    return !docked(box) && (2 * box.width * box.height <= window.innerWidth * window.innerHeight || covers(at, box));
  }
  return false;
};
const reachesBeyond = (box, own) =>
  box.bottom > own.bottom + DRAWN_AROUND ||
  box.right > own.right + DRAWN_AROUND ||
  box.top < own.top - DRAWN_AROUND ||
  box.left < own.left - DRAWN_AROUND;
// docked: it touches three edges of the window, or two that meet and is longer than half of one of them.
const docked = (box) => {
  const [w, h] = [document.documentElement.clientWidth, window.innerHeight];
  const [left, right, top, bottom] = [box.left < 2, box.right > w - 2, box.top < 2, box.bottom > h - 2];
  return (
    ((left || right) && top && bottom) ||
    (left && right && (top || bottom)) ||
    ((left || right) && (top || bottom) && (2 * box.width > w || 2 * box.height > h))
  );
};
// covers: something else of the page lies under it.
const covers = (el, box) =>
  [0.2, 0.5, 0.8].some((x) =>
    [0.2, 0.5, 0.8].some((y) =>
      el
        .getRootNode()
        .elementsFromPoint(box.left + x * box.width, box.top + y * box.height)
        .some((e) => e !== badgeHost && !surrounds(el, e) && !surrounds(e, el)),
    ),
  );

const DRAWN_AROUND = 8; // px: what reaches no farther beyond a control is a part of it, such as its ring or its badge
// onLayer: what is pressed in a layer that opened over a control and reaches beyond it is an entry of the layer, not the control.
const onLayer = (pressed, control) => {
  let over = pressed;
  while (over && over !== control && !/^(absolute|fixed)$/.test(getComputedStyle(over).position)) over = up(over);
  if (!over || over === control || over === pressed) return null;
  const [layer, own] = [over.getBoundingClientRect(), control.getBoundingClientRect()];
  if (layer.bottom < own.bottom + DRAWN_AROUND && layer.top > own.top - DRAWN_AROUND) return null;
  const several = entryUnder(pressed, over);
  if (several) return several;
  let entry = over;
  while (entry !== pressed && entry.childElementCount === 1 && !/^inline/.test(getComputedStyle(entry.firstElementChild).display))
    entry = entry.firstElementChild;
  return entry === over ? null : entry;
};
