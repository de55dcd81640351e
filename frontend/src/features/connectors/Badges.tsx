import { text } from "../../text/en";
import { Chip } from "../../ui/parts";
import type { Connector } from "./queries";

type Badge = Connector["badge_states"][number];

const looks: Record<Badge, { tone: "" | "ok" | "warn" | "bad" | "accent"; icon?: string }> = {
  connected: { tone: "ok", icon: "check" },
  approval_required: { tone: "accent" },
  auth_required: { tone: "warn", icon: "warn" },
  degraded: { tone: "warn", icon: "warn" },
  disabled: { tone: "" },
  deferred: { tone: "" },
  background_only: { tone: "" },
};

/** The badges that the daemon gives a connector, in its order. */
export const Badges = ({ c }: { c: Connector }) =>
  c.badge_states.map((b) => (
    <Chip key={b} tone={looks[b].tone} icon={looks[b].icon}>
      {text.connectors.badge(b)}
    </Chip>
  ));
