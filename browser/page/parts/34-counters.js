// Numbers that are set by pressing: plus and minus buttons change a number, a handle is dragged or moved by keys.
// What counts is the number reached, not how often anything was pressed.

const NUMBER = /^[-−]?\d{1,6}(?:[.,]\d+)?$/;
const SIGN = /^[+\-−–▲▼△▽⏶⏷↑↓◀▶‹›<>«»]$/;
const YEAR = /^(19|20)\d\d$/;

const numberOf = (el) => (el.matches('input') ? el.value : el.getAttribute('aria-valuenow') || el.textContent).trim().replace('−', '-');
const isNumber = (el) =>
  el.matches('input')
    ? /^(text|number|)$/.test(el.type) && (NUMBER.test(el.value.trim()) || role(el) === 'spinbutton')
    : !el.childElementCount && NUMBER.test(el.textContent.trim()) && !YEAR.test(el.textContent.trim());

// counterOf: the number that a button or handle sets: the only one in the nearest place around it that shows any, or the one between its
// two buttons, where a price or two stand beside it.
const counterOf = (el) => {
  const handle = isHandle(el);
  const text = el.textContent.trim();
  if (!handle && (!wordless(el) || !el.matches('button,a,span,div,i,input,[role=button]') || (entitled(el) && !SIGN.test(text))))
    return null;
  for (let at = el.parentElement, n = 0; at && n < 4 && at !== document.body.parentElement; at = at.parentElement, n++) {
    const all = Array.from(at.querySelectorAll('*')).slice(0, 400);
    const numbers = all.filter((e) => e !== el && isNumber(e) && rendered(e));
    if (!numbers.length) continue;
    if (at.matches('tr,tbody,table') || numbers.length > (handle ? MOST_HANDLES : MOST_NUMBERS)) return null;
    if (handle) {
      const number = numbers.length > 1 ? ownNumberOf(el, all.filter(isHandle), numbers) : numbers[0];
      return number && { el: number, at: numbers.length > 1 ? ownPlace(number, numbers) : at, signs: [] };
    }
    const signs = all.filter(
      (e) => wordless(e) && rendered(e) && (e.matches('button,a,[role=button]') || pressedBy(e)) && !e.matches('input'),
    );
    if (signs.length > MOST_SIGNS) return null;
    const outer = signs.filter((e) => !signs.some((o) => o !== e && o.contains(e)));
    const said = outer.every((e) => SIGN.test(e.textContent.trim()));
    if (outer.length !== 2 || !outer.some((e) => e.contains(el))) return null;
    const set = numbers.length > 1 ? numbers.filter((e) => follows(e, outer[0]) && follows(outer[1], e)) : numbers; // beside a price
    if (set.length !== 1 || !(said || set[0].matches('input,output')) || turnsPages(set[0], outer)) return null;
    return { el: set[0], at, signs: outer };
  }
  return null;
};
const MOST_NUMBERS = 3;
const MOST_HANDLES = 8;
// ownPlace: the largest place around a number that holds no other one.
const ownPlace = (number, numbers) => {
  let at = number;
  while (at.parentElement && !numbers.some((e) => e !== number && at.parentElement.contains(e))) at = at.parentElement;
  return at;
};
// ownNumberOf: the number of one of several handles, where each handle has one after it, or each has one before it.
const ownNumberOf = (el, handles, numbers) => {
  const i = handles.indexOf(el);
  if (i < 0 || handles.length !== numbers.length) return null;
  const inTurn = (a, b) => a.every((e, k) => follows(b[k], e) && (!a[k + 1] || follows(a[k + 1], b[k])));
  return inTurn(handles, numbers) || inTurn(numbers, handles) ? numbers[i] : null;
};
const MOST_SIGNS = 12; // a button and what is drawn in it
// turnsPages: the buttons lead to another page of what is shown: they say so, or the number is one of a total, "2 of 10", "2 / 10". What
// plus and minus set is an amount, whatever stands behind it.
const turnsPages = (number, signs) => {
  const said = (e) => name(e) || shorten(e.getAttribute('title')) || '';
  if (signs.some((e) => /\b(next|prev)\b/.test(e.getAttribute('rel') || '') || (said(e).length < 60 && turningWords().test(said(e)))))
    return true;
  if (signs.every((e) => /^[+\-−–]$/.test(e.textContent.trim()))) return false;
  return [number, signs[1]].some((e) => {
    const total = OF_TOTAL.exec(textBehind(e));
    return !!total && Number(total[1]) >= Number(numberOf(number));
  });
};
const OF_TOTAL = /^\s*(?:[/|]|[\p{Ll}\p{Lo}]{1,4})\s*(\d{1,6})(?![.,]?\d|\s*\p{Sc})/u;
let turning = null;
const turningWords = () => (turning = turning || new RegExp('{turning words}', 'iu')); // in all languages; Compose puts them in
// textBehind: the text that follows an element, in what is around it and around that.
const textBehind = (el) => {
  const scope = (el.parentElement && el.parentElement.parentElement) || el.parentElement;
  if (!scope) return '';
  const walk = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  let out = '';
  for (walk.currentNode = el; out.length < 20 && walk.nextNode();)
    if (!el.contains(walk.currentNode)) out += walk.currentNode.data.replace(/\s+/g, ' ');
  return out;
};
const follows = (e, o) => !!(o.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING);
const pressedBy = (e) => getComputedStyle(e).cursor === 'pointer' && getComputedStyle(e.parentElement).cursor !== 'pointer';

