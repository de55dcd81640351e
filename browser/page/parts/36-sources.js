// A typed value may have been read off the page. Both are compared immediately, in the page: what is reported is the
// place and the words around the value, never any other text.

// standsNow: what the page says outside a field, before anything is typed into it. What shows only afterwards what was typed is no
// place that it was read off, but mirrors it. It is read as the person begins to type, for at most MOST_STOOD characters, and until the
// time `until` if the page is not small. A value beyond that is asked for.
const standsNow = (el, until) => {
  const said = [];
  let size = 0;
  for (const n of textsBeside(el, until)) {
    const line = oneLine(n.data, MOST_SAID).slice(0, MOST_SAID);
    said.push(line);
    size += line.length;
    if (size > MOST_STOOD) break;
  }
  return valuesBeside(el, until)
    .map((e) => shorten(e.value, MOST_READ))
    .concat(said.join('').replace(/ +/g, ' '))
    .join('\n');
};

const MOST_STOOD = 300000; // characters
const MOST_SAID = 1000; // characters of one element's text that a value is looked for in
const MOST_TEXTS = 5000; // texts of a page, the first of them
const SURE_TEXTS = 1500; // of a small page, which is read whole on a slow machine, too
const textsBeside = function* (el, until) {
  const walker = document.createTreeWalker(document.body || document, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(), i = 0; n && i < MOST_TEXTS; n = walker.nextNode(), i++) {
    if (i >= SURE_TEXTS && now() > until) return;
    if (!el.contains(n) && !/^(SCRIPT|STYLE|TEXTAREA)$/.test(n.parentNode.nodeName)) yield n;
  }
};
// valuesBeside: other fields that hold what the page put there, and no secret. To know that, the labels of each are read.
const MOST_VALUES = 400;
const SURE_VALUES = 50; // likewise
const valuesBeside = (el, until) =>
  Array.from(document.querySelectorAll('input,textarea,output'))
    .filter((e) => e !== el && e.value && e.value === e.defaultValue && (e.tagName !== 'INPUT' || TEXTUAL.has(e.type)))
    .slice(0, MOST_VALUES)
    .filter((e, i) => (i < SURE_VALUES || now() <= until) && !secretKind(e));

const LEAST_READ = 2; // characters: what is shorter stands on a page by chance
const MOST_READ = 500; // characters: nobody copies more by hand
const AROUND = 60; // characters of the words before and behind
const sourceOf = (el, text, stood) => {
  const v = shorten(text, MOST_READ + 1);
  if (v.length < LEAST_READ || (/^\d+$/.test(v) && v.length < 3) || v.length > MOST_READ) return undefined;
  if (!stood.includes(v)) return undefined;
  const whole = new Set(valuesBeside(el, Infinity).filter((e) => visible(e) && shorten(e.value, MOST_READ) === v));
  const part = new Set();
  const editor = handsOn(el) ? editorAround(el) : null;
  for (const n of textsBeside(el, Infinity)) {
    if (!n.data.includes(v.slice(0, 12))) continue;
    const at = n.parentElement;
    if (!at || (editor && editor.contains(at)) || at.closest('option,label,[role=option],[role=listbox],[aria-live],[role=alert]'))
      continue;
    const said = shorten(at.textContent, MOST_SAID);
    if (!visible(at) || !said.includes(v)) continue;
    if (said === v) whole.add(at);
    else if (alone(said, v)) part.add(at);
  }
  const [at] = whole.size ? whole : part;
  if ((whole.size || part.size) !== 1) return undefined;
  const said = whole.size ? v : shorten(at.textContent, MOST_SAID);
  const i = said.indexOf(v);
  return {
    path: css(at),
    before: said.slice(0, i).slice(-AROUND),
    after: said.slice(i + v.length).slice(0, AROUND),
    near: whole.size ? plainWords(wordsBeside(at)) : '',
  };
};
// alone: the value occurs once, as separate words.
const alone = (said, v) => {
  const i = said.indexOf(v);
  const letter = (c) => /[\p{L}\p{N}]/u.test(c || '');
  return said.indexOf(v, i + 1) < 0 && !letter(said[i - 1]) && !letter(said[i + v.length]);
};
const wordsBeside = (at) => {
  for (let here = at, n = 0; here && n < 2; here = here.parentElement, n++) {
    const before = here.previousElementSibling;
    if (before) return contentText(before, 40);
  }
  return '';
};
