import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { remote as t } from "../../text/remote";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/forms";
import { Load, Time } from "../../ui/parts";
import { Phrase } from "../../ui/Phrase";
import { reached } from "../../ui/reached";
import { Part } from "./Part";
import fieldCss from "../../ui/field.module.css";

// A sign-in begins to wait without an event, so an open page polls while it is on.
export const callers = () =>
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
      <Load query={useQuery(callers())}>{(s) => <Callers s={s} />}</Load>
    </Part>
  );
}

// The person types what their own browser shows: that it is the sign-in that they began, nothing here could tell.
function Decision({ asked, decide }: { asked: string[]; decide: (allow: boolean, code?: string, scopes?: string[]) => void }) {
  const [code, setCode] = useState("");
  const [not, setNot] = useState<string[]>([]); // of what it asks for; the first is what it needs at least
  const whole = /^[A-Z0-9]{4}-[A-Z0-9]{4}$/.test(code.trim());
  return (
    <form
      className="stack tight"
      onSubmit={(e) => {
        e.preventDefault();
        if (!whole) return;
        decide(
          true,
          code.trim(),
          asked.filter((x) => !not.includes(x)),
        );
        setCode("");
      }}
    >
      <fieldset className="stack tight">
        <legend>{t.may}</legend>
        {asked.map((x, i) => (
          <label key={x} className={fieldCss.tick}>
            <input
              type="checkbox"
              checked={!not.includes(x)}
              disabled={!i}
              onChange={(e) => setNot(e.target.checked ? not.filter((y) => y !== x) : [...not, x])}
            />
            <span>{t.scopes[x] ?? x}</span>
          </label>
        ))}
      </fieldset>
      <Field label={t.code} hint={t.codeHint}>
        {(id, described) => (
          <input
            id={id}
            className={`${fieldCss.input} ${fieldCss.short}`}
            aria-describedby={described}
            value={code}
            onChange={(e) => setCode(e.target.value.toUpperCase())}
            maxLength={9}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" look="primary" disabledReason={whole ? undefined : t.codeMissing}>
          {t.allow}
        </Button>
        <Button onClick={() => decide(false)}>{t.deny}</Button>
      </div>
    </form>
  );
}

export function Callers({ s }: { s: Schemas["RemoteStatus"] }) {
  const { act } = useActs();
  const client = useQueryClient();
  const fresh = () => void client.invalidateQueries({ queryKey: ["remote"] });
  const turnOff = () =>
    void act(t.turnOff, (headers) => body(api.POST("/api/remote/off", { headers, body: once() })), t.turnedOff).then(fresh);
  const decide = (request: string, allow: boolean, code?: string, scopes?: string[]) =>
    void act(
      allow ? t.allow : t.deny,
      (headers) =>
        body(
          api.POST("/api/remote/requests/{request}", { params: { path: { request } }, headers, body: { allow, code, scopes, ...once() } }),
        ),
      allow ? t.allowed : t.denied,
    ).then(fresh);
  const revoke = (caller: string) =>
    void act(
      t.revoke,
      (headers) => body(api.POST("/api/remote/callers/{caller}/revoke", { params: { path: { caller } }, headers, body: once() })),
      t.revoked,
    ).then(fresh);
  const task = (id: string, allow: boolean) =>
    void act(
      allow ? t.run : t.noRun,
      (headers) => body(api.POST("/api/remote/tasks/{task}", { params: { path: { task: id } }, headers, body: { allow, ...once() } })),
      allow ? t.runs : t.runDenied,
    ).then(fresh);
  const a2a = (on: boolean) =>
    void act(
      on ? t.a2aTurnOn : t.a2aTurnOff,
      (headers) => body(api.POST("/api/remote/a2a", { headers, body: { on, ...once() } })),
      on ? t.a2aTurnedOn : t.a2aTurnedOff,
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
      {(s.on || s.a2a.on) && (
        <div className="row apart">
          <span className="break">
            <Phrase>{!s.a2a.on ? t.a2aOff : s.a2a.command?.length ? t.a2aRuns(s.a2a.command.join(" ")) : t.a2aOn}</Phrase>
          </span>
          <Button look={s.a2a.on ? "danger tiny" : "tiny"} onClick={() => a2a(!s.a2a.on)}>
            {s.a2a.on ? t.a2aTurnOff : t.a2aTurnOn}
          </Button>
        </div>
      )}
      {s.tasks.map((x) => (
        <div
          key={x.task_id}
          id={x.task_id}
          ref={reached}
          tabIndex={-1}
          className="stack tight"
          role="group"
          aria-label={t.asksRun(x.caller, x.title)}
        >
          <h3>{t.asksRun(x.caller, x.title)}</h3>
          <p className="break">
            <bdi>{x.goal}</bdi>
          </p>
          <p className="small muted">{t.runMore}</p>
          <div className="row">
            <Button look="primary" onClick={() => task(x.task_id, true)}>
              {t.run}
            </Button>
            <Button onClick={() => task(x.task_id, false)}>{t.noRun}</Button>
          </div>
        </div>
      ))}
      {s.waiting.map((w) => (
        <div
          key={w.request_id}
          id={w.request_id}
          ref={reached}
          tabIndex={-1}
          className="stack tight"
          role="group"
          aria-label={t.asks(w.client_name)}
        >
          <h3>{t.asks(w.client_name)}</h3>
          <p className="small muted break">{t.details(w.from, w.sends_to)}</p>
          <Decision asked={w.scopes} decide={(allow, code, scopes) => decide(w.request_id, allow, code, scopes)} />
        </div>
      ))}
      {(s.on || live.length > 0) && (
        <ul className="stack tight between">
          {live.map((c) => (
            <li key={c.caller_id} className="row apart">
              <span className="break">
                <strong>{c.name}</strong>{" "}
                <span className="small muted">
                  <code>{c.scopes.join(" ")}</code>,{" "}
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
      {live.length > 0 && (
        <p className="small muted">
          <Phrase>{t.open(live.length === 1 ? live[0]!.name : "NAME")}</Phrase>
        </p>
      )}
    </div>
  );
}
