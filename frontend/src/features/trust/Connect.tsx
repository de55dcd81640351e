import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Phrase } from "../../ui/Phrase";
import { Button } from "../../ui/Button";
import fieldCss from "../../ui/field.module.css";

const known = ["claude-code", "codex", "openclaw"];

/** Connects an agent: its hook, in its own settings. */
export function Connect({ all }: { all: Schemas["ObservedAgent"][] }) {
  const { act, say } = useActs();
  const client = useQueryClient();
  const t = text.connecting;
  const free = known.filter((k) => !all.some((a) => a.agent === k && a.hook?.state === "present"));
  const [chosen, setChosen] = useState("");
  const [next, setNext] = useState("");
  const agent = free.includes(chosen) ? chosen : free[0];
  if (!agent) return null;
  const connect = async () => {
    const r = await act(t.connect, (headers) =>
      body(api.POST("/api/observe/agents/{name}/hook", { params: { path: { name: agent } }, headers, body: once() })),
    );
    if (!r) return;
    setNext(r.hook?.next ?? "");
    say(t.connected);
    void client.invalidateQueries({ queryKey: ["agents"] });
  };
  return (
    <div className="stack tight below" role="group" aria-label={t.connect}>
      <h3>{t.connect}</h3>
      <p className="small muted">{t.connectMore}</p>
      <div className="row">
        <select
          className={`${fieldCss.input} ${fieldCss.short}`}
          aria-label={t.which}
          value={agent}
          onChange={(e) => setChosen(e.target.value)}
        >
          {free.map((k) => (
            <option key={k}>{k}</option>
          ))}
        </select>
        <Button onClick={() => void connect()}>{t.connectDo}</Button>
      </div>
      <p role="status" className="small">
        {next && <Phrase>{text.sentence(next)}</Phrase>}
      </p>
    </div>
  );
}

/** A connected agent's hook: its state, and its removal. */
export function Hook({ a }: { a: Schemas["ObservedAgent"] }) {
  const { act } = useActs();
  const client = useQueryClient();
  const t = text.connecting;
  if (!a.hook) return null;
  const take = () =>
    void act(
      t.disconnect,
      (headers) => body(api.DELETE("/api/observe/agents/{name}/hook", { params: { path: { name: a.agent } }, headers })),
      t.disconnected,
    ).then(() => client.invalidateQueries({ queryKey: ["agents"] }));
  return (
    <div className="row small">
      {t.states[a.hook.state] && <span>{t.states[a.hook.state]}</span>}
      <Button look="danger tiny" aria-label={`${t.disconnect}: ${a.agent}`} onClick={take}>
        {t.disconnect}
      </Button>
    </div>
  );
}
