// Groups of controls: radio buttons and checkboxes that answer one question, toggle buttons of which one is pressed.

const options = (el) => {
  if (el.tagName === 'SELECT')
    return Array.from(el.options)
      .slice(0, 50)
      .map((o) => shorten(o.label || o.text, 80));
  if (role(el) === 'radio')
    return radioGroup(el)
      .slice(0, MOST_BOXES)
      .map((r) => rankOf(r) || name(r));
  const group = boxGroup(el) || pressGroup(el);
  return group ? group.all.map((b) => name(b)) : undefined;
};
const radioGroup = (el) => {
  const around = el.closest('[role=radiogroup]');
  if (around && !el.name)
    return Array.from(around.querySelectorAll('[role=radio],input[type=radio]')).filter((r) => r.closest('[role=radiogroup]') === around);
  if (el.tagName !== 'INPUT' || !el.name) return [];
  const root = el.form || el.getRootNode();
  return Array.from(root.querySelectorAll('input[type=radio]')).filter((r) => r.name === el.name && r.form === el.form);
};

// radioPlace: the question of radio buttons without a named group: the words before the first.
const radioPlace = (el) => {
  if (role(el) !== 'radio') return null;
  const group = el.closest('fieldset,[role=group],[role=radiogroup]');
  if (group && placeName(group, 'group')) return null;
  const all = radioGroup(el);
  if (el.closest('tr,[role=row],[role=grid],[role=tree]')) {
    const line = el.closest('tr');
    const of = line && all.length > 1 && all.length <= MOST_BOXES && all.every((r) => line.contains(r)) ? lineName(el) : '';
    return of ? { el: line, role: 'group', name: of } : null;
  }
  let at = el.parentElement;
  while (at && !all.every((r) => at.contains(r))) at = at.parentElement;
  const called = all.length > 1 && all.length <= MOST_BOXES && at && wordsBefore(all[0], at);
  return called ? { el: at, role: 'group', name: called } : null;
};

// boxGroup: the checkboxes, el among them, that a person takes for one question, and its name. They are those of a
// named group without other fields, otherwise those of a form that share a name attribute below a few words.
// Checkboxes of rows, and more than anybody would read, are data.
const BOXES = 'input[type=checkbox],[role=checkbox],[role=menuitemcheckbox]';
const FILLED =
  'input:not([type=hidden]):not([type=submit]):not([type=button]):not([type=reset]):not([type=image]),select,' +
  'textarea,[contenteditable=""],[contenteditable=true],' +
  '[role=checkbox],[role=menuitemcheckbox],[role=radio],[role=switch],[role=textbox],[role=combobox],[role=spinbutton],[role=slider]';
const MOST_BOXES = 50;
const boxGroup = (el) => {
  if (!el.matches(BOXES) || el.closest('tr,[role=row],[role=grid],[role=tree]')) return null;
  const all = (at, which) => Array.from(at.querySelectorAll(which)).filter((b) => b.getAttribute('aria-hidden') !== 'true');
  const of = (at, called, list) =>
    called && list.length > 1 && list.length <= MOST_BOXES && list.every((b) => b.matches(BOXES)) ? { at, called, all: list } : null;
  const group = el.closest('fieldset,[role=group],[role=menu]');
  const named = group && of(group, placeName(group, role(group)), all(group, FILLED));
  if (named) return named;
  if (!el.name) return alikeBoxes(el, all);
  const list = all(el.form || el.getRootNode(), BOXES).filter((b) => b.name === el.name);
  let at = el.parentElement;
  while (at && !list.every((b) => at.contains(b))) at = at.parentElement;
  return (list.length > 1 && at && of(at, wordsBefore(list[0], at), all(at, FILLED))) || alikeBoxes(el, all);
};
// alikeBoxes: at least three adjacent checkboxes whose names differ only in a counter. A group without a name of its
// own.
const alikeBoxes = (el, all) => {
  let at = el.parentElement;
  while (at && at !== document.body && all(at, BOXES).length < 2) at = at.parentElement;
  const list = at ? all(at, BOXES) : [];
  const written = (b) => (b.name || b.id || '').replace(/\d+/g, '#');
  if (list.length < 3 || list.length > MOST_BOXES || all(at, FILLED).length !== list.length) return null;
  if (!list.every((b) => written(b) === written(list[0]) || b.name === list[0].name)) return null;
  const called = list.map((b) => name(b));
  return called.every(Boolean) && new Set(called).size === called.length ? { at, called: '', all: list } : null;
};
// pressGroup: the toggle buttons, el among them, of a group without other buttons, and its name. Whether pressing one
// releases the others shows only when it is pressed.
const pressGroup = (el) => {
  if (!el.matches('[aria-pressed]') || el.closest('tr,[role=row],[role=grid],[role=tree]')) return null;
  for (const at of new Set([el.closest('fieldset,[role=group],[role=radiogroup],[role=toolbar]'), el.parentElement])) {
    if (!at || at.querySelector(FILLED)) continue;
    const all = Array.from(at.querySelectorAll('button,[role=button]'));
    if (all.length < 2 || all.length > MOST_BOXES || !all.includes(el) || !all.every((b) => b.hasAttribute('aria-pressed') && name(b)))
      continue;
    const called = placeName(at, 'group') || wordsBefore(all[0], at);
    if (called) return { at, called, all };
  }
  return null;
};
// wordsBefore: the heading or line before the first of several controls, with no field in between.
const wordsBefore = (first, at) => {
  for (let here = first; here && here !== at.parentElement; here = here.parentElement) {
    const before = here.previousElementSibling;
    if (!before) continue;
    const text = before.matches(FILLED) || before.querySelector(FILLED) ? '' : contentText(before, 80);
    return text.length <= 60 && !isSentence(text) ? text : '';
  }
  return '';
};

// openedBy: what the element is called that opens a menu: one that controls it, that it follows, or whose submenu it is. Hovering
// over that to open the menu is not an act of its own: the chosen entry records it.
const MENUS = 'nav,[role=navigation],[role=menubar],[role=menu]';
const openedBy = (el) => {
  const trigger = el.id && el.getRootNode().querySelector('[aria-controls~="' + CSS.escape(el.id) + '"]');
  if (trigger && !el.contains(trigger)) return name(trigger);
  const button = el.previousElementSibling;
  if (button && button.matches('[aria-haspopup]')) return name(button);
  const entry = el.parentElement;
  if (!entry || !entry.matches('li,[role=menuitem],[role=none],[role=presentation]')) return '';
  const own = Array.from(entry.children).find((c) => !c.contains(el) && contentText(c));
  return own ? contentText(own, 80) : '';
};
