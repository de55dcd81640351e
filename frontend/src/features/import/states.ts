// The meaning of an import's states for a person (DOC3 0C.20).
import type { Schemas } from "../../api/client";

type Record = Schemas["ImportedSkillRecord"];

const over = ["installed_private", "approved", "rejected", "discarded", "expired"];
/** Finished: decided, or failed without a possible retry. */
export const isOver = (r: Pick<Record, "stage_state" | "allowed_actions">) =>
  over.includes(r.stage_state) || (r.stage_state.endsWith("_failed") && !r.allowed_actions.length);
export const isAtWork = (r: Pick<Record, "stage_state">) =>
  ["upload_pending", "uploaded", "scanning", "staging", "install_queued"].includes(r.stage_state);

/** The steps from upload to decision: an import's progress, and whether it failed there. */
export const way = ["uploaded", "scanned", "unpacked", "reviewed", "installed"] as const;

export function progress(state: Record["stage_state"]): { done: number; failed: boolean } {
  const done: { [s in Record["stage_state"]]: number } = {
    upload_pending: 0,
    uploaded: 1,
    scanning: 1,
    scan_failed: 1,
    scan_complete: 2,
    staging: 2,
    stage_failed: 2,
    ready_for_review: 3,
    install_queued: 4,
    install_failed: 4,
    installed_private: 5,
    approved: 5,
    rejected: 3,
    discarded: 2,
    expired: 1,
  };
  return { done: done[state], failed: state.endsWith("_failed") || ["rejected", "expired", "discarded"].includes(state) };
}

/** What can be retried, by the state after the failure. */
export function retryKind(state: Record["stage_state"]): "scan" | "stage" | "install" | undefined {
  return ({ scan_failed: "scan", stage_failed: "stage", install_failed: "install" } as const)[state as "scan_failed"];
}

export const grades = ["critical", "high", "medium", "low", "info"] as const;
export type Grade = (typeof grades)[number];
export const gradeTone = (g: string) => (g === "critical" || g === "high" ? "bad" : g === "medium" ? "warn" : "") as "bad" | "warn" | "";

/** Findings by severity, gravest first; the daemon has sorted them by file and line. */
export function bySeverity(all: Schemas["Finding"][]): [Grade, Schemas["Finding"][]][] {
  return grades.map((g) => [g, all.filter((f) => f.severity === g)] as [Grade, Schemas["Finding"][]]).filter(([, some]) => some.length);
}

/** A warning is a code, or a code with words. */
export function warning(w: string): { code: string; words: string } {
  const [code = "", ...rest] = w.split(": ");
  return { code, words: rest.join(": ") };
}
