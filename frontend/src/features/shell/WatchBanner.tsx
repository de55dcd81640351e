import * as Menu from "@radix-ui/react-dropdown-menu";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { listed } from "../../text/say";
import { useActs } from "../../ui/act";
import { Box } from "../../ui/Box";
import { Button, button } from "../../ui/Button";
import { ReallyDiscard } from "../learn/Discard";
import css from "./WatchBanner.module.css";
import fieldCss from "../../ui/field.module.css";
import menuCss from "../../ui/menu.module.css";

type Session = Schemas["LearnSession"];
export type Verb = "start" | "pause" | "resume" | "stop" | "cancel";

const watched = ["armed", "capturing", "paused"];
export const isWatched = (s: Session) => watched.includes(s.state);

/** The names of what a scope allows, as a person would say them. */
export function allowed(scope: Schemas["Scope"]): string {
  const names = [
    ...(scope.sites ?? []),
    ...(scope.apps ?? []),
    ...(scope.shells ?? []).map((s) => s.replace("/dev/", "")),
    ...(scope.folders ?? []).map((f) => f.replace(/^.*\/(?=.)/, "")),
    ...(scope.devices ?? []),
  ];
  return listed(names);
}

/** Tells the daemon that a person can see now that capture is on: only while this page is visible. */
function useIndicator(on: boolean) {
  useEffect(() => {
    if (!on) return;
    const renew = () => {
      if (document.visibilityState === "visible")
        void api.POST("/api/learn/indicators/renew", { body: { indicator: "window" } }).catch(() => {});
    };
    renew();
    const t = setInterval(renew, 1500);
    return () => clearInterval(t);
  }, [on]);
}

export function useSessionVerb(s: Session) {
  const { act } = useActs();
  // Pause and stop apply whatever else has changed; only discarding is bound to the revision that was shown.
  const path = { params: { path: { sessionId: s.learn_session_id } } };
  const exactly = { params: { ...path.params, header: seen(s.revision) } };
  return (verb: Verb) =>
    act(text.watch[verb === "cancel" ? "discard" : verb], async () => {
      const b = { body: once() };
      if (verb === "start") await body(api.POST("/api/learn/sessions/{sessionId}/start", { ...path, ...b }));
      if (verb === "pause") await body(api.POST("/api/learn/sessions/{sessionId}/pause", { ...path, ...b }));
      if (verb === "resume") await body(api.POST("/api/learn/sessions/{sessionId}/resume", { ...path, ...b }));
      if (verb === "stop") await body(api.POST("/api/learn/sessions/{sessionId}/stop", { ...path, ...b }));
      if (verb === "cancel") await body(api.POST("/api/learn/sessions/{sessionId}/cancel", { ...exactly, ...b }));
    });
}

/** The strip in every view while something is watched, or could be. */
export function WatchBanner() {
  const { data: sessions } = useQuery(q.active());
  const s = sessions?.find(isWatched);
  useIndicator(Boolean(s));
  return s ? <Strip s={s} /> : null;
}

