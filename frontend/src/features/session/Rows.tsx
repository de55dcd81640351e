// The rows of the timeline: a step, and one observation.
import * as Menu from "@radix-ui/react-dropdown-menu";
import { text } from "../../text/en";
import { drawn, Icon } from "../../ui/Icon";
import { Masked, Time } from "../../ui/parts";
import { Phrase } from "../../ui/Phrase";
import { type Observation, type Row, sealed } from "./group";
import { button } from "../../ui/Button";
import timelineCss from "./Timeline.module.css";
import phraseCss from "../../ui/Phrase.module.css";
import menuCss from "../../ui/menu.module.css";

interface Does {
  onDelete?: (all: Observation[]) => void;
  onNote?: (o: Observation) => void;
  onStart?: (o: Observation) => void;
  onEnd?: (o: Observation) => void;
}

type StepProps = Omit<Extract<Row, { kind: "step" }>, "key" | "kind"> & Does & { onToggle: () => void };
type EventProps = Omit<Extract<Row, { kind: "event" }>, "key" | "kind"> & Does;

/** A step: what was done, where, and the result. Its observations are shown below it when it is open. */
export function StepRow({ step, open, where, out, onToggle, ...does }: StepProps) {
  const { told, events } = step;
  const kept = sealed(events);
  return (
    <div className={out ? `${timelineCss.step} ${timelineCss.out}` : timelineCss.step}>
      <button type="button" className={timelineCss.told} aria-expanded={open} onClick={onToggle}>
        <Icon name="right" />
        <Kinds kinds={told.adapters} />
        <span className="break">
          <Phrase>{told.title}</Phrase>
          <Where>{where}</Where>
          {kept > 0 && !open && (
            <>
              {" "}
              <span className={phraseCss.masked} title={text.masked.title}>
                {text.timeline.sealed(kept)}
              </span>
            </>
          )}
          {out && <span className="small muted"> {text.timeline.out}</span>}
          {!open && <Became>{told.became}</Became>}
        </span>
      </button>
      <div className={timelineCss.end}>
        <More what={told.title} first={events[0]!} last={events.at(-1)!} all={events} {...does} />
        <Time at={events[0]!.action.occurred_at} as="time" />
      </div>
    </div>
  );
}

export function EventRow({ o, inside, where, became, out, ...does }: EventProps) {
  const v = o.action.value;
  const label = o.event.action_label;
  return (
    <div className={`${timelineCss.event} ${inside ? timelineCss.inside : timelineCss.one} ${out ? timelineCss.out : ""}`}>
      <Icon name={o.action.file && !o.action.page ? "file" : o.event.adapter_kind} label={text.name(o.event.adapter_kind)} />
      <div className="break">
        <span>
          <Phrase>{label}</Phrase>
        </span>{" "}
        {v && v.policy !== "literal" && <Masked kind={v.kind} length={v.length} />}
        <Where>{where}</Where>
        {out && <span className="small muted"> {text.timeline.out}</span>}
        <Became>{label.includes(became) ? "" : became}</Became>
      </div>
      <div className={timelineCss.end}>
        <More what={label} first={o} last={o} all={[o]} {...does} />
        <Time at={o.action.occurred_at} as="time" />
      </div>
    </div>
  );
}

const Kinds = ({ kinds }: { kinds: string[] }) => (
  <span className={timelineCss.kinds}>
    {kinds
      .filter((k, i) => kinds.findIndex((o) => drawn(o) === drawn(k)) === i)
      .slice(0, 2)
      .map((k) => (
        <Icon key={k} name={k} label={text.name(k)} />
      ))}
  </span>
);

const Where = ({ children }: { children: string }) =>
  children ? (
    <span className="muted">
      {" "}
      <Phrase>{children}</Phrase>
    </span>
  ) : null;

const Became = ({ children }: { children?: string }) =>
  children ? (
    <span className={timelineCss.became}>
      → <Phrase>{children}</Phrase>
    </span>
  ) : null;

/** What can be done with a step or an observation; a demonstration begins at the first of them and ends at the last. */
function More({
  what,
  first,
  last,
  all,
  onNote,
  onStart,
  onEnd,
  onDelete,
}: Does & { what: string; first: Observation; last: Observation; all: Observation[] }) {
  if (!onDelete && !onStart && !onEnd && !onNote) return null;
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={`${button("plain tiny")} ${menuCss.more}`} aria-label={text.session.menu(what)}>
        <Icon name="more" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className={menuCss.menu} align="end">
          {onNote && <Menu.Item onSelect={() => onNote(first)}>{text.timeline.noteHere}</Menu.Item>}
          {onStart && <Menu.Item onSelect={() => onStart(first)}>{text.session.trimStart}</Menu.Item>}
          {onEnd && <Menu.Item onSelect={() => onEnd(last)}>{text.session.trimEnd}</Menu.Item>}
          {onDelete && (
            <Menu.Item className={menuCss.danger} onSelect={() => onDelete(all)}>
              {all.length > 1 ? text.timeline.removeStep(all.length) : text.session.remove}
            </Menu.Item>
          )}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
