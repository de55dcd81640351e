// Changes that people make to a page between two releases, applied to the open page. Runs in the page's own world;
// the truth is kept in variables of that world, which a finder in another one cannot see. __truths[i] is the element
// that step i means.

let seed = 7;
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
const token = () => 'x' + Math.floor(random() * 1e9).toString(36);
const all = (q, root = document) => Array.from(root.querySelectorAll(q));
const isControl = (el) =>
  el.matches('a,button,input,select,textarea,[role=button],[role=link],[role=checkbox],[role=switch],[role=tab],[contenteditable]');
const textOf = (el) => el.textContent.replace(/\s+/g, ' ').trim();

// replace replaces one element by another and keeps it the truth.
const replace = (old, fresh) => {
  old.replaceWith(fresh);
  __truths.forEach((t, i) => {
    if (t === old) __truths[i] = fresh;
  });
};
const retag = (el, tag, attributes = {}) => {
  const fresh = document.createElement(tag);
  for (const a of el.attributes) if (!['href', 'type', 'disabled', 'name', 'value'].includes(a.name)) fresh.setAttribute(a.name, a.value);
  for (const [k, v] of Object.entries(attributes)) if (v !== undefined && !fresh.hasAttribute(k)) fresh.setAttribute(k, v);
  fresh.append(...el.childNodes);
  replace(el, fresh);
  return fresh;
};
const reword = (table, text) => {
  const bare = text.replace(/\s+/g, ' ').trim().replace(/[:*]$/, '');
  return table[bare] && text.replace(text.trim(), table[bare]);
};
// own texts: those of controls, their labels and the names of places.
const texts = () => {
  const out = [];
  for (const el of all('a,button,label,legend,[role=tab],[role=button]')) {
    const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(); n; n = walker.nextNode()) if (n.data.trim() && !n.parentElement.closest('select')) out.push(n);
  }
  for (const el of all('[aria-labelledby]'))
    for (const id of el.getAttribute('aria-labelledby').split(' ')) {
      const l = document.getElementById(id);
      if (l && isControl(el)) out.push(...l.childNodes);
    }
  for (const el of all('td')) {
    // labels of old pages
    if (el.nextElementSibling && el.nextElementSibling.querySelector('input,select') && !el.children.length) out.push(...el.childNodes);
  }
  return Array.from(new Set(out)).filter((n) => n.nodeType === Node.TEXT_NODE);
};
const rewordAll = (table, what) => {
  let n = 0;
  for (const el of all('*')) {
    for (const a of what) {
      const v = el.getAttribute(a) && reword(table, el.getAttribute(a));
      if (v) {
        el.setAttribute(a, v);
        n++;
      }
    }
  }
  return n;
};

