// Similar things side by side that are rows only visually: cards, mails, posts. A control that each of them has
// belongs to the one it stands in. Icons in rows and cards have no name: they are identified by their row, their
// drawing and their position among its icons.

const wordless = (el) =>
  !/[\p{L}\p{N}]{2}/u.test(el.textContent.slice(0, 200) + ' ' + outside(el).textContent.slice(0, 200)) && !el.querySelector(OTHERS);

// cardOf: the nearest element around a control that has siblings of its kind and more text than the control: each
// sibling has such an icon, or one of them a control with the same text, or a box to tick with the same title. Around an editor
// it is the only sibling with a field. Around a text it has several parts, as its siblings have: texts, or a picture.
const cardOf = (inner) => {
  const box = boxSaid(inner);
  const editor = inner.matches(ENTRIES) && !box;
  const el = outside(inner);
  const icon = !editor && !box && wordless(el);
  const says = icon || editor || box ? '' : deedSaid(el);
  const bare = !icon && !editor && !box && !says;
  if (bare && (!TEXTS.has(role(el)) || el.childElementCount)) return null;
  for (let at = up(el), n = 0; at && n < 7 && (!at.matches('body,form,table,tr,li,fieldset,nav') || onlySends(at)); at = up(at), n++) {
    if (!shows(at) || at.matches(CELLS)) continue;
    const peers = alikeBeside(at);
    if (!peers.length) continue;
    const entries = allIn(at, ENTRIES).length;
    if (entries > 1 && !peers.some((p) => allIn(p, ENTRIES).length)) return null; // an editor beside things
    if (editor && entries > 1) return null;
    let alike;
    if (box) alike = leafTexts(at).length > 0 && peers.some((p) => ticksAlike(p, box));
    else if (icon) alike = peers.every((p) => allIn(p, el.tagName).length);
    else if (!leafTexts(at).some((t) => t !== says)) alike = false;
    else if (editor) alike = peers.length > 1 && (!peers.some((p) => allIn(p, ENTRIES).length) || fieldInEach(inner, at, peers));
    else if (says) alike = peers.some((p) => hasDeed(p, el, says));
    else alike = partsAround(el, at) && peers.every((p) => tagsIn(p) === tagsIn(at) && (holdsParts(at) || pictured(p)));
    if (alike) return inLayer(el, at) ? null : { el: at, peers };
  }
  return null;
};
// fieldInEach: things beside each other have a field each, which is called the same in all: it belongs to its thing, and is no line of a
// form.
const fieldInEach = (el, at, peers) =>
  peers.every((p) => {
    const all = allIn(p, ENTRIES);
    return all.length === 1 && all[0].tagName === el.tagName && label(all[0]) === label(el);
  }) && leafTexts(at).some((t) => !peers.some((p) => leafTexts(p).includes(t)));
// onlySends: a form without anything to fill in is the wrapping of its buttons.
const onlySends = (el) => el.tagName === 'FORM' && !asks(el);
// asks: a form has something to fill in: a field of its own, which may be outside of its element, or a text in it that is no field.
const asks = (form) =>
  [...Array.from(form.elements), ...form.querySelectorAll(ENTRIES)].some(
    (e) => e.matches(ENTRIES) && (e.form === undefined || e.form === form),
  );
