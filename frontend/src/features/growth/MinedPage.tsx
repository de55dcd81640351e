import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { growth } from "../../text/growth";
import { useActs } from "../../ui/act";
import { Button, button } from "../../ui/Button";
import { Choice, Field, Toggle } from "../../ui/forms";
import { Chip, Empty, Load, Time } from "../../ui/parts";
import { type Mining, q, type Routine } from "./queries";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

const t = growth.mined;
const shown = ["waiting", "not_now", "held_back"] as const;

/** Work that was done again and again: each routine with what varied, to be learned, put off or never offered again. */
export function MinedPage() {
  const settings = useQuery(q.mining());
  const routines = useQuery(q.mined());
  const client = useQueryClient();
  const { act } = useActs();
  const [busy, setBusy] = useState(false);
  const looks = settings.data ? allowed(settings.data) : false;
  const scan = async () => {
    setBusy(true);
    await act(t.scan, (headers) => body(api.POST("/api/skills/mining/scan", { headers, body: once() })), t.scanned);
    setBusy(false);
    void client.invalidateQueries({ queryKey: ["mined"] });
  };
  return (
    <div className="stack">
      <div className="row apart">
        <p className="muted">{looks ? t.lead : t.leadOff}</p>
        {looks && (
          <Button busy={busy} onClick={() => void scan()}>
            {t.scan}
          </Button>
        )}
      </div>
      <Load query={routines}>
        {(all) => {
          const some = all.filter((r) => r.summary && (shown as readonly string[]).includes(r.state));
          const learned = all.filter((r) => r.summary && r.state === "learned");
          return (
            <>
              {some.length === 0 && looks && (
                <Empty title={t.empty}>
                  <p>{t.emptyMore}</p>
                </Empty>
              )}
              {shown.map((state) => {
                const of = some.filter((r) => r.state === state);
                return (
                  of.length > 0 && (
                    <section key={state} className={panelCss.panel} aria-label={t.states[state]}>
                      <h2>{t.states[state]}</h2>
                      <ul className={panelCss.list}>
                        {of.map((r) => (
                          <Found key={r.cluster.cluster_id} r={r} />
                        ))}
                      </ul>
                    </section>
                  )
                );
              })}
              {learned.length > 0 && (
                <section className={panelCss.panel} aria-label={t.states.learned}>
                  <h2>{t.states.learned}</h2>
                  <ul className={panelCss.list}>
                    {learned.map((r) => (
                      <li key={r.cluster.cluster_id} className="row apart">
                        <p className={panelCss.what}>
                          <bdi>{r.summary}</bdi>
                        </p>
                        {r.ability_id ? (
                          <Link to="/skills/$id" params={{ id: r.ability_id }}>
                            {text.show}
                          </Link>
                        ) : (
                          r.proposal_id && (
                            <Link to="/review/$id" params={{ id: r.proposal_id }}>
                              {text.show}
                            </Link>
                          )
                        )}
                      </li>
                    ))}
                  </ul>
                </section>
              )}
            </>
          );
        }}
      </Load>
      <Load query={settings}>{(s) => <Consents s={s} />}</Load>
    </div>
  );
}

const allowed = (s: Mining) => s.mode !== "off" && (s.sources.runs || s.sources.receipts || s.sources.sessions);

