// Reads the page as a person sees it. It changes nothing. Called as (look)(kind, name, within).
function look(kind, name, within) {
  const text = (e) => (e.innerText || e.textContent || '').replace(/\s+/g, ' ').trim();
  const shown = (e) => {
    const r = e.getBoundingClientRect(),
      s = getComputedStyle(e);
    return r.width > 1 && r.height > 1 && s.visibility !== 'hidden' && s.display !== 'none';
  };
  const all = (q, root) => [...(root || document).querySelectorAll(q)].filter(shown);
  if (kind === 'page') {
    return {
      url: location.href,
      ready: document.readyState === 'complete',
      title: document.title,
      headings: all('h1').map(text),
      status: all('[role=status]').map(text),
      alerts: all('[role=alert]').map(text),
      height: innerHeight,
    };
  }
  let found = [];
  if (kind === 'label') found = all('label').filter((l) => text(l) === name);
  if (kind === 'field')
    found = all('label')
      .filter((l) => text(l) === name)
      .map((l) => l.control)
      .filter((c) => c && shown(c));
  if (kind === 'button') found = all('button, input[type=submit]').filter((b) => text(b) === name || b.value === name);
  if (kind === 'link') found = all('a[href]', within ? all(within)[0] : null).filter((a) => text(a) === name);
  if (kind === 'textfield') found = all('input[type=search], input[type=text], input:not([type]), textarea');
  if (!found.length) return {};
  const e = found[0],
    r = e.getBoundingClientRect();
  return {
    count: found.length,
    x: r.left,
    y: r.top,
    w: r.width,
    h: r.height,
    height: innerHeight,
    value: 'value' in e ? String(e.value) : '',
    checked: !!e.checked,
    focused: document.activeElement === e,
    chosen: e.selectedOptions && e.selectedOptions.length ? text(e.selectedOptions[0]) : '',
    options: e.options ? [...e.options].map((o) => ({ value: o.value, text: text(o) })) : [],
    date: new Intl.DateTimeFormat(navigator.language, { year: 'numeric', month: '2-digit', day: '2-digit' })
      .formatToParts(new Date(2020, 10, 22))
      .map((p) => p.type)
      .filter((t) => t !== 'literal'),
  };
}