// sendsForm: pressing a button sends a form that asks nothing, to be acted upon: by POST.
const sendsForm = (el) => {
  if (!el.matches('button,input[type=submit],input[type=image]') || el.type === 'button' || el.type === 'reset' || !el.form) return false;
  const by = el.getAttribute('formmethod') || el.form.getAttribute('method') || '';
  return by.toLowerCase() === 'post' && !asks(el.form);
};
// inCover: something that covers the window lies between a control and what seems to be its entry, or is that entry. What is in it belongs
// to none of the things beside it, which are under it. inLayer: that, or a dialog. A dialog may be one of several boxes that only look
// alike; in a row that is marked up as one, a dialog that covers nothing is the row's own, such as its menu.
const inCover = (el, entry) => between(el, entry, coversWindow);
const inLayer = (el, entry) => between(el, entry, (at) => at.matches('dialog,[role=dialog],[role=alertdialog]') || coversWindow(at));
const between = (el, entry, test) => {
  for (let at = up(el); at && surrounds(entry, at); at = up(at)) if (test(at)) return true;
  return false;
};
const coversWindow = (el) => {
  if (getComputedStyle(el).position !== 'fixed') return false;
  const box = el.getBoundingClientRect();
  return box.width >= 0.9 * window.innerWidth && box.height >= 0.9 * window.innerHeight;
};
// placeRole: what opened over the page, covers the window and has a heading is a dialog, whether it says so or not.
const placeRole = (el) => {
  const r = role(el);
  return MAY_COVER.test(r) && overPage(el) ? 'dialog' : r;
};
const MAY_COVER = /^(generic|main|region|form|article|complementary)$/;
const overPage = briefly((el) => coversWindow(el) && !!headingIn(el) && covers(el, el.getBoundingClientRect()));
// iconEntry: an entry of a menu is no row, but in an entry where a control has a name and another one is an icon, as in the entries
// beside it, the icon belongs to what is named.
const iconEntry = (el, at) => {
  if (el === at || !wordless(el) || at.closest('[role=tab],[role=tablist],[role=toolbar],thead')) return null;
  const parts = (entry) => {
    const all = Array.from(entry.querySelectorAll(OPERATED_IN_ENTRIES)).slice(0, 9);
    const named = all.filter((o) => !wordless(o));
    return named.length === 1 && all.length > 1 && contentText(named[0], 80);
  };
  const key = parts(at);
  const peers = Array.from(at.parentNode.children).filter((o) => o !== at && o.tagName === at.tagName);
  return key && peers.slice(0, 60).some((o) => parts(o) && parts(o) !== key) ? { el: at, key } : null;
};
const OPERATED_IN_ENTRIES = 'a,button,[role=button],[role=link],[role^=menuitem]';

// boxSaid: what a box to tick says to whom points at it, which is the same in every row; '' for one with a label of its own.
const TICKABLE = 'input[type=checkbox],[role=checkbox],[role=switch]';
const boxSaid = (el) =>
  el.matches(TICKABLE) && !el.closest('label') && !(el.labels && el.labels.length)
    ? shorten(el.getAttribute('aria-label') || el.title || '', 80)
    : '';
const ticksAlike = (row, box) => allIn(row, TICKABLE).some((o) => boxSaid(o) === box);
// entryHead: what an entry of several parts is called by, as the entries beside it are: its first part, where each has another one. What
// stands behind it, a number or a word of explanation, may be another next time.
const entryHead = (el) => headOfEntry(el) || guarded(headOwn)(el) || '';
const headOfEntry = (inner) => {
  let el = inner; // a box may hold nothing else yet
  while (el.parentElement && el.parentElement !== document.body && el.parentElement.childElementCount === 1) el = el.parentElement;
  const head = el.parentElement ? headIn(el) : '';
  if (!/\p{L}/u.test(head) || head.length > 60) return '';
  const list = (headsOf(el.parentElement) || new Map()).get(kindOf(el));
  if (!list || !list.n) return '';
  const same = list.by.get(head) || [];
  return list.n > same.length && same.every((o) => o === el) ? head : '';
};
const headIn = (e) => {
  while (e.childElementCount === 1) e = e.firstElementChild;
  const bare = Array.from(e.childNodes).some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
  if (e.childElementCount < 2 || bare || e.querySelector(OTHERS)) return '';
  let head = e.firstElementChild; // of a part of several lines it is the first
  while (head.childElementCount && !ownText(head)) head = head.firstElementChild;
  return contentText(head, 80);
};
// headsOf: the first parts of a list's entries, for each kind of them {n, by: head -> entries}, n = 0 where one has none; null if they
// are too many to be read while somebody waits. What heads the list or stands between its entries is of another kind.
const MOST_ENTRIES = 1000;
const headsOf = briefly((list) => {
  if (list.childElementCount > MOST_ENTRIES) return null;
  const out = new Map();
  for (const o of list.children) {
    if (!rendered(o)) continue;
    const kind = kindOf(o);
    if (!out.has(kind)) out.set(kind, { n: 0, headless: false, by: new Map() });
    const of = out.get(kind);
    const head = !of.headless && headIn(o);
    of.headless = !head;
    of.n = head ? of.n + 1 : 0;
    if (!head) continue;
    if (of.by.has(head)) of.by.get(head).push(o);
    else of.by.set(head, [o]);
  }
  return out;
});
const kindOf = (e) => e.tagName + '.' + (e.classList[0] || '');
const holdsParts = (el) => leafTexts(el).length > 1 && el.children.length > 1;
// partsAround: a text stands among the texts of a thing, or names the picture beside it. Beside a field it would be a label, and in a menu
// an entry.
const TEXTS = new Set(['generic', 'paragraph', 'heading']);
const partsAround = (text, el) =>
  (role(text) === 'generic' && holdsParts(el)) || (pictured(el) && !allIn(el, ENTRIES).length && !el.closest(MENUS_AND_HEADS));
