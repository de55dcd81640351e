import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";
import { Chip, Load, Time } from "../../ui/parts";
import { Phrase } from "../../ui/Phrase";
import panelCss from "../../ui/panel.module.css";

type Detail = Schemas["AbilityHealthDetail"];
const t = text.health;
const tones = { healthy: "ok", degraded: "warn", quarantined: "bad", unknown: "" } as const;

const query = (id: string) => ({
  queryKey: ["abilities", "health", id],
  queryFn: () => body(api.GET("/api/abilities/{abilityId}/health", { params: { path: { abilityId: id } } })),
});

/** An ability's health, the reasons, and whether Showhow may check it automatically. */
export function Health({ id }: { id: string }) {
  return (
    <section className={panelCss.panel} aria-label={t.title}>
      <Load query={useQuery(query(id))}>{(d) => <Fares d={d} />}</Load>
    </section>
  );
}

function Fares({ d }: { d: Detail }) {
  const status = d.health.status;
  const suspect = d.health.suspect && (status === "healthy" || status === "unknown");
  const latest = d.outcomes.slice(0, 5);
  return (
    <div className="stack">
      <div className="row apart">
        <h2>{t.title}</h2>
        <Chip tone={suspect ? "warn" : tones[status]}>{suspect ? t.suspect : t.status[status]}</Chip>
      </div>
      <ul className="stack tight">
        {d.because.map((b) => (
          <li key={b}>
            <Phrase>{b}</Phrase>
          </li>
        ))}
        {d.probe.kind !== "noop" && <li>{t.probe(d.probe.result, d.probe.told)}</li>}
      </ul>
      {latest.length > 0 && (
        <ul className="stack tight small muted" aria-label={t.latest}>
          {latest.map((o) => (
            <li key={o.outcome_id}>
              <Time at={o.at} /> <Outcome o={o} />
            </li>
          ))}
        </ul>
      )}
      {d.renamed.length > 0 && (
        <ul className="stack tight small" aria-label={t.renamed}>
          {d.renamed.map((r) => (
            <li key={r.step_id}>
              {text.sentence(r.changes.join("; ") || r.name)} <span className="muted">{text.sentence(r.told)}</span>
            </li>
          ))}
        </ul>
      )}
      <Looks d={d} />
    </div>
  );
}

/** What a use or a trial came to. */
export function Outcome({ o }: { o: Detail["outcomes"][number] }) {
  return (
    <>
      {t.sources[o.source]}: {t.results[o.result]}
      {o.step_id && ` ${t.at} ${o.step_id}`}
      {o.code && ` (${o.code})`}
    </>
  );
}

/** The consent to automatic checks, and its actions. */
function Looks({ d }: { d: Detail }) {
  const { act } = useActs();
  const go = useNavigate();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const c = d.canary;
  const params = { path: { abilityId: d.ability_id } };
  const fresh = () => {
    void client.invalidateQueries({ queryKey: ["abilities"] });
    void client.invalidateQueries({ queryKey: ["inbox"] });
  };
  const allow = () =>
    act(t.allow, (headers) => body(api.PUT("/api/abilities/{abilityId}/canary", { params, headers, body: once() })), t.allowed).finally(
      fresh,
    );
  const withdraw = () =>
    act(t.withdraw, (headers) => body(api.DELETE("/api/abilities/{abilityId}/canary", { params, headers })), t.withdrawn).finally(fresh);
  const look = async () => {
    setBusy(true);
    await act(t.look, (headers) =>
      body(api.POST("/api/capabilities/reprobe", { headers, body: { ability_id: d.ability_id, ...once() } })),
    ).finally(fresh);
    setBusy(false);
  };
  const repair = async () => {
    const r = await act(t.repair, (headers) => body(api.POST("/api/abilities/{abilityId}/repair", { params, headers, body: once() })));
    if (r) void go({ to: "/review/$id", params: { id: r.proposal.proposal_id } });
  };
  const takeOver = d.renamed.length > 0 && (
    <Button look="primary" onClick={() => void repair()}>
      {t.repair}
    </Button>
  );
  if (!c)
    return (
      <div className="stack tight">
        <p className="small muted">{t.allowMore}</p>
        <div className="row">
          {takeOver}
          <Button onClick={() => void allow()}>{t.allow}</Button>
        </div>
      </div>
    );
  return (
    <div className="stack tight">
      <p className="small muted">{t.looks(c.sites, c.every_hours)}</p>
      <div className="row">
        <Button busy={busy} onClick={() => void look()}>
          {busy ? t.looking : t.look}
        </Button>
        {takeOver}
        <Button look="tiny" onClick={() => void withdraw()}>
          {t.withdraw}
        </Button>
      </div>
    </div>
  );
}
