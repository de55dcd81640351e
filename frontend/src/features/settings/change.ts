// What a person has typed on the settings page, and the resulting change.
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { words } from "../runs/words";

export type Values = Omit<Schemas["SettingsChange"], "content_hash" | "schema_version">;
type Target = Values["targets"][number];

/** The fields of the page. What a field cannot hold as it is, a command or a number, is kept as it was typed. */
export interface Draft extends Omit<Values, "agent_command" | "idle_exit_minutes"> {
  command: string;
  idle: string;
}

/** A command as it is typed: an argument that holds more than a word is quoted. */
const typed = (command: string[]) =>
  command.map((w) => (words(w).length === 1 && words(w)[0] === w ? w : `"${w.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`)).join(" ");

export function draftOf(s: Values): Draft {
  return {
    memory: s.memory,
    agent_display_name: s.agent_display_name,
    targets: s.targets,
    browser: s.browser,
    model: s.model,
    overlay: s.overlay,
    registries: s.registries,
    outlook: s.outlook,
    command: typed(s.agent_command),
    idle: String(s.idle_exit_minutes),
  };
}

/** The settings that the fields stand for. */
export function valuesOf(d: Draft): Values {
  const { command, idle, ...rest } = d;
  return { ...rest, agent_command: words(command), idle_exit_minutes: Number(idle) };
}

const place = (path: string) => path.startsWith("/") || path.startsWith("~/") || path.slice(1, 3) === ":\\" || path.slice(1, 3) === ":/";

const sound = (all: Target[]) => all.every((t, i) => t.name.trim() && place(t.dir.trim()) && all.findIndex((o) => o.name === t.name) === i);

/** Why it cannot be saved, or undefined. The daemon checks the rest. */
export function wrong(d: Draft, saved: Values): string | undefined {
  const t = text.settings;
  const idle = Number(d.idle);
  if (!d.idle.trim() || !Number.isInteger(idle) || idle < 0 || idle > 1440) return t.idleWrong;
  if (!place(d.memory.trim())) return t.memoryWrong;
  if (!sound(d.targets)) return t.targetWrong;
  return JSON.stringify(valuesOf(d)) === JSON.stringify(valuesOf(draftOf(saved))) ? t.same : undefined;
}
