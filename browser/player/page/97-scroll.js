// Lists that contain only the visible rows: finds what scrolls on a page and goes through it screen by screen. Only
// scroll positions change, and they are restored.

const MOST_SCROLLS = 4;
const LEAST_SCROLL = 60; // px: what is smaller shows no rows
let scrolls = []; // {el, was, begun}

// scrolls finds what scrolls, the frontmost first, and returns how many there are.
api.scrolls = () => {
  const found = [];
  for (const scope of scopes()) {
    for (const el of scope.querySelectorAll('div,ul,ol,tbody,table,section,main,article,aside,nav')) {
      if (el.clientHeight < LEAST_SCROLL || el.scrollHeight < el.clientHeight + 8 || el.childElementCount === 0) continue;
      if (getComputedStyle(el).overflowY !== 'visible' && visible(el)) found.push(el);
    }
  }
  const page = document.scrollingElement;
  scrolls = found
    .reverse()
    .filter((el) => el !== page)
    .slice(0, MOST_SCROLLS);
  if (page && page.scrollHeight > page.clientHeight + 8) scrolls.push(page);
  scrolls = scrolls.map((el) => ({ el, was: el.scrollTop, begun: false }));
  return String(scrolls.length);
};

// scrollOn scrolls on by a screen, first back to the beginning if that is out of sight; '' at the end.
api.scrollOn = (i, toEnd) => {
  const s = scrolls[i];
  if (!s || !s.el.isConnected) return '';
  const from = s.el.scrollTop;
  s.el.scrollTo({ top: !s.begun && from > 0 ? 0 : toEnd ? s.el.scrollHeight : from + s.el.clientHeight * 0.8, behavior: 'instant' });
  s.begun = true;
  return s.el.scrollTop === from ? '' : 'moved';
};
api.scrollBack = (i) => {
  const s = scrolls[i];
  if (s) s.el.scrollTo({ top: s.was, behavior: 'instant' });
  return '';
};