const MENUS_AND_HEADS = 'nav,[role=navigation],[role=tablist],[role=menu],[role=menubar],[role=toolbar],thead,header,footer';
// pictured: something in an element, of few parts, is drawn and says nothing.
const pictured = (el) => {
  const all = allIn(el, '*');
  return all.length <= 40 && all.some((e) => !/[\p{L}\p{N}]/u.test(e.textContent) && isPicture(e));
};
const isPicture = (e) => e.matches('img,svg,canvas,video,picture') || /url\(/.test(getComputedStyle(e).backgroundImage);
// deedSaid: the text of a control that may stand in every row; '' for fields and for long texts.
const deedSaid = (el) => {
  const pressed = el.matches('button,a,input[type=button],input[type=submit],[role=button]') || pointedAt(el) || drawnInside(el);
  if (!pressed || el.querySelector(OTHERS)) return '';
  const said = name(el) || contentText(el, 60);
  return said.length <= 40 ? said : '';
};
const pointedAt = (el) => role(el) === 'generic' && operated(el);
const hasDeed = (row, el, says) =>
  allIn(row, el.tagName)
    .slice(0, 40)
    .some((o) => deedSaid(o) === says);
const alikeBeside = (el) =>
  Array.from(el.parentNode ? el.parentNode.children : []) // of a shadow root, too
    .slice(0, 60)
    .filter((o) => o !== el && shows(o) && rendered(o) && (ofItsKind(el, o) || (!el.className && !o.className && drawnAlike(el, o))));
const drawnAlike = (el, o) => o.tagName === el.tagName && tagsIn(o) === tagsIn(el) && el.children.length > 1;
const tagsIn = (el) => Array.from(el.children, (c) => c.tagName).join();

// cardItem: a card with its heading, if no other card has that heading, or else its first text that no other card has,
// by which a person identifies it. Another card may mention what this one's heading says: a list beside the things.
const cardItem = (el) => {
  const dragged = nearest(el, '[draggable=true]');
  if (dragged && shows(dragged)) return { el: dragged, key: leafTexts(dragged)[0] || contentText(dragged, 80), card: true };
  const card = cardOf(el);
  if (!card) return null;
  const heading = cardHeading(card.el);
  if (heading && !card.peers.some((p) => cardHeading(p) === heading)) return { el: card.el, key: bareName(heading), card: true };
  const others = new Set(card.peers.flatMap(everyLeaf));
  const said = new Set(everyLeaf(card.el));
  const own = leafTexts(card.el).filter((t) => said.has(t) && !others.has(t));
  if (!own.length) return null;
  const around = own.length > 1 ? textAround(card.el.parentElement) : '';
  const key = (own.find((t) => around.includes(bareName(t))) || own[0]).trim();
  return { el: card.el, key: bareName(key), card: true };
};
const textsIn = (el) => {
  const out = [];
  const walk = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  while (walk.nextNode() && out.length < 9) if (walk.currentNode.data.trim()) out.push(walk.currentNode.data);
  return out;
};
const cardHeading = (card) => {
  const all = allIn(card, 'h1,h2,h3,h4,h5,h6,[role=heading]').filter(visible);
  const texts = all.length === 1 ? textsIn(all[0]) : [];
  const text = texts.length === 1 ? shorten(texts[0], 80) : ''; // of several, nobody knows which is the name
  return /[\p{L}\p{N}]{2}/u.test(text) ? text : '';
};
// everyLeaf: the texts of a card's elements, those of its closed parts included: a control that each card has in such a part
// names none of them. What can be chosen in a card is left out: it may be another card's name.
const everyLeaf = (el) =>
  allIn(el, '*:not(option)')
    .slice(0, 400)
    .filter((e) => !e.childElementCount && !chosenIn(el, e))
    .map((e) => shorten(e.textContent, 80));
const chosenIn = (card, e) => {
  const choice = nearest(e, '[role=option],[role^=menuitem]');
  return choice && choice !== card && surrounds(card, choice);
};
// bareName: a name without the mark that says it is somebody's name.
const bareName = (text) => text.replace(/^[@#]\s*/, '');
// textAround: the text before and after a list: an instruction there may say which of its items is meant.
const textAround = (list) => {
  let text = '';
  for (let at = list, n = 0; at && at.parentElement && n < 3; at = at.parentElement, n++)
    for (const o of Array.from(at.parentElement.children)) if (o !== at && visible(o)) text += ' ' + o.textContent.slice(0, 400);
  return text;
};
const leafTexts = briefly((el) => {
  const out = [];
  for (const e of allIn(el, '*')) {
    if (out.length > 20) break;
    const text = e.childElementCount ? '' : shorten(e.textContent, 80);
    if (/\p{L}{2}|\d/u.test(text) && visible(e)) out.push(text);
  }
  return out;
});

// spotOf: an icon's position among the icons of its row or card, "2/3", or a text's among its texts, "text 2/4"; ''
// for what has a name.
const spotOf = (inner, around) => {
  const el = outside(inner);
  if (!wordless(el)) return textSpot(el, around);
  const isIcon = (e) => wordless(e) && rendered(e) && (operated(e) || drawnInside(e)) && !holdsIcons(e);
  const all = allIn(around, '*').filter((e) => isIcon(e) && !operatedWithin(e, around));
  const at = all.findIndex((e) => e === el || e.contains(el) || el.contains(e));
  return at < 0 ? '' : at + 1 + '/' + all.length;
};
const textSpot = (el, around) => {
  if (role(el) !== 'generic' && !el.matches(CELLS)) return '';
  const parts = Array.from(around.querySelectorAll('*')).filter((e) => !e.childElementCount && rendered(e) && !e.closest('button,a,svg'));
  const at = parts.findIndex((e) => e === el || el.contains(e));
  return at < 0 || parts.length < 2 ? '' : 'text ' + (at + 1) + '/' + parts.length;
};
const operatedWithin = (el, around) => {
  for (let at = up(el); at && at !== around; at = up(at)) if (operated(at) && wordless(at) && !holdsIcons(at)) return true;
  return false;
};

// drawnAs: a hash of how an icon is drawn: its paths, image, sprite part or glyph, whatever its classes are called.
// '' if it is not drawn by any of these.
const drawnAs = (inner) => {
  const el = outside(inner);
  if (!wordless(el) || /[\p{L}\p{N}]{2}/u.test(oneLine(el.textContent, 200).slice(0, 200))) return '';
  const seen = [];
  const drawing = (at) => [at, ...Array.from(at.querySelectorAll('*')).slice(0, 20)];
  for (const e of el === inner ? drawing(el) : drawing(el).concat(drawing(inner))) {
    for (const a of ['d', 'points']) if (e.hasAttribute(a)) seen.push(e.getAttribute(a));
    const href = e.getAttribute('href') || e.getAttribute('xlink:href') || '';
    if (e.tagName.toLowerCase() === 'use') seen.push(href.slice(href.indexOf('#')));
    if (e.tagName === 'IMG') seen.push((e.getAttribute('src') || '').split(/[?#]/)[0].slice(-80));
    for (const part of [null, '::before', '::after']) {
      const s = getComputedStyle(e, part);
      if (part && s.content !== 'none' && s.content !== 'normal' && s.content !== '""') seen.push(s.content);
      for (const picture of [s.backgroundImage, s.maskImage])
        if (picture && picture !== 'none') seen.push(picture.slice(-120), s.backgroundPosition);
    }
  }
  const glyph = el.textContent.trim();
  if (glyph) seen.push(glyph);
  return seen.length ? hashOf(seen.join('\n')) : '';
};

// iconOn: the icon that was pressed on a card that is pressed itself; null on what is no card. A page that takes the icon for a part of
// the card hears of its press all the same.
const iconOn = (pressed, card) => {
  if (pressed === card || !wordless(pressed) || !small(pressed) || !repeats(card)) return null;
  let icon = pressed;
  for (let at = icon; at !== card && wordless(at) && small(at) && !holdsIcons(at); at = up(at)) icon = at;
  return holdsIcons(up(icon)) || holdsParts(card) ? icon : null;
};
// holdsIcons: it has boxes side by side that say nothing.
const holdsIcons = (el) => {
  const boxes = Array.from(el.children)
    .filter((o) => 'offsetWidth' in o && wordless(o) && small(o))
    .map((o) => o.getBoundingClientRect());
  return boxes.some((b, i) => i && (b.left >= boxes[i - 1].right || b.top >= boxes[i - 1].bottom));
};
const MOST_ICON = 48; // px: what is larger is a picture
const small = (el) => {
  const box = el.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && box.width <= MOST_ICON && box.height <= MOST_ICON;
};
