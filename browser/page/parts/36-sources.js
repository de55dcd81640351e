// A typed value may have been read off the page. Both are compared immediately, in the page: what is reported is the
// place and the words around the value, never any other text.

// standsNow: what the page says outside a field, before anything is typed into it. What shows only afterwards what was typed is no
// place that it was read off, but mirrors it.
const standsNow = (el) =>
  Array.from(document.querySelectorAll('input,textarea,output'))
    .slice(0, 400)
    .filter((e) => e !== el && e.type !== 'password')
    .map((e) => e.value)
    .concat(document.body ? document.body.textContent : '')
    .join('\n');

const LEAST_READ = 2; // characters: what is shorter stands on a page by chance
const AROUND = 60; // characters of the words before and behind
const sourceOf = (el, text, stood) => {
  const v = (text || '').replace(/\s+/g, ' ').trim();
  if (v.length < LEAST_READ || (/^\d+$/.test(v) && v.length < 3) || v.length > 500) return undefined;
  if (!stood.replace(/\s+/g, ' ').includes(v)) return undefined;
  const whole = new Set();
  const part = new Set();
  for (const e of document.querySelectorAll('input,textarea,output')) {
    if (e === el || secretKind(e) || !visible(e) || (e.tagName === 'INPUT' && !TEXTUAL.has(e.type))) continue;
    if (e.value === e.defaultValue && e.value.replace(/\s+/g, ' ').trim() === v) whole.add(e);
  }
  const walker = document.createTreeWalker(document.body || document, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(), i = 0; n && i < 5000; n = walker.nextNode(), i++) {
    if (!n.data.includes(v.slice(0, 12))) continue;
    const at = n.parentElement;
    if (!at || el.contains(at) || at.closest('script,style,option,textarea,label,[role=option],[role=listbox],[aria-live],[role=alert]'))
      continue;
    const said = shorten(at.textContent, 1000);
    if (!visible(at) || !said.includes(v)) continue;
    if (said === v) whole.add(at);
    else if (alone(said, v)) part.add(at);
  }
  const [at] = whole.size ? whole : part;
  if ((whole.size || part.size) !== 1) return undefined;
  const said = whole.size ? v : shorten(at.textContent, 1000);
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
