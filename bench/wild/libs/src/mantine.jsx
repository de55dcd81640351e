import '@mantine/core/styles.css';
import {
  MantineProvider,
  TextInput,
  Textarea,
  NumberInput,
  Select,
  Switch,
  Radio,
  Group,
  Button,
  ActionIcon,
  Modal,
  Table,
  Menu,
  Tabs,
  Pagination,
  SegmentedControl,
  NavLink,
  FileInput,
  Notification,
  Tooltip,
  NativeSelect,
} from '@mantine/core';
import { useState } from 'react';
import { react, Kept, Filled } from './_react.jsx';
import { icon } from '/page/plain.js';

const mount = react((x) => <MantineProvider>{x}</MantineProvider>);
const Drawn = ({ name }) => (
  <svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor">
    <path d={icon(name).querySelector('path').getAttribute('d')} />
  </svg>
);
let n = 0;
const input = (One, more) => (el, f, set) =>
  void mount(
    el,
    <Kept start={f.value || ''} set={(v) => set(String(v))}>
      {(v, keep) => (
        <One label={f.label} value={v} onChange={(e) => keep(e?.currentTarget ? e.currentTarget.value : e)} {...more} />
      )}
    </Kept>,
  );
export const text = input(TextInput);
export const long = input(Textarea);
export const number = input(NumberInput);
export const date = input(TextInput, { type: 'date' });
export function choice(el, f, set) {
  mount(
    el,
    <Select
      label={f.label}
      placeholder={f.choose}
      data={f.options}
      defaultValue={f.value || null}
      searchable={++n % 2 === 0}
      onChange={(v) => set(v || '')}
    />,
  );
}
export function radio(el, f, set) {
  mount(
    el,
    <Radio.Group label={f.label} defaultValue={f.value} onChange={set}>
      <Group>
        {f.options.map((o) => (
          <Radio key={o} value={o} label={o} />
        ))}
      </Group>
    </Radio.Group>,
  );
}
export function yes(el, f, set) {
  mount(
    el,
    <Switch label={f.label} defaultChecked={f.value === 'yes'} onChange={(e) => set(e.currentTarget.checked ? 'yes' : '')} />,
  );
}
export function file(el, f, set) {
  mount(el, <FileInput label={f.label} placeholder={f.choose} onChange={set} style={{ minWidth: 220 }} />);
}
export function button(el, b, press) {
  const inner = b.icon ? (
    <ActionIcon variant="subtle" onClick={press}>
      <Drawn name={b.icon} />
    </ActionIcon>
  ) : (
    <Button size="xs" variant={b.primary ? 'filled' : 'default'} onClick={press}>
      {b.label}
    </Button>
  );
  return mount(el, b.icon && b.named ? <Tooltip label={b.label}>{inner}</Tooltip> : inner).box;
}
export function dialog(d) {
  const at = document.createElement('div');
  document.body.append(at);
  let shut;
  const Box = () => {
    const [open, set] = useState(true);
    shut = () => set(false);
    return (
      <Modal opened={open} onClose={() => set(false)} title={d.title} transitionProps={{ duration: 50 }}>
        <Filled fill={d.body} />
      </Modal>
    );
  };
  mount(at, <Box />);
  return () => shut();
}
export function rows(el, t) {
  mount(
    el,
    <Table striped>
      <Table.Thead>
        <Table.Tr>
          {t.columns.map((c) => (
            <Table.Th key={c.key}>{c.label}</Table.Th>
          ))}
          {t.tools && <Table.Th />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {t.rows.map((r) => (
          <Table.Tr key={r.id} ref={(e) => e && t.reg('row:' + r.id, e)}>
            {t.columns.map((c) => (
              <Table.Td key={c.key}>
                <Filled fill={(x) => t.cell(r, c, x)} as="span" />
              </Table.Td>
            ))}
            {t.tools && (
              <Table.Td>
                <Filled fill={(x) => t.tools(r, x)} as="span" />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>,
  );
}
export function menu(el, m, pick) {
  return mount(
    el,
    <Menu transitionProps={{ duration: 50 }}>
      <Menu.Target>
        {m.named ? (
          <ActionIcon variant="subtle" aria-label={m.label}>
            <Drawn name="dots" />
          </ActionIcon>
        ) : (
          <Button size="xs" variant="default">
            {m.label}
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {m.items.map((i) => (
          <Menu.Item key={i.key} onClick={() => pick(i)}>
            {i.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>,
  ).box;
}
export function tabs(el, f, set) {
  mount(
    el,
    <>
      <p>{f.label}</p>
      <Tabs onChange={set}>
        <Tabs.List>
          {f.options.map((o) => (
            <Tabs.Tab key={o} value={o}>
              {o}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    </>,
  );
}
export function buttons(el, f, set) {
  mount(
    el,
    <>
      <p>{f.label}</p>
      <SegmentedControl data={[{ value: '-', label: f.choose }, ...f.options]} onChange={set} />
    </>,
  );
}
export function list(el, f, set) {
  mount(
    el,
    <>
      <p>{f.label}</p>
      <Kept start="" set={set}>
        {(v, keep) => f.options.map((o) => <NavLink key={o} label={o} active={o === v} onClick={() => keep(o)} />)}
      </Kept>
    </>,
  );
}
export function pager(el, p, go) {
  const { box } = mount(el, <Pagination total={p.pages} value={p.page + 1} siblings={9} onChange={(n) => go(n - 1)} />);
  box.querySelectorAll('button').forEach((b) => /^\d+$/.test(b.textContent) && p.reg('page:' + (b.textContent - 1), b));
}
export function message(t) {
  const main = document.querySelector('main');
  mount(
    main.insertBefore(document.createElement('div'), main.firstChild),
    <Notification color="green" withCloseButton={false}>
      {t}
    </Notification>,
  );
}
