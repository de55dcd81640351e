// Locators for a target, best first, and how many elements each of them matches.

const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'];

// Elements with an implicit role.
const BY_ROLE = {
  button: 'button,summary,input[type=button],input[type=submit],input[type=reset],input[type=image],input[type=file]',
  link: 'a[href],area[href]',
  textbox: 'input,textarea,[contenteditable]',
  searchbox: 'input[type=search]',
  combobox: 'select,input[list]',
  listbox: 'select,datalist',
  checkbox: 'input[type=checkbox]',
  radio: 'input[type=radio]',
  slider: 'input[type=range]',
  spinbutton: 'input[type=number]',
  option: 'option',
  heading: 'h1,h2,h3,h4,h5,h6',
  img: 'img',
  listitem: 'li',
  row: 'tr',
  cell: 'td',
  columnheader: 'th',
  rowheader: 'th',
  dialog: 'dialog',
  list: 'ul,ol,menu',
  table: 'table',
  form: 'form',
  region: 'section',
  navigation: 'nav',
  group: 'fieldset,details,optgroup',
  article: 'article',
};
const FIELD = 'input,select,textarea,button,output,meter,progress,[aria-labelledby],[contenteditable]';
const withRole = (r) => (BY_ROLE[r] ? BY_ROLE[r] + ',' : '') + '[role~="' + CSS.escape(r) + '"]';
const withAttribute = (attr, v) => '[' + attr + '="' + CSS.escape(v) + '"]';

// locate adds the locators to a description.
const locate = (el, shown, place) => {
  const t = shown.target;
  const ways = [];
  const add = (by, value, r, selector, test = () => true) => {
    if (value) ways.push({ l: { by, value, role: r }, selector, test });
  };
  const seen = (e) => e === el || visible(e);
  const byHead = t.role === 'generic' && !!t.text && contentText(el, 80) !== t.text;
  if (t.name && t.role !== 'generic')
    add('role', t.name, t.role, withRole(t.role), (e) => role(e) === t.role && name(e) === t.name && seen(e));
  add('label', t.label, t.role, FIELD, (e) => label(e) === t.label && seen(e));
  add('placeholder', t.placeholder, t.role, '[placeholder]', (e) => shorten(e.getAttribute('placeholder')) === t.placeholder && seen(e));
  const attr = TEST_IDS.find((a) => el.getAttribute(a));
  if (attr) add('testid', el.getAttribute(attr), undefined, withAttribute(attr, el.getAttribute(attr)));
  if (isTextField(el) || setsByChange(el)) add('sent', sentAs(el), undefined, withAttribute('name', sentAs(el)));
  if (t.text !== t.name)
    add(
      'text',
      t.text,
      t.role,
      t.role === 'generic' ? CSS.escape(t.tag) : withRole(t.role),
      (e) => (byHead ? entryHead(e) : contentText(e, 80)) === t.text && seen(e),
    );
  for (const a of ['title', 'alt']) {
    const v = el.getAttribute(a);
    if (shorten(v) !== t.name) add(a, shorten(v), undefined, withAttribute(a, v || ''));
  }
  const within = place && place.el ? structure(el, t, place) : null;
  if (within) add('structure', within.value, t.role, within.selector, within.test);
  if (!(place && place.el) && TYPED_INTO.has(t.role) && uncalled(el))
    add(
      'structure',
      (guarded(inItemText)(el) ? 'item' : 'page') + ' > ' + t.role,
      t.role,
      withRole(t.role),
      (e) => role(e) === t.role && uncalled(e) && seen(e),
    );
  if (place && place.el && (!t.name || item(place.role)) && !t.label) {
    const looks = drawnAs(el);
    add('drawn', looks, undefined, CSS.escape(t.tag), item(place.role) ? (e) => e === el : drawnLike(el, looks, place.el));
    add('spot', item(place.role) ? spotOf(el, place.el) : '', undefined, CSS.escape(t.tag), (e) => e === el);
  }
  if (!(place && place.el) && !t.name && !t.label && !t.text && !t.options) {
    const looks = drawnAs(el);
    add('drawn', looks, undefined, CSS.escape(t.tag), drawnLike(el, looks, document));
  }
  if (hasNamesake(el, t, place)) add('beside', fieldBeside(el), undefined, CSS.escape(t.tag), (e) => e === el);
  if (!(place && place.el) && t.tag !== 'input' && inPopup(el)) add('over', 'layer', undefined, '*', saysAs(el, t.name || t.text));
  const path = css(el);
  add('css', path, undefined, path);
  t.locators = ways.map((w) => w.l);
  count(ways, shown);
};

// saysAs: it is an element, or one elsewhere that says the same words, as the head of a list may.
const saysAs = (el, words) => (e) =>
  e === el ||
  (!!words &&
    !e.childElementCount &&
    e.textContent.length < 100 &&
    oneLine(e.textContent, 100).trim() === words &&
    !el.contains(e) &&
    !e.contains(el) &&
    visible(e));

