import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { q as shared } from "../../api/queries";
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { growth } from "../../text/growth";
import { q as services } from "../connectors/queries";
import { stateIcon, stateTone } from "../learn/states";
import { about, Fix } from "../../ui/Fix";
import { Chip, Load, Page, Time } from "../../ui/parts";
import { Phrase } from "../../ui/Phrase";
import { knot } from "../../ui/thread";
import { Looks } from "./Looks";
import { q } from "./queries";
import factsCss from "../../ui/facts.module.css";
import panelCss from "../../ui/panel.module.css";
import threadCss from "../../ui/thread.module.css";

const t = growth.health;

/** The surfaces of baseline 1.1N: what agents can do here, automation health, the integration, the learning timeline. */
export function HealthPage() {
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="stack">
        <Awareness />
        <Missing />
        <Integration />
        <Looks always />
        <Controls />
        <Timeline />
      </div>
    </Page>
  );
}

/** What agents can do here now, from the bridge and the present availability. */
function Awareness() {
  const bridge = useQuery(q.bridge()).data;
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.awareness}>
      <h2>{t.awareness}</h2>
      <Load query={useQuery(shared.abilities())}>
        {(snap) => {
          const routed = new Set(bridge?.entries.filter((e) => e.routing_eligible).map((e) => e.capability_id));
          const can = snap.abilities.filter((a) => a.usable_now);
          const not = snap.abilities.filter((a) => !a.usable_now);
          const surfaces = [...new Set(can.flatMap((a) => a.preferred_control_surfaces.slice(0, 1)))].map((x) => text.name(x));
          if (!snap.abilities.length) return <p className="muted">{t.nothingYet}</p>;
          return (
            <>
              <p>
                {t.can(can.length, surfaces)} {snap.stale && t.stale}
              </p>
              <ul className={panelCss.list}>
                {[...can, ...not].slice(0, 30).map((a) => (
                  <li key={a.ability_id} className="row apart">
                    <div>
                      <Link className={panelCss.what} to="/skills/$id" params={{ id: a.ability_id }}>
                        <bdi>{a.title}</bdi>
                      </Link>
                      <p className="small muted break">
                        {a.usable_now ? t.ask(a.trigger_phrases[0] ?? a.title) : text.sentence(a.reason_unusable || text.skills.notUsable)}
                        {a.usable_now && bridge && !routed.has(a.primary_capability_id ?? "") && ` ${t.notRouted}`}
                      </p>
                    </div>
                    <Chip tone={a.usable_now ? (a.health?.status === "degraded" ? "warn" : "ok") : "bad"}>
                      {a.usable_now ? (a.health?.status === "degraded" ? t.degraded : t.usable) : t.unusable}
                    </Chip>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Load>
    </section>
  );
}

const troubles = (d: Schemas["Doctor"]) => d.checks.filter((c) => c.state === "failed" || c.state === "warning");

/** Missing permissions, programs and connections, each with what mends it. */
function Missing() {
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.automation}>
      <h2>{t.automation}</h2>
      <Load query={useQuery(shared.doctor())}>
        {(d) => {
          const all = troubles(d);
          return all.length ? (
            <ul className={panelCss.list}>
              {all.map((c) => (
                <li key={c.name + (c.detail ?? "")} className="row apart">
                  <div className="break">
                    <p className={panelCss.what}>{about(c.name)}</p>
                    <p className="small muted">
                      <Phrase>{text.sentence(c.detail ?? "")}</Phrase>
                    </p>
                    {c.fix && <Fix said={c.fix} />}
                  </div>
                  <Chip tone={stateTone(c.state)} icon={stateIcon(c.state)}>
                    {text.name(c.state)}
                  </Chip>
                </li>
              ))}
            </ul>
          ) : (
            <p className="muted">{t.well}</p>
          );
        }}
      </Load>
    </section>
  );
}

/** The managed browser, other adapters, the bridge, connectors and the last looks. */
function Integration() {
  const bridge = useQuery(q.bridge()).data;
  const adapters = useQuery(shared.adapters()).data ?? [];
  const servers = useQuery(services.all()).data?.servers ?? [];
  const looks = useQuery(q.looks()).data;
  const browser = adapters.find((a) => a.kind === "browser_dom");
  const failing = servers.filter((s) => s.registry.enabled && s.health.health_status !== "healthy" && s.health.health_status !== "unknown");
  const last = looks?.canaries.filter((c) => c.last_at).sort((a, b) => b.last_at!.localeCompare(a.last_at!))[0];
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.integration}>
      <h2>{t.integration}</h2>
      <dl className={factsCss.facts}>
        <dt>{t.browser}</dt>
        <dd>{browser ? text.sentence(browser.health.reason || text.name(browser.health.state)) : text.name("unavailable")}</dd>
        <dt>{t.relay}</dt>
        <dd>{t.noRelay}</dd>
        <dt>{t.nodes}</dt>
        <dd>
          {t.adapters(
            adapters.filter((a) => a.healthy).map((a) => text.name(a.kind)),
            adapters.filter((a) => a.enabled && !a.healthy).map((a) => text.name(a.kind)),
          )}
        </dd>
        <dt>{t.bridge}</dt>
        <dd>
          {bridge ? `${t.bridgeStates[bridge.bridge_state] ?? text.name(bridge.bridge_state)} ${t.entries(bridge.entries.length)}` : ""}
        </dd>
        <dt>{text.connectors.title}</dt>
        <dd>
          {t.services(
            servers.length,
            failing.map((s) => s.registry.display_name),
          )}
        </dd>
        <dt>{t.smoke}</dt>
        <dd>
          {last ? (
            <>
              <bdi>{last.title}</bdi>: {text.health.results[last.last_result ?? "inconclusive"]}, <Time at={last.last_at!} />
            </>
          ) : (
            t.noLook
          )}
        </dd>
      </dl>
    </section>
  );
}