function Strip({ s }: { s: Session }) {
  const { data: scope } = useQuery({ ...q.scope(s.learn_session_id), refetchInterval: 1000 });
  const verb = useSessionVerb(s);
  const [ask, setAsk] = useState<"" | "discard" | "step" | "goal">("");
  const state = s.state as "armed" | "capturing" | "paused";
  const go = useNavigate();
  // The next step is on its timeline, wherever it was stopped from.
  const toTimeline = () => void go({ to: "/sessions/$id", params: { id: s.learn_session_id } });
  const may = (a: string) => s.allowed_actions.includes(a);
  const places = allowed(s.scope);
  return (
    <section className={state === "paused" ? `${css.watch} ${css.paused}` : css.watch} aria-label={text.watch.label}>
      <span className={css.lamp} aria-hidden />
      <div className={css.said}>
        <strong>
          {text.watch[state === "capturing" ? "on" : state]}
          {state === "capturing" && s.capturing_since && ` ${text.watch.since(text.time(new Date(s.capturing_since), "time").slice(0, 5))}`}
          : {s.goal || text.history.untitled}
        </strong>
        <p>
          {state === "paused"
            ? text.watch.because(text.name(s.pause_reason || "user"))
            : state === "armed"
              ? text.watch.notYet
              : places
                ? text.watch.only(places)
                : text.watch.nothing}
        </p>
      </div>
      <span className="num" aria-live="off">
        {text.watch.kept(scope?.events_kept ?? s.events_kept)}
      </span>
      <Withheld rows={scope?.withheld ?? s.withheld ?? []} />
      <div className="row">
        {may("start") && <Button onClick={() => void verb("start")}>{text.watch.start}</Button>}
        {may("pause") && <Button onClick={() => void verb("pause")}>{text.watch.pause}</Button>}
        {may("resume") && <Button onClick={() => void verb("resume")}>{text.watch.resume}</Button>}
        {may("stop") && (
          <Button className={css.stop} onClick={() => void verb("stop").then(toTimeline)}>
            {text.watch.stop}
          </Button>
        )}
        {may("mark") && (
          <Button look="plain" className={css.quiet} onClick={() => setAsk("step")}>
            {text.watch.step}
          </Button>
        )}
        {may("mark") && (
          <Button look="plain" className={css.quiet} onClick={() => setAsk("goal")}>
            {text.watch.goal}
          </Button>
        )}
        {may("cancel") && (
          <Button look="plain" className={css.quiet} onClick={() => setAsk("discard")}>
            {text.watch.discard}
          </Button>
        )}
        <Link to="/sessions/$id" params={{ id: s.learn_session_id }}>
          {text.watch.open}
        </Link>
      </div>
      {ask === "discard" && <ReallyDiscard s={s} close={() => setAsk("")} />}
      {(ask === "step" || ask === "goal") && <Mark s={s} kind={ask} close={() => setAsk("")} />}
    </section>
  );
}

function Withheld({ rows }: { rows: Schemas["Withheld"][] }) {
  const n = rows.reduce((sum, r) => sum + r.count, 0);
  if (!n) return <span className="num">{text.watch.withheld(0)}</span>;
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={`${button()} num`} aria-label={`${text.watch.withheld(n)}. ${text.watch.why}`}>
        {text.watch.withheld(n)}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className={menuCss.menu} sideOffset={6} align="end">
          {rows.map((r) => (
            <Menu.Item key={r.adapter + r.reason}>
              <span className="num">{r.count}</span> {text.name(r.adapter)}: {text.name(r.reason).toLowerCase()}
            </Menu.Item>
          ))}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}

export function Mark({ s, kind, at, close }: { s: Session; kind: "step" | "goal" | "note"; at?: string; close: () => void }) {
  const { act } = useActs();
  const [said, setSaid] = useState(kind === "goal" ? (s.goal ?? "") : "");
  const params = { path: { sessionId: s.learn_session_id }, header: seen(s.revision) };
  const title = kind === "goal" ? text.watch.goalTitle : kind === "note" ? text.session.note : text.watch.stepTitle;
  const send = () =>
    act(
      title,
      () =>
        kind === "goal"
          ? body(api.POST("/api/learn/sessions/{sessionId}/mark-goal", { params, body: { goal_description: said.trim(), ...once() } }))
          : body(
              api.POST("/api/learn/sessions/{sessionId}/mark-step", {
                params,
                body: {
                  step_label: said.trim(),
                  ...(kind === "note" ? { step_kind_hint: "other" as const } : {}),
                  ...(at ? { at_event_id: at } : {}),
                  ...once(),
                },
              }),
            ),
      text.watch.marked,
    ).then((r) => r && close());
  return (
    <Box title={title} onClose={close}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (said.trim()) void send();
        }}
      >
        <div className={fieldCss.field}>
          <label htmlFor="mark">
            {kind === "goal" ? text.watch.goalLabel : kind === "note" ? text.session.noteLabel : text.watch.stepLabel}
          </label>
          <input
            id="mark"
            className={fieldCss.input}
            maxLength={200}
            placeholder={kind === "step" ? text.watch.stepHint : undefined}
            value={said}
            onChange={(e) => setSaid(e.target.value)}
          />
        </div>
        <div className="row">
          <button type="submit" className={button("primary")}>
            {text.save}
          </button>
          <Button look="plain" onClick={close}>
            {text.cancel}
          </Button>
        </div>
      </form>
    </Box>
  );
}
