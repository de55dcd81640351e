// A list whose entries are marked by pressing them often says so in classes, styles and signs alone, in none of the attributes that tell a
// state. That one was marked shows by comparison with its like: it looks otherwise than before, and they do not. In a list of which one
// entry is taken at a time the one that was taken before changes as well.

const MOST_ALIKE = 200;
const MOST_PARTS = 12; // of an entry

const entryBefore = (el) => {
  if (el.matches(FILLED) || el.closest('select,' + MENUS)) return undefined;
  for (let at = el, n = 0; at && at.parentElement && at !== document.body && n < 4; at = at.parentElement, n++) {
    if (!repeats(at)) continue;
    const all = at.parentElement.children;
    if (all.length > MOST_ALIKE) return undefined;
    return { list: at.parentElement, nth: Array.prototype.indexOf.call(all, at), ...sizeOf(at), looks: Array.from(all, lookOf) };
  }
  return undefined;
};
const sizeOf = (e) => ({ high: e.offsetHeight, shown: wordsOf(e.innerText || '') });
const wordsOf = (text) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
const lookOf = (e) => {
  const parts = [e, ...Array.prototype.slice.call(e.getElementsByTagName('*'), 0, MOST_PARTS)];
  return {
    words: wordsOf(e.textContent),
    dress: parts.map((p) => p.tagName + Array.from(p.attributes, (a) => a.name + '=' + a.value).join()).join() + signs(e),
  };
};
const signs = (e) => e.textContent.replace(/[\p{L}\p{N}\s]+/gu, '');

// marked: of all entries of the list only the one that was pressed looks otherwise, and it shows the same words and is as high as it was:
// else something in it was opened.
const marked = (act) => {
  const was = act.entry;
  if (!was || (act.verdict || act.verb) !== 'click' || !was.list.isConnected) return false;
  const all = Array.from(was.list.children);
  if (all.length !== was.looks.length) return false;
  const is = sizeOf(all[was.nth]);
  if (is.high !== was.high || is.shown !== was.shown) return false;
  const now = all.map(lookOf);
  return now.every((l, i) => l.words === was.looks[i].words && (l.dress !== was.looks[i].dress) === (i === was.nth));
};
