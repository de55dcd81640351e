// Panels: things side by side of which each has a head: a heading, a legend, a caption, a term, a label, or what opens and closes it. What
// is inside a panel belongs to its thing, and to no other one. A head may say more than the thing's name: its states, before and behind it.

const NO_PANEL = 'html,body,form,table,tr,nav,dialog,[role=dialog],[role=tablist],[role=menu]';
const OUT_OF_PANELS = 'html,body,nav,dialog,[role=dialog],[role=tablist],[role=menu]';
const NO_BOX = 'tr,td,th,option,p,[role=row],[role=option],[role=treeitem],[role^=menuitem],[role=tab]'; // told as rows are, or not at all
const WAYS = MENUS + ',[role=toolbar],[role=tablist],header,footer'; // what stands there leads to things, and is none
const MOST_PANELS = 60; // more things are listed, not folded
const HEADINGS = 'h1,h2,h3,h4,h5,h6,[role=heading]';

// headOwn: what the head of one of several things that open and close is called by: the only one of its parts that is each one's own. ''
// where nobody can tell the name from a state. The parts of other controls may say what they do.
const headOwn = (el) => {
  const group = el.childElementCount && /^(button|generic)$/.test(role(el)) ? foldOf(el) : null;
  return group ? group.own[group.heads.indexOf(el)] : '';
};
// foldOf: the things that open and close of which a control is the head of one.
const foldOf = (el) => {
  for (let box = el, n = 0; box.parentElement && n < 4 && !box.matches(NO_PANEL); box = box.parentElement, n++) {
    const group = headsIn(box.parentElement);
    if (group && group.fold && group.heads.includes(el)) return group;
  }
  return null;
};

