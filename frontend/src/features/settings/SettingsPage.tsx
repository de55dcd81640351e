import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { api, body, type Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button, button } from "../../ui/Button";
import { Field, Toggle } from "../../ui/forms";
import { Load, Page } from "../../ui/parts";
import { Phrase } from "../../ui/Phrase";
import { ConnectorSettings } from "../connectors/ConnectorSettings";
import { type Draft, draftOf, valuesOf, wrong } from "./change";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

const t = text.settings;

/** The content of config.toml, to be read and changed. */
export function SettingsPage() {
  const query = useQuery({ ...q.settings(), staleTime: 0 });
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="stack">
        <Load query={query}>{(s) => <Form s={s} />}</Load>
        <ConnectorSettings />
        <Part title={t.projects}>
          <p className="muted">{t.projectsMore}</p>
          <div>
            <Link className={button()} to="/projects">
              {t.projectsOpen}
            </Link>
          </div>
        </Part>
      </div>
    </Page>
  );
}

interface LineProps {
  label: string;
  hint?: string;
  value: string;
  onChange: (v: string) => void;
  max: number;
  short?: boolean;
  mono?: boolean;
}

/** A line of text, without spell checking unless it is prose. */
const Line = ({ label, hint, value, onChange, max, short, mono = true }: LineProps) => (
  <Field label={label} hint={hint}>
    {(id, described) => (
      <input
        id={id}
        aria-describedby={described}
        className={short ? `${fieldCss.input} ${fieldCss.short}` : fieldCss.input}
        maxLength={max}
        spellCheck={mono ? false : undefined}
        autoCapitalize={mono ? "off" : undefined}
        value={value}
        onChange={(e) => onChange(e.target.value)}
      />
    )}
  </Field>
);

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={`${panelCss.panel} stack`} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

function Form({ s }: { s: Schemas["Settings"] }) {
  const { act } = useActs();
  const client = useQueryClient();
  const [edits, setEdits] = useState<Partial<Draft>>({}); // what is typed stays when the file changes elsewhere
  const [busy, setBusy] = useState(false);
  const d = { ...draftOf(s), ...edits };
  const put = (more: Partial<Draft>) => setEdits((had) => ({ ...had, ...more }));
  const why = s.mistake ? t.mistake(s.file) : wrong(d, s);

  const save = async () => {
    if (why || busy) return;
    setBusy(true);
    const r = await act(
      text.save,
      (headers) => body(api.PUT("/api/settings", { headers, body: { ...valuesOf(d), content_hash: s.content_hash } })),
      t.saved,
    );
    setBusy(false);
    if (!r) return;
    client.setQueryData(q.settings().queryKey, r);
    setEdits({});
  };

  return (
    <form
      className="stack"
      onSubmit={(e) => {
        e.preventDefault();
        void save();
      }}
    >
      {s.mistake && (
        <p className={panelCss.strip} role="alert">
          {text.sentence(s.mistake)} {t.mistake(s.file)}
        </p>
      )}
      {s.after_restart.length > 0 && (
        <p className={panelCss.strip} role="status">
          <Phrase>{t.later(s.after_restart)}</Phrase>
        </p>
      )}
      <Part title={t.agent}>
        <Line
          label={t.displayName}
          hint={t.displayNameHint}
          value={d.agent_display_name}
          onChange={(v) => put({ agent_display_name: v })}
          max={80}
          short
          mono={false}
        />
        <Line label={t.command} hint={t.commandHint} value={d.command} onChange={(v) => put({ command: v })} max={4000} />
      </Part>
      <Targets all={d.targets} onChange={(targets) => put({ targets })} />
      <Part title={t.browser}>
        <Line
          label={t.browserPath}
          hint={t.browserPathHint}
          value={d.browser.path}
          onChange={(path) => put({ browser: { ...d.browser, path } })}
          max={400}
        />
        <Toggle
          label={t.headless}
          more={t.headlessMore}
          on={d.browser.headless}
          onChange={(headless) => put({ browser: { ...d.browser, headless } })}
        />
      </Part>
      <Part title={t.overlay}>
        <Toggle label={t.show} more={t.showMore} on={d.overlay.show} onChange={(show) => put({ overlay: { ...d.overlay, show } })} />
        <Line
          label={t.pauseKey}
          hint={t.pauseKeyHint}
          value={d.overlay.pause_key}
          onChange={(pause_key) => put({ overlay: { ...d.overlay, pause_key } })}
          max={60}
          short
        />
      </Part>
      <Part title={t.registries}>
        <Toggle
          label={t.requireSignature}
          more={t.requireSignatureMore}
          on={d.registries?.require_signature ?? false}
          onChange={(require_signature) => put({ registries: { require_signature } })}
        />
      </Part>
      <Part title={t.model}>
        <p className="muted">{t.modelMore}</p>
        {(
          [
            ["url", t.modelUrl, t.modelUrlHint, 300],
            ["name", t.modelName, undefined, 120],
            ["key_env", t.keyEnv, undefined, 120],
            ["key_keychain", t.keyKeychain, undefined, 120],
          ] as const
        ).map(([k, label, hint, max]) => (
          <Line
            key={k}
            label={label}
            hint={hint}
            value={d.model[k]}
            onChange={(v) => put({ model: { ...d.model, [k]: v } })}
            max={max}
            short={k !== "url"}
          />
        ))}
      </Part>
      <Part title={t.rest}>
        <Line label={t.memory} value={d.memory} onChange={(memory) => put({ memory })} max={400} />
        <Line label={t.idle} hint={t.idleHint} value={d.idle} onChange={(idle) => put({ idle })} max={4} short />
      </Part>
      <div className="stack tight">
        <div className="row">
          <Button look="primary" busy={busy} disabledReason={why} onClick={() => void save()}>
            {text.save}
          </Button>
          {why && <span className={fieldCss.why}>{why}</span>}
        </div>
        <p className="small muted">{t.hint}</p>
      </div>
    </form>
  );
}

