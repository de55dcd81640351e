// The login of this tab (decisions D3): `showhow open` prints an address whose fragment holds a single-use code; it
// is exchanged for a bearer token, which is kept only in this tab's sessionStorage. The window has no login: its
// shell answers.
import { useSyncExternalStore } from "react";

const key = "showhow.bearer";
let lost: "none" | "expired" | "erased" = "none";
const hearers = new Set<() => void>();

export const inWindow = location.protocol === "wails:" || location.hostname === "wails.localhost";

// Other tabs of this address whose login has ended get a new one from here; it is never stored for them.
const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("showhow.login");
channel?.addEventListener("message", (e: MessageEvent<string>) => {
  if (lost === "expired" && typeof e.data === "string") arrive(e.data);
});

function arrive(bearer: string) {
  lost = "none";
  sessionStorage.setItem(key, bearer);
  hearers.forEach((h) => h());
}

export const bearer = () => sessionStorage.getItem(key) ?? "";

/** Removes the code from the address and exchanges it. Called once, before the first view. */
export async function enter(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  const r = await fetch("/api/session/exchange", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (!r.ok) return leave();
  const { bearer } = (await r.json()) as { bearer: string };
  arrive(bearer);
  channel?.postMessage(bearer);
}

/** The login is no longer accepted: the daemon ended, or twelve hours have passed. */
export function leave() {
  lost = "expired";
  sessionStorage.removeItem(key);
  hearers.forEach((h) => h());
}

let stays: string[] = [];
/** What remains after everything was deleted, because it is not Showhow's alone. */
export const leftBehind = () => stays;

/** Everything was deleted, including the daemon's data: there is nothing to return to. */
export function erased(left: string[]) {
  lost = "erased";
  stays = left;
  sessionStorage.removeItem(key);
  hearers.forEach((h) => h());
}

const state = () => (lost === "erased" ? "erased" : inWindow || bearer() ? "in" : lost === "expired" ? "expired" : "out");

export const useLogin = () =>
  useSyncExternalStore((h) => {
    hearers.add(h);
    return () => hearers.delete(h);
  }, state);
