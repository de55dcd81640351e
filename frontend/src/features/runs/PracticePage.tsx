import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Icon } from "../../ui/Icon";
import { Chip, Load, Page } from "../../ui/parts";
import { stateIcon, stateTone } from "../learn/states";
import { Output } from "./Output";
import { q } from "./queries";
import { RunState } from "./RunPage";
import { button } from "../../ui/Button";
import { knot } from "../../ui/thread";
import panelCss from "../../ui/panel.module.css";
import threadCss from "../../ui/thread.module.css";

type Practice = Schemas["Practice"];

/** A practice as it goes: its attempts, what the one under way prints, and the draft. */
export function PracticePage() {
  const { id } = useParams({ strict: false }) as { id: string };
  // Events report runs; between the end of one and the draft there is none.
  const practice = useQuery({ ...q.practice(id), refetchInterval: (x) => (x.state.data?.state === "running" ? 1000 : false) });
  return <Load query={practice}>{(p) => <Seen p={p} />}</Load>;
}

function Seen({ p }: { p: Practice }) {
  const t = text.practice;
  const now = p.attempts.at(-1);
  return (
    <Page title={p.goal} lead={t.lead} side={<PracticeState p={p} />}>
      <div className="stack">
        {p.state === "drafted" && p.proposal_id && (
          <div className={`${panelCss.panel} ${panelCss.ask} row apart`}>
            <h2>{text.session.finish}</h2>
            <Link className={button("primary")} to="/review/$id" params={{ id: p.proposal_id }}>
              {t.review}
            </Link>
          </div>
        )}
        {p.state === "failed" && (
          <div className={`${panelCss.panel} ${panelCss.ask} row apart`}>
            <div>
              <h2>{t.failed}</h2>
              <p className="muted">
                {text.sentence(p.reason ?? "")} {t.failedMore}
              </p>
            </div>
            <Link className={button()} to="/learn/new/$mode" params={{ mode: "autonomous_agent_practice" }}>
              {t.once}
            </Link>
          </div>
        )}
        <section className={panelCss.panel}>
          <ol className={threadCss.thread}>
            {p.attempts.map((a, i) => (
              <Attempt key={a.run_id} a={a} n={i + 1} />
            ))}
          </ol>
        </section>
        {now && <Output key={now.run_id} id={now.run_id} />}
      </div>
    </Page>
  );
}

function Attempt({ a, n }: { a: Practice["attempts"][number]; n: number }) {
  const { data: r } = useQuery(q.one(a.run_id));
  const t = text.practice;
  return (
    <li>
      <span className={`${knot(a.ended ? (a.worked ? "ok" : "bad") : "accent")} num`}>
        {a.ended ? <Icon name={a.worked ? "check" : "cross"} /> : n}
      </span>
      <div className="row apart">
        <div>
          <Link className={panelCss.what} to="/runs/$id" params={{ id: a.run_id }}>
            {t.attempt(n)}
          </Link>
          <p className="muted small break">{a.ended ? (a.worked ? t.worked : `${t.not}: ${a.reason ?? ""}`) : t.under}</p>
        </div>
        {r && <RunState r={r} />}
      </div>
    </li>
  );
}

/** The way back to the practice that was begun last; nothing when there was none since the daemon started. */
export function LastPractice() {
  const { data: p } = useQuery(q.lastPractice());
  if (!p) return null;
  return (
    <section className="stack tight">
      <h2>{p.state === "running" ? text.practice.now : text.practice.last}</h2>
      <ul className={`${panelCss.panel} ${panelCss.flush} ${panelCss.list}`}>
        <li className="row apart">
          <Link className={panelCss.what} to="/practice/$id" params={{ id: p.practice_id }}>
            {p.goal}
          </Link>
          <PracticeState p={p} />
        </li>
      </ul>
    </section>
  );
}

const PracticeState = ({ p }: { p: Practice }) => (
  <Chip tone={p.state === "drafted" ? "ok" : stateTone(p.state)} icon={p.state === "drafted" ? "check" : stateIcon(p.state)}>
    {text.name(p.state)}
  </Chip>
);
