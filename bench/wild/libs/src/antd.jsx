import {
  Input,
  InputNumber,
  Select,
  Switch,
  Radio,
  Button,
  Modal,
  Table,
  Dropdown,
  Tabs,
  Pagination,
  Segmented,
  Form,
  message as toast,
  Popconfirm,
  Tree,
  Tooltip,
  DatePicker,
  ConfigProvider,
} from 'antd';
import { useState } from 'react';
import { react, Kept, Filled } from './_react.jsx';
import { icon } from '/page/plain.js';

const mount = react((x) => <ConfigProvider button={{ autoInsertSpace: false }}>{x}</ConfigProvider>);
const Drawn = ({ name }) => (
  <svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor">
    <path d={icon(name).querySelector('path').getAttribute('d')} />
  </svg>
);
let n = 0;
const item = (f, control) => (
  <Form layout="vertical" component={false}>
    <Form.Item label={f.label} htmlFor={control.props.id}>
      {control}
    </Form.Item>
  </Form>
);
const input = (One) => (el, f, set) =>
  void mount(
    el,
    <Kept start={f.value || ''} set={set}>
      {(v, keep) =>
        item(f, <One id={'a' + ++n} value={v} onChange={(e) => keep(e?.target ? e.target.value : String(e ?? ''))} />)
      }
    </Kept>,
  );
export const text = input(Input);
export const long = input(Input.TextArea);
export const number = input(InputNumber);
export function date(el, f, set) {
  mount(el, item(f, <DatePicker id={'a' + ++n} onChange={(d, s) => set(s || '')} />));
}
export function choice(el, f, set) {
  mount(
    el,
    item(
      f,
      <Select
        id={'a' + ++n}
        style={{ width: 220 }}
        placeholder={f.choose}
        defaultValue={f.value || undefined}
        showSearch={n % 2 === 0}
        onChange={(v) => set(v)}
        options={f.options.map((o) => ({ value: o, label: o }))}
        virtual={false}
      />,
    ),
  );
}
export function radio(el, f, set) {
  mount(el, item(f, <Radio.Group defaultValue={f.value} onChange={(e) => set(e.target.value)} options={f.options} />));
}
export function yes(el, f, set) {
  mount(el, item(f, <Switch defaultChecked={f.value === 'yes'} onChange={(v) => set(v ? 'yes' : '')} />));
}
export function button(el, b, press) {
  const inner = (
    <Button
      size={b.icon ? 'small' : 'middle'}
      type={b.primary ? 'primary' : 'default'}
      icon={b.icon ? <Drawn name={b.icon} /> : null}
      onClick={press}
    >
      {b.icon ? null : b.label}
    </Button>
  );
  return mount(el, b.icon && b.named ? <Tooltip title={b.label}>{inner}</Tooltip> : inner).box;
}
export function dialog(d) {
  const at = document.createElement('div');
  document.body.append(at);
  let shut;
  const Box = () => {
    const [open, set] = useState(true);
    shut = () => set(false);
    return (
      <Modal open={open} title={d.title} footer={null} onCancel={() => set(false)}>
        <Filled fill={d.body} />
      </Modal>
    );
  };
  mount(at, <Box />);
  return () => shut();
}
export function rows(el, t) {
  const columns = t.columns.map((c) => ({
    title: c.label,
    key: c.key,
    render: (_, r) => <Filled fill={(x) => t.cell(r, c, x)} as="span" />,
  }));
  if (t.tools) columns.push({ title: '', key: 'tools', render: (_, r) => <Filled fill={(x) => t.tools(r, x)} as="span" /> });
  mount(
    el,
    <Table
      size="small"
      rowKey="id"
      columns={columns}
      dataSource={t.rows}
      pagination={false}
      onRow={(r) => ({ ref: (e) => e && t.reg('row:' + r.id, e) })}
    />,
  );
}
export function menu(el, m, pick) {
  return mount(
    el,
    <Dropdown trigger={['click']} menu={{ items: m.items, onClick: ({ key }) => pick(m.items.find((i) => i.key === key)) }}>
      <Button size="small" icon={m.named ? <Drawn name="dots" /> : null}>
        {m.named ? null : m.label}
      </Button>
    </Dropdown>,
  ).box;
}
export function tabs(el, f, set) {
  mount(
    el,
    <>
      <p>{f.label}</p>
      <Kept start="" set={set}>
        {(v, keep) => <Tabs activeKey={v} onTabClick={(k) => keep(k)} items={f.options.map((o) => ({ key: o, label: o }))} />}
      </Kept>
    </>,
  );
}
export function buttons(el, f, set) {
  mount(
    el,
    <>
      <p>{f.label}</p>
      <Kept start={undefined} set={set}>
        {(v, keep) => <Radio.Group value={v} onChange={(e) => keep(e.target.value)} optionType="button" options={f.options} />}
      </Kept>
    </>,
  );
}
export function list(el, f, set) {
  mount(
    el,
    <>
      <p>{f.label}</p>
      <Segmented vertical options={[' ', ...f.options]} onChange={set} />
    </>,
  );
}
export function tree(el, t, pick) {
  const nodes = (list, at) =>
    list.map((x) => {
      const key = [...at, x.label].join('/');
      return {
        key,
        title: <span ref={(e) => e && t.reg('node:' + key, e)}>{x.label}</span>,
        label: x.label,
        selectable: !x.children,
        children: x.children && nodes(x.children, [...at, x.label]),
      };
    });
  mount(el, <Tree treeData={nodes(t.nodes, [])} onSelect={(k, i) => pick(i.node.label)} expandAction="click" motion={false} />);
}
export function pager(el, p, go) {
  const { box } = mount(
    el,
    <Pagination
      current={p.page + 1}
      total={p.pages}
      pageSize={1}
      showSizeChanger={false}
      showLessItems={false}
      onChange={(n) => go(n - 1)}
    />,
  );
  box.querySelectorAll('li.ant-pagination-item').forEach((li) => p.reg('page:' + (li.textContent - 1), li));
}
export function message(t) {
  toast.success(t);
}
