/**
 * A ref for what an address can name behind "#". What it names is often loaded after the page, when the browser does not look for it
 * any more.
 */
export function reached(e: HTMLElement | null) {
  if (!e?.id || location.hash !== `#${e.id}`) return;
  e.scrollIntoView?.({ block: "center" });
  e.focus({ preventScroll: true });
}
