import { useEffect } from "react";

export const settled = 120; // ms: a box, a menu and a view give the focus on by themselves first

/** Where the focus continues after its element is gone: at the message there, else at the heading of the rest. */
function next(way: Element[]): HTMLElement | null {
  for (const e of way) {
    if (!e.isConnected) continue;
    if (!e.closest("main, dialog")) break; // the frame is left to those who go there
    const at = e.querySelector<HTMLElement>('[role="alert"]') ?? e.querySelector<HTMLElement>("h1, h2, h3, legend");
    if (at?.checkVisibility?.() ?? at) return at;
    if (e.matches("main, dialog")) break;
  }
  return document.querySelector<HTMLElement>("main h1, h1");
}

/**
 * Keeps the keyboard in its place: what has the focus may leave the page, because it was refused, another hand was faster or the
 * work went on, and the browser then begins again at the top.
 */
export function useKeptFocus() {
  useEffect(() => {
    let way: Element[] = []; // what has the focus, and what it stands in
    let later: ReturnType<typeof setTimeout> | undefined;
    let tabbed = false; // the last key was Tab
    // An engine that returns the focus to a page where nothing has it may choose the page's top by itself, not at the
    // person's wish.
    const byItself = (e: Element) => e.matches(".skip") && !tabbed;
    const nobody = () => !document.activeElement || document.activeElement === document.body || byItself(document.activeElement);
    const lost = () => way.length > 0 && !way[0]!.isConnected && nobody();
    const pressed = (e: KeyboardEvent) => (tabbed = e.key === "Tab");
    const came = (e: FocusEvent) => {
      if (way.length > 0 && !way[0]!.isConnected && byItself(e.target as Element)) return;
      way = [];
      for (let at = e.target as Element | null; at && at !== document.body; at = at.parentElement) way.push(at);
    };
    // The focus was left on purpose, by a click outside everything: then it must not be moved.
    const went = (e: FocusEvent) => queueMicrotask(() => e.target === way[0] && way[0]!.isConnected && nobody() && (way = []));
    const give = () => {
      later = undefined;
      const at = lost() ? next(way) : null;
      if (!at) return;
      if (!at.hasAttribute("tabindex")) at.tabIndex = -1;
      at.focus();
    };
    const look = new MutationObserver(() => {
      if (!later && lost()) later = setTimeout(give, settled);
    });
    look.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("keydown", pressed, true);
    document.addEventListener("focusin", came);
    document.addEventListener("focusout", went);
    return () => {
      clearTimeout(later);
      look.disconnect();
      document.removeEventListener("keydown", pressed, true);
      document.removeEventListener("focusin", came);
      document.removeEventListener("focusout", went);
    };
  }, []);
}
