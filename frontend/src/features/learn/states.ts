type Tone = "" | "ok" | "warn" | "bad" | "rec" | "accent";

const tones: Record<string, Tone> = {
  capturing: "rec",
  awaiting_input: "accent",
  awaiting_questions: "accent",
  testing: "accent",
  running: "accent",
  ready_for_review: "accent",
  private_active: "ok",
  installed_private: "ok",
  approved: "ok",
  passed: "ok",
  ready: "ok",
  ok: "ok",
  revision_required: "warn",
  partial: "warn",
  degraded: "warn",
  warning: "warn",
  needs_reapproval: "warn",
  pending_review: "warn",
  scan_complete: "accent",
  uploaded: "accent",
  scan_failed: "bad",
  stage_failed: "bad",
  install_failed: "bad",
  rejected: "bad",
  failed: "bad",
  quarantined: "bad",
  unavailable: "",
};

export const stateTone = (s: string): Tone => tones[s] ?? "";

const icons: Partial<Record<Tone, string>> = { ok: "check", warn: "warn", bad: "cross" };
export const stateIcon = (s: string) => icons[stateTone(s)];
