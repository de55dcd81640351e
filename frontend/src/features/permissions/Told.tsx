import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import fieldCss from "../../ui/field.module.css";

type Finding = Schemas["Finding"];
type ToRead = { id: string; finding?: Finding };

/** The skill's instructions to the agent that only a person can judge, each with its id of rule, file and line. */
export function toRead(ids: string[] | null | undefined, findings: Finding[] | null | undefined): ToRead[] {
  return [...new Set(ids)].map((id) => ({ id, finding: findings?.find((f) => `${f.rule_id} ${f.file}:${f.line}` === id) }));
}

/** The sentences that are ticked one by one, in the skill's own words. */
export function Told({ told, read, onChange }: { told: ToRead[]; read: string[]; onChange: (read: string[]) => void }) {
  const t = text.imports;
  return (
    <fieldset className="stack tight">
      <legend>{t.told(told.length)}</legend>
      {told.map(({ id, finding: f }) => (
        <label key={id} className={fieldCss.check}>
          <input
            type="checkbox"
            checked={read.includes(id)}
            onChange={(e) => onChange(e.target.checked ? [...read, id] : read.filter((x) => x !== id))}
          />
          <span>{f ? <Found f={f} /> : id}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** One thing that the scanner found: what it is, the skill's own words, and where they stand. */
export function Found({ f }: { f: Finding }) {
  return (
    <>
      {f.title}{" "}
      {f.excerpt && (
        <q className="mono break">
          <bdi>{f.excerpt.trim()}</bdi>
        </q>
      )}{" "}
      <bdi className="small muted mono break">{text.imports.at(f.file, f.line)}</bdi>
    </>
  );
}
