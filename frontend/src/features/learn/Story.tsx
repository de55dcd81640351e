import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Load, Time } from "../../ui/parts";
import { LearnFrom, learnable } from "./LearnFrom";
import { knot } from "../../ui/thread";
import threadCss from "../../ui/thread.module.css";

// Every transition of the state machine has its receipt, the last one too; the receipt beside it tells its meaning.
const hops = new Set(["learn.session.state", "learn.session.ended"]);

/** The receipts for people: oldest first, without mere transitions and consecutive repeats. */
export function told(all: Schemas["LearningReceipt"][]): Schemas["LearningReceipt"][] {
  return [...all]
    .reverse()
    .filter((r) => !hops.has(r.kind))
    .filter((r, i, rest) => i === 0 || r.summary !== rest[i - 1]!.summary || r.reason !== rest[i - 1]!.reason);
}

// A code without words is for the log; "user" only says who did it.
const sayable = (reason: string) =>
  (reason !== "user" && !/^[A-Z][A-Z0-9_]+$/.test(reason)) || text.name(reason) !== text.capital(reason.replaceAll("_", " "));

// The basis of a receipt's colour. A test that has ended says how in its summary: "The test ended: failed."
const how = (r: Schemas["LearningReceipt"]) => (r.kind === "learn.validation.completed" ? r.summary : r.kind);
const tone = (how: string) =>
  /(fail|error|reject|quarantin|drift|discard|expired)/.test(how)
    ? "bad"
    : /(approved|completed|installed|passed|restored)/.test(how)
      ? "ok"
      : "";

interface StoryProps {
  of: { session_id?: string; proposal_id?: string; ability_id?: string };
  learn?: string; // what it is the story of, where that is over and can be learned from
}

/** Receipts as a story: what happened, why, and the result. */
export function Story({ of, learn }: StoryProps) {
  return (
    <Load query={useQuery(q.receipts(of))}>
      {(all) =>
        all.length ? (
          <>
            <ol className={`${threadCss.thread} ${threadCss.story} below`}>
              {told(all).map((r) => (
                <li key={r.receipt_id}>
                  <span className={knot(tone(how(r)))} aria-hidden />
                  <span className="break">{text.sentence(r.summary || r.kind)}</span>{" "}
                  {r.reason && /fail|reject|expired/.test(r.kind) && sayable(r.reason) && (
                    <span className="muted break">{text.sentence(text.name(r.reason))} </span>
                  )}
                  <Time at={r.created_at} />
                </li>
              ))}
            </ol>
            {learn && learnable(all) && <LearnFrom source={{ source_receipt_id: learnable(all) }} what={learn} />}
          </>
        ) : (
          <p className="muted">{text.history.noStory}</p>
        )
      }
    </Load>
  );
}
