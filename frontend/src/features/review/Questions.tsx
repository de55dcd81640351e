import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { q, useAgentName } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Choice } from "../../ui/forms";
import { Button, button } from "../../ui/Button";
import { Chip, Load } from "../../ui/parts";
import css from "./Questions.module.css";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type Detail = Schemas["ProposalDetailResponse"];

type Question = Schemas["LearningQuestion"];
type Given = Schemas["AnswerItem"];

/** The initial value of a question: its answer, else the suggestion if it can be chosen. */
const first = (x: Question) => x.answer_text ?? x.suggested ?? "";

/** The question as it is put here: where an answer is chosen, without the words for answering in writing. */
export const asked = (x: Pick<Question, "question_text" | "asked" | "choices">) => (x.choices?.length && x.asked) || x.question_text;

/** The answer to a question that nobody has touched: of several values, what is suggested is the answer to each. */
export const begun = (x: Question): Given =>
  x.about?.length
    ? { question_id: x.question_id, each: x.about.map((a) => ({ ref: a.ref, answer: x.suggested ?? "" })) }
    : { question_id: x.question_id, answer_text: first(x) };

/** The answer to send, or undefined. */
export function given(a: Given): Given | undefined {
  const each = a.each?.filter((e) => e.answer);
  if (each) return each.length ? { question_id: a.question_id, each } : undefined;
  const answer_text = a.answer_text?.trim();
  return answer_text ? { question_id: a.question_id, answer_text } : undefined;
}

