import 'bulma/css/bulma.min.css';
import { widgets, h, icon } from './_css.js';
const w = widgets({
  label: 'label',
  input: 'input',
  textarea: 'textarea',
  select: '',
  file: 'input',
  check: '',
  radio: '',
  radioLabel: 'radio',
  button: 'button is-small',
  primary: 'is-primary',
  table: 'table is-striped',
  tabs: '',
  on: 'is-active',
  pager: 'pagination-list',
  page: 'pagination-link',
  field: (l, c) => h('div', { class: 'field' }, l, h('div', { class: 'control' }, c)),
  wrapSelect: (c) => h('div', { class: 'select' }, c),
  wrapTabs: (t) => h('div', { class: 'tabs' }, t),
  checkField: (c, l) => h('label', { class: 'checkbox' }, c, ' ' + l),
  message: (t) => h('div', { class: 'notification is-success' }, h('button', { class: 'delete' }), t),
});
export const { text, long, number, date, file, choice, yes, radio, button, rows, tabs, pager, message } = w;
export function dialog(d) {
  const body = h('section', { class: 'modal-card-body' });
  const box = h(
    'div',
    { class: 'modal is-active' },
    h('div', { class: 'modal-background' }),
    h(
      'div',
      { class: 'modal-card' },
      h(
        'header',
        { class: 'modal-card-head' },
        h('p', { class: 'modal-card-title' }, d.title),
        h('button', { class: 'delete', 'aria-label': 'close', onclick: () => box.remove() }),
      ),
      body,
    ),
  );
  document.body.append(box);
  d.body(body);
  return () => box.remove();
}
export function menu(el, m, pick) {
  const box = h('div', { class: 'dropdown' });
  const b = button(h('div'), { label: m.label, icon: m.named ? 'dots' : '', named: true }, () => box.classList.toggle('is-active'));
  box.append(
    h('div', { class: 'dropdown-trigger' }, b),
    h(
      'div',
      { class: 'dropdown-menu' },
      h(
        'div',
        { class: 'dropdown-content' },
        m.items.map((i) =>
          h(
            'a',
            {
              class: 'dropdown-item',
              onclick: () => {
                box.classList.remove('is-active');
                pick(i);
              },
            },
            i.label,
          ),
        ),
      ),
    ),
  );
  el.append(box);
  return b;
}
