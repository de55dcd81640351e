// The texts of one of several items (a row, a card, an entry), and where in it they stand. A page that has opened an item shows some of
// them elsewhere, in a heading or a dialog: they are the item's, not the page's.

const MOST_ITEM_TEXTS = 16;
const MOST_SIBLINGS = 20;
const LARGE_ITEM = 200; // elements: what is larger is a part of the page
const LONG_TEXT = 120;

// itemOf: the item that a control belongs to, or the control itself if it is one of several entries that are called by their first parts;
// null for any other.
const itemOf = (el, item) => (item && item.el) || (guarded(headOfEntry)(el) ? el : null);
// itemTexts: the texts that are the item's own: at least half of its siblings have another text at the same path.
const itemTexts = (item) => {
  if (!item || !item.parentElement || item.matches('option,[role=option],[role^=menuitem]')) return undefined;
  if (item.getElementsByTagName('*').length > LARGE_ITEM) return undefined;
  const siblings = siblingsOf(item);
  const out = [];
  for (const e of siblings.length ? [item, ...item.querySelectorAll('*')] : []) {
    if (out.length >= MOST_ITEM_TEXTS) break;
    const text = ownText(e);
    if (!/\p{L}{2}|\d/u.test(text) || text.endsWith('…') || !visible(e)) continue;
    const path = pathIn(item, e, siblings);
    if (2 * siblings.filter((o) => itemTextAt(o, path) === text).length >= siblings.length) continue;
    out.push({ path, text });
    const words = wordsOnly(text);
    if (words && words !== text) out.push({ path: path + WORDS_ONLY, text: words });
  }
  return out.length ? out : undefined;
};
const siblingsOf = (item) =>
  Array.from(item.parentElement.children)
    .filter((o) => o !== item && o.tagName === item.tagName && rendered(o))
    .slice(0, MOST_SIBLINGS);
// ownText: the text of an element without that of the elements in it.
const ownText = (e) => {
  if (e.matches('script,style,select,textarea,svg,svg *')) return '';
  const own = Array.from(e.childNodes).filter((n) => n.nodeType === Node.TEXT_NODE);
  return shorten(own.map((n) => n.data).join(' '), LONG_TEXT);
};
// pathIn: by a class that no item has more than once, else by position.
const pathIn = (item, e, siblings) => {
  if (e === item) return '';
  for (const c of e.classList) {
    const path = e.tagName.toLowerCase() + '.' + CSS.escape(c);
    const n = siblings.map((o) => o.querySelectorAll(path).length);
    if (item.querySelectorAll(path).length === 1 && n.includes(1) && Math.max(...n) < 2) return path;
  }
  const steps = [];
  for (let o = e; o !== item; o = o.parentElement) {
    const alike = Array.from(o.parentElement.children).filter((x) => x.tagName === o.tagName);
    steps.unshift(o.tagName.toLowerCase() + ':nth-of-type(' + (alike.indexOf(o) + 1) + ')');
  }
  return ':scope > ' + steps.join(' > ');
};
// wordsOnly: without the numbers and times before and behind the words; a path that ends in WORDS_ONLY means that part of the text.
const WORDS_ONLY = ' ~words';
const wordsOnly = (text) => {
  const all = text.split(' ');
  const isWord = (w) => /\p{L}/u.test(w);
  return all.some(isWord) ? all.slice(all.findIndex(isWord), all.findLastIndex(isWord) + 1).join(' ') : '';
};
// itemTextAt: an item's text at a path; '' if nothing or more than one element is there.
const itemTextAt = (item, path) => {
  const words = path.endsWith(WORDS_ONLY);
  const selector = words ? path.slice(0, -WORDS_ONLY.length) : path;
  const all = selector ? item.querySelectorAll(selector) : [item];
  if (all.length !== 1) return '';
  const text = ownText(all[0]);
  return words ? wordsOnly(text) : text;
};