export function Questions({ d }: { d: Detail }) {
  const { act } = useActs();
  const [said, setSaid] = useState<Record<string, Given>>({});
  const [busy, setBusy] = useState(false);
  const t = text.review;
  const open = d.questions.filter((x) => !x.answered);
  const may = d.session?.allowed_actions.includes("answer_questions");
  const value = (x: Question) => said[x.question_id] ?? begun(x);
  const answers = open.flatMap((x) => given(value(x)) ?? []);
  const save = async () => {
    if (!d.session) return;
    setBusy(true);
    await act(
      t.answers,
      () =>
        body(
          api.POST("/api/learn/sessions/{sessionId}/answer-questions", {
            params: { path: { sessionId: d.session!.learn_session_id }, header: seen(d.session!.revision) },
            body: { answers, ...once() },
          }),
        ),
      t.answered,
    );
    setBusy(false);
  };
  return (
    <section className={panelCss.panel} aria-label={t.questions}>
      <h2>{t.questions}</h2>
      {open.length === 0 ? (
        <p className="muted">{t.questionsNone}</p>
      ) : (
        <form
          className="stack"
          onSubmit={(e) => {
            e.preventDefault();
            void save();
          }}
        >
          <p className="muted">{t.questionsMore}</p>
          {open.map((x) => (
            <div key={x.question_id} className="stack tight">
              <h3>
                {asked(x)} {!x.required && <Chip>{text.optional}</Chip>}
              </h3>
              <Answer x={x} value={value(x)} onChange={(v) => setSaid({ ...said, [x.question_id]: v })} />
            </div>
          ))}
          <div>
            <Button
              look="primary"
              busy={busy}
              disabledReason={!may ? t.noRevise : answers.length === 0 ? t.noAnswer : undefined}
              onClick={() => void save()}
            >
              {t.answers}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}

/** Whether an input's own name says more than its label. */
const named = (i: Schemas["InputSpec"]) => i.name.replaceAll("_", " ") !== (i.label || i.name).toLowerCase();

/** One question's answer: each of several values by itself, a choice, a choice or words, or words. */
function Answer({ x, value, onChange }: { x: Question; value: Given; onChange: (v: Given) => void }) {
  const choices = x.choices?.map((c) => ({ value: c, label: text.name(c) })) ?? [];
  const said = value.answer_text ?? "";
  const say = (answer_text: string) => onChange({ question_id: x.question_id, answer_text });
  const words = (label: string, said: string, rows: number) => (
    <textarea
      className={fieldCss.input}
      rows={rows}
      aria-label={label}
      placeholder={choices.length ? text.review.orWhen : undefined}
      maxLength={2000}
      value={said}
      onChange={(e) => say(e.target.value)}
    />
  );
  if (!choices.length) return words(x.question_text, said, 2);
  if (x.about?.length) {
    const of = (ref: string) => value.each?.find((e) => e.ref === ref)?.answer ?? "";
    return (
      <>
        {x.about.map((a) => (
          <div key={a.ref} className="row">
            <span className={css.named}>{text.capital(a.label)}</span>
            <Choice
              inline
              label={a.label}
              value={of(a.ref)}
              onChange={(v) =>
                onChange({
                  question_id: x.question_id,
                  each: x.about!.map((o) => ({ ref: o.ref, answer: o.ref === a.ref ? v : of(o.ref) })),
                })
              }
              options={choices}
            />
          </div>
        ))}
      </>
    );
  }
  return (
    <>
      <Choice inline label={asked(x)} value={said} onChange={say} options={choices} />
      {x.field === "branch" && words(text.review.orWhen, x.choices!.includes(said) ? "" : said, 1)}
    </>
  );
}

/** The skill's inputs, edited in place; each change is a revision. */
export function Inputs({ d }: { d: Detail }) {
  const t = text.review;
  const inputs = d.interpretation?.inputs ?? [];
  return (
    <section className={panelCss.panel} aria-label={t.inputs}>
      <h2>{t.inputs}</h2>
      {inputs.length === 0 && <p className="muted">{t.inputsNone}</p>}
      <ul className={panelCss.list}>
        {inputs.map((i) => (
          <InputItem key={i.name} i={i} d={d} />
        ))}
      </ul>
    </section>
  );
}

export function useRevise(d: Detail) {
  const { act } = useActs();
  return (what: string, edited_fields: Record<string, unknown> | undefined, revision_instructions = "") =>
    act(
      what,
      () =>
        body(
          api.POST("/api/learn/proposals/{proposalId}/revise", {
            params: { path: { proposalId: d.proposal.proposal_id }, header: seen(d.proposal.revision) },
            body: { revision_instructions, ...(edited_fields ? { edited_fields } : {}), ...once() },
          }),
        ),
      text.review.saved,
    );
}

function InputItem({ i, d }: { i: Schemas["InputSpec"]; d: Detail }) {
  const revise = useRevise(d);
  const [edit, setEdit] = useState(false);
  const [name, setName] = useState(i.name);
  const [about, setAbout] = useState(i.description ?? "");
  const [example, setExample] = useState(i.example ?? "");
  const t = text.review;
  const may = d.proposal.allowed_actions.includes("revise");
  // Typed text stays when the draft changes elsewhere; editing starts from the value at that time.
  const begin = () => {
    setName(i.name);
    setAbout(i.description ?? "");
    setExample(i.example ?? "");
    setEdit(true);
  };
  const save = async () => {
    const edits: Record<string, unknown> = {};
    if (name !== i.name) edits.rename_inputs = { [i.name]: name };
    if (about !== (i.description ?? "")) edits.descriptions = { [i.name]: about };
    if (example !== (i.example ?? "")) edits.examples = { [i.name]: example };
    if (Object.keys(edits).length === 0 || (await revise(text.save, edits))) setEdit(false);
  };
  if (edit)
    return (
      <li>
        <form
          className="stack tight"
          onSubmit={(e) => {
            e.preventDefault();
            void save();
          }}
        >
          {(
            [
              [t.rename, name, setName],
              [t.describe, about, setAbout],
              [t.exampleOf, example, setExample],
            ] as const
          ).map(([label, value, set], n) => (
            <label key={label} className={fieldCss.field}>
              <span className="small muted">{label}</span>
              <input className={fieldCss.input} autoFocus={n === 0} value={value} onChange={(e) => set(e.target.value)} />
            </label>
          ))}
          <div className="row">
            <button type="submit" className={button("primary")}>
              {text.save}
            </button>
            <Button look="plain" onClick={() => setEdit(false)}>
              {text.cancel}
            </Button>
          </div>
        </form>
      </li>
    );
  return (
    <li className="row apart">
      <div>
        <strong>{text.capital(i.label || i.name)}</strong> {named(i) && <code className="muted">{i.name}</code>}{" "}
        <Chip>{text.name(i.kind)}</Chip> {!i.required && <Chip>{text.optional}</Chip>}
        <p className="muted small break">
          {text.sentence(i.description ?? "")} {i.example && `${t.exampleOf}: ${i.example}`} {i.options?.length ? i.options.join(", ") : ""}
        </p>
      </div>
      <Button look="tiny" disabledReason={may ? undefined : t.noRevise} onClick={begin} aria-label={`${text.edit}: ${i.label || i.name}`}>
        {text.edit}
      </Button>
    </li>
  );
}

const roleEdits: Record<string, (param: string, value: string) => Record<string, unknown>> = {
  input: (p) => ({ inputs: [p] }),
  constant: (p, v) => ({ constants: { [p]: v } }),
  example: (p, v) => ({ examples: { [p]: v } }),
  dropped: (p) => ({ drop_inputs: [p] }),
};

/** Each sealed value once, opened on this screen only. */
export function Values({ d }: { d: Detail }) {
  const [open, setOpen] = useState(false);
  const client = useQueryClient();
  const t = text.review;
  const id = d.session?.learn_session_id;
  const close = () => {
    setOpen(false);
    if (id) client.removeQueries({ queryKey: q.values(id).queryKey });
  };
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.values}>
      <div className="row apart">
        <h2>{t.values}</h2>
        {id && (
          <Button look="tiny" aria-expanded={open} onClick={() => (open ? close() : setOpen(true))}>
            {open ? text.close : t.valuesShow}
          </Button>
        )}
      </div>
      <p className="muted">{t.valuesMore}</p>
      {open && id && <OpenValues d={d} id={id} />}
    </section>
  );
}

function OpenValues({ d, id }: { d: Detail; id: string }) {
  const revise = useRevise(d);
  const values = useQuery(q.values(id));
  const may = d.proposal.allowed_actions.includes("revise");
  const t = text.review;
  return (
    <Load query={values}>
      {(all) =>
        all.length === 0 ? (
          <p className="muted">{text.review.valuesNone}</p>
        ) : (
          <ul className="stack">
            {all.map((v) => (
              <li key={v.link_id || v.param_id} className="stack tight">
                <div className="row">
                  <span className="muted">{text.capital(v.label || text.name(v.kind))}</span>
                  <strong className="break">{v.value}</strong>
                  {(!v.param_id || !may) && <Chip>{v.param_id ? text.name(v.role ?? "undecided") : t.valueFollows}</Chip>}
                </div>
                {v.param_id && may && (
                  <Choice
                    inline
                    label={`${text.review.valueRole}: ${v.label ?? v.kind}`}
                    value={v.role ?? "undecided"}
                    onChange={(role) => void revise(text.name(role), roleEdits[role]?.(v.param_id!, v.value))}
                    options={["input", "constant", "example", "dropped"].map((r) => ({
                      value: r,
                      label: text.name(r === "dropped" ? "drop" : r),
                    }))}
                  />
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Load>
  );
}

const unknown = ["no_hit", "below_threshold"];

/** Whether the only problem of the sentence is that it is not known yet. */
export const missed = (f: Pick<Schemas["AbilityExplainMatchResponse"], "matched" | "because">) =>
  !f.matched && (f.because ?? []).every((b) => !b.against || unknown.includes(b.code));

/** Would an agent find it? Typed as a person would ask. */
export function Triggers({ d }: { d: Detail }) {
  const { act } = useActs();
  const [said, setSaid] = useState("");
  const [found, setFound] = useState<Schemas["AbilityExplainMatchResponse"]>();
  const agent = useAgentName();
  const revise = useRevise(d);
  const t = text.review;
  const ask = async () => {
    const r = await act(t.triggersTry, () =>
      body(api.POST("/api/abilities/explain-match", { body: { user_query: said.trim(), proposal_id: d.proposal.proposal_id, ...once() } })),
    );
    if (r) setFound(r);
  };
  const add = async () => {
    if (await revise(t.addPhrase, { trigger_phrases: [...(d.proposal.trigger_phrases ?? []), said.trim()] })) await ask();
  };
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.triggers}>
      <h2>{t.triggers}</h2>
      <p className="muted">{t.triggersMore}</p>
      <form
        className="row"
        onSubmit={(e) => {
          e.preventDefault();
          if (said.trim()) void ask();
        }}
      >
        <input
          className={`${fieldCss.input} ${fieldCss.grows}`}
          aria-label={t.triggersLabel}
          placeholder={d.proposal.trigger_phrases?.[0]}
          maxLength={400}
          value={said}
          onChange={(e) => {
            setSaid(e.target.value);
            setFound(undefined); // it was about another sentence
          }}
        />
        <button className={button()} type="submit">
          {t.triggersTry}
        </button>
      </form>
      <div role="status">
        {found && (
          <p className="stack tight">
            <Chip tone={found.matched ? "ok" : "warn"} icon={found.matched ? "check" : "warn"}>
              {(found.matched ? t.found : t.notFound)(agent)}
            </Chip>
            <span className="small muted break">{(found.because ?? []).map(t.matchedBy).join(" ")}</span>
          </p>
        )}
        {found && missed(found) && d.proposal.allowed_actions.includes("revise") && (
          <Button look="tiny" onClick={() => void add()}>
            {t.addPhrase}
          </Button>
        )}
      </div>
    </section>
  );
}
