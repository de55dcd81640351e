// Reads a page as a person sees it and changes nothing. Called as (look)(selector, text, within): the first thing in sight that the
// selector fits and that says the text (in itself, its value or its title), in the smallest row, form or panel that says within.
function look(selector, text, within) {
  // A person waits until what moves has come to rest.
  const moves = (a) => a.playState === 'running' && a.effect && a.effect.getComputedTiming().iterations !== Infinity;
  const frames = [...document.querySelectorAll('iframe')].filter((f) => f.contentDocument && f.getBoundingClientRect().width > 1);
  const parts = [{ doc: document, x: 0, y: 0 }];
  for (const f of frames) {
    const r = f.getBoundingClientRect();
    parts.push({ doc: f.contentDocument, x: r.left + f.clientLeft, y: r.top + f.clientTop });
  }
  if (parts.some((p) => p.doc.readyState !== 'complete' || p.doc.getAnimations().some(moves))) return { ready: false };
  const squeeze = (s) => (s || '').replace(/\s+/g, ' ').trim();
  const shown = (e) => {
    const r = e.getBoundingClientRect();
    return r.width > 1 && r.height > 1 && getComputedStyle(e).visibility !== 'hidden';
  };
  const says = (e) =>
    !text || [e.innerText, e.matches('input') ? e.value : '', e.title, e.getAttribute('aria-label')].some((s) => squeeze(s) === text);
  const placed = (e) => {
    if (!within) return true;
    const around = e.closest('tr, li, form, dialog, [role=dialog], .panel, [data-id], .list_item');
    return around && squeeze(around.innerText).includes(within);
  };
  let e = null;
  const part = parts.find((p) => (e = [...p.doc.querySelectorAll(selector)].find((x) => shown(x) && says(x) && placed(x))));
  if (!part) return { ready: true, count: 0 };
  const own = e.getBoundingClientRect();
  const r = { left: own.left + part.x, top: own.top + part.y, width: own.width, height: own.height };
  const mid = r.top + r.height / 2;
  if (mid < 4 || mid > innerHeight - 4) return { ready: true, count: 0, wheelX: 5, wheelY: 300, wheel: mid - innerHeight / 2 };
  return {
    ready: true,
    count: 1,
    x: r.left,
    y: r.top,
    w: r.width,
    h: r.height,
    height: innerHeight,
    value: 'value' in e ? String(e.value) : squeeze(e.innerText),
    focused: part.doc.activeElement === e,
    shows: e.selectedOptions && e.selectedOptions[0] ? squeeze(e.selectedOptions[0].textContent) : '',
    date: new Intl.DateTimeFormat(navigator.language, { year: 'numeric', month: '2-digit', day: '2-digit' })
      .formatToParts(new Date(2020, 10, 22))
      .map((p) => p.type)
      .filter((t) => t !== 'literal'),
  };
}
