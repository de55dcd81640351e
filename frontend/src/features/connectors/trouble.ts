import { text } from "../../text/en";
import type { Connector } from "./queries";

/** What is wrong with a connector, in sentences; "" while it answers, or is off. */
export function troubleOf({ registry: r, health: h }: Connector): string {
  const throttled = h.throttle_state.state !== "none";
  if (!r.enabled || !r.active_build_surface || (h.health_status === "healthy" && !throttled)) return "";
  if (throttled) return text.connector.throttled(h.backoff_until ? new Date(h.backoff_until) : undefined);
  const why = text.connectors.why(h.health_reason_code) || (text.connector.healths[h.health_status] ?? "");
  return h.failure_count_rolling > 1 ? `${why} ${text.connector.failures(h.failure_count_rolling)}` : why;
}
