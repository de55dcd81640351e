import { useState } from "react";
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Field } from "../../ui/forms";
import { Phrase } from "../../ui/Phrase";
import { Button, button } from "../../ui/Button";
import { useRevise } from "./Questions";
import factsCss from "../../ui/facts.module.css";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type Detail = Schemas["ProposalDetailResponse"];

const names = {
  use_conditions: "use",
  non_use_conditions: "not",
  success_conditions: "success",
  trigger_phrases: "phrases",
  negative_triggers: "notPhrases",
} as const;
type Name = keyof typeof names;
const all = Object.keys(names) as Name[];

const of = (d: Detail, n: Name): string[] =>
  (n === "trigger_phrases" || n === "negative_triggers" ? d.proposal[n] : d.interpretation?.[n]) ?? [];

/** The changes as the edits of a revision; empty lines are ignored. */
export function edits(d: Detail, typed: Record<Name, string>): Record<string, string[]> {
  const out: Record<string, string[]> = {};
  for (const n of all) {
    const lines = typed[n]
      .split("\n")
      .map((s) => s.trim())
      .filter(Boolean);
    if (lines.join("\n") !== of(d, n).join("\n")) out[n] = lines;
  }
  return out;
}

/** When the skill is used, when not, and how it is asked for; edited in place, each change a revision. */
export function Conditions({ d }: { d: Detail }) {
  const revise = useRevise(d);
  const [typed, setTyped] = useState<Record<Name, string>>();
  const t = text.reviewing.facts;
  const may = d.proposal.allowed_actions.includes("revise");
  const begin = () => setTyped(Object.fromEntries(all.map((n) => [n, of(d, n).join("\n")])) as Record<Name, string>);
  const save = async () => {
    if (!typed) return;
    const changed = edits(d, typed);
    if (Object.keys(changed).length === 0 || (await revise(text.save, changed))) setTyped(undefined);
  };
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.title}>
      <div className="row apart">
        <h2>{t.title}</h2>
        {!typed && (
          <Button
            look="tiny"
            aria-label={`${text.edit}: ${t.edit}`}
            disabledReason={may ? undefined : text.review.noRevise}
            onClick={begin}
          >
            {text.edit}
          </Button>
        )}
      </div>
      {typed ? (
        <form
          className="stack"
          onSubmit={(e) => {
            e.preventDefault();
            void save();
          }}
        >
          {all.map((n) => (
            <Field key={n} label={t[names[n]]} hint={n === all[0] ? t.hint : undefined}>
              {(id, described) => (
                <textarea
                  id={id}
                  aria-describedby={described}
                  className={fieldCss.input}
                  rows={Math.max(2, Math.min(6, typed[n].split("\n").length))}
                  value={typed[n]}
                  onChange={(e) => setTyped({ ...typed, [n]: e.target.value })}
                />
              )}
            </Field>
          ))}
          <div className="row">
            <button type="submit" className={button("primary")}>
              {text.save}
            </button>
            <Button look="plain" onClick={() => setTyped(undefined)}>
              {text.cancel}
            </Button>
          </div>
        </form>
      ) : (
        <dl className={factsCss.facts}>
          {all.map((n) =>
            of(d, n).length ? (
              <div key={n} className="pair">
                <dt>{t[names[n]]}</dt>
                <dd>
                  <ul className={panelCss.lines}>
                    {of(d, n).map((line) => (
                      <li key={line} className="break">
                        <Phrase>{line}</Phrase>
                      </li>
                    ))}
                  </ul>
                </dd>
              </div>
            ) : null,
          )}
        </dl>
      )}
    </section>
  );
}
