import * as Menu from "@radix-ui/react-dropdown-menu";
import { type ReactNode, useState } from "react";
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Icon } from "../../ui/Icon";
import { Button, button } from "../../ui/Button";
import { Chip } from "../../ui/parts";
import { Phrase } from "../../ui/Phrase";
import { CheckBox, kindsOf, offeredKinds, RewordBox } from "./EditCheck";
import { useRevise } from "./Questions";
import { SplitBox } from "./Split";
import css from "./Workflow.module.css";
import menuCss from "../../ui/menu.module.css";
import panelCss from "../../ui/panel.module.css";
import threadCss from "../../ui/thread.module.css";

type Detail = Schemas["ProposalDetailResponse"];
type Step = Schemas["Step"];
type Loop = Schemas["Loop"];

const surfaces: Record<string, string> = {
  browser: "browser_dom",
  shell: "terminal_command",
  program: "process_launch",
  midi: "midi",
  agent: "receipt",
  mcp_connector: "receipt",
};

/** Runs of consecutive steps, each in the loop that it belongs to. */
export function inLoops(steps: Step[], loops: Loop[]): { loop?: Loop; steps: Step[] }[] {
  const of = (s: Step) => loops.find((l) => l.steps.includes(s.step_id));
  const out: { loop?: Loop; steps: Step[] }[] = [];
  for (const s of steps) {
    const loop = of(s);
    const last = out.at(-1);
    if (last && last.loop === loop) last.steps.push(s);
    else out.push({ loop, steps: [s] });
  }
  return out;
}

/** Where a checkpoint stands: after the last of the steps that lead to it. */
export function postOf(c: Schemas["Checkpoint"], steps: Step[]): string | undefined {
  return steps.findLast((s) => s.checkpoint_id === c.checkpoint_id)?.step_id ?? c.step_id;
}

