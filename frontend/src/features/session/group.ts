// How stored observations are shown: in the daemon's steps, with the person's remarks.
import type { Schemas } from "../../api/client";

export type Observation = Schemas["Observation"];
export type Mark = Schemas["WorkflowBoundary"];
export type Told = Schemas["Told"];

/** A part of what was told, with the observations of it that are still there, and the numbers of the first and the last. */
export interface Step {
  told: Told;
  events: Observation[];
  from: number;
  to: number;
}

export type Edge = "start" | "end";

export type Row =
  | { kind: "mark"; key: string; mark: Mark }
  | { kind: "edge"; key: string; edge: Edge; at: number } // at: the number of the observation that it stands before or after
  | { kind: "step"; key: string; step: Step; open: boolean; where: string; out: boolean }
  | { kind: "event"; key: string; o: Observation; n: number; inside: boolean; where: string; became: string; out: boolean };

/** From when to when the demonstration lasts; "" is open. A trim counts more than what was inferred (daemon/learn/boundary). */
export function span(marks: Mark[]): Record<Edge, string> {
  const last = (...kinds: string[]) => marks.findLast((m) => m.event_at && kinds.includes(m.kind))?.event_at ?? "";
  return { start: last("trim_start") || last("start"), end: last("trim_end") || last("stop") };
}

/** Observations in the order in which things happened; arrival may differ. */
export const inOrder = (all: Observation[]) =>
  [...all].sort((a, b) =>
    a.action.occurred_at < b.action.occurred_at ? -1 : a.action.occurred_at > b.action.occurred_at ? 1 : a.seq - b.seq,
  );

/** The numbers of the first and the last observation of a demonstration that lasts that long. */
export function edges(sorted: Observation[], lasts: Record<Edge, string>): Record<Edge, number> {
  const start = sorted.findIndex((o) => o.action.occurred_at >= lasts.start);
  const end = lasts.end ? sorted.findLastIndex((o) => o.action.occurred_at <= lasts.end) : sorted.length - 1;
  return { start: Math.max(0, start), end: Math.max(0, end) };
}

/** The known steps, and separately each observation that is not part of a step yet. */
export function steps(sorted: Observation[], parts: Told[]): Step[] {
  const number = new Map(sorted.map((o, n) => [o.event.event_id, n]));
  const out: Step[] = [];
  const told = new Set<number>();
  for (const part of parts) {
    const at = part.events.flatMap((id) => number.get(id) ?? []).filter((n) => !told.has(n));
    at.forEach((n) => told.add(n));
    if (at.length)
      out.push({
        told: part,
        events: at.map((n) => sorted[n]!),
        from: at.reduce((a, b) => Math.min(a, b)),
        to: at.reduce((a, b) => Math.max(a, b)),
      });
  }
  sorted.forEach((o, n) => {
    if (!told.has(n))
      out.push({
        told: { title: o.event.action_label, adapters: [o.event.adapter_kind], events: [o.event.event_id] },
        events: [o],
        from: n,
        to: n,
      });
  });
  return out.sort((a, b) => a.from - b.from);
}

/** How many of them have a sealed value. */
export const sealed = (events: Observation[]) => events.filter((o) => o.action.value && o.action.value.policy !== "literal").length;

export interface Look {
  marks?: Mark[];
  at?: Record<Edge, number>;
  movable?: Edge[];
  open?: (s: Step) => boolean;
}

/** The rows of a timeline: steps, the observations of those that are open, marks where they were made, edges where they are. */
export function rows(sorted: Observation[], told: Step[], { marks = [], at, movable = [], open = () => true }: Look): Row[] {
  const said = marks
    .filter((m) => m.label && (m.kind === "mark_step" || m.kind === "mark_goal"))
    .sort((a, b) => (when(a) < when(b) ? -1 : 1));
  const number = new Map(sorted.map((o, n) => [o, n]));
  const out: Row[] = [];
  let next = 0;
  const tell = (until?: string) => {
    for (let m; (m = said[next]) && (until === undefined || when(m) <= until); next++)
      out.push({ kind: "mark", key: m.boundary_id, mark: m });
  };
  const edge = (e: Edge, n: number) => {
    if (at?.[e] === n && movable.includes(e)) out.push({ kind: "edge", key: `edge-${e}`, edge: e, at: n });
  };
  const left = (n: number) => at !== undefined && (n < at.start || n > at.end);
  let here = "";
  for (const s of told) {
    const where = s.told.where && s.told.where !== here ? s.told.where : "";
    here = s.told.where || here;
    const one = s.events.length === 1;
    tell(s.events[0]!.action.occurred_at);
    edge("start", s.from);
    const isOpen = one || open(s);
    if (!one)
      out.push({
        kind: "step",
        key: `s-${s.events[0]!.event.event_id}`,
        step: s,
        open: isOpen,
        where,
        out: s.events.every((o) => left(number.get(o)!)),
      });
    for (const o of isOpen ? s.events : []) {
      const n = number.get(o)!;
      tell(o.action.occurred_at);
      if (n !== s.from) edge("start", n);
      out.push({
        kind: "event",
        key: o.event.event_id,
        o,
        n,
        inside: !one,
        where: one ? where : "",
        became: one ? (s.told.became ?? "") : became(o),
        out: left(n),
      });
      edge("end", n);
    }
    if (!isOpen) edge("end", s.to);
  }
  tell();
  return out;
}

/** Where an edge may stand: at an observation that is shown, or at the end of a step that is not open. */
export function stops(list: Row[], edge: Edge): number[] {
  return list
    .flatMap((r) => (r.kind === "event" ? r.n : r.kind === "step" && !r.open ? (edge === "start" ? r.step.from : r.step.to) : []))
    .sort((a, b) => a - b);
}

const when = (m: Mark) => m.event_at ?? m.created_at;

/** The state after it, if it is worth mentioning. */
export function became(o: Observation): string {
  const { before, after, action } = o;
  if (action.command && !action.command.running && action.command.exit !== 0) return `failed with exit code ${action.command.exit}`;
  if (!o.event.caused_state_change || !after) return "";
  const fresh = (now?: string[], then?: string[]) => now?.find((x) => !then?.includes(x));
  return (
    fresh(after.alerts, before?.alerts) ??
    fresh(after.dialogs, before?.dialogs) ??
    fresh(after.headings, before?.headings) ??
    (after.title !== before?.title ? (after.title ?? "") : "")
  );
}
