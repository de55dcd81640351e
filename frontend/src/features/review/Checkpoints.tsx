import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Icon } from "../../ui/Icon";
import { Phrase } from "../../ui/Phrase";
import { knot } from "../../ui/thread";
import threadCss from "../../ui/thread.module.css";

interface Props {
  checkpoints: Pick<Schemas["Checkpoint"], "checkpoint_id" | "goal" | "success_condition" | "order_hint">[];
  rest?: string; // what is said of those without a receipt; they may still come
  receipts: Pick<Schemas["CheckpointVerificationReceipt"], "checkpoint_id" | "status" | "evidence" | "reason" | "created_at">[];
}

const look = { reached: ["ok", "check"], skipped: ["warn", "skip"], failed: ["bad", "cross"] } as const;

/** Checkpoint progress (DOC3 0C.9B): in order, the latest receipt of each over it, the rest not yet reached. */
export function CheckpointProgress({ checkpoints, receipts, rest = text.tests.notYet }: Props) {
  const latest = new Map<string, Props["receipts"][number]>();
  for (const r of receipts) {
    const had = latest.get(r.checkpoint_id);
    if (!had || had.created_at <= r.created_at) latest.set(r.checkpoint_id, r);
  }
  return (
    <ol className={threadCss.thread} aria-label={text.tests.progress}>
      {[...checkpoints]
        .sort((a, b) => a.order_hint - b.order_hint)
        .map((c) => {
          const r = latest.get(c.checkpoint_id);
          const [tone, icon] = r ? look[r.status] : (["", ""] as const);
          return (
            <li key={c.checkpoint_id}>
              <span className={knot(tone)}>{icon && <Icon name={icon} />}</span>
              {r ? (
                <details>
                  <summary>
                    <Phrase>{c.goal}</Phrase> <span className="small muted">{text.name(r.status)}</span>
                  </summary>
                  <p className="small muted break">
                    {r.reason && `${text.tests.reason}: ${r.reason}. `}
                    {r.evidence && `${text.tests.evidence}: ${r.evidence}`}
                  </p>
                </details>
              ) : (
                <span>
                  <Phrase>{c.goal}</Phrase> <span className="small muted">({rest})</span>
                </span>
              )}
            </li>
          );
        })}
    </ol>
  );
}
