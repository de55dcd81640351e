import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { text } from "../../text/en";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/forms";
import { Load } from "../../ui/parts";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";
import type { FromProps } from "./From";
import { imports } from "./queries";
import { ofRequest } from "./upload";

/** A skill that a connected service offers. */
export function FromConnector({ busy, begin }: FromProps) {
  const t = text.imports;
  const [chosen, setChosen] = useState("");
  return (
    <Load query={useQuery(imports.connectors())}>
      {(servers) => {
        if (!servers.length) return <p className="muted">{t.noConnectors}</p>;
        const id = chosen || (servers.length === 1 ? servers[0]!.registry.server_id : "");
        return (
          <div className="stack">
            <Field label={t.connectorLabel} hint={t.connectorHint}>
              {(field, d) => (
                <select id={field} aria-describedby={d} className={fieldCss.input} value={id} onChange={(e) => setChosen(e.target.value)}>
                  <option value="">{t.noConnector}</option>
                  {servers.map((c) => (
                    <option key={c.registry.server_id} value={c.registry.server_id}>
                      {c.registry.display_name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            {id && <Offered id={id} busy={busy} begin={begin} />}
          </div>
        );
      }}
    </Load>
  );
}

/** The skills that it offers, each to be scanned as it was listed. */
function Offered({ id, busy, begin }: FromProps & { id: string }) {
  const t = text.imports;
  return (
    <Load query={useQuery(imports.offered(id))}>
      {({ skills, more }) =>
        skills.length === 0 ? (
          <p role="status" className="muted">
            {t.noSkills}
          </p>
        ) : (
          <>
            <ul className={panelCss.list}>
              {skills.map((s) => (
                <li key={s.uri} className="row apart">
                  <div>
                    <bdi className={panelCss.what}>{s.name}</bdi>
                    <p className="break">
                      <bdi>{s.refused ?? s.description}</bdi>
                    </p>
                    <p className="muted small">
                      {t.filesOf(s.files)}, {text.bytes(s.bytes)}
                    </p>
                  </div>
                  {!s.refused && (
                    <Button
                      look="tiny"
                      busy={busy}
                      aria-label={t.scanOf(s.name)}
                      onClick={() => begin(ofRequest(s.name, { kind: "connector", connector_id: id, reference: s.uri, digest: s.digest }))}
                    >
                      {t.scan}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {more && <p className="muted">{t.moreSkills}</p>}
          </>
        )
      }
    </Load>
  );
}
