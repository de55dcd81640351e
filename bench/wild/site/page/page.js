// Draws the site's current case with a library's widgets. What a person finds things by is kept in __wild, outside
// the document: only the driver and the judge look there.
import * as plain from './plain.js';

const h = plain.h;
const known = new Map();
globalThis.__wild = { known, ready: false };
const reg = (key, e) => (known.set(key, e), e);

export async function start(library) {
  const ui = { ...plain, ...library };
  const state = await (await fetch('state')).json();
  const spec = state.spec;
  plain.begin(spec);
  await library.begin?.(spec);
  let rows = state.rows;
  document.documentElement.lang = spec.lang === 'zz' ? 'en' : spec.lang;
  document.title = spec.title;

  const main = h('main');
  frame(spec, main);
  const work = h('div');
  const below = h('div');
  main.append(work, below);

  const flash = document.cookie.includes('flash=1');
  document.cookie = 'flash=; max-age=0';
  if (flash && spec.message) ui.message(spec.message);

  // tell sends an action to the site and shows the result.
  async function tell(effect, file) {
    if (spec.classic && !file) return post(effect);
    const body = new FormData();
    body.set('effect', JSON.stringify(effect));
    if (file) body.set('file', file);
    const answer = await (await fetch('do', { method: 'POST', body })).json();
    if (answer.said && spec.message) ui.message(spec.message);
    if (spec.persist) {
      rows = (await (await fetch('state')).json()).rows;
      redraw();
    }
  }
  const redraw = () => {
    below.replaceChildren();
    kinds[spec.kind].below?.();
  };

  const fieldsIn = (el, fields, values) => {
    for (const f of fields) {
      const box = h('div');
      el.append(reg('field:' + f.key, box));
      values[f.key] ??= f.value || '';
      (ui[f.type] || plain[f.type])(box, { ...f, value: values[f.key], choose: spec.words.choose, reg }, (v) => (values[f.key] = v));
    }
  };
  const sent = (values) => {
    const fields = {};
    let file;
    for (const f of spec.fields) {
      if (f.type === 'file') {
        file = values[f.key];
        fields[f.key] = file ? file.name : '';
      } else fields[f.key] = String(values[f.key] ?? '');
    }
    return [
      { verb: spec.variant === 'settings' ? 'set' : 'add', table: 'items', id: spec.variant === 'settings' ? 'S-1' : '', fields },
      file,
    ];
  };
  const stored = () => (spec.variant === 'settings' ? spec.fields.map((f) => ({ ...f, value: rows[0][f.key] })) : spec.fields);
  const shown = () => {
    if (!spec.persist || spec.variant === 'settings') return;
    const columns = spec.fields.filter((f) => f.type !== 'yes');
    ui.rows(below, { columns, rows, reg, cell: (r, c, el) => el.append(String(r[c.key] ?? '')) });
  };
  const button = (el, key, b, press) => reg('button:' + key, ui.button(el, b, press));

  const act = (r, a) => {
    const go = () =>
      tell(
        a.key === 'delete'
          ? { verb: 'remove', table: 'items', id: r.id }
          : { verb: 'set', table: 'items', id: r.id, fields: { state: a.key } },
      );
    if (!spec.confirm) return go();
    ui.ask({ ui, reg, text: spec.words.sure, confirm: spec.words.confirm, cancel: spec.words.cancel, yes: go });
  };
  const tools = (r, el) => {
    for (const a of spec.actions || []) {
      const done = spec.persist && r.state === a.key;
      if (done) el.append(h('i', {}, a.label + ' '));
      else
        reg(
          `act:${r.id}:${a.key}`,
          ui.button(el, { label: a.label, icon: a.icon, named: a.named }, () => act(r, a)),
        );
    }
  };
  const cell = (r, c, el) => el.append(String(r[c.key] ?? ''));
  let page = 0;

  const kinds = {
    form: {
      above() {
        const values = {};
        const form = h('form', { onsubmit: (e) => (e.preventDefault(), tell(...sent(values))) });
        work.append(form);
        fieldsIn(form, stored(), values);
        button(form, 'submit', { label: spec.words.submit, primary: true }, () => tell(...sent(values)));
      },
      below: shown,
    },
    dialog: {
      above() {
        button(work, 'open', { label: spec.words.open, primary: true }, () => {
          const values = {};
          const close = ui.dialog({
            title: spec.words.open,
            body(el) {
              fieldsIn(el, spec.fields, values);
              button(el, 'submit', { label: spec.words.submit, primary: true }, () => (close(), tell(...sent(values))));
              ui.button(el, { label: spec.words.cancel }, () => close());
            },
          });
        });
      },
      below: shown,
    },
    wizard: {
      above() {
        const values = {};
        const last = Math.max(...spec.fields.map((f) => f.step));
        const step = (n) => {
          work.replaceChildren(h('h2', {}, `${n + 1} / ${last + 1}`));
          fieldsIn(
            work,
            spec.fields.filter((f) => f.step === n),
            values,
          );
          if (n < last) button(work, 'next' + n, { label: spec.words.next, primary: true }, () => step(n + 1));
          else
            button(work, 'submit', { label: spec.words.submit, primary: true }, async () => {
              await tell(...sent(values));
              if (!spec.classic) {
                for (const k of Object.keys(values)) delete values[k];
                step(0);
              }
            });
        };
        step(0);
      },
      below: shown,
    },
    picker: {
      above() {
        let value = '';
        const f = {
          label: spec.words.picked,
          options: spec.options,
          choose: spec.words.choose,
          value: rows[0].picked || '',
          reg,
        };
        const box = h('div');
        work.append(reg('field:picked', box));
        ui[spec.variant === 'rows' ? 'boxes' : spec.variant](box, f, (v) => (value = v));
        button(work, 'submit', { label: spec.words.submit, primary: true }, () =>
          tell({ verb: 'set', table: 'items', id: 'S-1', fields: { picked: value } }),
        );
      },
      below() {
        if (rows[0].picked) below.append(h('p', {}, spec.words.picked + ': ', h('b', {}, rows[0].picked)));
      },
    },
    tree: {
      above() {
        let value = '';
        const box = h('div');
        work.append(box);
        ui.tree(box, { nodes: spec.tree, reg }, (v) => (value = v));
        button(work, 'submit', { label: spec.words.submit, primary: true }, () =>
          tell({ verb: 'set', table: 'items', id: 'S-1', fields: { picked: value } }),
        );
      },
      below() {
        if (rows[0].picked) below.append(h('p', {}, h('b', {}, rows[0].picked)));
      },
    },
    table: {
      below() {
        if (spec.virtual) return virtual(below, rows, { columns: spec.columns, cell, tools });
        ui.rows(below, { columns: spec.columns, rows, cell, tools, reg });
      },
    },
    pager: {
      below() {
        const pages = Math.ceil(rows.length / spec.per_page);
        page = Math.min(page, pages - 1);
        ui.rows(below, {
          columns: spec.columns,
          rows: rows.slice(page * spec.per_page, (page + 1) * spec.per_page),
          cell,
          tools,
          reg,
        });
        ui.pager(below, { page, pages, reg }, (n) => ((page = n), redraw()));
      },
    },
    menu: {
      below() {
        ui.rows(below, {
          columns: spec.columns,
          rows,
          cell,
          reg,
          tools: (r, el) => {
            if (spec.persist && r.state) el.append(h('i', {}, spec.actions.find((a) => a.key === r.state)?.label || r.state));
            const items = spec.variant === 'value' ? spec.actions.filter((a) => a.label !== r.kind) : spec.actions;
            reg(
              'menu:' + r.id,
              ui.menu(el, { label: spec.words.more, named: spec.style.hue % 2 === 0, items }, (a) =>
                spec.variant === 'value' ? tell({ verb: 'set', table: 'items', id: r.id, fields: { kind: a.label } }) : act(r, a),
              ),
            );
          },
        });
      },
    },
    inline: {
      below() {
        const note = spec.columns.at(-1).key;
        ui.rows(below, {
          columns: spec.columns,
          rows,
          reg,
          cell(r, c, el) {
            if (c.key !== note) return cell(r, c, el);
            const text = h('span', {}, String(r.note ?? ''));
            const edit = () => {
              const input = h('input', { type: 'text' });
              input.value = r.note ?? '';
              let over = false;
              const end = (keep) => {
                if (over) return;
                over = true;
                if (keep && input.value !== r.note) tell({ verb: 'set', table: 'items', id: r.id, fields: { note: input.value } });
                else el.replaceChildren(text);
              };
              input.addEventListener('keydown', (e) => (e.key === 'Enter' ? end(true) : e.key === 'Escape' && end(false)));
              input.addEventListener('blur', () => end(true));
              el.replaceChildren(reg('edit:' + r.id, input));
              input.focus();
            };
            el.append(reg('cell:' + r.id, text));
            if (spec.variant === 'pencil')
              reg('pencil:' + r.id, ui.button(el, { label: spec.words.edit, icon: 'pencil', named: spec.style.hue % 2 === 0 }, edit));
            else el.addEventListener(spec.variant === 'double' ? 'dblclick' : 'click', () => el.contains(text) && edit());
          },
        });
      },
    },
    drag: {
      below() {
        const all = h('div', { class: 'lists' });
        for (const name of spec.lists) {
          const list = h('section', { class: 'list', 'aria-label': spec.style.hue % 2 ? name : null }, h('h3', {}, name));
          list.addEventListener('dragover', (e) => e.preventDefault());
          list.addEventListener('drop', (e) => {
            e.preventDefault();
            tell({ verb: 'set', table: 'items', id: e.dataTransfer.getData('text/plain'), fields: { kind: name } });
          });
          for (const r of rows.filter((r) => r.kind === name)) {
            const card = h('div', { class: 'card item', draggable: 'true' }, r.name);
            card.addEventListener('dragstart', (e) => e.dataTransfer.setData('text/plain', r.id));
            list.append(reg('card:' + r.id, card));
          }
          all.append(reg('list:' + name, list));
        }
        below.append(all);
      },
    },
  };
  kinds.upload = kinds.form;
  kinds[spec.kind].above?.();
  redraw();
  globalThis.__wild.ready = true;
}

