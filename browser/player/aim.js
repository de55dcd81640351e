// Called on an element, in whatever world it was found: waits until it can be operated, and returns where to point.
// With mode "click" it also sets a trap: until disarmed, pointer events reach only this element, its descendants and
// its labels. Returns {r: 'ok' | 'detached' | 'hidden' | 'disabled' | 'moving' | 'covered', what, x, y, left, top,
// framed}.
async function (mode, patient) {
  const said = (r, what) => ({ r, what: what || '' });
  const frame = () =>
    new Promise((next) => {
      const late = setTimeout(next, 50);
      requestAnimationFrame(() => {
        clearTimeout(late);
        next();
      });
    });
  const parent = (el) => el.assignedSlot || el.parentElement || (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);
  const within = (el, outer) => {
    for (let at = el; at; at = parent(at)) if (at === outer) return true;
    return false;
  };
  const rendered = (el) =>
    el.checkVisibility({ visibilityProperty: true }) && Array.from(el.getClientRects()).some((r) => r.width > 0 && r.height > 0);
  let el = this;
  if (!el.isConnected) return said('detached');
  if (mode === 'click' && el.matches('[role=tab],[role=menuitem],[role=option],[role=treeitem]')) {
    // an entry may be clicked through the only element in it that is marked as presentational
    const inside = Array.from(el.children).filter(rendered);
    if (inside.length === 1 && inside[0].matches('[role=presentation],[role=none]')) el = inside[0];
  }
  // A checkbox drawn by its label is operated there; likewise a field that is only one pixel large.
  const small = (at) => {
    const r = at.getBoundingClientRect();
    return r.width < 2 || r.height < 2;
  };
  const see = (at) => rendered(at) && !small(at) && at.checkVisibility({ opacityProperty: true });
  if (mode !== 'drop' && !see(el) && el.labels) {
    const said = el.getAttribute('role');
    const drawn = said === 'combobox' || said === 'switch'; // a list does not open by its label, and a switch may not be thrown by it
    const label = Array.from(el.labels).find((l) => see(l));
    if (label && !drawn) el = label;
    else if (/^(checkbox|radio)$/.test(el.type) || drawn) {
      // or by what is drawn around it
      for (
        let at = el.parentElement, n = 0;
        at &&
        n < 3 &&
        at.getBoundingClientRect().height < 80 &&
        at.querySelectorAll('input,button,select,textarea,a[href]').length === 1 &&
        !at.querySelector('label');
        at = at.parentElement, n++
      ) {
        if (see(at)) el = at;
        if (label && said === 'switch' && el !== this) break; // the rest of the label is not part of it
      }
      if (label && el === this) el = label;
    }
  }
  const editor = mode === 'click' && globalThis.showhow && globalThis.showhow.editor && globalThis.showhow.editor(el);
  if (editor) el = editor;
  const deaf = (at) => getComputedStyle(at).pointerEvents === 'none';
  if (mode !== 'hover' && mode !== 'drop' && el.matches('input,textarea') && !el.disabled && deaf(el)) {
    // what takes the pointer for it is the box that it is drawn in
    for (let at = el.parentElement, n = 0; at && n < 4 && at.querySelectorAll('input,button,select,textarea,a[href]').length === 1; n++) {
      if (see(at) && !deaf(at)) {
        el = at;
        break;
      }
      at = at.parentElement;
    }
  }
  if (!rendered(el)) {
    const inner = mode === 'hover' ? null : Array.from(el.querySelectorAll('*')).find(rendered); // display: contents
    if (!inner) return said('hidden');
    el = inner;
  }
  const disabled = (at) =>
    at.matches(':disabled') ||
    !!at.closest('[aria-disabled=true],[inert]') ||
    (!!at.closest('fieldset:disabled') && at.matches('button,input,select,textarea'));
  if (
    mode !== 'hover' &&
    mode !== 'drop' &&
    (disabled(this) || (getComputedStyle(el).pointerEvents === 'none' && getComputedStyle(this).pointerEvents === 'none'))
  )
    return said('disabled');

  const box = () => {
    const all = Array.from(el.getClientRects()).filter((r) => r.width > 0 && r.height > 0);
    return all[0] || el.getBoundingClientRect();
  };
  const seen = (r) =>
    r.x + r.width / 2 >= 0 && r.y + r.height / 2 >= 0 && r.x + r.width / 2 <= innerWidth && r.y + r.height / 2 <= innerHeight;
  const hitAt = (x, y) => {
    let at = document.elementFromPoint(x, y);
    while (at && at.shadowRoot) {
      const inner = at.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === at) break;
      at = inner;
    }
    return at;
  };
  const label = this.labels ? Array.from(this.labels) : [];
  const fits = (hit) =>
    !!hit &&
    (within(hit, el) ||
      within(hit, this) ||
      (within(el, hit) && hit.tagName === 'LABEL' && hit.control === this) ||
      label.some((l) => within(hit, l)));
  // Where a person would point: the centre, else another uncovered spot.
  const spots = [
    [0.5, 0.5],
    [0.25, 0.5],
    [0.75, 0.5],
    [0.5, 0.25],
    [0.5, 0.75],
    [0.1, 0.5],
    [0.9, 0.5],
    [0.1, 0.1],
    [0.9, 0.9],
  ];
  // words: the middle of the first words of a box of several parts. Elsewhere in it may be a control of its own, or a part that does not
  // listen.
  const words = () => {
    if (mode !== 'click' || !el.matches('div,li,article,section') || el.hasAttribute('role') || el.childElementCount < 2) return [];
    const walk = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const text = walk.currentNode;
      if (!/[\p{L}\p{N}]/u.test(text.data)) continue;
      const inner = text.parentElement.closest('a,button,input,select,label,[role],[onclick],[tabindex]');
      if (inner && inner !== el && within(inner, el)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const r = range.getClientRects()[0];
      if (r && r.width > 0) return [[r.x + r.width / 2, r.y + r.height / 2]];
    }
    return [];
  };
  const free = () => {
    const r = box();
    let over = null;
    for (const [x, y] of [...words(), ...spots.map(([a, b]) => [r.x + r.width * a, r.y + r.height * b])]) {
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const hit = hitAt(x, y);
      if (fits(hit) || (mode === 'drop' && hit && within(hit, el))) return { x, y };
      over = over || hit;
    }
    return { over };
  };
  const isTop = window === window.top;
  let spot = seen(box()) && isTop ? free() : {};
  if (spot.x === undefined || !isTop) {
    // in a frame, the frame may be out of sight
    for (const block of ['center', 'start', 'end', 'nearest']) {
      el.scrollIntoView({ block, inline: block === 'nearest' ? 'nearest' : 'center', behavior: 'instant' });
      await frame();
      spot = free();
      if (spot.x !== undefined) break;
    }
  }
  // It stands still when two consecutive frames show it at the same place.
  let r = box();
  let still = false;
  for (let n = 0; n < patient; n++) {
    await frame();
    if (!this.isConnected || !el.isConnected) return said('detached');
    const now = box();
    still = now.x === r.x && now.y === r.y && now.width === r.width && now.height === r.height;
    r = now;
    if (still) break;
  }
  if (!still) return said('moving');
  spot = free();
  if (spot.x === undefined) {
    const o = spot.over;
    return said(
      'covered',
      o
        ? (o.getAttribute('role') || o.tagName.toLowerCase()) +
            (o.getAttribute('aria-label') ? ' "' + o.getAttribute('aria-label').slice(0, 80) + '"' : '')
        : '',
    );
  }
  if (disabled(this) && mode === 'click') return said('disabled');
  const rects = Array.from(el.getClientRects()).filter((q) => q.width > 0 && q.height > 0);
  if (mode === 'click') {
    if (globalThis.showhowTrap) globalThis.showhowTrap.end();
    const trap = { hit: 0, missed: 0 };
    const off = new AbortController();
    const check = (e) => {
      if (!e.isTrusted) return;
      const path = e.composedPath();
      const inside = path.includes(this) || path.includes(el) || label.some((l) => path.includes(l));
      const first = e.type === 'pointerdown' || e.type === 'mousedown';
      if (inside || (!first && trap.hit)) {
        // a press on it may be released elsewhere: the page has moved something
        if (first) trap.hit++;
        return;
      }
      trap.missed++;
      e.preventDefault();
      e.stopImmediatePropagation();
    };
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu']) {
      window.addEventListener(type, check, { capture: true, signal: off.signal });
    }
    const late = setTimeout(() => trap.end(), 5000);
    trap.end = () => {
      off.abort();
      clearTimeout(late);
      globalThis.showhowTrap = undefined;
      return trap;
    };
    globalThis.showhowTrap = trap;
  }
  return {
    r: 'ok',
    what: '',
    x: spot.x,
    y: spot.y,
    left: rects.length ? rects[0].x : r.x,
    top: rects.length ? rects[0].y : r.y,
    framed: !isTop,
    other: el !== this,
  };
}
