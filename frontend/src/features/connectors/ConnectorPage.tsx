import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api, body } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Ask } from "../../ui/Box";
import { Button } from "../../ui/Button";
import { Empty, Load, Page, Time } from "../../ui/parts";
import { AsksBack } from "./AsksBack";
import { Badges } from "./Badges";
import { useChange } from "./decide";
import { Found } from "./Found";
import { placeOf } from "./place";
import { type Connector, one, q } from "./queries";
import { Receipts } from "./Receipts";
import { SignIn } from "./SignIn";
import { Test } from "./Test";
import { Tools } from "./Tools";
import { troubleOf } from "./trouble";
import factsCss from "../../ui/facts.module.css";
import panelCss from "../../ui/panel.module.css";
import css from "./ConnectorPage.module.css";

const t = text.connector;

export function ConnectorPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  return (
    <Load query={useQuery(q.all())}>
      {({ servers }) => {
        const c = one(servers, id);
        return c ? (
          <Seen c={c} />
        ) : (
          <Empty title={text.connectors.gone}>
            <Link to="/connectors">{text.connectors.all}</Link>
          </Empty>
        );
      }}
    </Load>
  );
}

function Seen({ c }: { c: Connector }) {
  const r = c.registry;
  return (
    <Page
      title={r.display_name}
      lead={!r.active_build_surface ? t.recorded : r.enabled ? text.connectors.counts(c.tools) : text.connectors.offOne}
      side={
        <>
          <Link to="/connectors">{text.connectors.all}</Link>
          <Badges c={c} />
        </>
      }
    >
      <div className={`split aside ${css.page}`}>
        <div className="stack">
          <Health c={c} />
          <SignIn c={c} />
          <Tools c={c} />
          <Found c={c} />
        </div>
        <aside className="stack sticky">
          <Deeds c={c} />
          <AsksBack c={c} />
          <Lent c={c} />
        </aside>
        <section className={`${panelCss.panel} stack tight`} aria-label={text.receipts.title}>
          <h2>{text.receipts.title}</h2>
          <p className="muted">{text.receipts.more}</p>
          <Receipts of={{ server_id: r.server_id }} />
        </section>
      </div>
    </Page>
  );
}

/** Its health in a sentence; nothing while it is healthy. */
function Health({ c }: { c: Connector }) {
  const trouble = troubleOf(c);
  return trouble ? (
    <p className={`${panelCss.panel} ${panelCss.note}`} role="status">
      {trouble}
    </p>
  ) : null;
}

const Names = ({ of }: { of: string[] }) =>
  of.map((n) => (
    <div key={n} className="break">
      {n}
    </div>
  ));

/** Its complete address and access, and nothing else. */
function Lent({ c }: { c: Connector }) {
  const r = c.registry;
  const b = r.local_bridge;
  const pairs = (of?: Record<string, string>) => Object.entries(of ?? {}).map(([k, v]) => `${v} (${k})`);
  const rows: [string, string[]][] = [
    [t.package, b?.package ? [t.packageIs(b.package), b.package.integrity] : []],
    [t.folders, b?.folders ?? []],
    [t.read, b?.read_folders ?? []],
    [t.hosts, b?.hosts ?? []],
    [t.credentials, pairs(b?.credentials)],
    [t.headers, pairs(r.header_secrets)],
    [t.data, r.data_classes],
  ];
  return (
    <section className={panelCss.panel} aria-label={t.state}>
      <dl className={`${factsCss.facts} ${factsCss.narrow}`}>
        <dt>{b ? t.command : t.where}</dt>
        <dd className="mono small break">{placeOf(r)}</dd>
        {rows
          .filter(([, all]) => all.length)
          .map(([what, all]) => (
            <div key={what} className="pair">
              <dt>{what}</dt>
              <dd>
                <Names of={all} />
              </dd>
            </div>
          ))}
        {r.protocol_revision && (
          <>
            <dt>{t.protocol}</dt>
            <dd className="num">{r.protocol_revision}</dd>
          </>
        )}
        {c.linked_abilities.length > 0 && (
          <>
            <dt>{t.used}</dt>
            <dd>
              {c.linked_abilities.map((a) => (
                <div key={a.ability_id}>
                  <Link to="/skills/$id" params={{ id: a.ability_id }}>
                    {a.label ?? a.ability_id}
                  </Link>
                </div>
              ))}
            </dd>
          </>
        )}
        <dt>{t.since}</dt>
        <dd>
          <Time at={r.created_at} />
        </dd>
        <dt>{t.checked}</dt>
        <dd>{c.health.last_checked_at ? <Time at={c.health.last_checked_at} /> : t.never}</dd>
      </dl>
    </section>
  );
}

function Deeds({ c }: { c: Connector }) {
  const change = useChange(c);
  const [removing, setRemoving] = useState(false);
  const may = (a: Connector["available_actions"][number]) => c.available_actions.includes(a);
  const on = c.registry.enabled;
  const words = text.connectors;
  return (
    <section className={`${panelCss.panel} stack tight`}>
      {may("smoke_test") && <Test c={c} />}
      {may("edit") && (
        <Button onClick={() => void change(on ? words.turnOff : words.turnOn, { enabled: !on }, on ? words.turnedOff : words.turnedOn)}>
          {on ? words.turnOff : words.turnOn}
        </Button>
      )}
      {may("delete") && (
        <Button look="danger" onClick={() => setRemoving(true)}>
          {t.remove}
        </Button>
      )}
      {removing && <Remove c={c} close={() => setRemoving(false)} />}
    </section>
  );
}

function Remove({ c, close }: { c: Connector; close: () => void }) {
  const { act, say } = useActs();
  const go = useNavigate();
  const remove = async () => {
    const r = await act(t.remove, (headers) =>
      body(api.DELETE("/api/mcp/servers/{serverId}", { params: { path: { serverId: c.registry.server_id } }, headers })),
    );
    if (!r) return;
    say(r.auth_profile_action === "none" ? t.removed : t.removedKept);
    void go({ to: "/connectors" });
  };
  return (
    <Ask title={t.removeTitle(c.registry.display_name)} does={t.remove} look="danger" onDo={() => void remove()} close={close}>
      <p>{t.removeMore}</p>
      {c.auth?.auth_state === "healthy" && <p className="muted">{t.removeKeeps}</p>}
    </Ask>
  );
}