const MUTATIONS = {
  // every id changes, with all references to it
  ids() {
    const by = new Map();
    for (const el of all('[id]')) {
      const t = token();
      by.set(el.id, t);
      el.id = t;
    }
    for (const a of ['for', 'aria-labelledby', 'aria-controls', 'aria-describedby', 'list', 'form']) {
      for (const el of all('[' + a + ']'))
        el.setAttribute(
          a,
          el
            .getAttribute(a)
            .split(/\s+/)
            .map((i) => by.get(i) || i)
            .join(' '),
        );
    }
    for (const el of all('[name]')) if (el.type !== 'radio') el.name = token();
  },
  // neighbours swap their ids, names and test ids
  idswap() {
    const by = all('input,select,textarea,button,a').filter((el) => el.type !== 'radio');
    let n = 0;
    for (let i = 0; i + 1 < by.length; i += 2) {
      const [a, b] = [by[i], by[i + 1]];
      const of = (el) => Array.from(el.labels || []).filter((l) => l.htmlFor === el.id);
      const [la, lb] = [of(a), of(b)];
      for (const k of ['id', 'name', 'data-testid']) {
        const [va, vb] = [a.getAttribute(k), b.getAttribute(k)];
        if (va === null || vb === null || va === vb) continue;
        n++;
        a.setAttribute(k, vb);
        b.setAttribute(k, va);
      }
      la.forEach((l) => {
        l.htmlFor = a.id;
      });
      lb.forEach((l) => {
        l.htmlFor = b.id;
      });
    }
    return n > 0;
  },
  // the target is gone, or only one of the targets: refusing is right
  gone(only) {
    for (const t of only === undefined ? __truths : [__truths[only]]) {
      for (const l of Array.from(t.labels || [])) if (!l.contains(t)) l.remove();
      (t.closest('label') || t).remove();
    }
  },
  // an element of the same name stands right before the target
  twins() {
    for (const t of new Set(__truths)) {
      const twin = t.cloneNode(true);
      for (const el of [twin, ...all('*', twin)])
        for (const a of Array.from(el.attributes))
          if (a.name === 'id' || a.name === 'name' || a.name.startsWith('data-')) el.removeAttribute(a.name);
      const labels = t.labels ? Array.from(t.labels, textOf).join(' ') : '';
      if (labels && !twin.hasAttribute('aria-label')) twin.setAttribute('aria-label', labels);
      (t.closest('label') || t).before(twin);
    }
  },
  // the target has an unknown name and no ids, and something elsewhere has its old name
  usurped() {
    MUTATIONS.lookalikes();
    for (const t of new Set(__truths)) {
      const own = [t, ...Array.from(t.labels || [])];
      for (const el of own) {
        for (const a of ['aria-label', 'title', 'placeholder', 'alt']) if (el.hasAttribute(a)) el.setAttribute(a, 'Zorp ' + token());
        const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
        for (let n = walker.nextNode(); n; n = walker.nextNode())
          if (n.data.trim() && !n.parentElement.closest('select')) n.data = 'Zorp ' + token();
        if (el.tagName === 'INPUT' && ['submit', 'reset', 'button'].includes(el.type)) el.value = 'Zorp ' + token();
      }
    }
    MUTATIONS.testids();
    MUTATIONS.ids();
  },
  classes() {
    for (const el of all('[class]')) el.className = Array.from(el.classList, token).join(' ') + ' ' + token();
    for (const el of all('div,section')) el.classList.add(token());
  },
  testids() {
    for (const el of all('*')) for (const a of Array.from(el.attributes)) if (a.name.startsWith('data-')) el.removeAttribute(a.name);
  },
  // fields, buttons, links and choices in another order
  order() {
    for (const box of all(
      'form,fieldset,nav,[role=toolbar],[role=tablist],.actions,.toolbar,.bar,.quick,.foot,ul.menu,[role=group],' +
        'footer,.grid,.row,li,td,.col,section,.pager,.tabs,.compose,dl',
    )) {
      const units = [];
      let unit = [];
      for (const n of Array.from(box.childNodes)) {
        unit.push(n);
        const field =
          n.nodeType === 1 && (isControl(n) || (n.querySelector && n.querySelector('input,select,textarea,button,a,[role=checkbox]')));
        if (field) {
          units.push(unit);
          unit = [];
        }
      }
      if (units.length < 2) continue;
      const heads = units[0].filter((n) => n.nodeType === 1 && n.matches('h1,h2,h3,legend'));
      units[0] = units[0].filter((n) => !heads.includes(n));
      box.append(...heads, ...units.reverse().flat(), ...unit);
      const after = document.createComment('');
      box.append(after);
    }
  },
  nesting() {
    for (const el of all('form,button,input,select,textarea,a,nav,table,h1,h2')) {
      if (el.parentElement.matches('table,thead,tbody,tr,ul,ol,select,label')) continue;
      const inner = document.createElement('div');
      const outer = document.createElement('div');
      if (isControl(el)) inner.style.display = outer.style.display = 'inline-block';
      el.replaceWith(outer);
      outer.append(inner);
      inner.append(el);
    }
    for (const el of all('button,a'))
      if (!el.children.length && el.textContent.trim()) {
        const s = document.createElement('span');
        s.append(...el.childNodes);
        el.append(s);
      }
  },
  wording() {
    let n = 0;
    for (const t of texts()) {
      const v = reword(REWORDED, t.data);
      if (v) {
        t.data = v;
        n++;
      }
    }
    n += rewordAll(REWORDED, ['aria-label', 'title', 'placeholder', 'alt']);
    for (const el of all('input[type=submit],input[type=reset],input[type=button]'))
      if (REWORDED[el.value]) {
        el.value = REWORDED[el.value];
        n++;
      }
    return n > 0;
  },
  // the texts in attributes, and the page's language
  language() {
    document.documentElement.lang = document.documentElement.lang === 'de' || document.documentElement.lang === 'fr' ? 'en' : 'de';
    return rewordAll(TRANSLATED, ['aria-label', 'title', 'placeholder', 'alt']) > 0;
  },
  // elements of the same name elsewhere, and hidden twins
  lookalikes() {
    const aside = document.createElement('aside');
    aside.innerHTML = '<h2>Related</h2><form aria-label="Quick actions"></form>';
    const hidden = document.createElement('div');
    hidden.style.display = 'none';
    for (const t of new Set(__truths)) {
      const twin = t.cloneNode(true);
      for (const el of [twin, ...all('*', twin)])
        for (const a of Array.from(el.attributes))
          if (a.name === 'id' || a.name === 'name' || a.name.startsWith('data-')) el.removeAttribute(a.name);
      const labels = t.labels ? Array.from(t.labels, textOf).join(' ') : '';
      if (labels && !twin.hasAttribute('aria-label')) twin.setAttribute('aria-label', labels);
      hidden.append(twin.cloneNode(true));
      if (t.closest('tr,li,[role=row],[role=listitem]')) continue;
      aside.lastChild.append(twin);
    }
    (document.querySelector('main') || document.body).prepend(hidden);
    document.body.append(aside);
  },
  // forms and sections move to another place and container
  sections() {
    const host = document.querySelector('main') || document.body;
    const parts = all('form,section,table,ul,.toolbar,.card,nav').filter(
      (el) => !el.parentElement.closest('form,section,table,ul,nav,[role=dialog],.card,.toolbar,label') && !el.closest('.modal'),
    );
    if (parts.length < 1) return false;
    const column = document.createElement('div');
    column.className = 'column';
    column.style.marginLeft = '40px';
    for (const p of parts.reverse()) {
      let head = p.previousElementSibling;
      const box = document.createElement('article');
      if (head && head.matches('h2,h3')) box.append(head);
      box.append(p);
      column.append(box);
    }
    host.append(column);
    return true;
  },
  tags() {
    for (const el of all('button'))
      if (el.type !== 'submit' || !el.form || random() < 0.6)
        retag(el, 'div', { role: el.getAttribute('role') || 'button', tabindex: '0' });
    for (const el of all('a[href]')) {
      const href = el.getAttribute('href');
      if (random() < 0.5) retag(el, 'span', { role: 'link', tabindex: '0', 'data-href': href });
      else if (random() < 0.5) {
        el.setAttribute('role', 'button');
      }
    }
    for (const el of all('h2,h3')) retag(el, 'div', { role: 'heading', 'aria-level': el.tagName[1] });
    for (const el of all('input[type=submit]')) {
      const b = document.createElement('button');
      b.textContent = el.value;
      replace(el, b);
    }
    for (const el of all('section,form'))
      if (el.tagName === 'SECTION')
        retag(el, 'div', { role: el.hasAttribute('aria-label') || el.hasAttribute('aria-labelledby') ? 'region' : undefined });
  },
  // a label beside its field becomes one around it, and vice versa
  labels() {
    let n = 0;
    for (const l of all('label')) {
      const field = l.control;
      if (!field) continue;
      n++;
      if (l.contains(field)) {
        field.id = field.id || token();
        l.htmlFor = field.id;
        l.after(field);
      } else if (l.parentElement === field.parentElement) {
        l.removeAttribute('for');
        l.append(' ', field);
      }
    }
    return n > 0;
  },
  // native controls become custom ones with ARIA, and names move into attributes
  aria() {
    for (const el of all('input,select,textarea')) {
      if (!el.labels || !el.labels.length || el.type === 'radio') continue;
      const l = el.labels[0];
      const copy = l.cloneNode(true);
      for (const f of all('input,select,textarea', copy)) f.remove();
      el.setAttribute('aria-label', textOf(copy));
      if (l.contains(el)) l.replaceWith(el);
      else l.remove();
    }
    for (const el of all('input[type=checkbox]')) {
      const d = document.createElement('span');
      d.setAttribute('role', el.getAttribute('role') || 'checkbox');
      d.setAttribute('aria-checked', String(el.checked));
      if (el.hasAttribute('aria-label')) d.setAttribute('aria-label', el.getAttribute('aria-label'));
      if (el.title) d.title = el.title;
      d.tabIndex = 0;
      d.textContent = '\u2610';
      if (!d.hasAttribute('aria-label') && !d.title) d.setAttribute('aria-label', '');
      replace(el, d);
    }
    for (const el of all('fieldset')) {
      const lg = el.querySelector('legend');
      const d = retag(el, 'div', { role: 'group', 'aria-label': lg ? textOf(lg) : undefined });
      const inner = d.querySelector('legend');
      if (inner) inner.remove();
    }
  },
  hrefs() {
    const links = all('a[href]');
    for (const a of links) {
      const h = a.getAttribute('href');
      a.setAttribute('href', '/app/v2' + (h.startsWith('/') ? h : '/' + h.replace(/[?#]/g, '-')) + '?src=menu');
    }
    return links.length > 0;
  },
  // new entries at the top of tables and lists, and in between
  rows() {
    let n = 0;
    for (const list of all('tbody,[role=table],[role=list],ul.files,ul.tasks,ul.menu,nav ul,.grid,section.col')) {
      const items = Array.from(list.children).filter(
        (c) => c.matches('tr,[role=row],li,[role=listitem],.c,.card') && !c.querySelector('th,[role=columnheader]'),
      );
      if (items.length < 2) continue;
      for (const at of [0, 1]) {
        const copy = items[at].cloneNode(true);
        for (const el of [copy, ...all('*', copy)])
          for (const a of Array.from(el.attributes)) if (a.name === 'id' || a.name.startsWith('data-')) el.removeAttribute(a.name);
        const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
        let changed = 0;
        for (let t = walker.nextNode(); t; t = walker.nextNode()) {
          const inControl =
            t.parentElement.closest('button,[role=button],[role=checkbox],[role=columnheader]') ||
            (t.parentElement.closest('a') && changed);
          if (t.data.trim() && !inControl) {
            t.data = changed++ ? t.data : ['Zeta 9071', 'Quill 5530'][at];
          }
        }
        items[at].before(copy);
        n++;
      }
    }
    return n > 0;
  },
  columns() {
    const rows = all('tr,[role=row]').filter((r) => r.children.length > 2);
    for (const r of rows) r.append(r.firstElementChild);
    return rows.length > 0;
  },
  headings() {
    const table = {
      Orders: 'All orders',
      Checkout: 'Your order',
      'Edit contact': 'Contact',
      Settings: 'Preferences',
      Profile: 'My profile',
      'Sales report': 'Sales',
      Tasks: 'My tasks',
      Stock: 'Inventory',
      Services: 'Running services',
      Donate: 'Support us',
      Users: 'People',
      'New invoice': 'Invoice',
      Apartments: 'Homes to rent',
    };
    for (const h of all('h1,h2,h3')) {
      const fresh = document.createElement(h.tagName === 'H1' ? 'h2' : 'h4');
      for (const a of h.attributes) fresh.setAttribute(a.name, a.value);
      fresh.textContent = table[textOf(h)] || textOf(h);
      h.replaceWith(fresh);
    }
    return all('h2,h4').length > 0;
  },
  // badges, counts, icons and other characters
  marks() {
    for (const l of all('label'))
      if (l.control && l.control.type !== 'checkbox' && l.control.type !== 'radio')
        l.insertBefore(document.createTextNode(' * '), l.contains(l.control) ? l.control : null);
    for (const b of all('button,[role=tab]')) {
      if (!b.textContent.trim() || b.children.length) continue;
      b.textContent = random() < 0.5 ? b.textContent.toUpperCase() : b.textContent + '\u2026';
      b.insertAdjacentHTML('afterbegin', '<svg width="10" height="10" aria-hidden="true"><title>icon</title></svg>');
    }
    for (const a of all('nav a')) if (!/\(/.test(a.textContent)) a.append(' (7)');
  },
  // a part of the page becomes a component with a shadow root
  shadow() {
    const part = all('form,section,table,[role=table],.files,.tasks').find(
      (el) => __truths.some((t) => el.contains(t)) && !el.parentElement.closest('form,section,table'),
    );
    if (!part) return false;
    const host = document.createElement('app-part');
    part.replaceWith(host);
    host.attachShadow({ mode: 'open' }).append(part);
    return true;
  },
};

// All at once: nearly all mutations, in an order in which none undoes another.
const TOGETHER = [
  'rows',
  'lookalikes',
  'wording',
  'marks',
  'sections',
  'order',
  'columns',
  'labels',
  'tags',
  'hrefs',
  'testids',
  'ids',
  'classes',
  'nesting',
  'headings',
];

const mutate = (kind, only) => {
  if (kind !== 'together') return MUTATIONS[kind](only) !== false;
  for (const k of TOGETHER) MUTATIONS[k]();
  return true;
};

// Nothing that a player does has an effect here; what it hit is recorded.
let __hit = null;
for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'submit', 'keydown', 'focusin', 'change', 'input']) {
  window.addEventListener(
    type,
    (e) => {
      if (type === 'mousedown' || type === 'click') __hit = e.composedPath();
      if (type !== 'focusin') e.preventDefault();
      e.stopImmediatePropagation();
    },
    true,
  );
}
const __isTruth = (i) => (el) => {
  const t = __truths[i];
  return (
    el === t ||
    (t.contains(el) && el !== document) ||
    (el.tagName === 'LABEL' && el.control === t) ||
    (el.closest && el.closest('label') && el.closest('label').control === t && !el.closest('button,a,input,select'))
  );
};
const __outcome = (i) => (!__hit ? 'refused' : __isTruth(i)(__hit[0]) ? 'right' : 'wrong');
