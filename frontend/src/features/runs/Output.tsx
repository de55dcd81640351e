import { text } from "../../text/en";
import { useOutput } from "./useOutput";

/** What a run printed, as it comes. */
export function Output({ id }: { id: string }) {
  const out = useOutput(id);
  const t = text.runs;
  return (
    <section className="panel" aria-label={t.output}>
      <h2>{t.output}</h2>
      {out ? (
        <pre className="printed" tabIndex={0}>
          {out}
        </pre>
      ) : (
        <p className="muted">{out === undefined ? t.outputGone : t.outputNone}</p>
      )}
    </section>
  );
}