// drawnLike: it is an element without words, or another one in the same place that is drawn as it is.
const drawnLike = (el, looks, around) => (e) =>
  e === el || (!el.contains(e) && !e.contains(el) && around.contains(e) && wordless(e) && drawnAs(e) === looks && visible(e));

// uncalled: a field that nothing on the page calls anything. Outside of any place with a name it is known only if it is the only one.
const uncalled = (e) => !name(e) && !label(e) && !shorten(e.getAttribute('placeholder')) && !shorten(e.getAttribute('title'));
const TYPED_INTO = new Set(['textbox', 'searchbox', 'spinbutton']);

// sentAs is the name under which a form sends what a field holds: a programmer's name for it.
const sentAs = (el) => (el.form && /^[a-z][\w.:[\]-]{0,60}$/i.test(el.getAttribute('name') || '') ? el.getAttribute('name') : '');

// hasNamesake: another control in the same place has the same role and name.
const hasNamesake = (el, t, place) =>
  !!t.name &&
  /^(button|link)$/.test(t.role) &&
  !!place &&
  !!place.el &&
  !item(place.role) &&
  Array.from(place.el.querySelectorAll(withRole(t.role)))
    .slice(0, 60)
    .some((e) => e !== el && role(e) === t.role && name(e) === t.name && visible(e));

// fieldBeside: the name of the field that a button stands with: of the nearest fields around it, the one before it.
const fieldBeside = (el) => {
  for (let at = up(el), n = 0; at && n < 6 && at !== document.body; at = up(at), n++) {
    const fields = Array.from(at.querySelectorAll(ENTRIES)).filter(visible);
    if (fields.length > 6) return '';
    if (!fields.length) continue;
    const before = fields.filter((f) => f.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING);
    return name(before.length ? before[before.length - 1] : fields[0]);
  }
  return '';
};

const item = (r) => /^(row|listitem|option|treeitem|gridcell)$/.test(r);

// structure distinguishes targets of the same name by the place they stand in. The name of a row or item is
// somebody's data: there the position in its list is used instead.
const structure = (el, t, place) => {
  const data = item(place.role);
  const named = t.name && CONTROLS.has(t.role) && !data;
  const peers = Array.from(place.el.querySelectorAll(withRole(t.role))).filter((e) => role(e) === t.role && (!named || name(e) === t.name));
  const nth = peers.length > 1 && peers.includes(el) ? '[' + (peers.indexOf(el) + 1) + ']' : '';
  const what = t.role + (named ? ' "' + t.name + '"' : '') + nth;
  if (data) {
    let n = 1;
    for (let at = place.el.previousElementSibling; at; at = at.previousElementSibling) if (at.tagName === place.el.tagName) n++;
    return { value: place.role + '[' + n + '] > ' + what, selector: withRole(place.role), test: (e) => e === place.el };
  }
  const where = place.role + (place.name ? ' "' + place.name + '"' : '');
  const r = role(place.el);
  const said = r === placeRole(place.el); // else its own looks say what it is
  return {
    value: where + ' > ' + what,
    selector: CSS.escape(place.el.tagName.toLowerCase()),
    test: (e) => (said ? role(e) === r && placeName(e, r) === place.name : e === place.el),
  };
};

const finding = function* (ways) {
  for (const w of ways) {
    let n = 0;
    for (const scope of scopes()) {
      for (const e of scope.querySelectorAll(w.selector)) {
        if (e !== badgeHost && w.test(e)) n++;
        yield;
      }
    }
    w.n = n;
  }
};
const run = (job, end) => {
  for (let n = 1; !job.next().done; n++) if (n % 8 === 0 && now() > end) return false;
  return true;
};

// css is the last resort: an id that looks written by a person, else the path from the nearest such id.
const css = (el) => {
  const parts = [];
  for (let at = el, n = 0; at && at.nodeType === Node.ELEMENT_NODE && n < 6; at = at.parentElement, n++) {
    const id = at.getAttribute('id'); // a form with a field called id has that field there
    if (id && !/\d{3,}|[0-9a-f]{8}|^:|[a-z]\d+[a-z]|radix|ember|react/i.test(id)) {
      parts.unshift('#' + CSS.escape(id));
      break;
    }
    if (at === document.body) {
      parts.unshift('body');
      break;
    }
    let i = 1;
    let only = true;
    if (at.parentElement) {
      for (const sib of at.parentElement.children) {
        if (sib === at) break;
        if (sib.tagName === at.tagName) i++;
      }
      only = Array.prototype.filter.call(at.parentElement.children, (s) => s.tagName === at.tagName).length === 1;
    }
    parts.unshift(at.tagName.toLowerCase() + (only ? '' : ':nth-of-type(' + i + ')'));
  }
  return parts.join(' > ');
};
