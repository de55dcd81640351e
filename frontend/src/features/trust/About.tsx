import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Chip, Load, Time } from "../../ui/parts";
import { Part } from "./Part";
import { callers } from "./Remote";
import factsCss from "../../ui/facts.module.css";

/** Where all files are on this computer. */
export function Where() {
  const t = text.trust;
  const { data: settings } = useQuery(q.settings());
  return (
    <Part title={t.where}>
      <Load query={useQuery(q.status())}>
        {(s) => {
          const p = s.places;
          const rows: [string, ReactNode][] = [
            [t.places.memory, s.memory_root],
            [t.places.data, p.data],
            [t.places.keys, p.keys === "keychain" ? t.places.keychain : p.keys],
            [t.places.browser, p.browser_profile],
            [t.places.logs, p.logs],
            [t.places.config, p.config],
            [t.targets, settings?.targets?.map((x) => <div key={x.name}>{x.dir}</div>)],
          ];
          return (
            <div className="stack">
              <dl className={factsCss.facts}>
                {rows.map(([k, v]) => [
                  <dt key={k}>{k}</dt>,
                  <dd key={`${k} v`} className="mono">
                    {v}
                  </dd>,
                ])}
              </dl>
              <Network />
            </div>
          );
        }}
      </Load>
    </Part>
  );
}

/** What connects to other computers, and whether others reach this one. */
export function Network() {
  const t = text.trust;
  const { data: remote } = useQuery(callers());
  return (
    <div className="stack tight small muted">
      <p>{t.network}</p>
      {remote?.on && <p className="break">{t.networkRemote(remote.url ?? "")}</p>}
    </div>
  );
}

interface Made {
  name: string;
  version: string;
  licence: string;
  kind: string;
}

/** The version, what it warns of, and what it is made of. */
export function About() {
  const t = text.trust;
  return (
    <Part title={t.about}>
      <Load query={useQuery(q.status())}>
        {(s) => (
          <div className="stack">
            <dl className={factsCss.facts}>
              <dt>{t.version}</dt>
              <dd>
                {s.version.version}{" "}
                {s.version.commit && !s.version.version.includes(s.version.commit) && (
                  <span className="mono muted">{s.version.commit.slice(0, 12)}</span>
                )}
              </dd>
              <dt>{t.started}</dt>
              <dd>
                <Time at={s.started_at} />
              </dd>
              <dt>{t.licence}</dt>
              <dd>Apache-2.0</dd>
            </dl>
            {s.warnings?.length > 0 && (
              <ul className="stack tight" aria-label={t.warnings}>
                {s.warnings.map((w) => (
                  <li key={w}>
                    <Chip tone="warn" icon="warn">
                      {text.name("warning")}
                    </Chip>{" "}
                    {text.sentence(w)}
                  </li>
                ))}
              </ul>
            )}
            <Licences />
          </div>
        )}
      </Load>
    </Part>
  );
}

function Licences() {
  const t = text.trust;
  const made = useQuery({
    queryKey: ["licences"],
    staleTime: Infinity,
    queryFn: async () => (await (await fetch("/licences.json")).json()) as Made[],
  });
  if (!made.data?.length) return null;
  return (
    <details>
      <summary>
        {t.licences} <span className="muted">{t.licencesMore(made.data.length)}</span>
      </summary>
      {Object.entries(t.licencesOf).map(([kind, title]) => (
        <div key={kind} className={`${factsCss.scroll} ${factsCss.tall} below`} tabIndex={0} role="group" aria-label={title}>
          <table className={factsCss.grid}>
            <thead>
              <tr>
                <th scope="col">{title}</th>
                <th scope="col">{t.version}</th>
                <th scope="col">{t.licence}</th>
              </tr>
            </thead>
            <tbody>
              {made.data
                .filter((m) => m.kind === kind)
                .map((m) => (
                  <tr key={`${m.name} ${m.version}`}>
                    <td className="mono">{m.name}</td>
                    <td className="mono">{m.version}</td>
                    <td>{m.licence}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      ))}
    </details>
  );
}
