import { text } from "../../text/en";
import { useOutput } from "./useOutput";
import css from "./Output.module.css";
import panelCss from "../../ui/panel.module.css";

/** What a run printed, as it comes. */
export function Output({ id }: { id: string }) {
  const out = useOutput(id);
  const t = text.runs;
  return (
    <section className={panelCss.panel} aria-label={t.output}>
      <h2>{t.output}</h2>
      {out ? (
        <pre className={css.printed} tabIndex={0}>
          {out}
        </pre>
      ) : (
        <p className="muted">{out === undefined ? t.outputGone : t.outputNone}</p>
      )}
    </section>
  );
}
