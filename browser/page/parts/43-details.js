// Details of one thing by label: a term and its description, a row header and its cell, a label and its text. The
// label is the page's own word, as a field's is; the text beside it is treated like a field's value.

const MAX_LABEL = 60;
const MAX_DETAIL = 200; // characters: what is longer is a text, not a value
const MAX_DETAIL_ROWS = 40; // a longer table is a list
const DETAILS = 'dt,th,label,[aria-labelledby]';
const detail = (el, out) => {
  const pair = pairOf(el);
  if (!pair || ofItem(pair.label) || !shown(pair.label) || !rendered(pair.value)) return null;
  const called = labelText(pair.label);
  if (!called) return null;
  const words = called.replace(/[_-]/g, ' ');
  const secret = CARD_NAMES.test(words) ? 'card' : SECRET_NAMES.test(words) ? 'secret' : '';
  const text = secret ? '' : contentText(pair.value, MAX_DETAIL + 1, true).trim();
  if (secret || cardNumber(text)) return { label: called, raw: { kind: secret || 'card', filled: true } };
  if (!text || text.length > MAX_DETAIL || onLogin(pair.label)) return null;
  const told = calm(pair.label, text);
  return out.some((o) => o.label === called && o.raw.text === told) ? null : { label: called, raw: { text: told, field: called } };
};

const ofItem = (el) => inItem(el.tagName === 'TH' ? el.closest('table') : el); // one thing of a list: somebody else's
const labelText = (el) => {
  const called = contentText(el, MAX_LABEL + 1).replace(/\s*:$/, '');
  return called.length > MAX_LABEL ? '' : called;
};

// pairOf: {label, value} of an element that labels, or is labelled as, something other than a field; a field
// describes itself.
const pairOf = (el) => {
  const beside = { DT: description, TH: rowCell, LABEL: labelled }[el.tagName];
  const value = beside ? beside(el) : el;
  const label = beside ? el : labelOf(el);
  return label && value && !value.matches(ENTRIES) && !value.querySelector(ENTRIES + ',table,dl,ul,ol,h1,h2,h3') ? { label, value } : null;
};

const description = (dt) => {
  let dd = dt.nextElementSibling;
  while (dd && dd.tagName === 'DT') dd = dd.nextElementSibling;
  return dd && dd.tagName === 'DD' ? dd : null;
};

// rowCell: the cell beside a row header in a table about one thing: headers and cells stand side by side, and there
// are no column headers.
const rowCell = (th) => {
  const next = th.nextElementSibling;
  const cells = th.parentElement.cells;
  if (!next || next.tagName !== 'TD' || !cells || cells.length % 2 || cells.length > 4) return null;
  for (let n = 0; n < cells.length; n++) if (cells[n].tagName !== (n % 2 ? 'TD' : 'TH')) return null;
  const table = th.closest('table');
  return table && !table.tHead && table.rows.length <= MAX_DETAIL_ROWS && !table.rows[0].querySelector('th+th') ? next : null;
};

// labelled: what a label without a field stands for: what it names, what names it, what follows it.
const labelled = (el) => {
  if (el.control) return el.control.tagName === 'OUTPUT' ? el.control : null;
  const root = el.getRootNode();
  const named = (el.htmlFor && byID(root, el.htmlFor)) || (el.id && root.querySelector('[aria-labelledby="' + CSS.escape(el.id) + '"]'));
  if (named) return named;
  const next = el.nextElementSibling;
  return next && !next.matches('label,button,a') ? next : null;
};
const byID = (root, id) => (root.getElementById ? root.getElementById(id) : null);

// labelOf: the label that refers to a plain text by its id.
const labelOf = (el) => {
  const label = /^(generic|definition|paragraph|status)$/.test(role(el)) && byID(el.getRootNode(), el.getAttribute('aria-labelledby'));
  return label && label.tagName !== 'LABEL' && !el.contains(label) ? label : null;
};