// isHandle: reachable by keyboard, without text, neither field nor button, and positioned along a line.
const isHandle = (el) =>
  el.matches('[tabindex]:not(a[href],button,input,select,textarea,[contenteditable])') &&
  el.tabIndex >= 0 &&
  !el.textContent.trim() &&
  /^(absolute|relative)$/.test(getComputedStyle(el).position) &&
  !!(el.style.left || el.style.top || el.style.right || el.style.bottom || el.style.transform);

// counterName: the number's name: the words around it.
const counterName = (c) => {
  const said = c.el.matches('input') ? name(c.el) : shorten(c.el.getAttribute('aria-label'));
  if (said) return said;
  const around = Array.from(c.at.querySelectorAll(OTHERS)).some((e) => !c.signs.some((s) => s.contains(e) || e.contains(s)));
  const words = around ? '' : shorten(contentText(c.at, 80, true).replace(/[-+−–▲▼△▽⏶⏷↑↓◀▶‹›<>«»\d.,:]/g, ' '));
  return plainWords(words) || beside(c.el);
};
// describeCounter: the number described as a field.
const describeCounter = (c, pressed) => {
  const shown = describe(c.el.matches('input') ? c.el : pressed);
  const t = shown.target;
  if (!c.el.matches('input')) {
    const path = css(c.el);
    let called = counterName(c);
    if (t.landmark && t.landmark.role === 'listitem' && t.landmark.name === called) called = ''; // it belongs to the thing of that name
    Object.assign(t, { role: isHandle(pressed) ? 'slider' : 'spinbutton', name: called, label: called, text: undefined });
    t.locators = [{ by: 'css', value: isHandle(pressed) ? css(pressed) : path, matches: 1 }];
  } else if (c.el.readOnly) t.role = 'spinbutton';
  return t;
};
// countersIn: the numbers of a document that are set by pressing, each with the element that represents it: the
// number, or the handle.
const countersIn = (root) => {
  const out = new Map();
  for (const el of Array.from(root.querySelectorAll('button,a,span,div,i,[role=button],[tabindex]')).slice(0, 3000)) {
    if (el.childElementCount > 2 || el.textContent.length > 12 || !rendered(el)) continue;
    const c = counterOf(el);
    if (c && isHandle(el)) out.set(el, c);
    else if (c && (!c.el.matches('input') || c.el.readOnly)) out.set(c.el, c); // what may be written in is a field like any other
  }
  return out;
};
