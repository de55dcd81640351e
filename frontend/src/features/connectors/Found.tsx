import { text } from "../../text/en";
import type { Connector } from "./queries";
import documentCss from "../../ui/document.module.css";
import panelCss from "../../ui/panel.module.css";

/** The scanner's findings in the descriptions of its tools. */
export function Found({ c }: { c: Connector }) {
  const t = text.connector;
  if (!c.findings?.length) return null;
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.findings}>
      <h2>{t.findings}</h2>
      <p className="muted">{t.findingsMore}</p>
      <ul className={panelCss.list}>
        {c.findings.map((f) => (
          <li key={`${f.rule_id} ${f.file} ${f.line}`} className="stack tight">
            <div className="row apart">
              <strong>{f.title}</strong>
              <bdi className="small mono break">{f.file}</bdi>
            </div>
            <p>{f.meaning}</p>
            <p className="muted">
              {text.imports.matters}: {f.why}
            </p>
            {f.excerpt && (
              <pre className={documentCss.raw}>
                <bdi>{f.excerpt}</bdi>
              </pre>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
