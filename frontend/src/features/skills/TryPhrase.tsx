import { useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Chip } from "../../ui/parts";
import { button } from "../../ui/Button";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";
import { useAgentName } from "../../api/queries";

/** Whether a sentence would find this skill, and why. */
export function TryPhrase({ of }: { of: { import_id: string } | { ability_id: string } }) {
  const t = text.review;
  const { act } = useActs();
  const [said, setSaid] = useState("");
  const [found, setFound] = useState<Schemas["SkillTriggerTestResponse"]>();
  const ask = async () => {
    const r = await act(t.triggersTry, () =>
      body(api.POST("/api/skills/trigger-test", { body: { ...of, trigger_text: said.trim(), schema_version: 1, ...once() } })),
    );
    if (r) setFound(r);
  };
  const agent = useAgentName();
  const because = (found?.because ?? []).map(t.matchedBy).filter(Boolean);
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.triggers}>
      <h2>{t.triggers}</h2>
      <form
        className="row"
        onSubmit={(e) => {
          e.preventDefault();
          if (said.trim()) void ask();
        }}
      >
        <input
          className={`${fieldCss.input} ${fieldCss.grows}`}
          aria-label={t.triggersLabel}
          placeholder={text.skills.lookupMore}
          maxLength={2000}
          value={said}
          onChange={(e) => setSaid(e.target.value)}
        />
        <button type="submit" className={button()}>
          {t.triggersTry}
        </button>
      </form>
      <div role="status">
        {found && (
          <div className="row">
            <Chip tone={found.matched ? "ok" : ""} icon={found.matched ? "check" : undefined}>
              {(found.matched ? t.found : t.notFound)(agent)}
            </Chip>
            {because.length > 0 && <span className="small muted break">{because.join(" ")}</span>}
          </div>
        )}
      </div>
    </section>
  );
}
