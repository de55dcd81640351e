import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Chip, Load, Time } from "../../ui/parts";
import { CheckpointProgress } from "../review/Checkpoints";
import { q as runs } from "../runs/queries";
import { RunList } from "../runs/RunList";
import { goalsOf } from "./Files";
import panelCss from "../../ui/panel.module.css";

type Receipt = Schemas["CheckpointVerificationReceipt"];

export interface Dispatch {
  id: string; // "" for a rehearsal or practice, whose receipts name the session instead
  key: string;
  at: string;
  receipts: Receipt[];
}

/** Reports by the run that they belong to, the latest run first. */
export function byDispatch(receipts: Receipt[]): Dispatch[] {
  const all = new Map<string, Dispatch>();
  for (const r of receipts) {
    const key = r.dispatch_id || r.learn_session_id || "";
    const d = all.get(key) ?? { id: r.dispatch_id ?? "", key, at: r.created_at, receipts: [] };
    d.receipts.push(r);
    if (d.at < r.created_at) d.at = r.created_at;
    all.set(key, d);
  }
  return [...all.values()].sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** A run's state: the latest report on each checkpoint. */
export function standing(receipts: Receipt[]): Record<Receipt["status"], number> {
  const latest = new Map<string, Receipt>();
  for (const r of receipts) {
    const had = latest.get(r.checkpoint_id);
    if (!had || had.created_at <= r.created_at) latest.set(r.checkpoint_id, r);
  }
  const out = { reached: 0, skipped: 0, failed: 0 };
  for (const r of latest.values()) out[r.status]++;
  return out;
}

/** Without a sentence for a checkpoint, its id says briefly what it is about. */
const goalOf = (id: string) =>
  text.capital(
    id
      .replace(/^(ckp|cp|checkpoint)[-_.]?\d*[-_.]?/i, "")
      .replaceAll(/[-_.]+/g, " ")
      .trim() || id,
  );

export function Runs({ a }: { a: Schemas["AbilityAvailabilityEntry"] }) {
  const t = text.skills;
  const ids = a.checkpoint_ids ?? [];
  const { data: files } = useQuery(q.skillFiles(a.ability_id, a.content_hash));
  const goals = goalsOf(files?.files);
  const { data: work } = useQuery(runs.list());
  const own = work?.filter((r) => r.ability_id === a.ability_id) ?? [];
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.runs}>
      <h2>{t.runs}</h2>
      <p className="muted">{t.runsMore}</p>
      <Load query={useQuery(q.abilityRuns(a.ability_id))}>
        {(all) => {
          const dispatches = byDispatch(all);
          if (!dispatches.length) return own.length ? null : <p>{t.runsNone}</p>;
          return (
            <ul className="stack tight">
              {dispatches.map((d) => (
                <li key={d.key}>
                  <OneRun d={d} ids={ids} goals={goals} />
                </li>
              ))}
            </ul>
          );
        }}
      </Load>
      <RunList title={t.sandboxed} runs={own} />
    </section>
  );
}

function OneRun({ d, ids, goals }: { d: Dispatch; ids: string[]; goals: Record<string, string> }) {
  const t = text.skills;
  const n = standing(d.receipts);
  const known = [...new Set([...ids, ...d.receipts.map((r) => r.checkpoint_id)])];
  return (
    <details>
      <summary>
        <bdi>{d.id ? t.runOf(d.id) : t.runIn}</bdi> <Time at={d.at} />{" "}
        <Chip
          tone={n.failed ? "bad" : n.reached === known.length ? "ok" : ""}
          icon={n.failed ? "cross" : n.reached === known.length ? "check" : undefined}
        >
          {t.reached(n.reached, known.length)}
          {n.failed ? `, ${t.failedAt(n.failed)}` : ""}
          {n.skipped ? `, ${t.skippedAt(n.skipped)}` : ""}
        </Chip>
      </summary>
      <div className="below">
        <CheckpointProgress
          checkpoints={known.map((id, i) => ({ checkpoint_id: id, goal: goals[id] ?? goalOf(id), success_condition: "", order_hint: i }))}
          receipts={d.receipts}
          rest={text.skills.notSaid}
        />
      </div>
    </details>
  );
}
