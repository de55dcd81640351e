import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { api, body, once } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";
import { Chip, Load, Page, Time } from "../../ui/parts";
import { stateIcon, stateTone } from "../learn/states";
import { Output } from "./Output";
import { isAtWork, q, type Run } from "./queries";
import factsCss from "../../ui/facts.module.css";
import panelCss from "../../ui/panel.module.css";

export function RunPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  return <Load query={useQuery(q.one(id))}>{(r) => <Seen r={r} />}</Load>;
}

function Seen({ r }: { r: Run }) {
  const { act } = useActs();
  const t = text.runs;
  const stop = () =>
    void act(
      t.end,
      () => body(api.POST("/api/agent-runs/{runId}/cancel", { params: { path: { runId: r.run_id } }, body: once() })),
      t.ended,
    );
  return (
    <Page
      title={r.goal || t.untitled}
      lead={t.lead}
      side={
        <>
          <RunState r={r} />
          {isAtWork(r) && <Button onClick={stop}>{t.end}</Button>}
        </>
      }
    >
      <div className="stack">
        {r.reason && <p className={`${panelCss.panel} ${panelCss.note} break`}>{text.sentence(r.reason)}</p>}
        <div className="split aside">
          <div className="stack">
            <Output id={r.run_id} />
            <Skills r={r} />
            {!isAtWork(r) && <Evidence id={r.run_id} />}
          </div>
          <Given r={r} />
        </div>
      </div>
    </Page>
  );
}

export const RunState = ({ r }: { r: Run }) => (
  <Chip
    tone={r.state === "waiting" ? "accent" : r.state === "succeeded" ? "ok" : stateTone(r.state)}
    icon={r.state === "succeeded" ? "check" : stateIcon(r.state)}
  >
    {text.name(r.state)}
  </Chip>
);

/** Names of things, or that there are none. */
const Names = ({ of }: { of?: string[] }) =>
  of?.length ? (
    of.map((n) => (
      <div key={n} className="break">
        {n}
      </div>
    ))
  ) : (
    <span className="muted">{text.runs.nothing}</span>
  );

function Given({ r }: { r: Run }) {
  const t = text.runs;
  return (
    <aside className={`${panelCss.panel} sticky`}>
      <h2>{t.given}</h2>
      <dl className={`${factsCss.facts} ${factsCss.narrow}`}>
        <dt>{t.agent}</dt>
        <dd>{r.agent}</dd>
        <dt>{t.command}</dt>
        <dd className="mono break">{r.command.join(" ")}</dd>
        <dt>{t.hosts}</dt>
        <dd>
          <Names of={r.allowed_hosts} />
        </dd>
        {r.granted_hosts.length > 0 && (
          <>
            <dt>{t.granted}</dt>
            <dd>
              <Names of={r.granted_hosts} />
            </dd>
          </>
        )}
        <dt>{t.credentials}</dt>
        <dd>
          <Names of={r.credentials} />
        </dd>
        <dt>{t.read}</dt>
        <dd>
          <Names of={r.read_only} />
        </dd>
        <dt>{text.session.started}</dt>
        <dd>
          <Time at={r.started_at} />
        </dd>
      </dl>
    </aside>
  );
}

function Skills({ r }: { r: Run }) {
  if (!r.skills.length) return null;
  return (
    <section className={`${panelCss.panel} stack tight`}>
      <h2>{text.runs.skills}</h2>
      {r.skills.map((s) => (
        <div key={s.skill_slug} className="stack tight">
          <p className="row">
            {s.ability_id ? (
              <Link to="/skills/$id" params={{ id: s.ability_id }}>
                {s.skill_slug}
              </Link>
            ) : (
              <strong>{s.skill_slug}</strong>
            )}
            <Chip tone={s.outcome === "refused" ? "bad" : ""}>{text.name(s.outcome)}</Chip>
            {s.trust && <Chip tone={stateTone(s.trust)}>{text.name(s.trust)}</Chip>}
          </p>
          {s.problems.map((p) => (
            <p key={p} className="small muted break">
              {text.sentence(p)}
            </p>
          ))}
        </div>
      ))}
    </section>
  );
}

function Evidence({ id }: { id: string }) {
  const t = text.runs;
  return (
    <section className={panelCss.panel}>
      <h2>{t.evidence}</h2>
      <Load query={useQuery(q.evidence(id))}>
        {(e) => (
          <dl className={factsCss.facts}>
            <dt>{t.reached}</dt>
            <dd>
              <Names of={e.hosts_reached} />
            </dd>
            <dt>{t.wasRefused}</dt>
            <dd>
              <Names of={e.hosts_refused} />
            </dd>
            <dt>{t.tools}</dt>
            <dd>
              {e.tools.length ? (
                e.tools.map((u) => <div key={u.tool}>{`${u.tool}: ${t.calls(u.calls, u.failed)}`}</div>)
              ) : (
                <span className="muted">{t.toolsNone}</span>
              )}
              {e.bash_used && <p>{t.shellUsed}</p>}
            </dd>
            <dt>{t.files}</dt>
            <dd>
              <Names of={e.files.slice(0, 100).map((f) => `${f.path} (${text.name(f.change).toLowerCase()})`)} />
            </dd>
            {!!e.dependencies?.length && (
              <>
                <dt>{t.packages}</dt>
                <dd>
                  <Names of={e.dependencies.map((d) => `${d.manifest} (${d.kind}, ${t.packageCount(d.packages)})`)} />
                </dd>
              </>
            )}
            <dt>{t.limits}</dt>
            <dd className="small muted">
              {e.bounds?.map((b) => <div key={b.of}>{t.bound(b)}</div>) ?? e.limits.map((l) => <div key={l}>{text.sentence(l)}</div>)}
            </dd>
          </dl>
        )}
      </Load>
    </section>
  );
}