// virtual keeps only the visible rows in the document.
function virtual(el, rows, t) {
  const high = 34;
  const inner = h('div', { style: `position:relative;height:${rows.length * high}px` });
  const view = h('div', { class: 'rows', style: 'height:340px;overflow-y:auto' }, inner);
  const draw = () => {
    const first = Math.floor(view.scrollTop / high);
    inner.replaceChildren();
    rows.slice(first, first + 12).forEach((r, i) => {
      const row = h('div', { class: 'item', style: `position:absolute;top:${(first + i) * high}px;height:${high}px` });
      t.columns.forEach((c) => {
        const part = h('span', { class: 'c' });
        t.cell(r, c, part);
        row.append(part, ' ');
      });
      t.tools(r, row);
      inner.append(reg('row:' + r.id, row));
    });
  };
  view.addEventListener('scroll', draw);
  el.append(reg('view', view));
  draw();
}

// post submits an action as a form does: the page is left and comes back.
function post(effect) {
  const form = h(
    'form',
    { method: 'post', action: 'do?classic=1', enctype: 'multipart/form-data', hidden: true },
    h('input', { type: 'hidden', name: 'effect', value: JSON.stringify(effect) }),
  );
  document.body.append(form);
  form.submit();
}

// frame draws what surrounds the work: the page's header, links, notes, something that moves.
function frame(spec, main) {
  const s = spec.style;
  document.head.append(h('style', {}, look(s)));
  let at = document.body;
  for (let i = 0; i < s.nest; i++) {
    const box = h('div', { class: 'n' + i });
    at.append(box);
    at = box;
  }
  const noise = spec.noise || [];
  at.append(h('header', {}, h('h1', {}, spec.title), h('a', { href: './' }, spec.words.home)));
  if (s.clock) {
    const clock = h('small');
    const tick = () => (clock.textContent = new Date().toLocaleTimeString());
    tick();
    setInterval(tick, 1000);
    at.append(clock);
  }
  const decoy = (label) => h('button', { type: 'button', class: 'b', onclick: () => fetch('decoy', { method: 'POST' }) }, label);
  if (s.aside)
    at.append(
      h(
        'aside',
        {},
        h('p', {}, spec.words.saying),
        noise.map((n) => h('p', {}, h('a', { href: './' }, n))),
      ),
    );
  at.append(main);
  if (noise.length)
    at.append(
      h('footer', {}, h('p', {}, spec.words.saying), h('input', { type: 'search', placeholder: spec.words.search }), noise.map(decoy)),
    );
}

