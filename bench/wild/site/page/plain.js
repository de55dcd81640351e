// Widgets of plain HTML. A library replaces them one by one; each gets the element to draw in and reports what was
// entered.
export function h(tag, attrs = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attrs)) {
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (v === true) e.setAttribute(k, '');
    else if (v !== false && v != null) e.setAttribute(k, v);
  }
  e.append(...children.flat(Infinity).filter((c) => c != null));
  return e;
}

let style = {};
let ids = 0;
const load = Math.random().toString(36).slice(2, 7);
export const begin = (spec) => {
  style = spec.style;
};
const id = () => `c${load}${++ids}`;

// labelled ties a label to a control in the page's style.
function labelled(el, label, control) {
  const tie = style.labels;
  if (style.ids || tie === 'for') control.id ||= id();
  if (tie === 'for') return el.append(h('div', { class: 'f' }, h('label', { for: control.id }, label), control));
  if (tie === 'wrap') return el.append(h('div', { class: 'f' }, h('label', {}, label + ' ', control)));
  if (tie === 'aria') {
    control.setAttribute('aria-label', label);
    return el.append(h('div', { class: 'f' }, control));
  }
  if (tie === 'placeholder' && control.matches('input:not([type=checkbox],[type=date],[type=file]), textarea')) {
    control.placeholder = label;
    return el.append(h('div', { class: 'f' }, control));
  }
  if (tie === 'cell') return el.append(h('table', { role: 'presentation' }, h('tr', {}, h('td', {}, label), h('td', {}, control))));
  el.append(h('div', { class: 'f' }, h('span', { class: 'l' }, label), h('span', {}, control)));
}

const typed = (type) => (el, f, set) => {
  const c = type === 'long' ? h('textarea', { rows: 2 }) : h('input', { type });
  c.value = f.value || '';
  c.addEventListener('input', () => set(c.value));
  labelled(el, f.label, c);
};
export const text = typed('text');
export const long = typed('long');
export const number = typed('number');
export const date = typed('date');

export function file(el, f, set) {
  const c = h('input', { type: 'file', onchange: () => set(c.files[0]) });
  labelled(el, f.label, c);
}

export function yes(el, f, set) {
  const c = h('input', { type: 'checkbox', onchange: () => set(c.checked ? 'yes' : '') });
  labelled(el, f.label, c);
}

export function choice(el, f, set) {
  const c = h(
    'select',
    { onchange: () => set(c.value) },
    h('option', { value: '' }, f.choose),
    f.options.map((o) => h('option', {}, o)),
  );
  c.value = f.value || '';
  labelled(el, f.label, c);
}

export function radio(el, f, set) {
  const name = id();
  const box = h('fieldset', {}, h('legend', {}, f.label));
  for (const o of f.options) {
    const c = h('input', { type: 'radio', name, value: o, onchange: () => set(o) });
    c.checked = f.value === o;
    box.append(style.labels === 'beside' ? h('div', {}, c, h('span', { onclick: () => c.click() }, o)) : h('label', {}, c, ' ' + o), ' ');
  }
  el.append(box);
}

const glyphs = {
  bin: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13',
  star: 'M12 3l3 6 6 1-4 5 1 6-6-3-6 3 1-6-4-5 6-1z',
  tick: 'M4 12l6 6L20 6',
  pin: 'M8 4h8l-1 7 3 3H6l3-3zM12 14v6',
  box: 'M3 5h18v4H3zM5 9v11h14V9M10 13h4',
  dots: 'M5 12h1M12 12h1M19 12h1',
  pencil: 'M4 20l4-1L20 7l-3-3L5 16z',
};
export function icon(name) {
  const at = 'http://www.w3.org/2000/svg';
  const s = document.createElementNS(at, 'svg');
  for (const [k, v] of Object.entries({ viewBox: '0 0 24 24', width: 18, height: 18, fill: 'none', stroke: 'currentColor' }))
    s.setAttribute(k, v);
  const p = document.createElementNS(at, 'path');
  p.setAttribute('d', glyphs[name]);
  s.append(p);
  return s;
}

export function button(el, b, press) {
  const form = b.icon ? 'button' : style.buttons;
  const what = b.icon ? icon(b.icon) : b.label;
  const attrs = { class: b.primary ? 'b p' : 'b', title: b.icon && b.named ? b.label : null };
  let c;
  if (form === 'input') c = h('input', { type: 'button', value: b.label, class: attrs.class, onclick: press });
  else if (form === 'link') c = h('a', { href: '#', class: attrs.class, onclick: (e) => (e.preventDefault(), press(e)) }, what);
  else if (form === 'div') c = h('div', { ...attrs, style: 'cursor:pointer;display:inline-block', onclick: press }, what);
  else c = h('button', { type: 'button', ...attrs, onclick: press }, what);
  if (style.ids) c.id = id();
  el.append(c, ' ');
  return c;
}

export function dialog(d) {
  const box = h('dialog', { 'aria-label': d.title }, h('h2', {}, d.title));
  document.body.append(box);
  d.body(box);
  box.showModal();
  return () => box.remove();
}

