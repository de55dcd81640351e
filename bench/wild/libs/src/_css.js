// Widgets of libraries that are style sheets over plain elements: each states its classes and its wrappers.
import { h, icon } from '/page/plain.js';

let n = 0;
const id = () => 'u' + Math.random().toString(36).slice(2, 7) + ++n;

export function widgets(s) {
  const field = (el, f, control) => {
    control.id = id();
    el.append(s.field(h('label', { for: control.id, class: s.label }, f.label), control));
  };
  const input = (type) => (el, f, set) => {
    const c = type === 'long' ? h('textarea', { class: s.textarea ?? s.input }) : h('input', { type, class: s.input });
    c.value = f.value || '';
    c.addEventListener('input', () => set(c.value));
    field(el, f, c);
  };
  const cell = (r, c, t, tag) => {
    const td = h(tag);
    t.cell(r, c, td);
    return td;
  };
  return {
    text: input('text'),
    long: input('long'),
    number: input('number'),
    date: input('date'),
    file(el, f, set) {
      field(el, f, h('input', { type: 'file', class: s.file, onchange: (e) => set(e.target.files[0]) }));
    },
    choice(el, f, set) {
      const c = h(
        'select',
        { class: s.select, onchange: () => set(c.value) },
        h('option', { value: '' }, f.choose),
        f.options.map((o) => h('option', {}, o)),
      );
      c.value = f.value || '';
      c.id = id();
      el.append(s.field(h('label', { for: c.id, class: s.label }, f.label), s.wrapSelect ? s.wrapSelect(c) : c));
    },
    yes(el, f, set) {
      const c = h('input', { type: 'checkbox', class: s.check, id: id(), onchange: () => set(c.checked ? 'yes' : '') });
      c.checked = f.value === 'yes';
      el.append(s.checkField ? s.checkField(c, f.label) : h('label', {}, c, ' ' + f.label));
    },
    radio(el, f, set) {
      const name = id();
      el.append(
        h('p', { class: s.label }, f.label),
        h(
          'div',
          {},
          f.options.map((o) => {
            const c = h('input', { type: 'radio', name, class: s.radio, onchange: () => set(o) });
            c.checked = o === f.value;
            return h('label', { class: s.radioLabel }, c, ' ' + o + ' ');
          }),
        ),
      );
    },
    button(el, b, press) {
      const c = h(
        s.buttonTag || 'button',
        {
          type: 'button',
          class: s.button + ' ' + (b.primary ? s.primary : ''),
          title: b.icon && b.named ? b.label : null,
          onclick: press,
        },
        b.icon ? icon(b.icon) : b.label,
      );
      el.append(c, ' ');
      return c;
    },
    rows(el, t) {
      el.append(
        h(
          'table',
          { class: s.table },
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
          h(
            'tbody',
            {},
            t.rows.map((r) => {
              const tr = h(
                'tr',
                {},
                t.columns.map((c) => cell(r, c, t, 'td')),
              );
              if (t.tools) {
                const td = h('td');
                t.tools(r, td);
                tr.append(td);
              }
              return t.reg('row:' + r.id, tr);
            }),
          ),
        ),
      );
    },
    tabs(el, f, set) {
      const all = h(
        'ul',
        { class: s.tabs },
        f.options.map((o) =>
          h(
            'li',
            {},
            h(
              'a',
              {
                href: '#',
                onclick: (e) => {
                  e.preventDefault();
                  for (const x of all.children) x.classList.toggle(s.on, x.contains(e.target));
                  set(o);
                },
              },
              o,
            ),
          ),
        ),
      );
      el.append(h('p', {}, f.label), s.wrapTabs ? s.wrapTabs(all) : all);
    },
    pager(el, p, go) {
      el.append(
        h(
          'ul',
          { class: s.pager },
          [...Array(p.pages).keys()].map((i) =>
            h(
              'li',
              { class: i === p.page ? s.on : null },
              p.reg('page:' + i, h('a', { href: '#', class: s.page, onclick: (e) => (e.preventDefault(), go(i)) }, String(i + 1))),
            ),
          ),
        ),
      );
    },
    message(t) {
      document.querySelector('main').prepend(s.message(t));
    },
  };
}
export { h, icon };
