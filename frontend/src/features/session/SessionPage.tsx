import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button, button } from "../../ui/Button";
import { Chip, Empty, Load, Page } from "../../ui/parts";
import { Discard } from "../learn/Discard";
import { stateTone } from "../learn/states";
import { allowed, isWatched, Mark } from "../shell/WatchBanner";
import { Keep } from "./Keep";
import { ToFront } from "./OwnBrowser";
import { ScopeBox } from "./ScopeBox";
import type { Edge, Mark as Said, Observation } from "./group";
import { Timeline } from "./Timeline";
import { useObservations } from "./useObservations";
import { useRemovals } from "./useRemovals";
import { useTold } from "./useTold";
import panelCss from "../../ui/panel.module.css";
import { LearnFrom } from "../learn/LearnFrom";
import { Meanwhile } from "../connectors/Meanwhile";

type Session = Schemas["LearnSession"];
const none: Said[] = [];

export function SessionPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const session = useQuery(q.session(id));
  return <Load query={session}>{(s) => <Seen s={s} />}</Load>;
}

function Seen({ s }: { s: Session }) {
  const { act, say } = useActs();
  const client = useQueryClient();
  const id = s.learn_session_id;
  const { all, state, forget, recall } = useObservations(id);
  const parts = useTold(id, s.revision, s.state === "capturing", all);
  const { data: marks = none } = useQuery(q.boundaries(id));
  const { remove, flush } = useRemovals(id, forget, recall);
  const [note, setNote] = useState<Observation | true>();
  const may = (a: string) => s.allowed_actions.includes(a);
  const open = !s.ended && !s.raw_purged_at;

  const trimTo = (edge: Edge, o: Observation) =>
    act(edge === "start" ? text.session.trimStart : text.session.trimEnd, () =>
      body(
        api.POST("/api/learn/sessions/{sessionId}/trim", {
          params: { path: { sessionId: id } },
          body: { to_event_id: o.event.event_id, trim_kind: edge === "start" ? "trim_start" : "trim_end", ...once() },
        }),
      ),
    );
  const trim = async (edge: Edge, to: Observation, from: Observation) => {
    if (!(await trimTo(edge, to))) return;
    await client.invalidateQueries({ queryKey: q.boundaries(id).queryKey });
    say(text.session.trimmed, { undo: () => void trimTo(edge, from) });
  };
  const movable: Edge[] = !may("trim") ? [] : s.state === "capturing" ? ["start"] : ["start", "end"];

  return (
    <Page
      title={s.goal || s.title || text.history.untitled}
      lead={isWatched(s) ? text.session.leadLive : open && all.length ? text.session.lead : undefined}
      side={
        <>
          {["capturing", "paused"].includes(s.state) && s.scope.sites?.[0] && <ToFront site={s.scope.sites[0]} />}
          {!isWatched(s) && <Chip tone={stateTone(s.ui_state)}>{text.name(s.state)}</Chip>}
          {s.ended && !s.raw_purged_at && s.active_trace_ids.length > 0 && (
            <LearnFrom source={{ source_trace_ids: s.active_trace_ids }} what={s.goal || s.title || text.history.untitled} />
          )}
          {may("mark") && (
            <Button look="tiny" onClick={() => setNote(true)}>
              {text.session.note}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        {s.notices?.map((n) => (
          <p key={n} className={`${panelCss.panel} ${panelCss.note}`}>
            {n}
          </p>
        ))}
        {(state === "broken" || state === "offline") && (
          <p className={panelCss.strip} role="status">
            {text.session.offline}
          </p>
        )}
        <Finish s={s} before={flush} />
        {!s.import_id && <Meanwhile s={s} />}
        <div className="split aside">
          <section className={`${panelCss.panel} ${panelCss.flush}`}>
            {all.length > 0 || marks.some((m) => m.label) ? (
              <Timeline
                all={all}
                parts={parts}
                marks={marks}
                follow={s.state === "capturing"}
                movable={movable}
                onTrim={trim}
                onDelete={open ? remove : undefined}
                onNote={may("mark") ? setNote : undefined}
              />
            ) : (
              <Empty
                title={
                  s.state === "cancelled"
                    ? text.watch.discarded
                    : s.raw_purged_at
                      ? text.session.purged
                      : may("stop") || may("start")
                        ? text.session.empty
                        : text.session.none
                }
              >
                {!s.raw_purged_at && s.state !== "cancelled" && (
                  <p>
                    {s.state === "paused"
                      ? text.session.emptyPaused
                      : may("stop") || may("start")
                        ? s.scope.sites?.length
                          ? text.session.emptyBrowser(allowed({ ...s.scope, apps: [], shells: [], folders: [], devices: [] }))
                          : text.session.emptyOn
                        : text.session.emptyOff}
                  </p>
                )}
              </Empty>
            )}
          </section>
          <Facts s={s} />
        </div>
      </div>
      {note && <Mark s={s} kind="note" at={note === true ? undefined : note.event.event_id} close={() => setNote(undefined)} />}
    </Page>
  );
}

/** What can be done once the demonstration is over. */
function Finish({ s, before }: { s: Session; before: () => Promise<unknown> }) {
  const { act } = useActs();
  const go = useNavigate();
  const [busy, setBusy] = useState(false);
  if (s.import_id)
    return (
      <div className={`${panelCss.panel} ${panelCss.ask} row apart`}>
        <h2>{text.session.finish}</h2>
        <Link className={button("primary")} to="/import/$id" params={{ id: s.import_id }}>
          {text.session.review}
        </Link>
      </div>
    );
  if (s.proposal_id)
    return (
      <div className={`${panelCss.panel} ${panelCss.ask} row apart`}>
        <h2>{text.session.finish}</h2>
        <div className="row">
          <Link className={button("primary")} to="/review/$id" params={{ id: s.proposal_id }}>
            {text.session.review}
          </Link>
          <Discard s={s} />
        </div>
      </div>
    );
  if (!s.allowed_actions.includes("generate_proposal")) return null;
  if (!s.events_kept)
    return (
      <div className={`${panelCss.panel} ${panelCss.ask} row apart`}>
        <div>
          <h2>{text.session.nothing}</h2>
          <p className="muted">{text.session.nothingMore}</p>
        </div>
        <Discard s={s} />
      </div>
    );
  const generate = async () => {
    setBusy(true);
    await before();
    const r = await act(text.session.generate, () =>
      body(
        api.POST("/api/learn/sessions/{sessionId}/generate-proposal", {
          params: { path: { sessionId: s.learn_session_id }, header: seen(s.revision) },
          body: once(),
        }),
      ),
    );
    setBusy(false);
    if (r) void go({ to: "/review/$id", params: { id: r.proposal_id } });
  };
  return (
    <div className={`${panelCss.panel} ${panelCss.ask} row apart`}>
      <div>
        <h2>{text.session.finish}</h2>
        <p className="muted">{text.session.finishMore}</p>
      </div>
      <div className="row">
        <Button look="primary" busy={busy} onClick={() => void generate()}>
          {busy ? text.session.generating : text.session.generate}
        </Button>
        <Discard s={s} />
      </div>
    </div>
  );
}

function Facts({ s }: { s: Session }) {
  const { data: scope } = useQuery({ ...q.scope(s.learn_session_id), enabled: Boolean(s.started_at) });
  const [change, setChange] = useState(false);
  const may = ["armed", "capturing", "paused"].includes(s.state);
  const withheld = scope?.withheld ?? s.withheld ?? [];
  const places = [
    ...(s.scope.sites ?? []),
    ...(s.scope.apps ?? []),
    ...(s.scope.shells ?? []),
    ...(s.scope.folders ?? []),
    ...(s.scope.devices ?? []),
  ];
  return (
    <aside className="stack sticky">
      {change && <ScopeBox s={s} close={() => setChange(false)} />}
      <section className={panelCss.panel}>
        <div className={`row apart ${panelCss.head}`}>
          <h2>{text.session.allowed}</h2>
          {may && (
            <Button look="tiny" onClick={() => setChange(true)}>
              {text.session.change}
            </Button>
          )}
        </div>
        <ul className="stack tight">
          {places.map((p) => (
            <li key={p} className="break">
              {p}
            </li>
          ))}
          {places.length === 0 && <li className="muted">{text.watch.nothing}</li>}
        </ul>
        {s.adapters_armed?.length > 0 && (
          <p className="small muted below">
            {text.session.through(s.adapters_armed.map((a) => text.name(a)))}
            {scope?.indicators?.length
              ? ` ${text.session.indicators(scope.indicators.map((i) => text.session.indicatorNames[i] ?? i))}`
              : ""}
          </p>
        )}
      </section>
      <section className={panelCss.panel}>
        <h2>{text.session.withheld}</h2>
        {withheld.length ? (
          <ul className="stack tight">
            {withheld.map((w) => (
              <li key={w.adapter + w.reason}>
                <span className="num">{w.count}</span> {text.name(w.adapter)}: {text.name(w.reason).toLowerCase()}
              </li>
            ))}
          </ul>
        ) : (
          <p className="muted">{text.session.withheldNone}</p>
        )}
      </section>
      {!may && !s.import_id && <Keep s={s} />}
    </aside>
  );
}
