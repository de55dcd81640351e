import { useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { save } from "../../ui/download";
import { Choice, Field } from "../../ui/forms";
import { Notes } from "../../ui/Notes";
import { Button } from "../../ui/Button";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type Format = Schemas["ExportRequest"]["format"];

/** The draft's browser part as a recording that another player performs. */
export function ExportDraft({ d }: { d: Schemas["ProposalDetailResponse"] }) {
  const { act, say } = useActs();
  const [format, setFormat] = useState<Format>("devtools");
  const [values, setValues] = useState<Record<string, string>>({});
  const [notes, setNotes] = useState<string[]>();
  const t = text.exporting;
  const inputs = d.interpretation?.inputs ?? [];
  if (!d.graph?.steps?.some((s) => s.surface === "browser")) return null;
  const take = async () => {
    const given = Object.fromEntries(Object.entries(values).filter(([, v]) => v.trim()));
    const r = await act(t.title, () =>
      body(
        api.POST("/api/learn/proposals/{proposalId}/export", {
          params: { path: { proposalId: d.proposal.proposal_id } },
          body: { format, values: given, ...once() },
        }),
      ),
    );
    if (!r) return;
    save(r.file_name, r.content, "text/plain");
    setNotes(r.notes ?? []);
    say(t.saved(r.file_name));
  };
  return (
    <details className={panelCss.panel}>
      <summary>
        <h2>{t.title}</h2>
      </summary>
      <div className="stack below">
        <p className="muted">{t.draftMore}</p>
        <Choice
          inline
          label={t.as}
          value={format}
          onChange={(v) => setFormat(v as Format)}
          options={Object.entries(t.formats).map(([value, label]) => ({ value, label }))}
        />
        {inputs.map((i) => (
          <Field key={i.name} label={text.capital(i.label || i.name)}>
            {(id) => (
              <input
                id={id}
                className={fieldCss.input}
                value={values[i.name] ?? ""}
                onChange={(e) => setValues({ ...values, [i.name]: e.target.value })}
              />
            )}
          </Field>
        ))}
        <div>
          <Button onClick={() => void take()}>{t.draftDo}</Button>
        </div>
        <Notes title={t.notes} all={notes} />
      </div>
    </details>
  );
}