/** The controls that were missed lately or are called otherwise now (1.1G), least sure first. */
function Controls() {
  const snap = useQuery(shared.abilities()).data;
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.controls}>
      <h2>{t.controls}</h2>
      <Load query={useQuery(q.anchors())}>
        {(all) => {
          const odd = all.filter((a) => a.failure_count || a.found_as).sort((a, b) => a.confidence - b.confidence);
          if (!odd.length) return <p className="muted">{t.controlsWell(all.length)}</p>;
          return (
            <ul className={panelCss.list}>
              {odd.slice(0, 30).map((a) => (
                <li key={a.anchor_id} className="row apart">
                  <div className="break">
                    <p className={panelCss.what}>
                      {text.name(a.semantic_role)} “<bdi>{a.locator_value}</bdi>”
                    </p>
                    <p className="small muted">
                      <Link to="/skills/$id" params={{ id: a.ability_id }}>
                        <bdi>{snap?.abilities.find((x) => x.ability_id === a.ability_id)?.title ?? a.capability_id}</bdi>
                      </Link>{" "}
                      {a.found_as && t.calledNow(a.found_as)} {a.failure_count > 0 && t.missed(a.failure_count)}
                    </p>
                  </div>
                  <Chip tone={a.failure_count ? "bad" : "warn"}>{a.failure_count ? t.missing : t.renamed}</Chip>
                </li>
              ))}
            </ul>
          );
        }}
      </Load>
    </section>
  );
}

const bad = /quarantin|drift|removed/;
const good = /completed|approved|promoted|installed|restored|unquarantin/;

/** Demonstrations, promotions, repairs, quarantines and recoveries, newest first. */
function Timeline() {
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.timeline}>
      <h2>{t.timeline}</h2>
      <Load query={useQuery(q.timeline())}>
        {(all) =>
          all.length ? (
            <ol className={`${threadCss.thread} ${threadCss.story} below`}>
              {all.map((r) => (
                <li key={r.receipt_id}>
                  <span className={knot(good.test(r.kind) ? "ok" : bad.test(r.kind) ? "bad" : "")} aria-hidden />
                  <span className="break">{text.sentence(r.summary || r.kind)}</span>{" "}
                  {r.ability_id && (
                    <Link to="/skills/$id" params={{ id: r.ability_id }}>
                      {t.which}
                    </Link>
                  )}{" "}
                  <Time at={r.created_at} />
                </li>
              ))}
            </ol>
          ) : (
            <p className="muted">{text.history.noStory}</p>
          )
        }
      </Load>
    </section>
  );
}
