import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { q as read } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Choice, Field } from "../../ui/forms";
import { Phrase } from "../../ui/Phrase";
import { Page, Wrong } from "../../ui/parts";
import { BeforeStart } from "../learn/BeforeStart";
import { listed } from "../../text/say";
import { list, words } from "./words";
import fieldCss from "../../ui/field.module.css";

type Mode = "autonomous_agent_practice" | "coaching_agent";
type Request = Schemas["Request"];

interface Wish {
  goal: string;
  command: string;
  hints: string;
  verify: string;
  attempts: string;
  hosts: string;
  read: string;
  most: string;
}

const nothing: Wish = { goal: "", command: "", hints: "", verify: "", attempts: "1", hosts: "", read: "", most: "40" };

/** What is asked of the daemon for what a person filled in. */
export function request(mode: Mode, w: Wish): Request {
  return {
    entry_mode: mode,
    goal: w.goal.trim(),
    attempts: Number(w.attempts),
    ...(w.command.trim() ? { command: words(w.command) } : {}),
    ...(list(w.hints, /\n/).length ? { hints: list(w.hints, /\n/) } : {}),
    ...(w.verify.trim() ? { verify: w.verify.trim() } : {}),
    ...(list(w.read).length ? { read_only: list(w.read) } : {}),
    test_policy: {
      policy_id: crypto.randomUUID(),
      mode: "safe_target_only",
      allowed_domains: list(w.hosts),
      max_actions: Math.max(1, Number(w.most) || 40),
      safe_targets: [{ target_kind: "temp_folder", ref: "workspace" }],
      schema_version: 1,
    },
  };
}

/** The sentences before the start, from what the daemon says that such a run would be given. */
export function summary(plan: Schemas["Plan"], attempts: number, name = ""): string[] {
  const t = text.practice;
  return [
    t.will(name || text.capital(plan.agent), attempts),
    plan.hosts.length ? t.reach(listed(plan.hosts)) : t.reachNot,
    plan.read_only.length ? t.reads(listed(plan.read_only)) : t.readsNot,
    plan.credentials.length ? t.credentials(listed(plan.credentials)) : t.credentialsNot,
    t.kept,
  ];
}

/** The value, once it has not changed for a moment. */
function useSettled<T>(value: T, ms = 400): T {
  const [settled, set] = useState(value);
  useEffect(() => {
    const t = setTimeout(() => set(value), ms);
    return () => clearTimeout(t);
  }, [value, ms]);
  return settled;
}

