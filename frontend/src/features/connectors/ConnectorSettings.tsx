import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api, body, type Schemas } from "../../api/client";
import { q as known } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";
import { Choice, Toggle } from "../../ui/forms";
import { Chip, Load } from "../../ui/parts";
import { usePolicy, useSwitch } from "./decide";
import { type Connector, nameOf, q, type Switch } from "./queries";
import { Receipts } from "./Receipts";
import fieldCss from "../../ui/field.module.css";
import css from "./ConnectorSettings.module.css";
import panelCss from "../../ui/panel.module.css";

const t = text.switches;
type Mode = Schemas["MCPTool"]["mode"];

/** Settings of all connectors (R9 0.9D, 1.1R): switches, the default decision, sign-ins, receipts. Effective at once. */
export function ConnectorSettings() {
  return (
    <section className={`${css.settings} stack loose`} aria-label={t.title}>
      <div className="stack tight">
        <h2>{t.title}</h2>
        <p className="muted">{t.more}</p>
      </div>
      <Load query={useQuery(q.all())}>
        {({ servers, switches, global_policy }) => (
          <>
            <Switches servers={servers} switches={switches} />
            <Usual mode={global_policy.decision.mode} />
            <Grants servers={servers} />
            <SignIns servers={servers} />
            <details>
              <summary>{t.receipts}</summary>
              <div className="stack tight below">
                <p className="muted">{text.receipts.more}</p>
                <Receipts of={{}} />
              </div>
            </details>
          </>
        )}
      </Load>
    </section>
  );
}

const Part = ({ title, more, children }: { title: string; more?: string; children: ReactNode }) => (
  <section className="stack tight" aria-label={title}>
    <h3>{title}</h3>
    {more && <p className="muted">{more}</p>}
    {children}
  </section>
);

/** Known agents: those with a token or a hook, those that a switch names, and those that Showhow can connect. */
function useAgents(switches: Switch[]): string[] {
  const { data: tokens } = useQuery(known.agents());
  const { data: observed } = useQuery(known.observed());
  const names = [
    ...(tokens ?? []).filter((a) => !a.revoked_at).map((a) => a.name),
    ...(observed ?? []).map((a) => a.agent),
    ...switches.filter((s) => s.scope === "runtime").map((s) => s.name ?? ""),
    "claude-code",
    "codex",
    "openclaw",
  ];
  return [...new Set(names.filter(Boolean))].sort((a, b) => a.localeCompare(b));
}

function Switches({ servers, switches }: { servers: Connector[]; switches: Switch[] }) {
  const turn = useSwitch();
  const agents = useAgents(switches);
  const off = (scope: Switch["scope"], name?: string) =>
    switches.some((s) => s.off && s.scope === scope && (s.name ?? "") === (name ?? "") && !s.server_id && !s.tool_name);
  const kinds = [
    ...new Set<string>([
      ...servers.map((c) => c.registry.provider),
      ...switches.filter((s) => s.scope === "provider").map((s) => s.name ?? ""),
    ]),
  ].filter(Boolean);
  const denied = switches.filter((s) => s.off && s.scope === "runtime" && s.server_id);
  return (
    <>
      <Toggle label={t.all} more={t.allMore} on={!off("global")} onChange={(on) => void turn({ scope: "global", off: !on })} />
      {kinds.length > 0 && (
        <Part title={t.kinds}>
          {kinds.map((k) => (
            <Toggle
              key={k}
              label={text.connectors.provider(k)}
              on={!off("provider", k)}
              onChange={(on) => void turn({ scope: "provider", name: k, off: !on })}
            />
          ))}
        </Part>
      )}
      <Part title={t.agents} more={t.agentsMore}>
        {agents.map((a) => (
          <Toggle key={a} label={t.may(a)} on={!off("runtime", a)} onChange={(on) => void turn({ scope: "runtime", name: a, off: !on })} />
        ))}
      </Part>
      {servers.length > 0 && (
        <Part title={t.denied}>
          <ul className="stack tight">
            {denied.map((s) => {
              const what = [nameOf(servers, s.server_id ?? ""), s.tool_name].filter(Boolean).join(", ");
              return (
                <li key={`${s.name} ${s.server_id} ${s.tool_name}`} className="row apart">
                  <span className="break">{t.deniedTo(s.name ?? "", what)}</span>
                  <Button
                    look="tiny"
                    aria-label={`${t.take}: ${t.deniedTo(s.name ?? "", what)}`}
                    onClick={() => void turn({ ...s, off: false }, t.take)}
                  >
                    {t.take}
                  </Button>
                </li>
              );
            })}
            {!denied.length && <li className="muted">{t.deniedNone}</li>}
          </ul>
          <Deny agents={agents} servers={servers} />
        </Part>
      )}
    </>
  );
}