// headsIn: the things in an element that have a head each: {boxes, heads, own: what each head is called by, called: that, or all it says,
// fold: whether the heads open and close them, apart: whether each is an element}; null for none, and where the heads say no names. It is
// asked for each control, and answered once.
const headsIn = briefly((list) => {
  const n = list.childElementCount;
  if (n < 2 || n > MOST_PANELS || list.closest(WAYS)) return null;
  const kids = Array.from(list.children);
  for (const find of [headOf, headSaid, headItself]) {
    const first = kids.find((o) => find(o));
    const boxes = first ? kids.filter((o) => o.tagName === first.tagName && o.classList[0] === first.classList[0]) : [];
    const heads = boxes.length > 1 ? boxes.map(find) : [];
    if (!heads.length || !heads.every((o) => o && o.tagName === heads[0].tagName)) continue;
    if (find === headOf && !openAndClose(boxes, heads)) continue;
    const group = { boxes, heads, own: find === headItself ? boxes.map(boxLabel) : ownOf(heads), fold: find === headOf, apart: true };
    if (named(group)) return group;
  }
  const group = stretchesIn(kids);
  return group && named(group) ? group : null;
});
// named: the heads of a group say names: most of them are different ones. Then its things are called so.
const named = (group) => {
  group.called = group.heads.map((o, k) => group.own[k] || contentText(o, 80, true) || contentText(o, 80));
  const said = new Map(group.heads.map((o, k) => [o, group.called[k]]));
  return 2 * new Set(said.values()).size > said.size;
};
// openAndClose: the boxes hold more than their heads, and these open and close it: they say so, some boxes are open and others are not, or
// what they hold is not shown. A link to another page opens nothing here.
const openAndClose = (boxes, heads) => {
  if (boxes.some((o, i) => o === heads[i] || leadsOut(heads[i]))) return false;
  if (!boxes.some((o, i) => Array.from(o.children).some((c) => !c.contains(heads[i])))) return false;
  return heads.some(opens) || new Set(boxes.map((o, i) => open(o, heads[i]))).size > 1 || boxes.some((o, i) => folded(o, heads[i]));
};
const leadsOut = (head) => head.matches('a[href]') && !opens(head) && !/^(#|javascript:)/.test(head.getAttribute('href'));
// headOf: what is operated first in a box, if it is no field.
const headOf = (box) => {
  if (box.matches(NO_BOX)) return null;
  if (box.matches(OPERATED_FIRST)) return box;
  const first = box.firstElementChild;
  const drawn = first && !first.querySelector(OPERATED_FIRST) && !first.matches(OPERATED_FIRST) && pointedAt(first);
  const head = drawn ? first : box.querySelector(OPERATED_FIRST);
  return head && !head.matches('input,select,textarea') ? head : null;
};
const OPERATED_FIRST =
  'summary,button,a[href],[role=button],[role=link],input:not([type=hidden]),select,textarea,[aria-expanded],[onclick]';
const opens = (head) => head.matches('summary,[aria-expanded],[aria-controls]');
// open: something is shown in a box beside the part with its head.
const open = (box, head) => Array.from(box.children).some((c) => !c.contains(head) && visible(c));
// folded: something of a box is not shown beside the part with its head.
const folded = (box, head) =>
  !open(box, head) && Array.from(box.children).some((c) => !c.contains(head) && !rendered(c) && /[\p{L}\p{N}]{2}/u.test(c.textContent));
// headSaid: what a box says that it is called: its label, legend, caption, summary or term, or the first heading in it.
const headSaid = (box) => {
  if (box.matches(NO_BOX + ',li,dt')) return null;
  const by = (box.getAttribute('aria-labelledby') || '').split(/\s+/)[0];
  const label = by && box.getRootNode().getElementById(by);
  if (box.tagName === 'TBODY') return ownRow(box) && box.rows[0].querySelector('th');
  if (box.tagName === 'TABLE' && box.caption) return box.caption;
  return label || box.querySelector(':scope>legend,:scope>summary,:scope>figcaption,:scope>dt') || box.querySelector(HEADINGS);
};
// headItself: a box whose label is not shown heads itself.
const headItself = (box) => (!box.matches(NO_BOX + ',li,' + OTHERS) && boxLabel(box) ? box : null);
const boxLabel = (box) => shorten(box.getAttribute('aria-label'), 80);
// boldLine: a line all of which stands out heads what follows.
const boldLine = (o) =>
  o.matches('p,div') &&
  o.childElementCount === 1 &&
  o.firstElementChild.matches('strong,b') &&
  contentText(o) === contentText(o.firstElementChild);
// stretchesIn: things that have no box of their own: each begins with a heading, a term or a line that stands out among its brothers.
const stretchesIn = (kids) => {
  const bold = !kids.some((o) => o.matches(HEADINGS + ',dt'));
  const first = kids.find((o) => (bold ? boldLine(o) : o.matches(HEADINGS + ',dt')));
  const heads = first ? kids.filter((o) => o.tagName === first.tagName && (!bold || boldLine(o))) : [];
  if (heads.length < 2) return null;
  const out = { boxes: [], heads: [], own: [], fold: false };
  const own = ownOf(heads);
  for (const o of kids) {
    const i = heads.indexOf(o);
    if (i >= 0) out.last = i;
    if (out.last === undefined) continue;
    out.boxes.push(o);
    out.heads.push(heads[out.last]);
    out.own.push(own[out.last]);
  }
  return out;
};

// ownOf: what alike controls are called by: the text in the one place that has another one in each, and that says nothing of the others.
// '' where more than one place is so, and none of them is the only heading: a state or a figure may be another one in each as well, for as
// long as it lasts. So may what stands in other places in each.
const ownOf = (heads) => {
  const parts = heads.map(partsOf);
  const said = new Map(); // text -> in how many heads
  for (const all of parts) for (const text of new Set(Array.from(all.values(), (o) => o.text))) said.set(text, (said.get(text) || 0) + 1);
  const places = new Map(); // what one says in each head -> {rank, texts}
  let shared = 0; // the rank of a place that says the same in some of them
  for (const slot of parts[0].keys()) {
    const its = parts.map((all) => all.get(slot));
    if (!its.every(Boolean)) continue;
    const rank = Math.min(...its.map((o) => o.rank));
    if (!its.every((o) => said.get(o.text) === 1)) {
      shared = Math.max(shared, rank); // two things of one name
      continue;
    }
    const texts = its.map((o) => o.text);
    const same = places.get(texts.join('\n'));
    places.set(texts.join('\n'), { rank: Math.max(same ? same.rank : 0, rank), texts });
  }
  const best = Math.max(...Array.from(places.values(), (o) => o.rank));
  const [name, ...more] = Array.from(places.values()).filter((o) => o.rank === best);
  if (!name || shared > best || more.length || !name.texts.every((text) => telling.test(text)) || elsewhere(parts, best))
    return heads.map(() => '');
  return parts.map((all, i) => (all.size > 1 ? name.texts[i] : ''));
};
const telling = /\p{L}{2}|\p{L}\d|\d\p{L}/u;
// elsewhere: of the places that some heads do not have, each head has one of a rank, and says another text there.
const elsewhere = (parts, rank) => {
  const own = ([slot, o]) => o.rank >= rank && !parts.every((all) => all.has(slot));
  const says = (all) =>
    Array.from(all)
      .filter(own)
      .map((of) => of[1].text);
  const said = parts.map((all) => says(all).join(' '));
  return said.every(Boolean) && new Set(said).size === said.length;
};
// partsOf: the texts of a control by the places that they have in it. A heading says more about a name than what stands beside it; a state
// may be emphasised as well.
const partsOf = (el) => {
  const out = new Map();
  for (const { around, data } of textsOf(el)) {
    const text = shorten(data, 80);
    if (!/[\p{L}\p{N}]/u.test(text)) continue;
    let path = '';
    let rank = 0;
    let mute = false;
    for (let at = around; at !== el; at = at.parentElement) {
      path = at.tagName + '>' + path;
      mute = mute || at.matches('style,script,svg,[aria-hidden=true]');
      if (/^H[1-6]$/.test(at.tagName)) rank = 1;
    }
    if (mute) continue;
    let slot = path;
    for (let i = 1; out.has(slot); i++) slot = path + i;
    out.set(slot, { text, rank });
  }
  return out;
};
// textsOf: the first texts in an element; what a program put together, "Room " and "7", is one. Between the parts of a template there
// may be many blanks.
const textsOf = (el) => {
  const out = [];
  const walk = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  for (let n = 0, last = null; n < 400 && out.length < 20 && walk.nextNode(); n++) {
    const node = walk.currentNode;
    let before = node.previousSibling;
    while (before && before.nodeType === Node.COMMENT_NODE) before = before.previousSibling;
    if (last && before === last) out[out.length - 1].data += node.data;
    else if (node.data.trim()) out.push({ around: node.parentElement, data: node.data });
    else continue;
    last = node;
  }
  return out;
};

// panelItem: the panel around a control, called by its head: {el, key, card, others: what the panels beside it are called, boxes: all of
// them, if each is an element, group: as headsIn has it, each: whether another one has the same control}; null outside of one. A panel that
// opens and closes has all that is done in it, in another part than the head, which is alone in its own, if others are of its kind. Any
// other one has what another one has as well, and nothing is filled in there: sections with fields are parts of a form.
const panelItem = (inner) => {
  const el = outside(inner);
  if (el.matches(ENTRIES)) return null;
  for (let at = el, n = 0; at && at.parentElement && n < 9 && !at.matches(OUT_OF_PANELS); at = at.parentElement, n++) {
    const group = headsIn(at.parentElement);
    const i = group ? group.boxes.indexOf(at) : -1;
    if (i < 0 || (at === el && group.apart)) continue;
    const head = group.heads[i];
    if (inLayer(el, at)) return null;
    const each = eachHas(group, i, el);
    if (group.fold) {
      const part = Array.from(at.children).find((c) => c.contains(head));
      if (part.contains(el) || (part !== head && part.querySelectorAll(OTHERS).length > 1)) return null;
      if (el.parentElement === at && head.tagName !== 'SUMMARY') return null;
      if (!each && !(el.matches(OTHERS) && ofAKind(group))) continue; // what is drawn there may be a thing itself, as a paper in a folder
    } else if (el.contains(head) || !each || hasFields(group)) continue;
    const others = group.called.filter((_, k) => group.heads[k] !== head);
    return { el: at, key: group.called[i], card: true, others, group, boxes: group.apart ? group.boxes : null, each };
  }
  return null;
};
// eachHas: a thing under another head has the same control. deedsOf: what can be done in the things of a group, with elements of one kind:
// what it says -> under which heads, '' for an icon.
const eachHas = (group, i, el) => {
  const says = deedSaid(el);
  const heads = says || wordless(el) ? deedsOf(group, el.tagName).get(says) : null;
  return !!heads && (heads.size > 1 || !heads.has(group.heads[i]));
};
const deedsOf = (group, tag) => {
  group.deeds = group.deeds || new Map();
  if (group.deeds.has(tag)) return group.deeds.get(tag);
  const out = new Map();
  group.deeds.set(tag, out);
  group.boxes.forEach((o, k) => {
    for (const e of [o, ...Array.from(o.querySelectorAll(tag)).slice(0, 40)]) {
      if (e.tagName !== tag || e === group.heads[k] || e.contains(group.heads[k])) continue;
      const says = deedSaid(e);
      if (says || wordless(e)) out.set(says, (out.get(says) || new Set()).add(group.heads[k]));
    }
  });
  return out;
};
// ofAKind: the things of a group have something to be done in common, or what is in them is made only when they are opened.
const ofAKind = (group) => {
  if (group.boxes.filter((o, k) => Array.from(o.children).some((c) => !c.contains(group.heads[k]))).length < 2) return true;
  return ['BUTTON', 'A', 'INPUT'].some((tag) => Array.from(deedsOf(group, tag)).some(([says, heads]) => says && heads.size > 1));
};
const hasFields = (group) => {
  if (group.fields === undefined) group.fields = group.boxes.some((o) => o.matches(ENTRIES) || o.querySelector(ENTRIES));
  return group.fields;
};

// listItem: the one of several things that a target belongs to: its panel, or its row or list entry. panelOf: what stands in a panel's list
// belongs to its entry there, unless that says nothing but what can be done there, and each panel has it.
const listItem = (inner) => panelOf(inner) || entryItem(inner);
const panelOf = (inner) => {
  const panel = guarded(panelItem)(inner);
  const own = panel && entryItem(inner);
  if (!own || !panel.el.contains(own.el) || panel.el === own.el || ownRow(panel.el) === own.el) return panel || null;
  return panel.each && onlyDeeds(own.el) ? panel : null;
};
// ownRow: the only row of a part of a table, below the row that heads the part.
const ownRow = (el) => (el.tagName === 'TBODY' && el.rows.length === 2 && el.rows[0].cells.length === 1 ? el.rows[1] : null);
const onlyDeeds = (el) => {
  const walk = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  for (let n = 0; walk.nextNode(); n++)
    if (n > 40 || (/[\p{L}\p{N}]/u.test(walk.currentNode.data) && !walk.currentNode.parentElement.closest(OTHERS))) return false;
  return true;
};
