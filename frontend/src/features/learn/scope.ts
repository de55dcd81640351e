// The result of a set-up: the scope, the observation mode and the sentence that states all of it before anything
// starts.
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { listed } from "../../text/say";

export const kinds = ["site", "app", "shell", "folder", "device"] as const;
export type Kind = (typeof kinds)[number];
export type Picked = Record<Kind, string[]>;

export const nothing: Picked = { site: [], app: [], shell: [], folder: [], device: [] };

export const scopeOf = (p: Picked): Schemas["Scope"] => ({
  sites: p.site,
  apps: p.app,
  shells: p.shell,
  folders: p.folder,
  devices: p.device,
});

export const pickedOf = (s: Schemas["Scope"]): Picked => ({
  site: s.sites ?? [],
  app: s.apps ?? [],
  shell: s.shells ?? [],
  folder: s.folders ?? [],
  device: s.devices ?? [],
});

/** The sites of a skill that is shown again, where nobody has picked a place yet. */
export const offered = (p: Picked, sites: string[]): Picked => (kinds.every((k) => p[k].length === 0) ? { ...p, site: sites } : p);

/** An address that was pasted is the site that it is on. */
export function tidy(kind: Kind, typed: string): string {
  const s = typed.trim();
  if (kind !== "site") return s;
  try {
    return new URL(s.includes("://") ? s : `http://${s}`).host || s;
  } catch {
    return s;
  }
}

const port = /:\d{1,5}$/;
const host = /^(\*\.)?[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)*\.?$/u;

/**
 * What is wrong with a place that was typed; the daemon, which judges it in the end (capture/scope_entry.go), is not asked before the
 * start.
 */
export function wrong(kind: Kind, v: string): string | undefined {
  const t = text.setup.wrongPlace;
  switch (kind) {
    case "site": {
      const name = v.replace(port, "");
      if (!/^\[[\da-f:]+\]$/i.test(name) && !host.test(name)) return t.site;
      return /^([\w.-]+\.)?localhost$|^127\./.test(name) && !port.test(v) ? t.localSite : undefined;
    }
    case "app":
      return /[/\\*]/.test(v) ? t.app : undefined;
    case "shell":
      return /^(\/dev\/)?(pts\/\d+|tty[a-z]{0,4}\d+|con(pty)?\d+)$/i.test(v) ? undefined : t.shell;
    case "folder":
      return /^(\/.|[a-z]:[\\/].)/i.test(v) ? undefined : t.folder;
  }
  return undefined;
}

export interface SetUp {
  picked: Picked;
  mine: boolean;
  agents: boolean;
  literal: boolean;
  literalApps: string[];
}

export const modeOf = (s: SetUp) =>
  (s.mine && s.agents ? "mixed" : s.agents ? "inside_agent" : "outside_agent") as "mixed" | "inside_agent" | "outside_agent";

/** The sentences before the start button, in order. */
export function summary(s: SetUp): string[] {
  const t = text.setup;
  const places = kinds.flatMap((k) => s.picked[k]);
  const out: string[] = [];
  if (s.mine) out.push(places.length ? t.will(listed(places)) : t.willNothing);
  if (s.mine && s.picked.site.length) out.push(t.opens(s.picked.site[0]!));
  if (s.agents) out.push(t.agentsWill);
  out.push(t.wont);
  out.push(s.literal && s.literalApps.length ? t.literalWill(listed(s.literalApps)) : t.sealedWill);
  out.push(t.stays);
  return out;
}
