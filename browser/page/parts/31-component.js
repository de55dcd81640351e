// A component may draw its control in a shadow root of its own. Where that is the only one there, the component is what a person sees of
// it: the component stands in the row, has the label and the title, and holds the icon.

// allIn: the elements in one that match a selector, those that components draw in it included.
const allIn = (el, selector) => {
  const out = Array.from(el.querySelectorAll(selector));
  for (const e of hostsIn(el)) for (const inner of allIn(e.shadowRoot, selector)) out.push(inner);
  return out;
};
const hostsIn = (el) => {
  const all = hostsUnder(el.getRootNode());
  if (all.length < 100) return all.filter((e) => el.contains(e));
  return [el, ...el.querySelectorAll('*')].filter((e) => e.shadowRoot && e !== badgeHost);
};
// hostsUnder: the elements of a document, or of a shadow root, that have a root of their own. An empty answer is kept for longer, while the
// number of elements stays the same and no element waits for its definition.
const hostsKnown = new WeakMap(); // root -> {at, all, n}
const hostsUnder = (root) => {
  if (!root.querySelectorAll) return [];
  const count = () => (root.getElementsByTagName ? root.getElementsByTagName('*').length : -1);
  const k = hostsKnown.get(root);
  const age = k ? now() - k.at : Infinity;
  if (age < LABELS_LAST || (k && age < NO_HOSTS_LAST && !k.all.length && k.n >= 0 && k.n === count())) return k.all;
  const all = [];
  for (const e of root.getElementsByTagName ? root.getElementsByTagName('*') : root.querySelectorAll('*'))
    if (e.shadowRoot && e !== badgeHost) all.push(e);
  hostsKnown.set(root, { at: now(), all, n: all.length || root.querySelector(':not(:defined)') ? -1 : count() });
  return all;
};
const NO_HOSTS_LAST = 2000; // ms
// surrounds: whether an element is around another one, a component around what it draws included.
const surrounds = (el, inner) => {
  for (let at = inner; at; at = at.getRootNode().host) if (el.contains(at)) return true;
  return false;
};
// nearest: the nearest element around one that matches, a component's own surroundings included.
const nearest = (el, selector) => {
  for (let at = el; at; at = at.getRootNode().host) if (at.closest(selector)) return at.closest(selector);
  return null;
};

// outside is what stands for a control in the document that its component is in.
const outside = (el) => {
  for (let n = 0; n < 6; n++) {
    const root = el.getRootNode();
    if (!root.host || soleControl(root) !== el) return el;
    el = root.host;
  }
  return el;
};
// soleControl is the only control in a shadow root, null where there is none or there are several that are seen.
const soleControl = (root) => {
  const all = Array.prototype.slice.call(root.querySelectorAll(OTHERS), 0, 12);
  if (all.length < 2) return all[0] || null;
  const seen = all.filter((e) => visible(e) && e.getAttribute('aria-hidden') !== 'true');
  return seen.length === 1 ? seen[0] : null;
};
// drawnInside is the control that a component draws for itself, where the component says nothing else of what it is.
const drawnInside = (el) => (el.shadowRoot && !el.matches(INTERACTIVE) && soleControl(el.shadowRoot)) || null;

// componentLabel is what the label of a component says, or its title.
const componentLabel = (el) => {
  const at = outside(el);
  if (at === el) return '';
  const labels = at.closest('label') ? [at.closest('label')] : [];
  if (at.id) labels.push(...at.getRootNode().querySelectorAll('label[for="' + CSS.escape(at.id) + '"]'));
  const said = labels.map((l) => contentText(l)).join(' ');
  return shorten(at.getAttribute('aria-label')) || shorten(said) || shorten(at.getAttribute('title'));
};

// handsOn: a field that shows nothing itself: an editor or a terminal takes what is typed into it, and draws it in its place.
const LEAST_FIELD = 6; // px
const handsOn = (el) => {
  if (el.tagName !== 'TEXTAREA' || el.readOnly || el.disabled || el.tabIndex < 0 || !el.getClientRects().length) return false;
  const box = el.getBoundingClientRect();
  if (getComputedStyle(el).opacity === '0' || box.width < LEAST_FIELD || box.height < LEAST_FIELD || box.right + window.scrollX < 0)
    return true;
  for (let at = el.parentElement, n = 0; at && n < 3; at = at.parentElement, n++)
    if (getComputedStyle(at).overflow !== 'visible' && (at.clientWidth < LEAST_FIELD || at.clientHeight < LEAST_FIELD)) return true;
  return false;
};
// editorAround: what draws it: the box around such a field that holds no other control.
const editorAround = (el) => {
  let at = el.parentElement || el; // a page may have taken it out
  for (let n = 0; n < 3; n++) {
    const over = at.parentElement;
    if (!over || over.matches('body,label') || over.querySelectorAll('a[href],button,input,select,textarea').length > 1) break;
    at = over;
  }
  return at;
};
// fieldDrawnAt: the field of the editor that was pressed; null elsewhere.
const fieldDrawnAt = (pressed) =>
  Array.from(pressed.getRootNode().querySelectorAll('textarea')).find((f) => editorAround(f).contains(pressed) && handsOn(f)) || null;
// drawsLines: the editor shows each line that was typed into it.
const drawsLines = (el, typed) => {
  const drawn = shorten(editorAround(el).textContent, MOST_DRAWN);
  return typed.split('\n').every((line) => drawn.includes(shorten(line, MOST_DRAWN)));
};
const MOST_DRAWN = 100000; // characters
