/** @jsxImportSource preact */
// Widgets as people write them by hand over Preact: a combobox, a listbox and a menu of their own, with roles here and there.
import { render } from 'preact';
import { useState, useRef, useEffect } from 'preact/hooks';
import { icon } from '/page/plain.js';

const mount = (el, node) => {
  const box = document.createElement('div');
  box.style.display = 'inline-block';
  el.append(box);
  render(node, box);
  return box;
};
const Filled = ({ fill, as: Tag = 'span' }) => {
  const at = useRef(null);
  useEffect(() => {
    if (!at.current.firstChild) fill(at.current);
  }, []);
  return <Tag ref={at} />;
};
const Drawn = ({ name }) => (
  <svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor">
    <path d={icon(name).querySelector('path').getAttribute('d')} />
  </svg>
);
function Combo({ f, set }) {
  const [value, keep] = useState(f.value || '');
  const [open, show] = useState(false);
  return (
    <div class="field" style="margin:6px 0">
      <div class="caption">{f.label}</div>
      <div
        tabIndex={0}
        class="box"
        style="border:1px solid #999;padding:4px 8px;min-width:160px;cursor:pointer"
        onClick={() => show(!open)}
      >
        {value || f.choose}
      </div>
      {open && (
        <div class="over" style="position:absolute;background:#fff;border:1px solid #999;z-index:5">
          {f.options.map((o) => (
            <div
              key={o}
              style="padding:4px 12px;cursor:pointer"
              onClick={() => {
                keep(o);
                set(o);
                show(false);
              }}
            >
              {o}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
export function choice(el, f, set) {
  mount(el, <Combo f={f} set={set} />);
}
export function yes(el, f, set) {
  const Flip = () => {
    const [on, turn] = useState(f.value === 'yes');
    return (
      <div>
        <span
          role="switch"
          tabIndex={0}
          aria-checked={on}
          aria-label={f.label}
          style={`display:inline-block;width:34px;height:18px;border-radius:9px;cursor:pointer;background:${on ? '#2a7' : '#aaa'}`}
          onClick={() => {
            turn(!on);
            set(!on ? 'yes' : '');
          }}
        />{' '}
        {f.label}
      </div>
    );
  };
  mount(el, <Flip />);
}
export function button(el, b, press) {
  return mount(
    el,
    <button type="button" title={b.icon && b.named ? b.label : undefined} onClick={press}>
      {b.icon ? <Drawn name={b.icon} /> : <span>{b.label}</span>}
    </button>,
  );
}
export function dialog(d) {
  const at = document.createElement('div');
  document.body.append(at);
  render(
    <div style="position:fixed;inset:0;background:#0006">
      <div style="position:absolute;left:80px;top:40px;background:#fff;padding:20px">
        <h3>{d.title}</h3>
        <Filled fill={d.body} as="div" />
      </div>
    </div>,
    at,
  );
  return () => (render(null, at), at.remove());
}
export function menu(el, m, pick) {
  const Box = () => {
    const [open, show] = useState(false);
    return (
      <>
        <button type="button" title={m.named ? m.label : undefined} onClick={() => show(!open)}>
          {m.named ? '⋮' : m.label}
        </button>
        {open && (
          <ul style="position:absolute;background:#fff;border:1px solid #999;z-index:5;list-style:none;padding:4px">
            {m.items.map((i) => (
              <li
                key={i.key}
                style="padding:4px 12px;cursor:pointer"
                onClick={() => {
                  show(false);
                  pick(i);
                }}
              >
                {i.label}
              </li>
            ))}
          </ul>
        )}
      </>
    );
  };
  return mount(el, <Box />);
}
export function rows(el, t) {
  mount(
    el,
    <div class="grid">
      {t.rows.map((r) => (
        <div key={r.id} class="line" style="display:flex;gap:16px;padding:4px" ref={(e) => e && t.reg('row:' + r.id, e)}>
          {t.columns.map((c) => (
            <Filled key={c.key} fill={(x) => t.cell(r, c, x)} as="div" />
          ))}
          {t.tools && <Filled fill={(x) => t.tools(r, x)} as="div" />}
        </div>
      ))}
    </div>,
  );
}
