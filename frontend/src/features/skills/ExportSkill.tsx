import { useState } from "react";
import { api, body, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { save, unbase64, zip } from "../../ui/download";
import { Field } from "../../ui/forms";
import { Notes } from "../../ui/Notes";
import { Button } from "../../ui/Button";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type Target = Schemas["SkillExport"]["target"];

/** An approved skill as files for another computer or another kind of agent. */
export function ExportSkill({ a }: { a: Schemas["AbilityAvailabilityEntry"] }) {
  const { act, say } = useActs();
  const [target, setTarget] = useState<Target>("agentskills");
  const [done, setDone] = useState<Schemas["SkillExport"]>();
  const t = text.exporting;
  const why = a.trust === "approved" ? undefined : t.notApproved;
  const take = async () => {
    const r = await act(t.title, () =>
      body(api.GET("/api/abilities/{abilityId}/export", { params: { path: { abilityId: a.ability_id }, query: { target } } })),
    );
    if (!r) return;
    const name = `${r.name}-${r.target}.zip`;
    save(
      name,
      zip((r.files ?? []).map((f) => ({ path: `${r.name}/${f.path}`, bytes: unbase64(f.content), executable: f.executable }))),
      "application/zip",
    );
    setDone(r);
    say(t.saved(name));
  };
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.title}>
      <h2>{t.title}</h2>
      <p className="small muted">{t.more}</p>
      <Field label={t.as}>
        {(id) => (
          <select id={id} className={fieldCss.input} value={target} onChange={(e) => setTarget(e.target.value as Target)}>
            {Object.entries(t.targets).map(([v, label]) => (
              <option key={v} value={v}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div>
        <Button disabledReason={why} onClick={() => void take()}>
          {t.do}
        </Button>
      </div>
      {why && <p className={fieldCss.why}>{why}</p>}
      {done?.target === target && <Notes title={t.adapted} all={done.adapted?.map((f) => f.message)} />}
    </section>
  );
}
