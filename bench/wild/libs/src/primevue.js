import PrimeVue from 'primevue/config';
import Aura from '@primeuix/themes/aura';
import InputText from 'primevue/inputtext';
import Textarea from 'primevue/textarea';
import InputNumber from 'primevue/inputnumber';
import Select from 'primevue/select';
import ToggleSwitch from 'primevue/toggleswitch';
import RadioButton from 'primevue/radiobutton';
import Button from 'primevue/button';
import Dialog from 'primevue/dialog';
import DataTable from 'primevue/datatable';
import Column from 'primevue/column';
import Menu from 'primevue/menu';
import SelectButton from 'primevue/selectbutton';
import Listbox from 'primevue/listbox';
import Paginator from 'primevue/paginator';
import Message from 'primevue/message';
import DatePicker from 'primevue/datepicker';
import { vue, h, ref, filled } from './_vue.js';
import { icon } from '/page/plain.js';

const mount = vue((app) => app.use(PrimeVue, { theme: { preset: Aura, options: { darkModeSelector: 'none' } } }));
const drawn = (name) =>
  h('svg', { viewBox: '0 0 24 24', width: 16, height: 16, fill: 'none', stroke: 'currentColor' }, [
    h('path', { d: icon(name).querySelector('path').getAttribute('d') }),
  ]);
let n = 0;
const labelled = (f, id, control) =>
  h('div', { style: 'margin:8px 0' }, [h('label', { for: id, style: 'display:block' }, f.label), control]);
const input =
  (One, more = {}) =>
  (el, f, set) => {
    const v = ref(more.start ? more.start(f.value) : f.value || '');
    const id = 'p' + ++n;
    const keep = (x) => {
      v.value = x;
      set(x == null ? '' : more.text ? more.text(x) : String(x));
    };
    mount(el, () =>
      labelled(
        f,
        more.inputId ? id : id,
        h(One, {
          [more.inputId ? 'inputId' : 'id']: id,
          modelValue: v.value,
          'onUpdate:modelValue': keep,
          onInput: (e) => e?.value !== undefined && set(String(e.value)),
          ...more.props,
        }),
      ),
    );
  };
export const text = input(InputText);
export const long = input(Textarea);
export const number = input(InputNumber, { inputId: true, start: (v) => (v ? Number(v) : null), props: { useGrouping: false } });
const iso = (d) =>
  d instanceof Date ? `${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, '0')}-${String(d.getDate()).padStart(2, '0')}` : String(d);
export const date = input(DatePicker, {
  inputId: true,
  start: (v) => (v ? new Date(v) : null),
  text: iso,
  props: { dateFormat: 'yy-mm-dd', updateModelType: 'date' },
});
export function choice(el, f, set) {
  const v = ref(f.value || null);
  const id = 'p' + ++n;
  mount(el, () =>
    labelled(
      f,
      id,
      h(Select, {
        labelId: id,
        options: f.options,
        placeholder: f.choose,
        modelValue: v.value,
        'onUpdate:modelValue': (x) => {
          v.value = x;
          set(x);
        },
        style: 'min-width:200px',
      }),
    ),
  );
}
export function radio(el, f, set) {
  const v = ref(f.value || null);
  const name = 'r' + ++n;
  mount(el, () =>
    h('div', [
      h('p', f.label),
      ...f.options.map((o, i) =>
        h('span', { style: 'margin-right:12px' }, [
          h(RadioButton, {
            inputId: name + i,
            name,
            value: o,
            modelValue: v.value,
            'onUpdate:modelValue': (x) => {
              v.value = x;
              set(x);
            },
          }),
          h('label', { for: name + i }, ' ' + o),
        ]),
      ),
    ]),
  );
}
export function yes(el, f, set) {
  const v = ref(f.value === 'yes');
  const id = 'p' + ++n;
  mount(el, () =>
    h('div', [
      h(ToggleSwitch, {
        inputId: id,
        modelValue: v.value,
        'onUpdate:modelValue': (x) => {
          v.value = x;
          set(x ? 'yes' : '');
        },
      }),
      h('label', { for: id }, ' ' + f.label),
    ]),
  );
}
export function button(el, b, press) {
  return mount(el, () =>
    h(
      Button,
      {
        label: b.icon ? undefined : b.label,
        title: b.icon && b.named ? b.label : undefined,
        severity: b.primary ? undefined : 'secondary',
        size: 'small',
        onClick: press,
      },
      b.icon ? { icon: () => drawn(b.icon) } : undefined,
    ),
  );
}
export function dialog(d) {
  const open = ref(true);
  const at = document.createElement('div');
  document.body.append(at);
  mount(at, () =>
    h(
      Dialog,
      { visible: open.value, 'onUpdate:visible': (v) => (open.value = v), modal: true, header: d.title, style: 'width:440px' },
      { default: () => filled(d.body, 'div') },
    ),
  );
  return () => (open.value = false);
}
export function rows(el, t) {
  mount(el, () =>
    h(
      DataTable,
      { value: t.rows, dataKey: 'id', size: 'small' },
      {
        default: () => [
          ...t.columns.map((c) =>
            h(
              Column,
              { field: c.key, header: c.label, key: c.key },
              {
                body: ({ data }) =>
                  h('span', {
                    key: data.id,
                    onVnodeMounted: (v) => {
                      if (!v.el.firstChild) t.cell(data, c, v.el);
                      t.reg('row:' + data.id, v.el.closest('tr'));
                    },
                  }),
              },
            ),
          ),
          ...(t.tools ? [h(Column, { header: '', key: 'tools' }, { body: ({ data }) => filled((x) => t.tools(data, x)) })] : []),
        ],
      },
    ),
  );
}
export function menu(el, m, pick) {
  const at = ref(null);
  return mount(el, () =>
    h('span', [
      h(
        Button,
        {
          label: m.named ? undefined : m.label,
          title: m.named ? m.label : undefined,
          size: 'small',
          severity: 'secondary',
          text: true,
          onClick: (e) => at.value.toggle(e),
        },
        m.named ? { icon: () => drawn('dots') } : undefined,
      ),
      h(Menu, { ref: at, popup: true, model: m.items.map((i) => ({ label: i.label, command: () => pick(i) })) }),
    ]),
  );
}
const picked =
  (One, more = {}) =>
  (el, f, set) => {
    const v = ref(null);
    mount(el, () =>
      h('div', [
        h('p', f.label),
        h(One, {
          options: f.options,
          modelValue: v.value,
          'onUpdate:modelValue': (x) => {
            v.value = x;
            set(x || '');
          },
          ...more,
        }),
      ]),
    );
  };
export const buttons = picked(SelectButton);
export const list = picked(Listbox);
export function pager(el, p, go) {
  const box = mount(el, () => h(Paginator, { rows: 1, totalRecords: p.pages, first: p.page, pageLinkSize: 9, onPage: (e) => go(e.page) }));
  box.querySelectorAll('.p-paginator-page').forEach((b) => p.reg('page:' + (b.textContent - 1), b));
}
export function message(t) {
  const main = document.querySelector('main');
  mount(main.insertBefore(document.createElement('div'), main.firstChild), () => h(Message, { severity: 'success' }, { default: () => t }));
}