type Target = Draft["targets"][number];

function Targets({ all, onChange }: { all: Target[]; onChange: (all: Target[]) => void }) {
  const put = (n: number, more: Partial<Target>) => onChange(all.map((x, i) => (i === n ? { ...x, ...more } : x)));
  return (
    <Part title={t.targets}>
      <p className="muted">{t.targetsMore}</p>
      <ul className="stack tight">
        {all.map((x, n) => (
          // A folder has no name that stays while it is typed.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={n} className="row">
            <input
              className={`${fieldCss.input} ${fieldCss.short}`}
              aria-label={t.targetOf(n + 1, t.targetName)}
              placeholder={t.targetName}
              maxLength={40}
              spellCheck={false}
              value={x.name}
              onChange={(e) => put(n, { name: e.target.value })}
            />
            <input
              className={`${fieldCss.input} ${fieldCss.grows}`}
              aria-label={t.targetOf(n + 1, t.targetDir)}
              placeholder={t.targetDir}
              maxLength={400}
              spellCheck={false}
              value={x.dir}
              onChange={(e) => put(n, { dir: e.target.value })}
            />
            <select
              className={fieldCss.input}
              aria-label={t.targetOf(n + 1, t.targetSkills)}
              value={x.skills ?? "both"}
              onChange={(e) => put(n, { skills: e.target.value as NonNullable<Target["skills"]> })}
            >
              {(["both", "files", "mcp"] as const).map((way) => (
                <option key={way} value={way}>
                  {t.ways[way]}
                </option>
              ))}
            </select>
            <Button
              look="danger tiny"
              aria-label={t.targetRemove(x.name || x.dir || String(n + 1))}
              onClick={() => onChange(all.filter((_, i) => i !== n))}
            >
              {text.remove}
            </Button>
          </li>
        ))}
      </ul>
      <div>
        <Button look="tiny" onClick={() => onChange([...all, { name: "", dir: "" }])}>
          {t.targetAdd}
        </Button>
      </div>
    </Part>
  );
}
