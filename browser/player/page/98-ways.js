// Ways to see more of a page: collapsed sections and folders, further pages of a list, other tabs. A search tries
// them one by one; each has a key by which it is recognised when the page is redrawn.

const MOST_WAYS = 200;
let ways = [];

// ways lists them as {kind, name, key}: 'section', 'page' with its number, 'turn' for a short text that may page on,
// 'tab'.
api.ways = () => {
  ways = [];
  const out = [];
  const turns = new Set();
  const add = (el, kind, text, key) => {
    if (ways.length >= MOST_WAYS || ways.includes(el) || !visible(el) || off(el)) return;
    ways.push(el);
    out.push({ kind, name: text, key: kind + '|' + key });
  };
  const modal = modalShown();
  for (const root of trees()) {
    for (const el of root.querySelectorAll('summary,[aria-expanded=false],li')) {
      if (behind(modal, el)) continue;
      const handle = el.tagName === 'LI' && !el.matches('[aria-expanded]') ? foldedAt(el) && handleOf(el) : handleOf(el);
      if (handle && guarded(opensSection)(handle)) add(handle, 'section', '', pathTo(el));
    }
    for (const el of root.querySelectorAll('a,button,li,span,[role=button],[role=link]')) {
      if (behind(modal, el)) continue;
      if (ownNumber(el) && guarded(isPageNumber)(el)) add(pressedAt(el), 'page', el.textContent.trim(), el.textContent.trim());
      else if (el.matches('a,button,[role=button],[role=link]') || (el.tagName === 'LI' && operated(el))) {
        const called = name(el) || shorten(el.getAttribute('title')) || contentText(el, 40);
        if (called && called.length <= 40 && !turns.has(called) && !el.closest('[role=tab],tbody,[role=row],[role=menubar],[role=menu]')) {
          turns.add(called);
          add(el, 'turn', called, called);
        }
      }
    }
    for (const el of root.querySelectorAll('[role=tab][aria-selected=false]')) if (!behind(modal, el)) add(el, 'tab', name(el), name(el));
  }
  return JSON.stringify(out);
};
api.way = (i) => ways[i];
// saying: a hash of the page's text without times of day: a list page seen before has the same hash.
api.saying = () => hashOf((document.body ? document.body.innerText : '').replace(/\d{1,2}:\d\d(:\d\d)?/g, ''));

const off = (el) => el.disabled === true || !!el.closest('[aria-disabled=true],[disabled]');
// pressedAt: the control whose text is a number.
const pressedAt = (el) => el.closest('a,button,[role=button],[role=link]') || el.closest('li') || el;
const OPENERS = /^[▸▹▶►▷›❯⊞⏵+]$/; // drawn as a sign, by a page that listens further out
// handleOf: what to click to open a folder or a section: a control itself, whatever is drawn in it, else its arrow, else its name.
const handleOf = (el) => {
  if (el.matches('button,summary,[role=button]')) return el;
  const inner = el.querySelector('ul,ol,[role=group]');
  const own = (e) => !inner || !inner.contains(e);
  const arrow = Array.from(el.querySelectorAll('button,svg,i,span,[role=button]')).find(
    (e) => own(e) && wordless(e) && visible(e) && (operated(e) || OPENERS.test(e.textContent.trim())),
  );
  if (arrow) return arrow;
  return Array.from(el.querySelectorAll('button,a,summary,span,div')).find((e) => own(e) && visible(e) && shows(e)) || el;
};
// pathTo: distinguishes folders by the names of their ancestors.
const pathTo = (el) => {
  const parts = [];
  for (let at = el; at && parts.length < 6; at = at.parentElement && at.parentElement.closest('li,[role=treeitem],details,[aria-expanded]'))
    parts.unshift(
      Array.from(at.childNodes, (c) => (c.textContent || '').trim().slice(0, 40)).find((said) => /[\p{L}\p{N}]/u.test(said)) || '',
    );
  return parts.join('/');
};
