import { useState } from "react";
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Choice, Field } from "../../ui/forms";
import { Ask } from "../../ui/Box";
import { useRevise } from "./Questions";
import fieldCss from "../../ui/field.module.css";

type Detail = Schemas["ProposalDetailResponse"];
type Checkpoint = Schemas["Checkpoint"];

const onPage = ["text", "heading", "alert", "url"];

/** The kinds of checks that a machine makes at a checkpoint. */
export const kindsOf = (c: Pick<Checkpoint, "check" | "more_checks">): string[] => [
  ...new Set([c.check?.kind, ...(c.more_checks ?? []).map((x) => x.kind)].flatMap((k) => k ?? [])),
];

/**
 * What can be checked after a step: of a page where it shows one, a file and a person's own look everywhere; not what stands there
 * already.
 */
export function offeredKinds(
  step: Pick<Schemas["Step"], "surface"> | undefined,
  instead?: Pick<Checkpoint, "check" | "more_checks">,
): string[] {
  const not = instead ? kindsOf(instead) : [];
  return [...(step?.surface === "browser" ? onPage : []), "file", "manual"].filter((k) => !not.includes(k));
}

/** The edits of a revision that adds a check after a step, or puts it in the place of those of a checkpoint. */
export const checkEdits = (step: string, kind: string, expect: string, instead?: Checkpoint): Record<string, unknown> => ({
  add_checks: { [step]: { kind, expect } },
  // Its goal stays; how to verify it follows from the new check, even if the old instruction had been reworded.
  ...(instead
    ? {
        remove_checks: kindsOf(instead).map((k) => `${instead.checkpoint_id} ${k}`),
        checkpoints: { [instead.checkpoint_id]: { goal: instead.goal } },
      }
    : {}),
});

/** Adds a check for the success of a step, or replaces the checks of a checkpoint. */
export function CheckBox({ d, at, instead, close }: { d: Detail; at?: string; instead?: Checkpoint; close: () => void }) {
  const revise = useRevise(d);
  const t = text.reviewing.check;
  const steps = d.graph?.steps ?? [];
  const [step, setStep] = useState(at ?? steps.at(-1)?.step_id ?? "");
  const kinds = offeredKinds(
    steps.find((s) => s.step_id === step),
    instead,
  );
  const [chosen, setKind] = useState("");
  const kind = kinds.includes(chosen) ? chosen : (kinds[0] ?? "manual");
  const [expect, setExpect] = useState("");
  const title = instead ? t.replace : t.add;
  const inputs = d.interpretation?.inputs.map((i) => `{${i.name}}`) ?? [];
  const save = async () => {
    if (expect.trim() && (await revise(title, checkEdits(step, kind, expect.trim(), instead)))) close();
  };
  return (
    <Ask
      title={title}
      does={instead ? t.replaceDo : text.add}
      why={expect.trim() ? undefined : t.empty}
      onDo={() => void save()}
      close={close}
    >
      <p className="muted">{instead ? t.replaceMore : t.addMore}</p>
      {!instead && (
        <Field label={t.after}>
          {(id) => (
            <select id={id} className={fieldCss.input} value={step} onChange={(e) => setStep(e.target.value)}>
              {steps.map((s, i) => (
                <option key={s.step_id} value={s.step_id}>{`${i + 1}. ${s.title.replace(/[`{}]/g, "").replaceAll("_", " ")}`}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Choice
        inline
        label={t.what}
        value={kind}
        onChange={setKind}
        options={kinds.map((value) => ({ value, label: t.kinds[value] ?? value }))}
      />
      <Field label={t.expect[kind] ?? t.what} hint={inputs.length ? t.inputs(inputs.join(", ")) : undefined}>
        {(id, about) => (
          <input
            id={id}
            aria-describedby={about}
            className={fieldCss.input}
            maxLength={200}
            value={expect}
            onChange={(e) => setExpect(e.target.value)}
          />
        )}
      </Field>
    </Ask>
  );
}

/** The text of a checkpoint; its machine check stays unchanged. */
export function RewordBox({ d, c, close }: { d: Detail; c: Checkpoint; close: () => void }) {
  const revise = useRevise(d);
  const t = text.reviewing.check;
  const [goal, setGoal] = useState(c.goal);
  const [tell, setTell] = useState(c.success_condition);
  const save = async () => {
    const changed = {
      ...(goal.trim() !== c.goal ? { goal: goal.trim() } : {}),
      ...(tell.trim() !== c.success_condition ? { success_condition: tell.trim() } : {}),
    };
    if (
      Object.keys(changed).length === 0 ||
      (await revise(t.reword, { checkpoints: { [c.checkpoint_id]: { goal: goal.trim(), success_condition: tell.trim() } } }))
    )
      close();
  };
  return (
    <Ask title={t.reword} does={text.save} why={goal.trim() && tell.trim() ? undefined : t.empty} onDo={() => void save()} close={close}>
      <p className="muted">{t.rewordMore}</p>
      <Field label={t.goal}>
        {(id) => <input id={id} className={fieldCss.input} maxLength={240} value={goal} onChange={(e) => setGoal(e.target.value)} />}
      </Field>
      <Field label={text.review.tell}>
        {(id) => (
          <textarea id={id} className={fieldCss.input} rows={3} maxLength={240} value={tell} onChange={(e) => setTell(e.target.value)} />
        )}
      </Field>
    </Ask>
  );
}
