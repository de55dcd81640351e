import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Box } from "../../ui/Box";
import { Button } from "../../ui/Button";
import { Chip, Load, Time } from "../../ui/parts";
import { Phrase } from "../../ui/Phrase";
import { Part } from "./Part";
import documentCss from "../../ui/document.module.css";
import fieldCss from "../../ui/field.module.css";

/** Agents with a token: list, add, revoke. A token is shown once and not stored here. */
export function Agents() {
  const { act, say } = useActs();
  const client = useQueryClient();
  const t = text.trust;
  const [name, setName] = useState("");
  const [given, setGiven] = useState<Schemas["AgentAdded"]>();
  const refresh = () => void client.invalidateQueries({ queryKey: ["agents"] });
  const revoke = (a: Schemas["Agent"]) =>
    void act(t.revoke, () => body(api.DELETE("/api/agents/{name}", { params: { path: { name: a.name } } })), t.revoked).then(refresh);
  const why = !name.trim() ? t.agentNone : /^[a-z0-9][a-z0-9._-]*$/.test(name.trim()) ? undefined : t.agentNameHint;
  const add = async (e?: FormEvent) => {
    e?.preventDefault();
    if (why) return;
    const r = await act(t.agentAddDo, (headers) => body(api.POST("/api/agents", { headers, body: { name: name.trim(), ...once() } })));
    if (!r) return;
    setName("");
    setGiven(r);
    refresh();
  };
  const copy = () => void navigator.clipboard?.writeText(given?.token ?? "").then(() => say(t.copied));
  return (
    <Part title={t.agents}>
      <p className="muted">{t.agentsMore}</p>
      <Load query={useQuery(q.agents())}>
        {(all) => (
          <ul className="stack tight between">
            {all.map((a) => (
              <li key={a.agent_id} className="row apart">
                <span>
                  <strong>{a.name}</strong> <Time at={a.created_at} as="day" />
                </span>
                {a.revoked_at ? (
                  <Chip>{t.wasRevoked}</Chip>
                ) : (
                  <Button look="danger tiny" onClick={() => revoke(a)} aria-label={`${t.revoke}: ${a.name}`}>
                    {t.revoke}
                  </Button>
                )}
              </li>
            ))}
            {!all.length && (
              <li>
                <Phrase>{t.agentsNone}</Phrase>
              </li>
            )}
          </ul>
        )}
      </Load>
      <form className="row" onSubmit={(e) => void add(e)}>
        <input
          className={`${fieldCss.input} ${fieldCss.short}`}
          aria-label={t.agentName}
          placeholder={t.agentName}
          maxLength={60}
          spellCheck={false}
          value={name}
          onChange={(e) => setName(e.target.value)}
        />
        <Button disabledReason={why} onClick={() => void add()}>
          {t.agentAddDo}
        </Button>
        {name.trim() && why && <span className={fieldCss.why}>{why}</span>}
      </form>
      {given && (
        <Box title={t.tokenTitle(given.agent.name)} onClose={() => setGiven(undefined)}>
          <div className="stack below">
            <p>{t.tokenMore}</p>
            <pre className={documentCss.raw}>{given.token}</pre>
            <div className="row">
              <Button look="primary" onClick={copy}>
                {t.copy}
              </Button>
              <Button onClick={() => setGiven(undefined)}>{text.close}</Button>
            </div>
          </div>
        </Box>
      )}
    </Part>
  );
}
