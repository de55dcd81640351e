// The badge shows a person in the tab itself that it is being observed. The page cannot notice it: closed shadow
// root, no pointer events, excluded from every digest. While it is really on screen it sends a beat once a second,
// which keeps capture going (decisions A8).

let badgeHost = null;
let badgeText = null;

const showBadge = () => {
  if (!isTop || !config.badge) return;
  if (badgeHost && badgeHost.isConnected) {
    paintBadge();
    return;
  }
  if (!document.documentElement || document.contentType.indexOf('html') < 0) return;
  if (!badgeHost) makeBadge();
  document.documentElement.appendChild(badgeHost);
  try {
    badgeHost.showPopover(); // above everything but a later modal dialog
  } catch {
    /* an older browser: it has a high z-index */
  }
  paintBadge();
};
const makeBadge = () => {
  badgeHost = document.createElement('div');
  badgeHost.setAttribute('popover', 'manual');
  badgeHost.setAttribute('role', 'note');
  const important = (o) =>
    Object.entries(o)
      .map(([k, v]) => k + ':' + v + ' !important')
      .join(';');
  badgeHost.style.cssText = important({
    all: 'initial',
    position: 'fixed',
    inset: 'auto 12px 12px auto',
    'z-index': '2147483647',
    'pointer-events': 'none',
    display: 'block',
    margin: '0',
    padding: '0',
    border: '0',
    background: 'transparent',
    overflow: 'visible',
    opacity: '1',
    visibility: 'visible',
  });
  const root = badgeHost.attachShadow({ mode: 'closed' });
  badgeText = document.createElement('div');
  root.appendChild(badgeText);
};
const paintBadge = () => {
  const paused = config.paused;
  const text = paused ? 'Showhow is paused' : 'Showhow is watching this tab';
  if (badgeText.textContent === text) return;
  badgeText.textContent = text;
  badgeHost.setAttribute('aria-label', text);
  badgeText.style.cssText =
    'font:600 12px/1.4 system-ui,sans-serif;color:#fff;border-radius:999px;padding:3px 10px;border:1px solid rgba(255,255,255,.6);' +
    'box-shadow:0 1px 4px rgba(0,0,0,.4);white-space:nowrap;user-select:none;background:' +
    (paused ? '#5f6368' : '#a50e0e');
};
const hideBadge = () => {
  if (badgeHost) badgeHost.remove();
};
const badgeShown = () => {
  if (!badgeHost || !badgeHost.isConnected || document.visibilityState !== 'visible') return false;
  if (document.fullscreenElement && !document.fullscreenElement.contains(badgeHost) && !badgeHost.matches(':popover-open')) return false;
  const r = badgeHost.getBoundingClientRect();
  return r.width > 20 && r.height > 5 && r.right > 0 && r.bottom > 0 && r.left < innerWidth && r.top < innerHeight && visible(badgeHost);
};
// While paused, only this beat is sent: the badge could indicate capture if it resumed.
const beat = guarded(() => {
  if ((mode !== 'watch' && mode !== 'paused') || !isTop) return;
  showBadge();
  const on = badgeShown();
  if (mode === 'watch') post({ k: 'badge', on });
  else send(JSON.stringify({ k: 'badge', on, doc: docID }));
});
