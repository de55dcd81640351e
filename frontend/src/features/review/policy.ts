// How far a test may go. The daemon enforces what is forbidden, not this page.
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";

/** The ways to rehearse that the daemon can enforce for these steps (docs/rehearsal.md); others are not offered. */
export function offered(steps: Pick<Schemas["Step"], "surface">[]): string[] {
  const on = (s: string) => steps.some((x) => x.surface === s);
  return Object.keys(text.tests.policies).filter(
    (mode) => !(mode === "read_only" && on("shell")) && !(mode === "copy_artifact" && (on("browser") || on("mcp_connector"))),
  );
}

/** The test policy of each way to rehearse. */
export function policy(mode: string): Schemas["TestPolicy"] {
  const scratch = [{ target_kind: "temp_folder" as const, ref: "scratch" }];
  const live = mode === "controlled_live_test";
  return {
    policy_id: crypto.randomUUID(),
    mode: mode as "read_only",
    schema_version: 1,
    forbid_destructive_writes: !live,
    forbid_external_send: !live,
    ...(mode === "read_only" ? {} : { safe_targets: scratch }),
  };
}
