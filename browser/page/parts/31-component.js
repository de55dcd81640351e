// A component may draw its control in a shadow root of its own. Where that is the only one there, the component is what a person sees of
// it: the component stands in the row, has the label and the title, and holds the icon.

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
