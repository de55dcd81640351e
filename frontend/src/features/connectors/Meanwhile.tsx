import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client";
import { q as learning } from "../../api/queries";
import { text } from "../../text/en";
import { Chip } from "../../ui/parts";
import { q, type ReceiptsOf } from "./queries";
import { Receipts } from "./Receipts";

const t = text.receipts;
const most = 200;

/** The calls that agents made through the door during a demonstration: a chip that opens their receipts. */
export function Meanwhile({ s }: { s: Pick<Schemas["LearnSession"], "started_at" | "stopped_at" | "ended_at"> }) {
  const until = s.stopped_at ?? s.ended_at;
  if (!s.started_at) return null;
  return <Chipped title={t.meanwhile} more={t.meanwhileMore} of={{ since: s.started_at, ...(until ? { until } : {}) }} />;
}

/** The calls that an agent made through the door in one of its runs. */
export const OfRun = ({ r }: { r: Schemas["AgentRun"] }) => (
  <Chipped
    title={t.ofRun}
    more={t.ofRunMore}
    // A receipt is written before its call is sent, so the last call of a run began before the run's last moment.
    of={{ agent: r.agent, since: r.started_at, ...(r.ended_at || r.last_at ? { until: r.ended_at ?? r.last_at } : {}) }}
  />
);

function Chipped({ title, more, of: some }: { title: string; more: string; of: ReceiptsOf }) {
  const of = { receipt_kind: "tool_call", ...some };
  const { data } = useQuery(q.receipts(of, most));
  const n = data?.receipts.length ?? 0;
  if (!n) return null;
  return (
    <details aria-label={title}>
      <summary>
        <Chip icon="connectors">{data?.next_cursor ? t.chipMany(n) : t.chip(n)}</Chip>
      </summary>
      <p className="small muted">{more}</p>
      <Receipts of={of} />
    </details>
  );
}

/** The same, for a session id. */
export function MeanwhileOf({ id }: { id: string }) {
  const { data } = useQuery(learning.session(id));
  return data ? <Meanwhile s={data} /> : null;
}