/** The workflow as a diagram: steps on a thread, loops around them, inputs and checkpoints in place. */
export function Workflow({ d }: { d: Detail }) {
  const steps = d.graph?.steps ?? [];
  const numbers = new Map(steps.map((s, i) => [s.step_id, i + 1]));
  const [cut, setCut] = useState<Step>();
  const splits = ["drafting_proposal", "ready_for_review"].includes(d.session?.state ?? "") && d.proposal.validation !== "running";
  const cuttable = (s: Step) => (splits && s !== steps.at(-1) ? setCut : undefined);
  const [add, setAdd] = useState<string>(); // after this step; "" when it is still to be chosen
  const may = d.proposal.allowed_actions.includes("revise");
  return (
    <section className={panelCss.panel} aria-label={text.review.workflow}>
      <div className={`row apart ${panelCss.head}`}>
        <h2>{text.review.workflow}</h2>
        <Button look="tiny" disabledReason={may ? undefined : text.review.noRevise} onClick={() => setAdd("")}>
          {text.reviewing.check.addDo}
        </Button>
      </div>
      {inLoops(steps, d.graph?.loops ?? []).map((run, i) => (
        <Run key={i} loop={run.loop} d={d}>
          {run.steps.map((s) => (
            <StepItem key={s.step_id} s={s} n={numbers.get(s.step_id) ?? 0} d={d} onCut={cuttable(s)} onAdd={may ? setAdd : undefined} />
          ))}
        </Run>
      ))}
      {add !== undefined && <CheckBox d={d} at={add || undefined} close={() => setAdd(undefined)} />}
      {cut && <SplitBox d={d} after={cut.step_id} title={cut.title} close={() => setCut(undefined)} />}
      {d.left_out?.length > 0 && (
        <details className="small muted">
          <summary>{text.review.leftOut}</summary>
          <ul className="stack tight below">
            {d.left_out.map((l) => (
              <li key={l}>
                <Phrase>{text.sentence(l)}</Phrase>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Run({ loop, d, children }: { loop?: Loop; d: Detail; children: ReactNode }) {
  if (!loop) return <ol className={threadCss.thread}>{children}</ol>;
  const over = d.interpretation?.inputs.find((i) => i.name === loop.over)?.label ?? loop.over;
  return (
    <div className={css.loop}>
      <p className="row">
        <Icon name="loop" />
        {text.review.each(over)}
      </p>
      <ol className={threadCss.thread}>{children}</ol>
    </div>
  );
}

function StepItem({ s, n, d, onCut, onAdd }: { s: Step; n: number; d: Detail; onCut?: (s: Step) => void; onAdd?: (step: string) => void }) {
  const param = d.graph?.params.find((p) => p.param_id === s.param_id && p.role !== "constant" && p.role !== "dropped");
  const checkpoints = d.interpretation?.checkpoints.filter((c) => postOf(c, d.graph?.steps ?? []) === s.step_id) ?? [];
  return (
    <li>
      <span className={`${threadCss.knot} num`}>{n}</span>
      <div className="row beside">
        <span className="break rest">
          <Phrase>{s.title}</Phrase>
        </span>
        <More
          label={text.reviewing.split.menu(n)}
          all={[
            [text.reviewing.check.addHere, onAdd && (() => onAdd(s.step_id))],
            [text.reviewing.split.here, onCut && (() => onCut(s))],
          ]}
        />
        <span className="muted">
          <Icon name={surfaces[s.surface] ?? "circle"} label={text.name(s.surface)} />
        </span>
      </div>
      <div className="row">
        {param && !s.title.includes(`{${param.name}}`) && (
          <Chip tone="accent">
            {text.review.takes} {param.label || param.name}
          </Chip>
        )}
        {s.condition && (
          <Chip icon="branch" tone="warn">
            {text.review.only(s.condition)}
          </Chip>
        )}
        {s.by_person && (
          <Chip icon="question" tone="warn">
            {text.review.byPerson}
          </Chip>
        )}
        {s.optional && !s.condition && (
          <Chip icon="branch" tone="warn">
            {text.review.maybe}
          </Chip>
        )}
      </div>
      {checkpoints.map((c) => (
        <Goalpost key={c.checkpoint_id} c={c} d={d} s={s} />
      ))}
    </li>
  );
}

/** A checkpoint in place, and its actions. */
function Goalpost({ c, d, s }: { c: Schemas["Checkpoint"]; d: Detail; s: Step }) {
  const revise = useRevise(d);
  const [box, setBox] = useState<"replace" | "reword">();
  const t = text.reviewing.check;
  const may = d.proposal.allowed_actions.includes("revise");
  const close = () => setBox(undefined);
  const replaceable = may && kindsOf(c).length > 0 && offeredKinds(s, c).length > 0;
  return (
    <div className={css.goalpost}>
      <Icon name="flag" />
      <div className="break">
        <strong>
          <Phrase>{c.goal}</Phrase>
        </strong>
        <div className="muted">
          {text.review.tell}: <Phrase>{c.success_condition}</Phrase>
        </div>
        {c.effect && <div className="muted">{text.review.effect}.</div>}
      </div>
      <More
        label={t.menu(c.goal.replace(/[`{}]/g, ""))}
        all={[
          [t.rewordHere, may && (() => setBox("reword"))],
          [t.replaceHere, replaceable && (() => setBox("replace"))],
          [t.remove, may && (() => void revise(t.remove, { remove_checkpoints: [c.checkpoint_id] }))],
        ]}
      />
      {box === "replace" && <CheckBox d={d} at={c.step_id ?? s.step_id} instead={c} close={close} />}
      {box === "reword" && <RewordBox d={d} c={c} close={close} />}
    </div>
  );
}

/** The available actions; nothing is shown if there are none. */
function More({ label, all }: { label: string; all: [string, (() => void) | false | undefined][] }) {
  const some = all.filter(([, does]) => does);
  if (!some.length) return null;
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={`${button("plain tiny")} ${menuCss.more} ${css.quiet}`} aria-label={label}>
        <Icon name="more" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className={menuCss.menu} align="end">
          {some.map(([name, does]) => (
            <Menu.Item key={name} onSelect={() => does && does()}>
              {name}
            </Menu.Item>
          ))}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