/** The set-up of a practice, or of a coaching in the sandbox: goal, command, hints, how to tell, and how far it may go. */
export function PracticeSetUp({ mode, own }: { mode: Mode; own?: () => void }) {
  const { act } = useActs();
  const go = useNavigate();
  const [w, setW] = useState(nothing);
  const [busy, setBusy] = useState(false);
  const sent = useRef(false);
  const { data: settings } = useQuery(read.settings());
  const { data: agents } = useQuery(read.observed());
  const t = text.practice;
  const put = (k: keyof Wish) => (v: string) => setW((had) => ({ ...had, [k]: v }));
  const configured = settings?.agent_command ?? [];
  const asked = useSettled(
    JSON.stringify({ command: w.command.trim() ? words(w.command) : configured, domains: list(w.hosts), read_only: list(w.read) }),
  );
  const plan = useQuery({
    queryKey: ["agents", "plan", asked],
    enabled: (JSON.parse(asked) as { command: string[] }).command.length > 0,
    retry: false,
    queryFn: () =>
      body(
        api.POST("/api/agent-runs/plan", {
          body: { ...(JSON.parse(asked) as { command: string[]; domains: string[]; read_only: string[] }), ...once() },
        }),
      ),
  });
  const why = !w.goal.trim() ? t.noGoal : !w.command.trim() && !configured.length ? t.noCommand : undefined;

  const start = async () => {
    if (sent.current) return;
    sent.current = true;
    setBusy(true);
    const p = await act(t.start, async (headers) => {
      await api.POST("/api/learn/indicators/renew", { body: { indicator: "window" } });
      return body(api.POST("/api/learn/practice", { headers, body: { ...request(mode, w), ...once() } }));
    });
    setBusy(false);
    sent.current = false;
    if (p) void go({ to: "/practice/$id", params: { id: p.practice_id } });
  };
  const line = (k: keyof Wish, label: string, hint?: string, example?: string, extra: object = {}) => (
    <Field label={label} hint={hint}>
      {(id, d) => (
        <input
          id={id}
          aria-describedby={d}
          className={fieldCss.input}
          placeholder={example}
          value={w[k]}
          onChange={(e) => put(k)(e.target.value)}
          {...extra}
        />
      )}
    </Field>
  );
  return (
    <Page title={text.name(mode)} lead={text.learn.cards[mode]} side={<Link to="/learn/new">{text.setup.back}</Link>}>
      <div className="split aside">
        <form
          className="stack loose"
          onSubmit={(e) => {
            e.preventDefault();
            if (!why && !busy) void start();
          }}
        >
          {own && <Where own={own} may={Boolean(agents?.some((a) => a.hook))} />}
          {line("goal", t.goal, text.setup.goalHint, t.goalExample, { maxLength: 400 })}
          {line("command", t.command, t.commandHint, configured.length ? configured.join(" ") : t.commandExample, {
            spellCheck: false,
            autoCapitalize: "off",
          })}
          <Field label={t.hints} hint={t.hintsHint}>
            {(id, d) => (
              <textarea
                id={id}
                aria-describedby={d}
                className={fieldCss.input}
                rows={3}
                value={w.hints}
                onChange={(e) => put("hints")(e.target.value)}
              />
            )}
          </Field>
          {line("verify", t.verify, t.verifyHint, t.verifyExample, { spellCheck: false, maxLength: 2000 })}
          <fieldset className="stack tight">
            <legend>
              <h2>{t.attempts}</h2>
            </legend>
            <p className="muted">{t.attemptsHint}</p>
            <Choice
              inline
              label={t.attempts}
              value={w.attempts}
              onChange={put("attempts")}
              options={["1", "2", "3", "4", "5"].map((v) => ({ value: v, label: v }))}
            />
          </fieldset>
          <fieldset className="stack">
            <legend>
              <h2>{t.policy}</h2>
            </legend>
            {line("hosts", t.hosts, t.hostsHint, "api.example.com", { spellCheck: false })}
            {line("read", t.read, t.readHint, "/home/me/orders", { spellCheck: false })}
            {line("most", t.most, undefined, undefined, {
              type: "number",
              min: 1,
              max: 1000,
              className: `${fieldCss.input} ${fieldCss.short}`,
            })}
          </fieldset>
        </form>
        <BeforeStart
          says={
            plan.data && !plan.error ? summary(plan.data, Number(w.attempts), w.command.trim() ? "" : settings?.agent_display_name) : []
          }
          instead={plan.error ? <Wrong error={plan.error} /> : plan.data ? undefined : <p className="muted">{t.noCommand}</p>}
          why={why}
          busy={busy}
          start={t.start}
          starting={t.starting}
          onStart={() => void start()}
        />
      </div>
    </Page>
  );
}

/** Coaching goes two ways; the one without a connected agent says what it needs. */
function Where({ own, may }: { own: () => void; may: boolean }) {
  const t = text.practice;
  return (
    <fieldset className="stack tight">
      <legend>
        <h2>{t.where}</h2>
      </legend>
      <Choice
        label={t.where}
        value="sandbox"
        onChange={(v) => v === "own" && own()}
        options={[
          { value: "sandbox", label: t.sandbox, more: t.sandboxMore },
          ...(may ? [{ value: "own", label: t.own, more: t.ownMore }] : []),
        ]}
      />
      {!may && (
        <p className={fieldCss.why}>
          <Phrase>{t.ownNot}</Phrase>
        </p>
      )}
    </fieldset>
  );
}
