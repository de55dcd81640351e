import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Ask } from "../../ui/Box";
import { Button } from "../../ui/Button";
import { Chip } from "../../ui/parts";
import { list } from "../runs/words";
import { version } from "./decide";
import { q } from "./queries";
import { troubleOf } from "./trouble";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type One = Schemas["MCPFound"];
const t = text.fromAgents;

/** What agents have set up already, each of which can be taken over. Nothing is shown where there is none. */
export function FromAgents() {
  const { data } = useQuery(q.found());
  if (!data || !(data.servers.length || data.unreadable.length)) return null;
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.title}>
      <h2>{t.title}</h2>
      <p className="muted">{t.more}</p>
      <ul className={panelCss.list}>
        {data.servers.map((x) => (
          <Found key={`${x.agents[0]} ${x.name}`} x={x} />
        ))}
      </ul>
      {data.unreadable.length > 0 && <p className="small">{t.unreadable(data.unreadable)}</p>}
    </section>
  );
}

function Found({ x }: { x: One }) {
  const [asking, setAsking] = useState(false);
  return (
    <li className="stack tight">
      <div className="row apart">
        <div>
          <strong className="break">
            <bdi>{x.name}</bdi>
          </strong>{" "}
          <span className="small muted">{x.agents.join(", ")}</span>
          <p className="small mono break">{x.where}</p>
        </div>
        {x.state === "new" ? (
          <Button aria-label={`${t.take}: ${x.name}`} onClick={() => setAsking(true)}>
            {t.take}
          </Button>
        ) : (
          <Chip tone={x.state === "connected" ? "ok" : ""}>{t.states[x.state]}</Chip>
        )}
      </div>
      {x.reason && <p className="small muted break">{text.sentence(x.reason)}</p>}
      {asking && <Take x={x} close={() => setAsking(false)} />}
    </li>
  );
}

/** Everything that the service would be given, before it is connected. */
function Take({ x, close }: { x: One; close: () => void }) {
  const { act, say } = useActs();
  const client = useQueryClient();
  const go = useNavigate();
  const [folders, setFolders] = useState("");
  const agent = x.agents[0] as Schemas["MCPTakeRequest"]["agent"];
  const take = async () => {
    const r = await act(t.take, (headers) =>
      body(
        api.POST("/api/mcp/found/take", {
          headers,
          body: { agent, name: x.name, ...(folders.trim() ? { folders: list(folders, /\n/) } : {}), ...version, ...once() },
        }),
      ),
    );
    if (!r) return;
    await client.invalidateQueries({ queryKey: ["connectors"] });
    const trouble = troubleOf(r.server);
    say(r.missing.length ? t.missing(r.missing) : trouble ? text.connectingService.doneBut(trouble) : t.taken);
    void go({ to: "/connectors/$id", params: { id: r.server.registry.server_id } });
  };
  return (
    <Ask title={t.takeTitle(x.name)} does={t.take} onDo={() => void take()} close={close}>
      <p className="small mono break">{x.where}</p>
      {x.needs.length > 0 && <p>{t.needs(x.needs)}</p>}
      {x.lent.map((l) => (
        <p key={l} className="break">
          {text.sentence(l)}
        </p>
      ))}
      {x.program && (
        <label className="stack tight">
          {text.connectingService.folders}
          <textarea
            className={fieldCss.input}
            rows={2}
            spellCheck={false}
            value={folders}
            aria-label={text.connectingService.folders}
            onChange={(e) => setFolders(e.target.value)}
          />
        </label>
      )}
      <p className="muted">{t.stays}</p>
    </Ask>
  );
}
