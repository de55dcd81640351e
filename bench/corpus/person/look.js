// Reads the page as a person sees it, including frames and shadow roots. It changes nothing. Called as (look)(kind,
// name, within).
function look(kind, name, within) {
  const squeeze = (s) => (s || '').replace(/\s+/g, ' ').trim();
  const own = (l) => {
    const c = l.cloneNode(true);
    c.querySelectorAll('input,select,textarea,button').forEach((x) => x.remove());
    return squeeze(c.textContent);
  };
  const seen = [];
  let words = '';
  (function walk(root, dx, dy) {
    for (const e of root.querySelectorAll('*')) {
      seen.push({ e, dx, dy });
      if (e.shadowRoot) {
        words += ' ' + squeeze(e.shadowRoot.textContent);
        walk(e.shadowRoot, dx, dy);
      }
      if (e.tagName === 'IFRAME' && e.contentDocument && e.contentDocument.body) {
        const r = e.getBoundingClientRect();
        words += ' ' + squeeze(e.contentDocument.body.innerText);
        walk(e.contentDocument, dx + r.left + e.clientLeft, dy + r.top + e.clientTop);
      }
    }
  })(document, 0, 0);
  if (kind === 'text') {
    const all = squeeze(document.body ? document.body.innerText : '') + words;
    return { ready: document.readyState === 'complete', count: all.includes(name) ? 1 : 0, url: location.pathname + location.search };
  }
  const shown = (e) => {
    const r = e.getBoundingClientRect(),
      s = e.ownerDocument.defaultView.getComputedStyle(e);
    return r.width > 1 && r.height > 1 && s.visibility !== 'hidden';
  };
  const is = {
    button: (e) => e.matches('button, input[type=submit], [role=button]'),
    link: (e) => e.matches('a[href]'),
    option: (e) => e.matches('[role=option]'),
    menuitem: (e) => e.matches('[role=menuitem]'),
    switch: (e) => e.matches('[role=switch]'),
    card: (e) => e.matches('li'),
    region: (e) => e.matches('section'),
    field: (e) => e.matches('input, select, textarea, [contenteditable=true]'),
    label: (e) => e.matches('label'),
    summary: (e) => e.matches('summary'),
    words: (e) => !e.children.length, // what a person reads and presses, whatever it is made of
    drawing: (e) => e.matches(name), // likewise what shows no text, by a selector
  }[kind];
  const called = (e) => {
    if (kind === 'drawing') return name;
    if (kind === 'label') return own(e);
    if (e.getAttribute('aria-label')) return squeeze(e.getAttribute('aria-label'));
    if (kind === 'field') return e.labels && e.labels.length ? own(e.labels[0]) : squeeze(e.placeholder);
    return squeeze(e.innerText || e.textContent);
  };
  // How many named places away the words are: the nearest row counts before the section around it. -1: not found.
  const away = (e) => {
    let n = 0;
    for (let a = e; within && (a = a.parentElement && a.parentElement.closest('tr, li, section, dialog, [role=dialog], .entry')); n++) {
      if (squeeze(a.innerText).includes(within)) return n;
    }
    return within ? -1 : 0;
  };
  const found = seen
    .filter((s) => is(s.e) && shown(s.e) && called(s.e) === name)
    .map((s) => ({ ...s, n: away(s.e) }))
    .filter((s) => s.n >= 0);
  found.sort((a, b) => a.n - b.n);
  if (!found.length) return {};
  const { e, dx, dy } = found[0],
    r = e.getBoundingClientRect();
  return {
    ready: document.readyState === 'complete',
    count: found.length,
    x: r.left + dx,
    y: r.top + dy,
    w: r.width,
    h: r.height,
    height: innerHeight,
    value: 'value' in e ? String(e.value) : squeeze(e.innerText),
    focused: e.getRootNode().activeElement === e,
    checked: e.getAttribute('aria-checked') === 'true' || !!e.checked,
    shows: e.selectedOptions && e.selectedOptions[0] ? squeeze(e.selectedOptions[0].textContent) : '',
    date: new Intl.DateTimeFormat(navigator.language, { year: 'numeric', month: '2-digit', day: '2-digit' })
      .formatToParts(new Date(2020, 10, 22))
      .map((p) => p.type)
      .filter((t) => t !== 'literal'),
  };
}
