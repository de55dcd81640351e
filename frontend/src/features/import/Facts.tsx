import type { ReactNode } from "react";
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { short } from "../../ui/hash";
import { Time } from "../../ui/parts";
import factsCss from "../../ui/facts.module.css";
import panelCss from "../../ui/panel.module.css";

/** Its origin and exact content, and the names of its files if they cannot be opened. */
export function Facts({ d, listed }: { d: Schemas["SkillImportDetailResponse"]; listed: boolean }) {
  const t = text.imports;
  const r = d.import_record;
  const p = r.provenance;
  // Pairs of a name and what stands beside it; their keys are set where they are shown.
  /* oxlint-disable react/jsx-key */
  const rows: [string, ReactNode][] = [
    [t.origin, p.reference ?? p.url ?? r.original_filename],
    [t.version, p.version],
    [t.digest, p.digest && <span className="mono">{short(p.digest.replace("sha256:", ""))}</span>],
    [t.signer, p.signer ? <span className="mono">{short(p.signer)}</span> : p.kind === "registry" && t.signerNobody],
    [t.there, p.approved_there && t.thereMore],
    [t.commit, p.commit && <span className="mono">{p.commit.slice(0, 12)}</span>],
    [t.within, p.within],
    [t.dialect, r.dialect && (t.dialects[r.dialect] ?? r.dialect)],
    [t.pack, r.skill_pack],
    [t.installedAs, r.assigned_namespace && <span className="mono">{r.assigned_namespace}</span>],
    [t.content, r.content_hash && <span className="mono">{short(r.content_hash)}</span>],
    [
      t.upload,
      r.expires_at && (r.stage_state === "scan_complete" || r.stage_state === "scan_failed" || r.stage_state === "uploaded") && (
        <Time at={r.expires_at} />
      ),
    ],
    [t.retries, r.retry_count ? t.times(r.retry_count) : ""],
  ];
  /* oxlint-enable react/jsx-key */
  return (
    <aside className="stack">
      <section className={panelCss.panel}>
        <h2>{t.facts}</h2>
        <dl className={`${factsCss.facts} ${factsCss.narrow}`}>
          {rows
            .filter(([, v]) => v)
            .map(([k, v]) => (
              <div key={k}>
                <dt className="small">{k}</dt>
                <dd>
                  <bdi>{v}</bdi>
                </dd>
              </div>
            ))}
        </dl>
      </section>
      {listed && d.files?.length ? (
        <section className={panelCss.panel}>
          <h2>{t.files}</h2>
          <ul className="stack tight">
            {d.files.map((f) => (
              <li key={f.path} className="row apart small">
                <bdi className="mono break">{f.path}</bdi>
                <span className="muted num nowrap">
                  {f.executable && `${t.runs}, `}
                  {text.bytes(f.bytes)}
                </span>
              </li>
            ))}
          </ul>
          {d.files_left_out > 0 && <p className="small muted">{t.filesLeft(d.files_left_out)}</p>}
        </section>
      ) : null}
    </aside>
  );
}
