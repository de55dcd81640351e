import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, body, once, type Schemas } from "../../api/client";
import { remote as t } from "../../text/remote";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";
import { Load, Time } from "../../ui/parts";
import { Phrase } from "../../ui/Phrase";
import { Part } from "./Part";
import panelCss from "../../ui/panel.module.css";

// A sign-in begins to wait without an event, so an open page polls while it is on.
const query = () =>
  queryOptions({
    queryKey: ["remote"],
    queryFn: () => body(api.GET("/api/remote")),
    refetchInterval: (x) => (x.state.data?.on ? 3000 : false),
  });

/** Agents on other computers: who asks, who is let in, and the way out. */
export function Remote() {
  return (
    <Part title={t.title}>
      <p className="muted">{t.more}</p>
      <Load query={useQuery(query())}>{(s) => <Callers s={s} />}</Load>
    </Part>
  );
}

export function Callers({ s }: { s: Schemas["RemoteStatus"] }) {
  const { act } = useActs();
  const client = useQueryClient();
  const fresh = () => void client.invalidateQueries({ queryKey: ["remote"] });
  const turnOff = () =>
    void act(t.turnOff, (headers) => body(api.POST("/api/remote/off", { headers, body: once() })), t.turnedOff).then(fresh);
  const decide = (code: string, allow: boolean) =>
    void act(
      allow ? t.allow : t.deny,
      (headers) => body(api.POST("/api/remote/requests/{code}", { params: { path: { code } }, headers, body: { allow, ...once() } })),
      allow ? t.allowed : t.denied,
    ).then(fresh);
  const revoke = (caller: string) =>
    void act(
      t.revoke,
      (headers) => body(api.POST("/api/remote/callers/{caller}/revoke", { params: { path: { caller } }, headers, body: once() })),
      t.revoked,
    ).then(fresh);
  const live = s.callers.filter((c) => !c.revoked_at);
  return (
    <div className="stack">
      <div className="row apart">
        <span className="break">
          <Phrase>{!s.on ? t.off : s.problem ? t.problem(s.problem) : t.on(s.url ?? "")}</Phrase>
        </span>
        {s.on && (
          <Button look="danger tiny" onClick={turnOff}>
            {t.turnOff}
          </Button>
        )}
      </div>
      {s.waiting.map((w) => (
        <div key={w.code} className="stack tight" role="group" aria-label={t.asks(w.client_name)}>
          <h3>{t.asks(w.client_name)}</h3>
          <p className="small muted break">{t.details(w.from, w.sends_to)}</p>
          <ul className={panelCss.lines}>
            {w.scopes.map((x) => (
              <li key={x}>{t.scopes[x] ?? x}</li>
            ))}
          </ul>
          <p>
            {t.compare} <code>{w.code}</code>
          </p>
          <div className="row">
            <Button look="primary" onClick={() => decide(w.code, true)}>
              {t.allow}
            </Button>
            <Button onClick={() => decide(w.code, false)}>{t.deny}</Button>
          </div>
        </div>
      ))}
      {(s.on || live.length > 0) && (
        <ul className="stack tight between">
          {live.map((c) => (
            <li key={c.caller_id} className="row apart">
              <span className="break">
                <strong>{c.name}</strong>{" "}
                <span className="small muted">
                  {c.last_used_at ? (
                    <>
                      {t.used(c.calls)}, <Time at={c.last_used_at} />
                    </>
                  ) : (
                    t.never
                  )}
                </span>
              </span>
              <Button look="danger tiny" onClick={() => revoke(c.caller_id)} aria-label={`${t.revoke}: ${c.name}`}>
                {t.revoke}
              </Button>
            </li>
          ))}
          {!live.length && <li className="muted">{t.none}</li>}
        </ul>
      )}
    </div>
  );
}
