import 'element-plus/dist/index.css';
import ElementPlus, {
  ElInput,
  ElInputNumber,
  ElSelect,
  ElOption,
  ElSwitch,
  ElRadioGroup,
  ElRadio,
  ElRadioButton,
  ElButton,
  ElDialog,
  ElTable,
  ElTableColumn,
  ElDropdown,
  ElDropdownMenu,
  ElDropdownItem,
  ElTabs,
  ElTabPane,
  ElPagination,
  ElMessage,
  ElDatePicker,
  ElTree,
  ElFormItem,
  ElForm,
} from 'element-plus';
import { vue, h, ref, filled } from './_vue.js';
import { icon } from '/page/plain.js';

const mount = vue((app) => app.use(ElementPlus));
const drawn = (name) =>
  h('svg', { viewBox: '0 0 24 24', width: 16, height: 16, fill: 'none', stroke: 'currentColor' }, [
    h('path', { d: icon(name).querySelector('path').getAttribute('d') }),
  ]);
const item = (f, control) =>
  h(
    ElForm,
    { labelPosition: 'top', onSubmit: (e) => e.preventDefault() },
    { default: () => h(ElFormItem, { label: f.label }, { default: () => control }) },
  );
const input =
  (One, props = {}, start = (v) => v || '') =>
  (el, f, set) => {
    const v = ref(start(f.value));
    mount(el, () =>
      item(
        f,
        h(One, {
          modelValue: v.value,
          'onUpdate:modelValue': (x) => {
            v.value = x;
            set(x == null ? '' : String(x));
          },
          ...props,
        }),
      ),
    );
  };
export const text = input(ElInput);
export const long = input(ElInput, { type: 'textarea' });
export const number = input(ElInputNumber, {}, (v) => (v ? Number(v) : undefined));
export const date = input(ElDatePicker, { type: 'date', valueFormat: 'YYYY-MM-DD', format: 'YYYY-MM-DD' });
export function choice(el, f, set) {
  const v = ref(f.value || '');
  mount(el, () =>
    item(
      f,
      h(
        ElSelect,
        {
          modelValue: v.value,
          placeholder: f.choose,
          style: 'width:220px',
          'onUpdate:modelValue': (x) => {
            v.value = x;
            set(x);
          },
        },
        { default: () => f.options.map((o) => h(ElOption, { key: o, value: o, label: o })) },
      ),
    ),
  );
}
export function radio(el, f, set) {
  const v = ref(f.value || '');
  mount(el, () =>
    item(
      f,
      h(
        ElRadioGroup,
        {
          modelValue: v.value,
          'onUpdate:modelValue': (x) => {
            v.value = x;
            set(x);
          },
        },
        { default: () => f.options.map((o) => h(ElRadio, { key: o, value: o }, { default: () => o })) },
      ),
    ),
  );
}
export function yes(el, f, set) {
  const v = ref(f.value === 'yes');
  mount(el, () =>
    item(
      f,
      h(ElSwitch, {
        modelValue: v.value,
        'onUpdate:modelValue': (x) => {
          v.value = x;
          set(x ? 'yes' : '');
        },
      }),
    ),
  );
}
export function button(el, b, press) {
  return mount(el, () =>
    h(
      ElButton,
      {
        type: b.primary ? 'primary' : 'default',
        size: b.icon ? 'small' : 'default',
        circle: !!b.icon,
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
      ElDialog,
      {
        modelValue: open.value,
        'onUpdate:modelValue': (v) => (open.value = v),
        title: d.title,
        appendToBody: true,
        width: '480px',
      },
      { default: () => filled(d.body, 'div') },
    ),
  );
  return () => (open.value = false);
}
export function rows(el, t) {
  const box = mount(el, () =>
    h(
      ElTable,
      { data: t.rows, rowKey: 'id', style: 'width:760px' },
      {
        default: () => [
          ...t.columns.map((c) =>
            h(
              ElTableColumn,
              { key: c.key, label: c.label },
              {
                default: ({ row }) =>
                  row.id
                    ? h('span', {
                        key: row.id,
                        onVnodeMounted: (v) => {
                          if (!v.el.firstChild) t.cell(row, c, v.el);
                          t.reg('row:' + row.id, v.el.closest('tr'));
                        },
                      })
                    : null,
              },
            ),
          ),
          ...(t.tools
            ? [
                h(
                  ElTableColumn,
                  { key: 'tools', label: '', width: 300 },
                  { default: ({ row }) => (row.id ? filled((x) => t.tools(row, x)) : null) },
                ),
              ]
            : []),
        ],
      },
    ),
  );
  return box;
}
export function menu(el, m, pick) {
  return mount(el, () =>
    h(
      ElDropdown,
      { trigger: 'click', onCommand: (k) => pick(m.items.find((i) => i.key === k)) },
      {
        default: () =>
          h(ElButton, { size: 'small', title: m.named ? m.label : undefined }, { default: () => (m.named ? drawn('dots') : m.label) }),
        dropdown: () =>
          h(
            ElDropdownMenu,
            {},
            { default: () => m.items.map((i) => h(ElDropdownItem, { key: i.key, command: i.key }, { default: () => i.label })) },
          ),
      },
    ),
  );
}
export function tabs(el, f, set) {
  const v = ref('');
  mount(el, () =>
    h('div', [
      h('p', f.label),
      h(
        ElTabs,
        {
          modelValue: v.value,
          'onUpdate:modelValue': (x) => {
            v.value = x;
            set(x);
          },
        },
        { default: () => f.options.map((o) => h(ElTabPane, { key: o, label: o, name: o })) },
      ),
    ]),
  );
}
export function buttons(el, f, set) {
  const v = ref('');
  mount(el, () =>
    h('div', [
      h('p', f.label),
      h(
        ElRadioGroup,
        {
          modelValue: v.value,
          'onUpdate:modelValue': (x) => {
            v.value = x;
            set(x);
          },
        },
        { default: () => f.options.map((o) => h(ElRadioButton, { key: o, value: o }, { default: () => o })) },
      ),
    ]),
  );
}
export function tree(el, t, pick) {
  const nodes = (list, at) =>
    list.map((x) => {
      const key = [...at, x.label].join('/');
      return { key, label: x.label, children: x.children && nodes(x.children, [...at, x.label]) };
    });
  mount(el, () =>
    h(
      ElTree,
      { data: nodes(t.nodes, []), nodeKey: 'key', highlightCurrent: true, onNodeClick: (d) => d.children || pick(d.label) },
      { default: ({ data }) => h('span', { onVnodeMounted: (v) => t.reg('node:' + data.key, v.el) }, data.label) },
    ),
  );
}
export function pager(el, p, go) {
  const box = mount(el, () =>
    h(ElPagination, {
      layout: 'prev, pager, next',
      pageSize: 1,
      total: p.pages,
      currentPage: p.page + 1,
      pagerCount: 11,
      onCurrentChange: (n) => go(n - 1),
    }),
  );
  box.querySelectorAll('li.number').forEach((b) => p.reg('page:' + (b.textContent - 1), b));
}
export function message(t) {
  ElMessage.success(t);
}
