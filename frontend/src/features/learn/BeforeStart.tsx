import type { ReactNode } from "react";
import { text } from "../../text/en";
import { Button } from "../../ui/Button";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

/** The side panel of a set-up: what will happen, sentence by sentence, and the start button. */
export function BeforeStart({
  says,
  instead,
  why,
  busy,
  start,
  starting,
  form,
  onStart,
}: {
  says: string[];
  instead?: ReactNode;
  why?: string;
  busy: boolean;
  start: string;
  starting: string;
  form?: string; // which the button sends, as Enter in one of its fields does
  onStart?: () => void; // without a form
}) {
  return (
    <aside className="sticky">
      <section className={`${panelCss.panel} stack`} aria-live="polite">
        <h2>{text.setup.summary}</h2>
        {says.map((s) => (
          <p key={s} className="break">
            {s}
          </p>
        ))}
        {instead}
        <Button look="primary" type={form ? "submit" : "button"} form={form} disabledReason={why} busy={busy} onClick={onStart}>
          {busy ? starting : start}
        </Button>
        {why && <p className={fieldCss.why}>{why}</p>}
      </section>
    </aside>
  );
}
