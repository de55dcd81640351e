import 'bootstrap/dist/css/bootstrap.min.css';
import { Modal, Dropdown } from 'bootstrap';
import { h } from '/page/plain.js';

let n = 0;
const field = (c) => (el, f, set) => {
  const control = c(f, set);
  control.id = 'b' + Math.random().toString(36).slice(2, 8) + ++n;
  const floating = f.type !== 'yes' && f.type !== 'file' && n % 3 === 0;
  const label = h('label', { class: floating ? '' : 'form-label', for: control.id }, f.label);
  el.append(h('div', { class: floating ? 'form-floating mb-3' : 'mb-3' }, floating ? [control, label] : [label, control]));
};
const input = (type) =>
  field((f, set) => {
    const c =
      type === 'long'
        ? h('textarea', { class: 'form-control', placeholder: f.label })
        : h('input', { class: 'form-control', type, placeholder: f.label });
    c.value = f.value || '';
    c.addEventListener('input', () => set(c.value));
    return c;
  });
export const text = input('text');
export const long = input('long');
export const number = input('number');
export const date = input('date');
export const file = field((f, set) => h('input', { type: 'file', class: 'form-control', onchange: (e) => set(e.target.files[0]) }));
export const choice = field((f, set) => {
  const c = h(
    'select',
    { class: 'form-select', onchange: () => set(c.value) },
    h('option', { value: '' }, f.choose),
    f.options.map((o) => h('option', {}, o)),
  );
  c.value = f.value || '';
  return c;
});
const checks = (type, name) => (o, on, set) => {
  const id = 'c' + ++n;
  const c = h('input', { class: 'form-check-input', type, name, id, onchange: () => set(c.checked) });
  c.checked = on;
  return h(
    'div',
    { class: 'form-check' + (type === 'checkbox' ? ' form-switch' : '') },
    c,
    h('label', { class: 'form-check-label', for: id }, o),
  );
};
export function yes(el, f, set) {
  el.append(checks('checkbox')(f.label, f.value === 'yes', (on) => set(on ? 'yes' : '')));
}
export function radio(el, f, set) {
  const one = checks('radio', 'r' + ++n);
  el.append(h('p', { class: 'form-label' }, f.label), ...f.options.map((o) => one(o, o === f.value, () => set(o))));
}
export function buttons(el, f, set) {
  const name = 'g' + ++n;
  el.append(
    h('p', {}, f.label),
    h(
      'div',
      { class: 'btn-group flex-wrap', role: 'group' },
      f.options.map((o) => {
        const id = 'o' + ++n;
        return [
          h('input', { type: 'radio', class: 'btn-check', name, id, autocomplete: 'off', onchange: () => set(o) }),
          h('label', { class: 'btn btn-outline-primary', for: id }, o),
        ];
      }),
    ),
  );
}
export function list(el, f, set) {
  const all = h(
    'div',
    { class: 'list-group' },
    f.options.map((o) => {
      const b = h(
        'button',
        {
          type: 'button',
          class: 'list-group-item list-group-item-action',
          onclick: () => {
            for (const x of all.children) x.classList.toggle('active', x === b);
            set(o);
          },
        },
        o,
      );
      return b;
    }),
  );
  el.append(h('p', {}, f.label), all);
}
export function tabs(el, f, set) {
  const all = h(
    'ul',
    { class: 'nav nav-tabs' },
    f.options.map((o) =>
      h(
        'li',
        { class: 'nav-item' },
        h(
          'a',
          {
            class: 'nav-link',
            href: '#',
            onclick: (e) => {
              e.preventDefault();
              all.querySelectorAll('a').forEach((x) => x.classList.toggle('active', x === e.target));
              set(o);
            },
          },
          o,
        ),
      ),
    ),
  );
  el.append(h('p', {}, f.label), all);
}
import { icon } from '/page/plain.js';
export function button(el, b, press) {
  const c = h(
    'button',
    {
      type: 'button',
      class: 'btn btn-sm ' + (b.primary ? 'btn-primary' : 'btn-outline-secondary'),
      title: b.icon && b.named ? b.label : null,
      onclick: press,
    },
    b.icon ? icon(b.icon) : b.label,
  );
  el.append(c, ' ');
  return c;
}
export function dialog(d) {
  const body = h('div', { class: 'modal-body' });
  const box = h(
    'div',
    { class: 'modal', tabindex: -1 },
    h(
      'div',
      { class: 'modal-dialog' },
      h(
        'div',
        { class: 'modal-content' },
        h(
          'div',
          { class: 'modal-header' },
          h('h5', { class: 'modal-title' }, d.title),
          h('button', { type: 'button', class: 'btn-close', 'data-bs-dismiss': 'modal', 'aria-label': 'Close' }),
        ),
        body,
      ),
    ),
  );
  document.body.append(box);
  d.body(body);
  const m = new Modal(box);
  box.addEventListener('hidden.bs.modal', () => box.remove());
  m.show();
  return () => m.hide();
}
export function menu(el, m, pick) {
  const b = h(
    'button',
    {
      type: 'button',
      class: 'btn btn-sm btn-light dropdown-toggle',
      'data-bs-toggle': 'dropdown',
      title: m.named ? m.label : null,
    },
    m.named ? icon('dots') : m.label,
  );
  el.append(
    h(
      'div',
      { class: 'dropdown', style: 'display:inline-block' },
      b,
      h(
        'ul',
        { class: 'dropdown-menu' },
        m.items.map((i) =>
          h('li', {}, h('a', { class: 'dropdown-item', href: '#', onclick: (e) => (e.preventDefault(), pick(i)) }, i.label)),
        ),
      ),
    ),
  );
  Dropdown.getOrCreateInstance(b);
  return b;
}
export function rows(el, t) {
  el.append(
    h(
      'table',
      { class: 'table table-striped' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          t.columns.map((c) => h('th', { scope: 'col' }, c.label)),
          t.tools ? h('th', { scope: 'col' }) : null,
        ),
      ),
      h(
        'tbody',
        {},
        t.rows.map((r) =>
          t.reg(
            'row:' + r.id,
            h(
              'tr',
              {},
              t.columns.map((c) => {
                const td = h('td');
                t.cell(r, c, td);
                return td;
              }),
              t.tools
                ? (() => {
                    const td = h('td');
                    t.tools(r, td);
                    return td;
                  })()
                : null,
            ),
          ),
        ),
      ),
    ),
  );
}
export function pager(el, p, go) {
  el.append(
    h(
      'nav',
      {},
      h(
        'ul',
        { class: 'pagination' },
        [...Array(p.pages).keys()].map((i) =>
          h(
            'li',
            { class: 'page-item' + (i === p.page ? ' active' : '') },
            p.reg('page:' + i, h('a', { class: 'page-link', href: '#', onclick: (e) => (e.preventDefault(), go(i)) }, String(i + 1))),
          ),
        ),
      ),
    ),
  );
}
export function message(t) {
  document.querySelector('main').prepend(h('div', { class: 'alert alert-success', role: 'alert' }, t));
}
