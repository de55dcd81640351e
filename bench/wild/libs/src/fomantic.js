import jQuery from './_jquery.js';
import 'fomantic-ui-css/semantic.min.css';
import 'fomantic-ui-css/semantic.min.js';
import { widgets, h, icon } from './_css.js';
const w = widgets({
  label: '',
  input: '',
  select: '',
  file: '',
  button: 'ui small button',
  primary: 'primary',
  table: 'ui celled table',
  tabs: '',
  on: 'active',
  pager: '',
  page: 'item',
  field: (l, c) => h('div', { class: 'ui form' }, h('div', { class: 'field' }, l, c)),
  message: (t) => h('div', { class: 'ui positive message' }, t),
});
export const { text, long, number, date, file, button, rows, message } = w;
export function choice(el, f, set) {
  const c = h(
    'div',
    { class: 'ui selection dropdown' },
    h('input', { type: 'hidden' }),
    h('i', { class: 'dropdown icon' }),
    h('div', { class: f.value ? 'text' : 'default text' }, f.value || f.choose),
    h(
      'div',
      { class: 'menu' },
      f.options.map((o) => h('div', { class: 'item', 'data-value': o }, o)),
    ),
  );
  el.append(h('div', { class: 'ui form' }, h('div', { class: 'field' }, h('label', {}, f.label), c)));
  jQuery(c).dropdown({ onChange: (v) => set(v) });
}
export function yes(el, f, set) {
  const c = h('div', { class: 'ui toggle checkbox' }, h('input', { type: 'checkbox' }), h('label', {}, f.label));
  el.append(c);
  jQuery(c).checkbox({ onChange: () => set(jQuery(c).checkbox('is checked') ? 'yes' : '') });
}
export function dialog(d) {
  const body = h('div', { class: 'content' });
  const box = h('div', { class: 'ui modal' }, h('div', { class: 'header' }, d.title), body);
  document.body.append(box);
  d.body(body);
  jQuery(box)
    .modal({ onHidden: () => box.remove(), duration: 100 })
    .modal('show');
  return () => jQuery(box).modal('hide');
}
export function menu(el, m, pick) {
  const c = h(
    'div',
    { class: 'ui compact dropdown button', title: m.named ? m.label : null },
    m.named ? icon('dots') : h('span', { class: 'text' }, m.label),
    h(
      'div',
      { class: 'menu' },
      m.items.map((i) => h('div', { class: 'item', 'data-value': i.key }, i.label)),
    ),
  );
  el.append(c);
  jQuery(c).dropdown({ action: 'hide', onChange: (v) => pick(m.items.find((i) => i.key === v)) });
  return c;
}
export function pager(el, p, go) {
  el.append(
    h(
      'div',
      { class: 'ui pagination menu' },
      [...Array(p.pages).keys()].map((i) =>
        p.reg('page:' + i, h('a', { class: 'item' + (i === p.page ? ' active' : ''), onclick: () => go(i) }, String(i + 1))),
      ),
    ),
  );
}
export function tabs(el, f, set) {
  const all = h(
    'div',
    { class: 'ui tabular menu' },
    f.options.map((o) =>
      h(
        'a',
        {
          class: 'item',
          onclick: (e) => {
            for (const x of all.children) x.classList.toggle('active', x === e.target);
            set(o);
          },
        },
        o,
      ),
    ),
  );
  el.append(h('p', {}, f.label), all);
}
