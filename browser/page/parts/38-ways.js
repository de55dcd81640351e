// Controls that only show something: the inside of a collapsed section or folder, or another page of a list. They
// change nothing that the page is about.

// showsOf classifies a control before it is pressed: 'section', 'page' or nothing.
const showsOf = (el) => (opensSection(el) ? 'section' : isPageNumber(el) ? 'page' : undefined);

// opensSection: the summary of closed details, the header of a collapsed section, a closed folder's name or arrow. It
// excludes what opens a menu, a dropdown or a dialog, and what every row of a list has.
const opensSection = (el) => {
  const summary = el.closest('summary');
  if (summary) return !!summary.parentElement && summary.parentElement.tagName === 'DETAILS' && !summary.parentElement.open;
  if (el.closest(MENUS + ',header,footer,select,[role=listbox],[role=tablist]') || el.matches(FILLED)) return false;
  const node = el.closest('[role=treeitem]');
  if (node && node.hasAttribute('aria-expanded')) return node.getAttribute('aria-expanded') === 'false';
  if (foldedAt(el)) return true;
  const head = [el, el.parentElement, el.firstElementChild].find((e) => e && e.getAttribute('aria-expanded') === 'false');
  if (!head || head.matches('[aria-haspopup]:not([aria-haspopup=false]),[role=combobox],input') || guarded(listItem)(el)) return false;
  const inside = head.getAttribute('aria-controls') && el.getRootNode().querySelector('#' + CSS.escape(head.getAttribute('aria-controls')));
  const opened = inside || head.nextElementSibling;
  return !opened || !(opened.matches(POPS) || /^(absolute|fixed)$/.test(getComputedStyle(opened).position));
};
const POPS = '[role=menu],[role=listbox],[role=dialog],[role=grid],dialog,menu';

// foldedAt: a list entry around an element, outside the nested list that it contains and does not show.
const foldedAt = (el) => {
  const entry = el.closest('li');
  if (!entry) return null;
  const inner = Array.from(entry.querySelectorAll('ul,ol,[role=group]')).find((l) => l.parentElement.closest('li') === entry);
  return inner && inner.querySelector('li,[role=treeitem]') && !inner.contains(el) && !visible(inner) ? entry : null;
};

// isPageNumber: a number in a sequence of numbers, one of which is marked as the current page.
const PAGE_NUMBER = /^\d{1,4}$/;
const isPageNumber = (el) => {
  const text = el.textContent.trim();
  if (!PAGE_NUMBER.test(text) || isDay(el, text)) return false;
  if (el.closest('input,td,[role=gridcell],[role=radiogroup],[role=listbox],[role=slider]')) return false;
  for (let at = el.parentElement, n = 0; at && n < 5 && at !== document.body && at.tagName !== 'MAIN'; at = at.parentElement, n++) {
    if (at.getElementsByTagName('*').length > 300) return false;
    const leaves = Array.from(at.getElementsByTagName('*')).filter((e) => ownNumber(e) && visible(e));
    if (leaves.length < 2) continue;
    const numbers = leaves.map(ownNumber);
    const rising = numbers.every((v, i) => !i || v > numbers[i - 1]);
    const close = numbers.some((v, i) => i && v === numbers[i - 1] + 1);
    return rising && close && new Set(leaves.map((e) => dressOf(e, at))).size > 1;
  }
  return false;
};
const ownNumber = (e) => {
  const text = e.childElementCount ? '' : e.textContent.trim();
  return PAGE_NUMBER.test(text) ? Number(text) : 0;
};
// dressOf: the classes and styles of an element and its ancestors up to a container, which distinguish the current
// page from the others.
const dressOf = (e, to) => {
  let dress = '';
  for (let at = e; at && at !== to; at = at.parentElement)
    dress += [
      at.tagName,
      at.className,
      at.getAttribute('aria-current'),
      at.hasAttribute('disabled'),
      at.getAttribute('aria-disabled'),
    ].join();
  return dress;
};
