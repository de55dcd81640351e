import jQuery from './_jquery.js';
import 'jquery-ui/dist/themes/base/jquery-ui.css';
import 'jquery-ui/dist/jquery-ui.js';
import { widgets, h, icon } from './_css.js';
const w = widgets({
  label: '',
  input: 'ui-widget-content',
  select: '',
  file: '',
  button: '',
  primary: 'ui-priority-primary',
  table: 'ui-widget',
  tabs: '',
  on: 'ui-state-active',
  pager: '',
  page: '',
  field: (l, c) => h('p', {}, l, ' ', c),
  message: (t) => h('div', { class: 'ui-state-highlight ui-corner-all' }, t),
});
export const { text, long, number, file, yes, rows, message } = w;
export function date(el, f, set) {
  const c = h('input', { type: 'text', id: 'd' + Math.random().toString(36).slice(2) });
  c.value = f.value || '';
  c.addEventListener('input', () => set(c.value));
  el.append(h('p', {}, h('label', { for: c.id }, f.label), ' ', c));
  jQuery(c).datepicker({ dateFormat: 'yy-mm-dd', onSelect: (v) => set(v) });
}
export function choice(el, f, set) {
  const c = h(
    'select',
    { id: 's' + Math.random().toString(36).slice(2) },
    h('option', { value: '' }, f.choose),
    f.options.map((o) => h('option', {}, o)),
  );
  c.value = f.value || '';
  el.append(h('p', {}, h('label', { for: c.id }, f.label), ' ', c));
  jQuery(c).selectmenu({ width: 200, change: () => set(c.value) });
}
export function radio(el, f, set) {
  const name = 'r' + Math.random().toString(36).slice(2);
  const box = h(
    'fieldset',
    {},
    h('legend', {}, f.label),
    f.options.map((o, i) => [
      h('label', { for: name + i }, o),
      h('input', { type: 'radio', name, id: name + i, checked: o === f.value, onchange: () => set(o) }),
    ]),
  );
  el.append(box);
  jQuery(box).find('input').checkboxradio({ icon: false });
}
export function button(el, b, press) {
  const c = h('button', { type: 'button', title: b.icon && b.named ? b.label : null, onclick: press }, b.icon ? icon(b.icon) : b.label);
  el.append(c, ' ');
  jQuery(c).button();
  return c;
}
export function dialog(d) {
  const box = h('div');
  d.body(box);
  jQuery(box).dialog({ title: d.title, modal: true, width: 480, close: () => jQuery(box).dialog('destroy').remove() });
  return () => jQuery(box).dialog('close');
}
export function menu(el, m, pick) {
  const list = h(
    'ul',
    { style: 'position:absolute;z-index:9;display:none' },
    m.items.map((i) =>
      h(
        'li',
        {},
        h(
          'div',
          {
            onclick: () => {
              list.style.display = 'none';
              pick(i);
            },
          },
          i.label,
        ),
      ),
    ),
  );
  const b = button(
    el,
    { label: m.label, icon: m.named ? 'dots' : '', named: true },
    () => (list.style.display = list.style.display === 'none' ? 'block' : 'none'),
  );
  el.append(list);
  jQuery(list).menu();
  list.style.display = 'none';
  return b;
}
