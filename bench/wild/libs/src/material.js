import '@material/web/all.js';
import { h, icon } from '/page/plain.js';

const input = (type) => (el, f, set) => {
  const c = h('md-outlined-text-field', { label: f.label, type: type === 'long' ? 'textarea' : type });
  c.value = f.value || '';
  c.addEventListener('input', () => set(c.value));
  el.append(h('div', { style: 'margin:8px 0' }, c));
};
export const text = input('text');
export const long = input('long');
export const number = input('number');
export const date = input('date');
export function choice(el, f, set) {
  const c = h(
    'md-outlined-select',
    { label: f.label },
    f.options.map((o) => h('md-select-option', { value: o }, h('div', { slot: 'headline' }, o))),
  );
  if (f.value)
    customElements
      .whenDefined('md-outlined-select')
      .then(() => c.updateComplete)
      .then(() => (c.value = f.value));
  c.addEventListener('change', () => set(c.value));
  el.append(h('div', { style: 'margin:8px 0' }, c));
}
export function radio(el, f, set) {
  const name = 'r' + Math.random().toString(36).slice(2);
  el.append(
    h('p', {}, f.label),
    h(
      'div',
      { role: 'radiogroup', 'aria-label': f.label },
      f.options.map((o) =>
        h(
          'label',
          { style: 'margin-right:12px' },
          h('md-radio', { name, value: o, checked: o === f.value, onchange: () => set(o) }),
          ' ' + o,
        ),
      ),
    ),
  );
}
export function yes(el, f, set) {
  const c = h('md-switch', { selected: f.value === 'yes' });
  c.addEventListener('change', () => set(c.selected ? 'yes' : ''));
  el.append(h('label', {}, c, ' ' + f.label));
}
export function button(el, b, press) {
  const c = b.icon
    ? h('md-icon-button', { type: 'button', title: b.named ? b.label : null, onclick: press }, icon(b.icon))
    : h(b.primary ? 'md-filled-button' : 'md-outlined-button', { type: 'button', onclick: press }, b.label);
  el.append(c, ' ');
  return c;
}
export function dialog(d) {
  const content = h('div', { slot: 'content' });
  const box = h('md-dialog', {}, h('div', { slot: 'headline' }, d.title), content);
  document.body.append(box);
  d.body(content);
  box.show();
  box.addEventListener('closed', () => box.remove());
  return () => box.close();
}
export function menu(el, m, pick) {
  const id = 'm' + Math.random().toString(36).slice(2);
  const b = button(h('div'), { label: m.label, icon: m.named ? 'dots' : '', named: true }, () => (list.open = !list.open));
  b.id = id;
  const list = h(
    'md-menu',
    { anchor: id, quick: true },
    m.items.map((i) => h('md-menu-item', { onclick: () => pick(i) }, h('div', { slot: 'headline' }, i.label))),
  );
  el.append(h('span', { style: 'position:relative' }, b, list));
  return b;
}
export function tabs(el, f, set) {
  const c = h(
    'md-tabs',
    {},
    f.options.map((o) => h('md-primary-tab', { onclick: () => set(o) }, o)),
  );
  el.append(h('p', {}, f.label), c);
}
export function list(el, f, set) {
  el.append(
    h('p', {}, f.label),
    h(
      'md-list',
      {},
      f.options.map((o) => h('md-list-item', { type: 'button', onclick: () => set(o) }, h('div', { slot: 'headline' }, o))),
    ),
  );
}
