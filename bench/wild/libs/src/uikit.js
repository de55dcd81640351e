import 'uikit/dist/css/uikit.min.css';
import UIkit from 'uikit';
import { widgets, h, icon } from './_css.js';
const w = widgets({
  label: 'uk-form-label',
  input: 'uk-input',
  textarea: 'uk-textarea',
  select: 'uk-select',
  file: '',
  check: 'uk-checkbox',
  radio: 'uk-radio',
  button: 'uk-button uk-button-small',
  primary: 'uk-button-primary',
  table: 'uk-table uk-table-divider',
  tabs: 'uk-subnav uk-subnav-pill',
  on: 'uk-active',
  pager: 'uk-pagination',
  page: '',
  field: (l, c) => h('div', { class: 'uk-margin' }, l, h('div', { class: 'uk-form-controls' }, c)),
  message: (t) => h('div', { class: 'uk-alert-success uk-alert' }, h('p', {}, t)),
});
export const { text, long, number, date, file, choice, yes, radio, button, rows, tabs, pager } = w;
export function message(t) {
  UIkit.notification(t, { status: 'success', timeout: 3000 });
}
export function dialog(d) {
  const body = h('div', { class: 'uk-modal-dialog uk-modal-body' }, h('h2', { class: 'uk-modal-title' }, d.title));
  const box = h('div', {}, body);
  document.body.append(box);
  d.body(body);
  const m = UIkit.modal(box);
  m.show();
  return () => m.hide();
}
export function menu(el, m, pick) {
  const b = button(el, { label: m.label, icon: m.named ? 'dots' : '', named: true }, () => {});
  const drop = h(
    'div',
    {},
    h(
      'ul',
      { class: 'uk-nav uk-dropdown-nav' },
      m.items.map((i) =>
        h(
          'li',
          {},
          h(
            'a',
            {
              href: '#',
              onclick: (e) => {
                e.preventDefault();
                d.hide(false);
                pick(i);
              },
            },
            i.label,
          ),
        ),
      ),
    ),
  );
  el.append(drop);
  const d = UIkit.dropdown(drop, { mode: 'click', toggle: b });
  return b;
}
