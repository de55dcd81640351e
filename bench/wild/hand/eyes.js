// Reads the page as a person sees it, including shadow roots. It changes nothing. Called as (eyes)(what, name, part):
//   known NAME      the element that the page registers under that name for the driver (__wild)
//   control NAME    the first element in it that can be clicked or typed into
//   scroll NAME     the same; if it is not visible, the wheel is turned over the element registered as view
//   within TEXT PART  the element with the text, inside the one registered as PART
//   above TEXT      the same in what has opened over the page: a list, a menu, a dialog
//   words TEXT      the topmost element with exactly this text; PART: not inside the element registered so
// If the element exists but cannot be reached, it returns where the wheel has to be turned.
function eyes(what, name, part) {
  const squeeze = (s) => (s || '').replace(/\s+/g, ' ').trim();
  const wild = globalThis.__wild;
  if (!wild || !wild.ready || document.readyState === 'loading') return { ready: false };
  const up = (e) => e.parentElement || (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null);
  const holds = (a, e) => {
    for (; e; e = e.assignedSlot && e !== a ? e.assignedSlot : up(e)) if (e === a) return true;
    return false;
  };
  const within = (a, e) => {
    for (; e; e = up(e)) if (e === a) return true;
    return false;
  };
  const all = (root, out = []) => {
    for (const e of root.querySelectorAll('*')) {
      out.push(e);
      if (e.shadowRoot) all(e.shadowRoot, out);
    }
    return out;
  };
  const shown = (e) => {
    const r = e.getBoundingClientRect(),
      s = getComputedStyle(e);
    return r.width > 1 && r.height > 1 && s.visibility !== 'hidden' && s.opacity !== '0' && !(e.disabled && e.matches('button'));
  };
  const top = (x, y) => {
    let e = document.elementFromPoint(x, y);
    while (e && e.shadowRoot) {
      const inner = e.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === e) break;
      e = inner;
    }
    return e;
  };
  const reached = (e) => {
    const r = e.getBoundingClientRect(),
      t = top(r.left + r.width / 2, r.top + r.height / 2);
    return t && (within(e, t) || holds(e, t) || within(t, e));
  };
  const usable =
    'button, input, select, textarea, a[href], [contenteditable=true], [tabindex="0"], ' +
    ['button', 'combobox', 'tab', 'switch', 'checkbox'].map((r) => `[role=${r}]`).join(', ');
  let e = wild.known.get(name);
  if (e && !e.isConnected) e = null;
  if (what === 'scroll' && !e) {
    const v = wild.known.get('view'),
      r = v && v.getBoundingClientRect();
    return v
      ? {
          ready: true,
          wheelX: r.left + r.width / 2,
          wheelY: r.top + r.height / 2,
          wheel: v.scrollTop + v.clientHeight >= v.scrollHeight - 2 ? -v.scrollHeight : 170,
        }
      : { ready: true };
  }
  if (what === 'control' || what === 'scroll') {
    if (e && !e.matches(usable)) {
      const inner = all(e.shadowRoot || e).concat(e.shadowRoot ? all(e) : []);
      e = inner.find((x) => x.matches(part || usable) && shown(x)) || inner.find((x) => x.matches(part || usable)) || (part ? null : e);
    } else if (e && part && !e.matches(part)) e = null;
  }
  if (what === 'words' || what === 'within' || what === 'above') {
    const outside = what !== 'within' && part ? wild.known.get(part) : null;
    const inside = what === 'within' ? wild.known.get(part) : null;
    if (what === 'within' && !(inside && inside.isConnected)) return { ready: true, count: 0 };
    const says = all(document).filter((x) => {
      const tag = x.tagName;
      if (tag === 'SCRIPT' || tag === 'STYLE' || tag === 'OPTION') return false;
      const own =
        tag === 'INPUT' && (x.type === 'button' || x.type === 'submit')
          ? x.value
          : x.shadowRoot
            ? [...x.childNodes].map((c) => (c.nodeType === 3 ? c.data : '')).join('')
            : x.innerText;
      return squeeze(own) === name && shown(x) && !(outside && within(outside, x)) && (!inside || within(inside, x));
    });
    const leaves = says.filter((x) => !says.some((y) => y !== x && within(x, y)));
    const above = (x) => {
      for (; x && x !== document.body; x = x.assignedSlot || up(x))
        if (
          x.matches('[role=option], [role=menuitem], [role=listbox], [role=menu], dialog, [popover]') ||
          /absolute|fixed/.test(getComputedStyle(x).position)
        )
          return true;
      return false;
    };
    const seen = leaves.filter(reached);
    e = what === 'above' ? seen.filter(above).pop() : seen.filter(above).pop() || seen.pop() || leaves.filter(above).pop() || leaves.pop();
  }
  if (!e) return { ready: true, count: 0 };
  let r = e.getBoundingClientRect();
  if ((what === 'control' || what === 'scroll') && e.matches('input') && (!shown(e) || r.width < 3)) {
    // A box that is drawn by something around or beside it.
    const around = e.labels && e.labels[0] ? e.labels[0] : up(e);
    if (around) {
      e = around;
      r = e.getBoundingClientRect();
    }
  }
  const value = 'value' in e && e.tagName !== 'BUTTON' ? String(e.value) : squeeze(e.innerText);
  const out = {
    ready: true,
    count: 1,
    x: r.left,
    y: r.top,
    w: r.width,
    h: r.height,
    height: innerHeight,
    value,
    tag: e.tagName,
    focused: e.getRootNode().activeElement === e,
    checked: e.getAttribute('aria-checked') === 'true' || !!e.checked,
    shows: e.selectedOptions && e.selectedOptions[0] ? squeeze(e.selectedOptions[0].textContent) : '',
    date: new Intl.DateTimeFormat(navigator.language, { year: 'numeric', month: '2-digit', day: '2-digit' })
      .formatToParts(new Date(2020, 10, 22))
      .map((p) => p.type)
      .filter((t) => t !== 'literal'),
  };
  const turn = (x, y, by) => ({ ...out, count: 0, wheelX: x, wheelY: y, wheel: by });
  for (let a = up(e); a && a !== document.body && a !== document.documentElement; a = up(a)) {
    const s = getComputedStyle(a);
    if (!/auto|scroll/.test(s.overflowY) || a.scrollHeight <= a.clientHeight + 1) continue;
    const v = a.getBoundingClientRect(),
      mid = r.top + r.height / 2;
    if (mid < v.top + 4 || mid > v.bottom - 4) return turn(v.left + v.width / 2, v.top + v.height / 2, mid - (v.top + v.height / 2));
  }
  const mid = r.top + Math.min(r.height, innerHeight - 20) / 2;
  if (mid < 4 || mid > innerHeight - 4) return turn(5, 300, mid - innerHeight / 2);
  if (r.width < 1 || r.height < 1) return { ready: true, count: 0 };
  if (!reached(e)) return { ready: true, count: 0 };
  return out;
}
