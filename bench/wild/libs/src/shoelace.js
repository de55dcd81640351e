import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace/dist/shoelace.js';
import { h, icon } from '/page/plain.js';

const input = (type) => (el, f, set) => {
  const c = type === 'long' ? h('sl-textarea', { label: f.label, rows: 2 }) : h('sl-input', { label: f.label, type });
  c.value = f.value || '';
  c.addEventListener('sl-input', () => set(c.value));
  el.append(c);
};
export const text = input('text');
export const long = input('long');
export const number = input('number');
export const date = input('date');
// Shoelace's option values cannot contain blanks.
export function choice(el, f, set) {
  const c = h(
    'sl-select',
    { label: f.label, placeholder: f.choose, style: 'width:260px' },
    f.options.map((o, i) => h('sl-option', { value: 'o' + i }, o)),
  );
  if (f.value) c.value = 'o' + f.options.indexOf(f.value);
  c.addEventListener('sl-change', () => set(f.options[Number(c.value.slice(1))]));
  el.append(c);
}
export function radio(el, f, set) {
  const c = h(
    'sl-radio-group',
    { label: f.label },
    f.options.map((o, i) => h('sl-radio', { value: 'o' + i }, o)),
  );
  if (f.value) c.value = 'o' + f.options.indexOf(f.value);
  c.addEventListener('sl-change', () => set(f.options[Number(c.value.slice(1))]));
  el.append(c);
}
export function buttons(el, f, set) {
  const c = h(
    'sl-radio-group',
    { label: f.label },
    f.options.map((o, i) => h('sl-radio-button', { value: 'o' + i }, o)),
  );
  c.addEventListener('sl-change', () => set(f.options[Number(c.value.slice(1))]));
  el.append(c);
}
export function yes(el, f, set) {
  const c = h('sl-switch', {}, f.label);
  c.checked = f.value === 'yes';
  c.addEventListener('sl-change', () => set(c.checked ? 'yes' : ''));
  el.append(c);
}
export function button(el, b, press) {
  const c = h(
    'sl-button',
    { size: 'small', variant: b.primary ? 'primary' : 'default', title: b.icon && b.named ? b.label : null, onclick: press },
    b.icon ? icon(b.icon) : b.label,
  );
  el.append(c, ' ');
  return c;
}
export function dialog(d) {
  const box = h('sl-dialog', { label: d.title });
  document.body.append(box);
  d.body(box);
  customElements.whenDefined('sl-dialog').then(() => box.show());
  box.addEventListener('sl-after-hide', (e) => e.target === box && box.remove());
  return () => box.hide();
}
export function menu(el, m, pick) {
  const b = h(
    'sl-button',
    { slot: 'trigger', size: 'small', caret: !m.named, title: m.named ? m.label : null },
    m.named ? icon('dots') : m.label,
  );
  const list = h(
    'sl-menu',
    {},
    m.items.map((i) => h('sl-menu-item', { value: i.key }, i.label)),
  );
  list.addEventListener('sl-select', (e) => pick(m.items.find((i) => i.key === e.detail.item.value)));
  el.append(h('sl-dropdown', {}, b, list));
  return b;
}
export function tabs(el, f, set) {
  const c = h(
    'sl-tab-group',
    {},
    f.options.map((o, i) => h('sl-tab', { slot: 'nav', panel: 'p' + i }, o)),
    f.options.map((o, i) => h('sl-tab-panel', { name: 'p' + i })),
  );
  c.addEventListener('sl-tab-show', (e) => set(f.options[Number(e.detail.name.slice(1))]));
  el.append(h('p', {}, f.label), c);
}
export function message(t) {
  document.querySelector('main').prepend(h('sl-alert', { open: true, variant: 'success' }, t));
}