const look = (s) => `
body { font: 15px/1.4 sans-serif; margin: 16px; accent-color: hsl(${s.hue} 60% 40%) }
h1 { font-size: 22px; color: hsl(${s.hue} 50% 30%) } h2 { font-size: 18px }
.f { margin: 6px 0 } .f label, .l { display: inline-block; min-width: 110px }
.b.p { background: hsl(${s.hue} 50% 40%); color: #fff } .lists { display: flex; gap: 12px; align-items: stretch }
.list { min-width: 130px; min-height: 260px; background: #eee; padding: 6px } .card { background: #fff; padding: 6px; margin: 6px 0 }
.rows td, .rows th { border: 1px solid #ccc; padding: 4px 8px } .item { padding: 3px } .c { margin-right: 10px }
.menu { position: absolute; background: #fff; border: 1px solid #888; z-index: 9 } .menu > div { padding: 4px 14px; cursor: pointer }
.pick > * { cursor: pointer; padding: 4px 10px } .pick.tabs, .pick.buttons { display: flex } .pick .on { background: hsl(${s.hue} 60% 85%) }
.tree ul[hidden], .menu[hidden] { display: none } .fold { background: none; border: 0 } .leaf { cursor: pointer; padding: 2px 6px }
.leaf[aria-selected=true] { background: hsl(${s.hue} 60% 85%) } .said { background: #e6f4e6; padding: 6px }`;
