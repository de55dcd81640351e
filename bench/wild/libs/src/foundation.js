import 'foundation-sites/dist/css/foundation.min.css';
import { widgets, h } from './_css.js';
const w = widgets({
  label: '',
  input: '',
  select: '',
  file: '',
  button: 'button small',
  primary: 'success',
  table: 'hover',
  tabs: 'menu',
  on: 'is-active',
  pager: 'pagination',
  page: '',
  field: (l, c) => (l.append(c), l),
  message: (t) => h('div', { class: 'callout success' }, t),
  checkField: (c, l) =>
    h(
      'div',
      { class: 'switch' },
      ((c.className = 'switch-input'), c),
      h('label', { class: 'switch-paddle', for: c.id }, h('span', { class: 'show-for-sr' }, l)),
      h('span', {}, ' ' + l),
    ),
});
export const { text, long, number, date, file, choice, yes, radio, button, rows, tabs, pager, message } = w;
export function dialog(d) {
  const box = h('div', { class: 'reveal', style: 'display:block;top:40px', role: 'dialog' }, h('h2', {}, d.title));
  const over = h('div', { class: 'reveal-overlay', style: 'display:block' }, box);
  document.body.append(over);
  d.body(box);
  return () => over.remove();
}