export function ask(d) {
  if (style.hue % 2) {
    if (confirm(d.text)) d.yes();
    return;
  }
  const close = d.ui.dialog({
    title: d.text,
    body: (el) => {
      d.reg(
        'button:confirm',
        d.ui.button(el, { label: d.confirm, primary: true }, () => (close(), d.yes())),
      );
      d.ui.button(el, { label: d.cancel }, () => close());
    },
  });
}

export function rows(el, t) {
  if (style.rows === 'table') {
    const body = h('tbody');
    el.append(
      h(
        'table',
        { class: 'rows' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            t.columns.map((c) => h('th', {}, c.label)),
            t.tools ? h('th') : null,
          ),
        ),
        body,
      ),
    );
    for (const r of t.rows) {
      const tr = h('tr');
      for (const c of t.columns) {
        const td = h('td');
        t.cell(r, c, td);
        tr.append(td);
      }
      if (t.tools) {
        const td = h('td');
        t.tools(r, td);
        tr.append(td);
      }
      body.append(t.reg('row:' + r.id, tr));
    }
    return;
  }
  const list = h(style.rows === 'cards' ? 'ul' : 'div', { class: 'rows' });
  for (const r of t.rows) {
    const box = h(style.rows === 'cards' ? 'li' : 'div', { class: 'item' });
    t.columns.forEach((c, i) => {
      const part = h(i ? 'span' : 'strong', { class: 'c' });
      t.cell(r, c, part);
      box.append(part, ' ');
    });
    if (t.tools) {
      const part = h('span');
      t.tools(r, part);
      box.append(part);
    }
    list.append(t.reg('row:' + r.id, box));
  }
  el.append(list);
}

export function menu(el, m, pick) {
  const list = h('div', { class: 'menu', role: style.hue % 3 ? 'menu' : null, hidden: true });
  for (const i of m.items)
    list.append(h('div', { role: style.hue % 3 ? 'menuitem' : null, onclick: () => ((list.hidden = true), pick(i)) }, i.label));
  const b = button(el, { label: m.label, icon: 'dots', named: m.named }, (e) => {
    e.stopPropagation?.();
    list.hidden = !list.hidden;
  });
  el.append(list);
  return b;
}

export function tree(el, t, pick) {
  const draw = (nodes, at) =>
    h(
      'ul',
      { class: 'tree' },
      nodes.map((n) => {
        const path = [...at, n.label];
        if (!n.children)
          return h(
            'li',
            {},
            t.reg('node:' + path.join('/'), h('span', { class: 'leaf', onclick: (e) => mark(e.target, n.label) }, n.label)),
          );
        const inner = draw(n.children, path);
        inner.hidden = true;
        return h(
          'li',
          {},
          t.reg(
            'node:' + path.join('/'),
            h(
              'button',
              {
                type: 'button',
                class: 'fold',
                'aria-expanded': 'false',
                onclick: (e) => {
                  inner.hidden = !inner.hidden;
                  e.currentTarget.setAttribute('aria-expanded', String(!inner.hidden));
                },
              },
              n.label,
            ),
          ),
          inner,
        );
      }),
    );
  const mark = (e, label) => {
    el.querySelectorAll('.leaf').forEach((x) => x.removeAttribute('aria-selected'));
    e.setAttribute('aria-selected', 'true');
    pick(label);
  };
  el.append(draw(t.nodes, []));
}

export function pager(el, p, go) {
  const nav = h('nav');
  for (let i = 0; i < p.pages; i++)
    nav.append(
      p.reg(
        'page:' + i,
        h('button', { type: 'button', class: 'b', 'aria-current': i === p.page ? 'page' : null, onclick: () => go(i) }, String(i + 1)),
      ),
      ' ',
    );
  el.append(nav);
}

// A choice between visible alternatives: a list, adjacent buttons, tabs, radio buttons.
const beside = (form) => (el, f, set) => {
  const parts = { list: ['ul', 'li'], buttons: ['div', 'button'], tabs: ['div', 'div'], rows: ['div', 'div'] }[form];
  const roles = { list: [null, null], buttons: ['group', null], tabs: ['tablist', 'tab'], rows: [null, null] }[form];
  const all = h(parts[0], { class: 'pick ' + form, role: roles[0] });
  for (const o of f.options) {
    const e = h(
      parts[1],
      {
        role: roles[1],
        type: form === 'buttons' ? 'button' : null,
        onclick: () => {
          for (const x of all.children) x.classList.toggle('on', x === e);
          set(o);
        },
      },
      form === 'rows' ? [h('b', {}, o), h('small', {}, ' ' + o.length)] : o,
    );
    all.append(e);
  }
  el.append(h('p', { class: 'l' }, f.label), all);
};
export const list = beside('list');
export const buttons = beside('buttons');
export const tabs = beside('tabs');
export const boxes = beside('rows');

export function message(text) {
  const m = h('p', { role: 'status', class: 'said' }, text);
  document.querySelector('main').prepend(m);
}