/** A routine with its steps, and the three answers. */
function Found({ r }: { r: Routine }) {
  const { act } = useActs();
  const go = useNavigate();
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const params = { path: { clusterId: r.cluster.cluster_id } };
  const fresh = () => {
    void client.invalidateQueries({ queryKey: ["mined"] });
    void client.invalidateQueries({ queryKey: ["inbox"] });
  };
  const learn = async (answers: Schemas["MiningAnswer"][]) => {
    setBusy(true);
    const done = await act(t.learn, (headers) =>
      body(api.POST("/api/learn/mined/{clusterId}/learn", { params, headers, body: { answers, ...once() } })),
    );
    setBusy(false);
    fresh();
    if (done?.proposal_id) void go({ to: "/review/$id", params: { id: done.proposal_id } });
  };
  const later = () =>
    act(
      t.later,
      (headers) => body(api.POST("/api/learn/mined/{clusterId}/later", { params, headers, body: { days: 14, ...once() } })),
      t.put,
    ).finally(fresh);
  const never = () =>
    act(t.never, (headers) => body(api.POST("/api/learn/mined/{clusterId}/never", { params, headers, body: once() })), t.gone).finally(
      fresh,
    );
  return (
    <li className="stack tight">
      <p className={panelCss.what}>
        <bdi>{r.summary}</bdi>
      </p>
      <p className="row small muted">
        <Chip>{r.own ? t.own : t.by(r.agents ?? [])}</Chip>
        <Time at={r.last_at} />
      </p>
      {r.varied.length > 0 && <p>{t.varied(r.varied)}</p>}
      <details>
        <summary>{t.steps(r.steps.length)}</summary>
        <ol className={panelCss.lines}>
          {r.steps.map((s, i) => (
            <li key={i} className="break">
              {s.text}
              {s.varied && <span className="muted"> ({s.varied})</span>}
            </li>
          ))}
        </ol>
        {r.state === "held_back" && (
          <>
            <p>{t.why}</p>
            <ul className={panelCss.lines}>
              {r.gates
                .filter((g) => !g.passed)
                .map((g) => (
                  <li key={g.gate}>{text.sentence(g.reason)}</li>
                ))}
            </ul>
          </>
        )}
        {r.indicators.length + r.concerns.length > 0 && (
          <ul className={panelCss.lines}>
            {[...r.indicators.map((x) => `${t.for}: ${x}`), ...r.concerns.map((x) => `${t.against}: ${x}`)].map((x) => (
              <li key={x}>{text.sentence(x)}</li>
            ))}
          </ul>
        )}
      </details>
      {r.state === "held_back" ? null : asks ? (
        <Asked r={r} busy={busy} onAnswer={(a) => void learn(a)} onStop={() => setAsks(false)} />
      ) : (
        <div className="row">
          <Button
            look="primary"
            busy={busy}
            disabledReason={r.learnable ? undefined : t.notKept}
            onClick={() => (r.questions.length ? setAsks(true) : void learn([]))}
          >
            {t.learn}
          </Button>
          {r.state === "waiting" && <Button onClick={() => void later()}>{t.later}</Button>}
          <Button look="plain" onClick={() => void never()}>
            {t.never}
          </Button>
        </div>
      )}
      {!r.learnable && r.state !== "held_back" && <p className="small muted">{t.notKept}</p>}
    </li>
  );
}

/** The questions before a routine is learned; what is left as suggested needs no answer. */
function Asked({
  r,
  busy,
  onAnswer,
  onStop,
}: {
  r: Routine;
  busy: boolean;
  onAnswer: (a: Schemas["MiningAnswer"][]) => void;
  onStop: () => void;
}) {
  const [said, setSaid] = useState<Record<string, string>>(() =>
    Object.fromEntries(r.questions.map((x) => [x.question, x.suggested ?? ""])),
  );
  const open = r.questions.some((x) => x.required && !said[x.question]?.trim());
  return (
    <form
      className="stack"
      onSubmit={(e) => {
        e.preventDefault();
        if (open || busy) return;
        onAnswer(
          r.questions.filter((x) => said[x.question]?.trim()).map((x) => ({ question: x.question, text: said[x.question]!.trim() })),
        );
      }}
    >
      {r.questions.map((x) => {
        const options = t.options[x.question];
        const put = (v: string) => setSaid((had) => ({ ...had, [x.question]: v }));
        return options ? (
          <div key={x.question} className={fieldCss.field}>
            <p>{x.text}</p>
            <Choice inline label={x.text} options={options} value={said[x.question] ?? ""} onChange={put} />
          </div>
        ) : (
          <Field key={x.question} label={x.text}>
            {(id) => (
              <input
                id={id}
                className={fieldCss.input}
                maxLength={400}
                value={said[x.question] ?? ""}
                onChange={(e) => put(e.target.value)}
              />
            )}
          </Field>
        );
      })}
      <div className="row">
        <button type="submit" className={button("primary")} aria-disabled={open || busy || undefined}>
          {t.learn}
        </button>
        <Button look="plain" onClick={onStop}>
          {text.cancel}
        </Button>
      </div>
    </form>
  );
}

const sources = ["sessions", "runs", "receipts", "fingerprints"] as const;

/** What may be looked at, and what happens with what is found. */
function Consents({ s }: { s: Mining }) {
  const { act } = useActs();
  const client = useQueryClient();
  const change = (what: string, to: Partial<Schemas["SkillMiningSettingsChange"]>) =>
    act(what, (headers) => body(api.POST("/api/skills/mining/settings", { headers, body: { ...to, ...once() } })), t.changed).finally(
      () => {
        void client.invalidateQueries({ queryKey: ["mined"] });
        void client.invalidateQueries({ queryKey: ["inbox"] });
      },
    );
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.sources}>
      <h2>{t.sources}</h2>
      <p className="muted">{t.sourcesMore}</p>
      {sources.map((x) => (
        <Toggle
          key={x}
          label={t.source[x].label}
          more={t.source[x].more}
          on={s.sources[x]}
          onChange={(on) => void change(t.source[x].label, { sources: { [x]: on } })}
        />
      ))}
      <h3>{t.mode}</h3>
      <Choice label={t.mode} options={t.modes} value={s.mode} onChange={(mode) => void change(t.mode, { mode: mode as Mining["mode"] })} />
    </section>
  );
}
