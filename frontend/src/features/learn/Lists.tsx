import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Choice, Search } from "../../ui/forms";
import { Button, button } from "../../ui/Button";
import { Chip, Empty, Load, Time } from "../../ui/parts";
import { ImportItem } from "../import/ImportPage";
import { imports } from "../import/queries";
import { isOver } from "../import/states";
import { allowed } from "../shell/WatchBanner";
import { CategoryFilter } from "../skills/Categories";
import { Sortable } from "../skills/Sortable";
import { stateIcon, stateTone } from "./states";
import panelCss from "../../ui/panel.module.css";

type Session = Schemas["LearnSession"];
type Proposal = Schemas["SkillBundleProposal"];

/** Where a session continues: its draft once there is one. */
export function SessionLink({ s, children }: { s: Session; children: ReactNode }) {
  const drafted = s.proposal_id && !["armed", "capturing", "paused", "stopped"].includes(s.state);
  return drafted ? (
    <Link className={panelCss.what} to="/review/$id" params={{ id: s.proposal_id! }}>
      {children}
    </Link>
  ) : (
    <Link className={panelCss.what} to="/sessions/$id" params={{ id: s.learn_session_id }}>
      {children}
    </Link>
  );
}

export function SessionItem({ s, state = s.state }: { s: Session; state?: string }) {
  return (
    <li className="row apart">
      <div>
        <SessionLink s={s}>{s.goal || s.title || text.history.untitled}</SessionLink>
        <p className="muted small">
          {text.name(s.entry_mode)}
          {allowed(s.scope) && `, ${allowed(s.scope)}`}, {text.watch.kept(s.events_kept)}
        </p>
      </div>
      <div className="row">
        <Time at={s.updated_at} />
        <Chip tone={stateTone(s.ui_state)} icon={stateIcon(s.ui_state)}>
          {text.name(state)}
        </Chip>
      </div>
    </li>
  );
}

/** In-flight sessions, captures, testing or clarification (DOC3 0B.8). */
export function ActiveLearning() {
  return (
    <Load query={useQuery(q.active())}>
      {(all) =>
        all.length ? (
          <ul className={`${panelCss.panel} ${panelCss.flush} ${panelCss.list}`}>
            {all.map((s) => (
              <SessionItem key={s.learn_session_id} s={s} />
            ))}
          </ul>
        ) : (
          <Empty title={text.activeLearning.empty}>
            <p>{text.activeLearning.emptyMore}</p>
            <Link to="/learn/new" className={button("primary")}>
              {text.active.begin}
            </Link>
          </Empty>
        )
      }
    </Load>
  );
}

/** The state of a draft as a pending ability (DOC3 0C.6). */
export function pendingState(p: Proposal): string | undefined {
  if (p.put_aside_until) return "put_aside";
  switch (p.proposal_state) {
    case "awaiting_questions":
      return "awaiting_input";
    case "draft":
      return p.validation === "failed" ? "revision_required" : p.open_questions > 0 ? "awaiting_input" : "drafting";
    case "testing":
      return "testing";
    case "ready_for_review":
      return "ready_for_review";
    case "installing_private":
    case "installed_private":
      return "private_active";
    case "quarantined":
      return "revision_required";
  }
  return undefined; // approved ones are in Skills, closed ones in History
}

const pendingStates = [
  "capturing",
  "awaiting_input",
  "drafting",
  "testing",
  "ready_for_review",
  "put_aside",
  "private_active",
  "revision_required",
];

export function Pending() {
  const proposals = useQuery(q.pending());
  const { data: active } = useQuery(q.active());
  const { data: imported } = useQuery(imports.every(true));
  const [state, setState] = useState("all");
  const [word, setWord] = useState("");
  const [size, setSize] = useState(25);
  const { data: sorted } = useQuery(q.sorted());
  const [category, setCategory] = useState("");
  const t = text.pending;
  const within = (i: { key: string }) => sorted?.[i.key] ?? [];
  return (
    <Load query={proposals}>
      {(all) => {
        const drafts = all.flatMap((p) => {
          const s = pendingState(p);
          return s ? [{ key: p.proposal_id, state: s, title: p.title, p }] : [];
        });
        const captures = (active ?? [])
          .filter((s) => !s.proposal_id)
          .map((s) => ({ key: s.learn_session_id, state: s.ui_state as string, title: s.goal ?? "", s }));
        const brought = (imported ?? [])
          .filter((i) => !isOver(i))
          .map((i) => ({ key: i.import_id, state: i.stage_state as string, title: i.skill_name, i }));
        const items = [...captures, ...drafts, ...brought];
        if (!items.length)
          return (
            <Empty title={t.empty}>
              <p>{t.emptyMore}</p>
            </Empty>
          );
        const used = [...pendingStates, ...brought.map((i) => i.state)].filter(
          (x, at, all) => all.indexOf(x) === at && items.some((i) => i.state === x),
        );
        const shown = items.filter(
          (i) =>
            (state === "all" || i.state === state) &&
            (!category || within(i).includes(category)) &&
            i.title.toLowerCase().includes(word.toLowerCase()),
        );
        return (
          <div className="stack">
            <div className="row apart">
              <Choice
                inline
                label={t.filter}
                value={state}
                onChange={setState}
                options={["all", ...used].map((v) => ({ value: v, label: v === "all" ? t.all : text.name(v) }))}
              />
              <Search label={t.search} value={word} onChange={setWord} />
            </div>
            <CategoryFilter value={category} onChange={setCategory} of={items.map(within)} />
            <ul className={`${panelCss.panel} ${panelCss.flush} ${panelCss.list}`}>
              {shown
                .slice(0, size)
                .map((i) =>
                  "s" in i ? (
                    <SessionItem key={i.key} s={i.s} state={i.state} />
                  ) : "i" in i ? (
                    <ImportItem key={i.key} i={i.i} />
                  ) : (
                    <ProposalItem key={i.key} p={i.p} state={i.state} />
                  ),
                )}
              {!shown.length && <li className="muted">{t.none}</li>}
            </ul>
            {shown.length > size && (
              <div>
                <Button onClick={() => setSize(size + 25)}>{text.more}</Button>
              </div>
            )}
          </div>
        );
      }}
    </Load>
  );
}

function ProposalItem({ p, state }: { p: Proposal; state: string }) {
  const go = useNavigate();
  const to = { to: "/review/$id", params: { id: p.proposal_id } } as const;
  return (
    <Sortable
      item={{ kind: "proposal", id: p.proposal_id, title: p.title }}
      open={() => void go(to)}
      side={
        <>
          <Time at={p.updated_at} />
          <Chip tone={stateTone(state)} icon={stateIcon(state)}>
            {text.name(state)}
          </Chip>
        </>
      }
    >
      <div>
        <Link className={panelCss.what} {...to}>
          {p.title}
        </Link>
        <p className="muted small">
          {text.pending.revision(p.revision)}
          {p.open_questions > 0 && `, ${text.pending.questions(p.open_questions)}`}
        </p>
      </div>
    </Sortable>
  );
}
