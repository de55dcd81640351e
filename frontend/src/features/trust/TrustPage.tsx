import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, body, type Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Toggle } from "../../ui/forms";
import { about, Fix } from "../../ui/Fix";
import { Icon } from "../../ui/Icon";
import { Chip, Load, Page, Time } from "../../ui/parts";
import { Phrase } from "../../ui/Phrase";
import { stateIcon, stateTone } from "../learn/states";
import { About, Where } from "./About";
import { Agents } from "./Agents";
import { Connect, Hook } from "./Connect";
import { Credentials } from "./Credentials";
import { Data } from "./Data";
import { Part } from "./Part";
import { Remote } from "./Remote";
import css from "./TrustPage.module.css";
import factsCss from "../../ui/facts.module.css";
import panelCss from "../../ui/panel.module.css";

export function TrustPage() {
  const t = text.trust;
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="stack">
        <Doctor />
        <Adapters />
        <div className="split">
          <Agents />
          <Journal />
        </div>
        <div className="split">
          <Part title={t.retention}>
            <dl className={factsCss.facts}>
              {t.retentionRows.map(([what, how]) => [<dt key={what}>{what}</dt>, <dd key={how}>{how}</dd>])}
            </dl>
          </Part>
          <Data />
        </div>
        <Remote />
        <Credentials />
        <Where />
        <About />
      </div>
    </Page>
  );
}

function Doctor() {
  const t = text.trust;
  return (
    <Part title={t.doctor}>
      <Load query={useQuery(q.doctor())}>
        {(d) => {
          const some = (...states: string[]) => d.checks.filter((c) => states.includes(c.state));
          const off = some("failed", "warning");
          return (
            <div className="stack">
              <p className="muted">{off.length ? t.someNot(off.length) : t.allWell}</p>
              <Checks all={off} />
              <details>
                <summary>{t.works(some("ok").length)}</summary>
                <Checks all={some("ok")} />
              </details>
              {some("unavailable").length > 0 && (
                <details>
                  <summary>{t.notHere(some("unavailable").length)}</summary>
                  <Checks all={some("unavailable")} />
                </details>
              )}
            </div>
          );
        }}
      </Load>
    </Part>
  );
}

function Checks({ all }: { all: Schemas["DoctorCheck"][] }) {
  return (
    <ul className="stack tight below">
      {all.map((c) => (
        <li key={c.name} className={css.doctor}>
          <Chip tone={stateTone(c.state)} icon={stateIcon(c.state)}>
            {text.name(c.state)}
          </Chip>
          <div className="break">
            <strong>{about(c.name)}</strong> <span className="muted">{c.detail}</span>
            {c.fix && <Fix said={c.fix} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Adapters() {
  const t = text.trust;
  return (
    <Part title={t.adapters}>
      <Load query={useQuery(q.adapters())}>
        {(all) => (
          <ul className={css.adapters}>
            {all
              .filter((a) => a.available || a.phase === "phase_1")
              .map((a) => (
                <li key={a.kind}>
                  <details>
                    <summary>
                      <Icon name={a.kind} />
                      <span>
                        <strong>{a.title}</strong>{" "}
                        <span className="small muted">
                          {text.sentence(
                            a.data_classes
                              ?.map((c, i) => (i ? text.name(c).replace(/^[A-Z](?![A-Z])/, (x) => x.toLowerCase()) : text.name(c)))
                              .join(", ") ?? "",
                          )}
                        </span>
                      </span>
                      <Chip tone={stateTone(a.health.state)} icon={stateIcon(a.health.state)}>
                        {text.name(a.health.state)}
                      </Chip>
                    </summary>
                    <div className="split">
                      <Told label={t.sees} all={a.sees} />
                      <Told label={t.never} all={a.never_sees} />
                    </div>
                  </details>
                </li>
              ))}
          </ul>
        )}
      </Load>
    </Part>
  );
}

/** What an adapter declares, each thing a line of its own. */
const Told = ({ label, all }: { label: string; all?: string[] | null }) => (
  <div>
    <h3>{label}</h3>
    <ul className={panelCss.lines}>
      {all
        ?.flatMap((x) => x.split("; "))
        .map((x) => (
          <li key={x}>{text.sentence(x)}</li>
        ))}
    </ul>
  </div>
);

function Journal() {
  const { act } = useActs();
  const client = useQueryClient();
  const t = text.trust;
  const keep = (name: string, enabled: boolean) =>
    void act(t.keepRuns, (headers) =>
      body(api.PUT("/api/observe/agents/{name}/journal", { params: { path: { name } }, headers, body: { enabled } })),
    ).then(() => client.invalidateQueries({ queryKey: ["agents"] }));
  return (
    <Part title={t.journal}>
      <p className="muted">{t.journalMore}</p>
      <Load query={useQuery(q.observed())}>
        {(all) => (
          <ul className="stack tight below">
            {all.map((a) => (
              <li key={a.agent}>
                <Toggle
                  label={a.agent}
                  more={
                    <>
                      {t.keepRuns}
                      {a.last_heard_at && (
                        <>
                          , {t.lastHeard} <Time at={a.last_heard_at} />
                        </>
                      )}
                    </>
                  }
                  on={a.journal}
                  onChange={(on) => keep(a.agent, on)}
                />
                <Hook a={a} />
              </li>
            ))}
            {!all.length && (
              <li>
                <Phrase>{t.journalNone}</Phrase>
              </li>
            )}
            <li>
              <Connect all={all} />
            </li>
          </ul>
        )}
      </Load>
    </Part>
  );
}
