import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { text } from "../../text/en";
import { Button, button } from "../../ui/Button";
import { Empty, Load, Page } from "../../ui/parts";
import { Waiting } from "./AskFirst";
import { Badges } from "./Badges";
import { useSwitch } from "./decide";
import { FromAgents } from "./FromAgents";
import { type Connector, q } from "./queries";
import { placeOf } from "./place";
import { troubleOf } from "./trouble";
import panelCss from "../../ui/panel.module.css";
import css from "./ConnectorsPage.module.css";

const t = text.connectors;

/** Every service that agents can reach, its state, and what waits. */
export function ConnectorsPage() {
  const query = useQuery(q.all());
  const turn = useSwitch();
  const off = Boolean(query.data?.switches.some((s) => s.scope === "global" && s.off));
  return (
    <Page
      title={t.title}
      lead={t.lead}
      side={
        <>
          {query.data && (query.data.servers.length > 0 || off) && (
            <Button look={off ? "" : "danger"} onClick={() => void turn({ scope: "global", off: !off }, off ? t.turnOnAll : t.turnOffAll)}>
              {off ? t.turnOnAll : t.turnOffAll}
            </Button>
          )}
          {Boolean(query.data?.servers.length) && (
            <Link className={button("primary")} to="/connect">
              {t.add}
            </Link>
          )}
        </>
      }
    >
      <div className="stack">
        {off && (
          <p className={panelCss.strip} role="status">
            {t.off}
          </p>
        )}
        <Waiting />
        <Load query={query}>
          {({ servers }) =>
            servers.length ? (
              <ul className={css.cards}>
                {servers.map((c) => (
                  <Card key={c.registry.server_id} c={c} />
                ))}
              </ul>
            ) : (
              <Empty title={t.empty}>
                <p>{t.emptyMore}</p>
                <Link className={button("primary")} to="/connect">
                  {t.add}
                </Link>
              </Empty>
            )
          }
        </Load>
        <FromAgents />
      </div>
    </Page>
  );
}

function Card({ c }: { c: Connector }) {
  const r = c.registry;
  return (
    <li className={css.card}>
      <div>
        <Link className={panelCss.what} to="/connectors/$id" params={{ id: r.server_id }}>
          <bdi>{r.display_name}</bdi>
        </Link>
        {r.provider !== "custom_remote" && <span className="small muted"> {t.provider(r.provider)}</span>}
        <p className={`small muted mono ${css.place}`} title={placeOf(r)}>
          {placeOf(r)}
        </p>
      </div>
      <p className="small">{troubleOf(c) || t.counts(c.tools)}</p>
      {c.linked_abilities.length > 0 && <p className="small muted">{t.uses(c.linked_abilities.map((a) => a.label ?? a.ability_id))}</p>}
      <div className={`row ${css.badges}`}>
        <Badges c={c} />
      </div>
    </li>
  );
}
