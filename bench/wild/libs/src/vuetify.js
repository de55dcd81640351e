import 'vuetify/styles';
import { createVuetify } from 'vuetify';
import * as components from 'vuetify/components';
import { vue, h, ref, filled } from './_vue.js';
import { icon } from '/page/plain.js';

const kit = createVuetify({ components });
const {
  VTextField,
  VTextarea,
  VSelect,
  VSwitch,
  VRadioGroup,
  VRadio,
  VBtn,
  VDialog,
  VCard,
  VCardTitle,
  VCardText,
  VTable,
  VMenu,
  VList,
  VListItem,
  VTabs,
  VTab,
  VPagination,
  VBtnToggle,
  VAlert,
  VApp,
} = components;
const mount = vue((app) => app.use(kit));
const drawn = (name) =>
  h('svg', { viewBox: '0 0 24 24', width: 16, height: 16, fill: 'none', stroke: 'currentColor' }, [
    h('path', { d: icon(name).querySelector('path').getAttribute('d') }),
  ]);
const input =
  (One, props = {}) =>
  (el, f, set) => {
    const v = ref(f.value || '');
    mount(el, () =>
      h(One, {
        label: f.label,
        modelValue: v.value,
        style: 'width:280px',
        'onUpdate:modelValue': (x) => {
          v.value = x;
          set(String(x ?? ''));
        },
        ...props,
      }),
    );
  };
export const text = input(VTextField);
export const long = input(VTextarea, { rows: 2 });
export const number = input(VTextField, { type: 'number' });
export const date = input(VTextField, { type: 'date' });
export function choice(el, f, set) {
  const v = ref(f.value || null);
  mount(el, () =>
    h(VSelect, {
      label: f.label,
      items: f.options,
      modelValue: v.value,
      style: 'width:280px',
      'onUpdate:modelValue': (x) => {
        v.value = x;
        set(x);
      },
    }),
  );
}
export function radio(el, f, set) {
  const v = ref(f.value || null);
  mount(el, () =>
    h(
      VRadioGroup,
      {
        label: f.label,
        inline: true,
        modelValue: v.value,
        'onUpdate:modelValue': (x) => {
          v.value = x;
          set(x);
        },
      },
      { default: () => f.options.map((o) => h(VRadio, { key: o, label: o, value: o })) },
    ),
  );
}
export function yes(el, f, set) {
  const v = ref(f.value === 'yes');
  mount(el, () =>
    h(VSwitch, {
      label: f.label,
      modelValue: v.value,
      'onUpdate:modelValue': (x) => {
        v.value = x;
        set(x ? 'yes' : '');
      },
    }),
  );
}
export function button(el, b, press) {
  return mount(el, () =>
    h(
      VBtn,
      {
        size: 'small',
        color: b.primary ? 'primary' : undefined,
        variant: b.primary ? 'flat' : 'tonal',
        title: b.icon && b.named ? b.label : undefined,
        onClick: press,
      },
      { default: () => (b.icon ? drawn(b.icon) : b.label) },
    ),
  );
}
export function dialog(d) {
  const open = ref(true);
  const at = document.createElement('div');
  document.body.append(at);
  mount(at, () =>
    h(
      VDialog,
      { modelValue: open.value, 'onUpdate:modelValue': (v) => (open.value = v), maxWidth: 480 },
      {
        default: () =>
          h(
            VCard,
            {},
            {
              default: () => [h(VCardTitle, {}, { default: () => d.title }), h(VCardText, {}, { default: () => filled(d.body, 'div') })],
            },
          ),
      },
    ),
  );
  return () => (open.value = false);
}
export function rows(el, t) {
  mount(el, () =>
    h(
      VTable,
      {},
      {
        default: () => [
          h('thead', [h('tr', [...t.columns.map((c) => h('th', c.label)), t.tools ? h('th') : null])]),
          h(
            'tbody',
            t.rows.map((r) =>
              h('tr', { key: r.id, onVnodeMounted: (v) => t.reg('row:' + r.id, v.el) }, [
                ...t.columns.map((c) => h('td', [filled((x) => t.cell(r, c, x))])),
                t.tools ? h('td', [filled((x) => t.tools(r, x))]) : null,
              ]),
            ),
          ),
        ],
      },
    ),
  );
}
export function menu(el, m, pick) {
  return mount(el, () =>
    h(
      VMenu,
      {},
      {
        activator: ({ props }) =>
          h(
            VBtn,
            { ...props, size: 'small', variant: 'text', title: m.named ? m.label : undefined },
            { default: () => (m.named ? drawn('dots') : m.label) },
          ),
        default: () =>
          h(VList, {}, { default: () => m.items.map((i) => h(VListItem, { key: i.key, title: i.label, onClick: () => pick(i) })) }),
      },
    ),
  );
}
export function tabs(el, f, set) {
  const v = ref(null);
  mount(el, () =>
    h('div', [
      h('p', f.label),
      h(
        VTabs,
        {
          modelValue: v.value,
          mandatory: false,
          'onUpdate:modelValue': (x) => {
            v.value = x;
            set(x || '');
          },
        },
        { default: () => f.options.map((o) => h(VTab, { key: o, value: o }, { default: () => o })) },
      ),
    ]),
  );
}
export function buttons(el, f, set) {
  const v = ref(null);
  mount(el, () =>
    h('div', [
      h('p', f.label),
      h(
        VBtnToggle,
        {
          modelValue: v.value,
          'onUpdate:modelValue': (x) => {
            v.value = x;
            set(x || '');
          },
        },
        { default: () => f.options.map((o) => h(VBtn, { key: o, value: o }, { default: () => o })) },
      ),
    ]),
  );
}
export function list(el, f, set) {
  const v = ref('');
  mount(el, () =>
    h('div', [
      h('p', f.label),
      h(
        VList,
        {},
        {
          default: () =>
            f.options.map((o) =>
              h(VListItem, {
                key: o,
                title: o,
                active: v.value === o,
                onClick: () => {
                  v.value = o;
                  set(o);
                },
              }),
            ),
        },
      ),
    ]),
  );
}
export function pager(el, p, go) {
  const box = mount(el, () =>
    h(VPagination, { length: p.pages, totalVisible: 9, modelValue: p.page + 1, 'onUpdate:modelValue': (n) => go(n - 1) }),
  );
  box.querySelectorAll('li button').forEach((b) => /^\d+$/.test(b.textContent.trim()) && p.reg('page:' + (b.textContent - 1), b));
}
export function message(t) {
  const main = document.querySelector('main');
  mount(main.insertBefore(document.createElement('div'), main.firstChild), () =>
    h(VAlert, { type: 'success', icon: false }, { default: () => t }),
  );
}
