import { useState } from "react";
import { text } from "../../text/en";
import { Button } from "../../ui/Button";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

/** An archive with several skills: each is chosen separately and becomes its own import. */
export function Folders({ folders, take }: { folders: string[]; take: (some: string[]) => void }) {
  const t = text.imports;
  const [picked, setPicked] = useState<string[]>([]);
  const tick = (f: string) => setPicked(picked.includes(f) ? picked.filter((x) => x !== f) : [...picked, f]);
  return (
    <section className={`${panelCss.panel} ${panelCss.ask} stack`} aria-label={t.several}>
      <h2>{t.several}</h2>
      <p className="muted">{t.severalMore}</p>
      <div className={fieldCss.ticks}>
        {folders.map((f) => (
          <label key={f} className={fieldCss.tick}>
            <input type="checkbox" checked={picked.includes(f)} onChange={() => tick(f)} />
            <bdi className="mono break">{f}</bdi>
          </label>
        ))}
      </div>
      <div>
        <Button
          look="primary"
          disabledReason={picked.length ? undefined : t.noneTicked}
          onClick={() => take(folders.filter((f) => picked.includes(f)))}
        >
          {t.scanSome(picked.length)}
        </Button>
      </div>
    </section>
  );
}
