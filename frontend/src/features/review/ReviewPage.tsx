import * as Tabs from "@radix-ui/react-tabs";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Button, button } from "../../ui/Button";
import { useEntry } from "../../ui/entry";
import { Chip, Load, Page } from "../../ui/parts";
import { Discard, wayOut } from "../learn/Discard";
import { pendingState } from "../learn/Lists";
import { PutAside, TakeUp } from "../learn/PutAside";
import { stateIcon, stateTone } from "../learn/states";
import { Conditions } from "./Conditions";
import { Decide } from "./Decide";
import { Document } from "./Document";
import { Inputs, Questions, Triggers, useRevise, Values } from "./Questions";
import { Projects } from "./Projects";
import { Tests } from "./Tests";
import { Wording } from "./Wording";
import { Workflow } from "./Workflow";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type Detail = Schemas["ProposalDetailResponse"];
const views = ["understood", "questions", "tests", "decide"] as const;
type View = (typeof views)[number];

export function ReviewPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  return <Load query={useQuery(q.proposal(id))}>{(d) => <Review d={d} />}</Load>;
}

/** The best next step: text and link. */
export function next(d: Detail): { say: string; go?: View; label?: string } {
  const t = text.review;
  const p = d.proposal;
  const open = d.questions.filter((x) => !x.answered).length;
  if (p.put_aside_until) return { say: text.aside.waits(new Date(p.put_aside_until)) };
  if (p.proposal_state === "installed_private" || p.proposal_state === "approved") return { say: t.nextDone };
  if (p.proposal_state === "quarantined" && d.installation?.failed_step) return { say: t.nextNotInstalled, go: "decide", label: text.show };
  if (["rejected", "cancelled", "quarantined"].includes(p.proposal_state)) return { say: t.nextOver };
  if (open) return { say: t.nextOpen(open), go: "questions", label: t.goOpen };
  if (p.validation === "running") return { say: t.nextRunning, go: "tests", label: text.show };
  if (p.validation === "failed") return { say: t.nextFailed, go: "tests", label: text.show };
  if (p.validation === "none") return { say: t.nextTest, go: "tests", label: t.goTest };
  return { say: t.nextDecide, go: "decide", label: t.goDecide };
}

function Review({ d }: { d: Detail }) {
  const { view = "understood" } = useSearch({ strict: false }) as { view?: View };
  const go = useNavigate();
  const show = (v: string) => void go({ to: ".", search: { view: v as View }, replace: true });
  const t = text.review;
  const p = d.proposal;
  const n = next(d);
  const state = pendingState(p) ?? p.proposal_state;
  return (
    <Page
      wide
      title={p.title}
      lead={
        <>
          {d.interpretation?.goal_summary &&
            !d.interpretation.goal_summary.startsWith(p.title) &&
            `${text.sentence(d.interpretation.goal_summary)} `}
          {d.verdict && (t.verdicts[d.verdict.result] ?? "")}{" "}
          {d.verdict?.reason && d.verdict.result !== "generalises" && text.sentence(d.verdict.reason)} {t.lead(p.revision)}.
        </>
      }
      side={
        <>
          {d.session?.allowed_actions.includes("add_example") && (
            <Link
              className={button("tiny")}
              to="/learn/new/$mode"
              params={{ mode: "demonstrating_skill" }}
              search={{ example: d.session.learn_session_id }}
            >
              {t.example}
            </Link>
          )}
          {d.session && <PutAside s={d.session} look="tiny" />}
          {d.session && wayOut(d.session) === "discard" && <Discard s={d.session} look="tiny" />}
          <Chip tone={stateTone(state)} icon={stateIcon(state)}>
            {text.name(state)}
          </Chip>
        </>
      }
    >
      <div className={`${panelCss.panel} ${panelCss.ask} row apart first`}>
        <p>
          <strong>{t.next}.</strong> {n.say}
        </p>
        {n.go && (
          <Button
            look={n.go === view ? "" : "primary"}
            onClick={() => {
              show(n.go!);
              setTimeout(lead); // when the tab is there
            }}
          >
            {n.label}
          </Button>
        )}
        <TakeUp p={p} />
        {p.ability_id && !n.go && (
          <Link className={button("primary")} to="/skills/$id" params={{ id: p.ability_id }}>
            {t.goSkill}
          </Link>
        )}
      </div>
      <Tabs.Root value={view} onValueChange={show}>
        <Tabs.List className="tabs" aria-label={p.title}>
          {views.map((v) => (
            <Tabs.Trigger key={v} value={v}>
              {t.tabs[v]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="understood" tabIndex={-1}>
          <div className="split">
            <div className="stack">
              <Workflow d={d} />
              <Conditions d={d} />
              <Projects d={d} />
            </div>
            <div className="stack sticky">
              <Document d={d} />
              <Words d={d} />
              <Wording d={d} />
            </div>
          </div>
        </Tabs.Content>
        <Tabs.Content value="questions" tabIndex={-1}>
          <div className="split">
            <div className="stack">
              <Questions d={d} />
              <Triggers d={d} />
            </div>
            <div className="stack">
              <Inputs d={d} />
              <Values d={d} />
            </div>
          </div>
        </Tabs.Content>
        <Tabs.Content value="tests" tabIndex={-1}>
          <Tests d={d} />
        </Tabs.Content>
        <Tabs.Content value="decide" tabIndex={-1}>
          <Decide key={p.revision} d={d} />
        </Tabs.Content>
      </Tabs.Root>
    </Page>
  );
}

/** Moves to the first task on the current tab. */
function lead() {
  const first = document.querySelector<HTMLElement>(
    '[role="tabpanel"][data-state="active"] :is([role="radio"], textarea, .btn.primary:not([aria-disabled]))',
  );
  first?.scrollIntoView({ block: "center" });
  first?.focus();
}

/** A change in plain sentences. Examples are listed beside it, and all forms in docs/review.md. */
function Words({ d }: { d: Detail }) {
  const revise = useRevise(d);
  const { typed, type, send } = useEntry();
  const t = text.review;
  const may = d.proposal.allowed_actions.includes("revise");
  const change = () => may && void send((said) => revise(t.reviseDo, undefined, said));
  return (
    <form
      className={`${panelCss.panel} stack tight`}
      onSubmit={(e) => {
        e.preventDefault();
        change();
      }}
    >
      <div className={fieldCss.field}>
        <label htmlFor="revise">{t.revise}</label>
        <p className={fieldCss.hint} id="revise-h">
          {t.reviseHint}
        </p>
        <details>
          <summary className="small">{text.reviewing.sentences.title}</summary>
          <ul className="small stack tight">
            {text.reviewing.sentences.all.map((s) => (
              <li key={s}>
                <button type="button" className={button("plain tiny")} onClick={() => type(s)}>
                  {s}
                </button>
              </li>
            ))}
          </ul>
        </details>
        <input
          id="revise"
          className={fieldCss.input}
          aria-describedby="revise-h"
          maxLength={2000}
          value={typed}
          onChange={(e) => type(e.target.value)}
        />
      </div>
      <div>
        <Button disabledReason={may ? undefined : t.noRevise} onClick={change}>
          {t.reviseDo}
        </Button>
      </div>
    </form>
  );
}
