import 'carbon-components-svelte/css/white.css';
import { mount, unmount } from 'svelte';
import {
  TextInput,
  TextArea,
  Dropdown,
  Toggle,
  RadioButtonGroup,
  RadioButton,
  Button,
  ComposedModal,
  ModalBody,
  ModalHeader,
  InlineNotification,
  Pagination,
  TreeView,
  ComboBox,
} from 'carbon-components-svelte';
import Options from './_options.svelte';
import Menu from './_menu.svelte';
import Modal from './_modal.svelte';
import Table from './_table.svelte';
import { h, icon } from '/page/plain.js';

const put = (el, what, props, events = {}) => {
  const box = h('div');
  el.append(box);
  return [box, mount(what, { target: box, props, events })];
};
const input = (what, type) => (el, f, set) => {
  const [box] = put(el, what, { labelText: f.label, value: f.value || '', type });
  box.addEventListener('input', (e) => set(e.target.value));
};
export const text = input(TextInput, 'text');
export const long = input(TextArea);
export const number = input(TextInput, 'number');
export const date = input(TextInput, 'date');
let n = 0;
export function choice(el, f, set) {
  const items = f.options.map((o, i) => ({ id: String(i), text: o }));
  const what = ++n % 2 ? Dropdown : ComboBox;
  put(
    el,
    what,
    {
      titleText: f.label,
      label: f.choose,
      placeholder: f.choose,
      items,
      selectedId: f.value ? String(f.options.indexOf(f.value)) : undefined,
    },
    { select: (e) => e.detail && set(f.options[Number(e.detail.selectedId)]) },
  );
}
export function radio(el, f, set) {
  put(el, Options, { label: f.label, options: f.options, value: f.value, set });
}
export function yes(el, f, set) {
  put(el, Toggle, { labelText: f.label, toggled: f.value === 'yes' }, { toggle: (e) => set(e.detail.toggled ? 'yes' : '') });
}
export function button(el, b, press) {
  const c = h(
    'button',
    {
      type: 'button',
      class: 'bx--btn bx--btn--sm ' + (b.icon ? 'bx--btn--ghost' : b.primary ? 'bx--btn--primary' : 'bx--btn--tertiary'),
      title: b.icon && b.named ? b.label : null,
      onclick: press,
    },
    b.icon ? icon(b.icon) : b.label,
  );
  el.append(c, ' ');
  return c;
}
export function dialog(d) {
  const [box, app] = put(document.body, Modal, { title: d.title, fill: d.body });
  return () => (unmount(app), box.remove());
}
export function menu(el, m, pick) {
  const [box] = put(el, Menu, { label: m.label, items: m.items, pick });
  box.style.display = 'inline-block';
  return box;
}
export function rows(el, t) {
  put(el, Table, { t });
}
export function message(t) {
  const main = document.querySelector('main');
  put(main.insertBefore(h('div'), main.firstChild), InlineNotification, { kind: 'success', title: t });
}
