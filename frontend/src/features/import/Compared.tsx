import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Listed } from "../../ui/Listed";
import panelCss from "../../ui/panel.module.css";

/** How an import differs from the installed skill that it replaces, or that has its name. */
export function Compared({ c }: { c: Schemas["ImportComparison"] }) {
  const t = text.imports;
  const wider = [...(c.wider.tools ?? []), ...(c.wider.domains ?? []), ...(c.wider.credentials ?? [])];
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.compared}>
      <h2>{t.compared}</h2>
      <p>{c.replaces ? t.comparedReplaces(c.skill_slug) : t.comparedBeside(c.skill_slug)}</p>
      {c.changed_here && <p>{t.comparedChanged}</p>}
      {c.mergeable && <p>{t.comparedMergeable}</p>}
      {c.older && <p>{t.comparedOlder}</p>}
      {c.signer && <p>{t.comparedSigner[c.signer]}</p>}
      {c.forgets_signer ? <p>{t.comparedForgets}</p> : c.signer === "gone" && <p>{t.comparedKeeps}</p>}
      {c.same && <p className="muted">{t.comparedSame}</p>}
      <Listed title={t.comparedWider} all={wider} />
      {c.files?.map((f) => (
        <details key={f.path}>
          <summary>
            <bdi className="mono break">{f.path}</bdi> <span className="muted">{text.name(f.change)}</span>
          </summary>
          {f.unified && <pre className="small break">{f.unified}</pre>}
        </details>
      ))}
    </section>
  );
}
