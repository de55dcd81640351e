import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client";
import { q as learning } from "../../api/queries";
import { text } from "../../text/en";
import { Chip } from "../../ui/parts";
import { q } from "./queries";
import { Receipts } from "./Receipts";

const t = text.receipts;
const most = 200;

/** The calls that agents made through the door during a demonstration: a chip that opens their receipts. */
export function Meanwhile({ s }: { s: Pick<Schemas["LearnSession"], "started_at" | "stopped_at" | "ended_at"> }) {
  const until = s.stopped_at ?? s.ended_at;
  const of = { receipt_kind: "tool_call", since: s.started_at, ...(until ? { until } : {}) };
  const { data } = useQuery({ ...q.receipts(of, most), enabled: Boolean(s.started_at) });
  const n = data?.receipts.length ?? 0;
  if (!n) return null;
  return (
    <details aria-label={t.meanwhile}>
      <summary>
        <Chip icon="connectors">{data?.next_cursor ? t.chipMany(n) : t.chip(n)}</Chip>
      </summary>
      <p className="small muted">{t.meanwhileMore}</p>
      <Receipts of={of} />
    </details>
  );
}

/** The same, for a session id. */
export function MeanwhileOf({ id }: { id: string }) {
  const { data } = useQuery(learning.session(id));
  return data ? <Meanwhile s={data} /> : null;
}