/** A new entry of an agent's deny-list. */
function Deny({ agents, servers }: { agents: string[]; servers: Connector[] }) {
  const turn = useSwitch();
  const [agent, setAgent] = useState("");
  const [server, setServer] = useState("");
  const who = agents.includes(agent) ? agent : (agents[0] ?? "");
  const what = servers.some((c) => c.registry.server_id === server) ? server : (servers[0]?.registry.server_id ?? "");
  return (
    <div className="row">
      <select
        className={`${fieldCss.input} ${fieldCss.short}`}
        aria-label={t.denyAgent}
        value={who}
        onChange={(e) => setAgent(e.target.value)}
      >
        {agents.map((a) => (
          <option key={a}>{a}</option>
        ))}
      </select>
      <select
        className={`${fieldCss.input} ${fieldCss.short}`}
        aria-label={t.denyWhat}
        value={what}
        onChange={(e) => setServer(e.target.value)}
      >
        {servers.map((c) => (
          <option key={c.registry.server_id} value={c.registry.server_id}>
            {c.registry.display_name}
          </option>
        ))}
      </select>
      <Button onClick={() => void turn({ scope: "runtime", name: who, server_id: what, off: true }, t.deny)}>{t.deny}</Button>
    </div>
  );
}

/** The default for tools without a decision, and the order of precedence. */
function Usual({ mode }: { mode: Mode }) {
  const decide = usePolicy();
  return (
    <>
      <Part title={t.usual} more={t.usualMore}>
        <Choice
          label={t.usual}
          value={mode}
          onChange={(m) => void decide({ target_kind: "global" }, m as Mode)}
          options={Object.entries(t.usuals).map(([value, [label, more]]) => ({ value, label, more }))}
        />
      </Part>
      <details>
        <summary>{t.precedence}</summary>
        <ol className={`${panelCss.lines} below`}>
          {t.order.map((l) => (
            <li key={l}>{l}</li>
          ))}
        </ol>
      </details>
    </>
  );
}

/** Approvals that cover more than one call, each of which can be ended. */
function Grants({ servers }: { servers: Connector[] }) {
  const { act } = useActs();
  const client = useQueryClient();
  const end = (id: string) =>
    void act(
      t.endGrant,
      () => body(api.DELETE("/api/mcp/ask-first/grants/{dispatchId}", { params: { path: { dispatchId: id } } })),
      t.grantEnded,
    ).finally(() => client.invalidateQueries({ queryKey: ["connectors"] }));
  return (
    <Part title={t.grants} more={t.grantsMore}>
      <Load query={useQuery(q.grants())}>
        {(all) => (
          <ul className="stack tight">
            {all.map((g) => {
              const what = t.granted(g, nameOf(servers, g.server_id));
              return (
                <li key={g.dispatch_id} className="row apart">
                  <span className="break">
                    <bdi>{what}</bdi> <span className="small muted">{text.sentence(g.words)}</span>
                  </span>
                  <Button look="danger tiny" aria-label={`${t.endGrant}: ${what}`} onClick={() => end(g.dispatch_id)}>
                    {t.endGrant}
                  </Button>
                </li>
              );
            })}
            {!all.length && <li className="muted">{t.grantsNone}</li>}
          </ul>
        )}
      </Load>
    </Part>
  );
}

/** Stored sign-ins: their state and owner, and removal of unused ones. */
function SignIns({ servers }: { servers: Connector[] }) {
  const { act } = useActs();
  const client = useQueryClient();
  const users = (id: string) => servers.filter((c) => c.registry.auth_profile_id === id).map((c) => c.registry.display_name);
  const remove = (id: string) =>
    void act(
      t.remove,
      (headers) => body(api.DELETE("/api/mcp/auth-profiles/{authProfileId}", { params: { path: { authProfileId: id } }, headers })),
      t.removed,
    ).finally(() => client.invalidateQueries({ queryKey: ["connectors"] }));
  return (
    <Part title={t.profiles}>
      <Load query={useQuery(q.profiles())}>
        {(all) => (
          <ul className="stack tight">
            {all.map((p) => {
              const by = users(p.auth_profile_id);
              return (
                <li key={p.auth_profile_id} className="row apart">
                  <span className="break">
                    {text.connectors.way(p.auth_mode)}, {t.usedBy(by)}{" "}
                    <span className="small muted">
                      {t.renews[p.refresh_policy]} <code>{p.auth_profile_id}</code>
                    </span>
                  </span>
                  <span className="row">
                    <Chip tone={p.status === "healthy" ? "ok" : p.status === "unknown" ? "" : "warn"}>
                      {text.connectors.signIn(p.status)}
                    </Chip>
                    <Button
                      look="danger tiny"
                      aria-label={`${t.remove}: ${p.auth_profile_id}`}
                      disabledReason={by.length ? t.inUse(by) : undefined}
                      onClick={() => remove(p.auth_profile_id)}
                    >
                      {t.remove}
                    </Button>
                  </span>
                </li>
              );
            })}
            {!all.length && <li className="muted">{t.profilesNone}</li>}
          </ul>
        )}
      </Load>
    </Part>
  );
}
