import {
  TextField,
  Autocomplete,
  Switch,
  FormControlLabel,
  RadioGroup,
  Radio,
  FormControl,
  FormLabel,
  Button,
  IconButton,
  Tooltip,
  Dialog,
  DialogTitle,
  DialogContent,
  Table,
  TableHead,
  TableBody,
  TableRow,
  TableCell,
  Menu,
  MenuItem,
  Select,
  InputLabel,
  Tabs,
  Tab,
  Pagination,
  ToggleButtonGroup,
  ToggleButton,
  List,
  ListItemButton,
  Alert,
  SvgIcon,
  TableContainer,
  Paper,
} from '@mui/material';
import { useState } from 'react';
import { react, Kept, Filled } from './_react.jsx';
import { icon } from '/page/plain.js';

const mount = react();
let n = 0;
const Drawn = ({ name }) => (
  <SvgIcon fontSize="small">
    <path fill="none" stroke="currentColor" d={icon(name).querySelector('path').getAttribute('d')} />
  </SvgIcon>
);
const input = (more) => (el, f, set) =>
  void mount(
    el,
    <Kept start={f.value || ''} set={set}>
      {(v, keep) => <TextField margin="dense" label={f.label} value={v} onChange={(e) => keep(e.target.value)} {...more} />}
    </Kept>,
  );
export const text = input({});
export const long = input({ multiline: true, minRows: 2 });
export const number = input({ type: 'number' });
export const date = input({ type: 'date', slotProps: { inputLabel: { shrink: true } } });
export function choice(el, f, set) {
  const id = 'm' + ++n;
  if (n % 2)
    return void mount(
      el,
      <Autocomplete
        style={{ width: 260 }}
        options={f.options}
        defaultValue={f.value || null}
        onChange={(e, v) => set(v || '')}
        renderInput={(p) => <TextField {...p} margin="dense" label={f.label} />}
      />,
    );
  mount(
    el,
    <Kept start={f.value || ''} set={set}>
      {(v, keep) => (
        <FormControl margin="dense" style={{ minWidth: 220 }}>
          <InputLabel id={id}>{f.label}</InputLabel>
          <Select labelId={id} label={f.label} value={v} onChange={(e) => keep(e.target.value)}>
            {f.options.map((o) => (
              <MenuItem key={o} value={o}>
                {o}
              </MenuItem>
            ))}
          </Select>
        </FormControl>
      )}
    </Kept>,
  );
}
export function radio(el, f, set) {
  mount(
    el,
    <FormControl>
      <FormLabel>{f.label}</FormLabel>
      <RadioGroup row defaultValue={f.value || ''} onChange={(e) => set(e.target.value)}>
        {f.options.map((o) => (
          <FormControlLabel key={o} value={o} control={<Radio />} label={o} />
        ))}
      </RadioGroup>
    </FormControl>,
  );
}
export function yes(el, f, set) {
  mount(
    el,
    <FormControlLabel
      label={f.label}
      control={<Switch defaultChecked={f.value === 'yes'} onChange={(e) => set(e.target.checked ? 'yes' : '')} />}
    />,
  );
}
export function button(el, b, press) {
  const inner = b.icon ? (
    <IconButton size="small" onClick={press}>
      <Drawn name={b.icon} />
    </IconButton>
  ) : (
    <Button size="small" variant={b.primary ? 'contained' : 'text'} onClick={press}>
      {b.label}
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
      <Dialog open={open} onClose={() => set(false)}>
        <DialogTitle>{d.title}</DialogTitle>
        <DialogContent>
          <Filled fill={d.body} />
        </DialogContent>
      </Dialog>
    );
  };
  mount(at, <Box />);
  return () => shut();
}
export function rows(el, t) {
  mount(
    el,
    <TableContainer component={Paper}>
      <Table size="small">
        <TableHead>
          <TableRow>
            {t.columns.map((c) => (
              <TableCell key={c.key}>{c.label}</TableCell>
            ))}
            {t.tools && <TableCell />}
          </TableRow>
        </TableHead>
        <TableBody>
          {t.rows.map((r) => (
            <TableRow key={r.id} ref={(e) => e && t.reg('row:' + r.id, e)}>
              {t.columns.map((c) => (
                <TableCell key={c.key}>
                  <Filled fill={(x) => t.cell(r, c, x)} as="span" />
                </TableCell>
              ))}
              {t.tools && (
                <TableCell>
                  <Filled fill={(x) => t.tools(r, x)} as="span" />
                </TableCell>
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>,
  );
}
export function menu(el, m, pick) {
  const Box = () => {
    const [at, set] = useState(null);
    return (
      <>
        {m.named ? (
          <Tooltip title={m.label}>
            <IconButton size="small" onClick={(e) => set(e.currentTarget)}>
              <Drawn name="dots" />
            </IconButton>
          </Tooltip>
        ) : (
          <Button size="small" onClick={(e) => set(e.currentTarget)}>
            {m.label}
          </Button>
        )}
        <Menu open={!!at} anchorEl={at} onClose={() => set(null)}>
          {m.items.map((i) => (
            <MenuItem
              key={i.key}
              onClick={() => {
                set(null);
                pick(i);
              }}
            >
              {i.label}
            </MenuItem>
          ))}
        </Menu>
      </>
    );
  };
  return mount(el, <Box />).box;
}
export function tabs(el, f, set) {
  mount(
    el,
    <>
      <p>{f.label}</p>
      <Kept start={false} set={set}>
        {(v, keep) => (
          <Tabs value={v} onChange={(e, x) => keep(x)} variant="scrollable">
            {f.options.map((o) => (
              <Tab key={o} value={o} label={o} style={{ textTransform: 'none' }} />
            ))}
          </Tabs>
        )}
      </Kept>
    </>,
  );
}
export function buttons(el, f, set) {
  mount(
    el,
    <>
      <p>{f.label}</p>
      <Kept start={null} set={set}>
        {(v, keep) => (
          <ToggleButtonGroup exclusive size="small" value={v} onChange={(e, x) => x && keep(x)}>
            {f.options.map((o) => (
              <ToggleButton key={o} value={o} style={{ textTransform: 'none' }}>
                {o}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
        )}
      </Kept>
    </>,
  );
}
export function list(el, f, set) {
  mount(
    el,
    <>
      <p>{f.label}</p>
      <Kept start="" set={set}>
        {(v, keep) => (
          <List>
            {f.options.map((o) => (
              <ListItemButton key={o} selected={o === v} onClick={() => keep(o)}>
                {o}
              </ListItemButton>
            ))}
          </List>
        )}
      </Kept>
    </>,
  );
}
export function pager(el, p, go) {
  const { box } = mount(el, <Pagination count={p.pages} page={p.page + 1} onChange={(e, n) => go(n - 1)} siblingCount={9} />);
  box.querySelectorAll('li button').forEach((b) => /^\d+$/.test(b.textContent) && p.reg('page:' + (b.textContent - 1), b));
}
export function message(t) {
  mount(
    document.querySelector('main').insertBefore(document.createElement('div'), document.querySelector('main').firstChild),
    <Alert severity="success">{t}</Alert>,
  );
}
