// Things without words side by side: a person tells them apart by where they stand ("the third star") or by their colour
// ("the red one").
const LEAST_WORDLESS = 3;
const MOST_WORDLESS = 60;

// ownMark: the place of something among those drawn alike beside it, or its colour where each has its own; '' for anything else.
const ownMark = (inner) => {
  const all = wordlessBeside(inner);
  return markOf(
    all,
    all.findIndex((e) => e === inner || e.contains(inner) || inner.contains(e)),
  );
};
const drawnBriefly = briefly((el) => drawnAs(el)); // each of its like asks for all of them
const markOf = (all, at) => {
  if (at < 0) return '';
  const colours = all.map(colourOf);
  const called = colours.map(colourName);
  if (new Set(colours).size === all.length && called.every(Boolean)) return new Set(called).size === all.length ? called[at] : colours[at];
  if (new Set(all.map(drawnBriefly)).size > 2 || new Set(colours).size > 2) return ''; // a state may be drawn, and nothing else
  return String(inOrder(all).indexOf(all[at]) + 1);
};

// wordlessBeside: something and its like beside it, without words and of one size.
const wordlessBeside = (inner) => {
  let el = outside(inner);
  if (!wordless(el) || /[\p{L}\p{N}]/u.test(el.textContent)) return [];
  for (let n = 0; n < 3 && el.parentElement && el.parentElement !== document.body && el.parentElement.childElementCount === 1; n++)
    el = el.parentElement;
  const around = el.parentElement;
  if (!around || around.childElementCount > 4 * MOST_WORDLESS || el.closest('td,th,tr,[role=row]')) return [];
  const box = el.getBoundingClientRect();
  const like = (e) => {
    const b = e.getBoundingClientRect();
    const near = Math.abs(b.width - box.width) <= 2 && Math.abs(b.height - box.height) <= 2;
    return e.tagName === el.tagName && near && visible(e) && !/[\p{L}\p{N}]/u.test(e.textContent) && !e.querySelector('input,select');
  };
  const all = box.width && box.width <= 2 * MOST_ICON && box.height <= 2 * MOST_ICON ? Array.from(around.children).filter(like) : [];
  return all.length < LEAST_WORDLESS || all.length > MOST_WORDLESS || saidBetween(all, around) ? [] : all;
};
// saidBetween: words stand between them, which say what each is about.
const saidBetween = (all, around) => {
  const nodes = Array.from(around.childNodes);
  return nodes
    .slice(nodes.indexOf(all[0]), nodes.indexOf(all[all.length - 1]))
    .some((n) => !all.includes(n) && !/^(SCRIPT|STYLE)$/.test(n.nodeName) && /[\p{L}\p{N}]/u.test(n.textContent));
};

// inOrder: as they are read, line by line from left to right.
const inOrder = (all) => {
  const boxes = new Map(all.map((e) => [e, e.getBoundingClientRect()]));
  return all.slice().sort((a, b) => {
    const p = boxes.get(a);
    const q = boxes.get(b);
    return p.bottom <= q.top ? -1 : q.bottom <= p.top ? 1 : p.left - q.left;
  });
};

// rankOf: likewise of a radio button among those of its group that are all called the same, by their labels where they are hidden.
const rankOf = (el) => {
  const all = radioGroup(el);
  if (all.length < LEAST_WORDLESS || all.length > MOST_WORDLESS || new Set(all.map((r) => name(r))).size > 1) return '';
  const shown = all.map((r) => (visible(r) ? r : labelsOf(r)[0] || r));
  return markOf(shown, all.indexOf(el));
};

const colourOf = (el) => {
  const c = getComputedStyle(el).backgroundColor;
  return /^rgb\(/.test(c) ? c : '';
};
// colourName: the nearest of the colours that people name.
const COLOURS = {
  black: [0, 0, 0],
  white: [255, 255, 255],
  grey: [128, 128, 128],
  red: [220, 20, 20],
  orange: [255, 150, 0],
  yellow: [250, 230, 30],
  green: [30, 150, 40],
  lime: [130, 230, 40],
  cyan: [20, 210, 220],
  blue: [20, 50, 220],
  purple: [128, 20, 140],
  pink: [250, 140, 190],
  brown: [130, 75, 30],
};
const colourName = (c) => {
  const rgb = (c.match(/\d+/g) || []).map(Number);
  if (rgb.length < 3) return '';
  const far = (of) => of.reduce((sum, v, i) => sum + (v - rgb[i]) ** 2, 0);
  return Object.keys(COLOURS).reduce((best, k) => (far(COLOURS[k]) < far(COLOURS[best]) ? k : best));
};
