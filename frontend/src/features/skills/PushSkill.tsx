import { useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/forms";
import { short } from "../../ui/hash";
import { Listed } from "../../ui/Listed";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type Preview = Schemas["SkillPushPreview"];

/** Sends an approved skill to a registry, after everything that leaves was shown. */
export function PushSkill({ a }: { a: Schemas["AbilityAvailabilityEntry"] }) {
  const t = text.pushing;
  const { act, say } = useActs();
  const [reference, setReference] = useState("");
  const [examples, setExamples] = useState(false);
  const [sign, setSign] = useState(true);
  const [p, setPreview] = useState<Preview>();
  const said = reference.trim();
  const why = a.trust !== "approved" ? t.notApproved : said ? undefined : t.noReference;
  const request = (seal?: string) => ({
    ability_id: a.ability_id,
    reference: said,
    with_examples: examples,
    unsigned: !sign,
    seal,
    schema_version: 1 as const,
    ...once(),
  });
  const look = async () => setPreview(await act(t.look, () => body(api.POST("/api/skills/push/preview", { body: request() }))));
  const push = async () => {
    if (!p) return;
    const r = await act(t.push, (headers) => body(api.POST("/api/skills/push", { headers, body: request(p.seal) })));
    if (!r) return;
    setPreview(undefined);
    say(r.already_there ? t.there : t.pushed(r.reference));
  };
  const change = (f: () => void) => {
    f();
    setPreview(undefined); // it was for something else
  };
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.title}>
      <h2>{t.title}</h2>
      <p className="small muted">{t.more}</p>
      <Field label={t.to} hint={t.toHint}>
        {(id, d) => (
          <input
            id={id}
            aria-describedby={d}
            className={`${fieldCss.input} mono`}
            spellCheck={false}
            placeholder="registry.example.com/team/change-an-order:1.0"
            value={reference}
            onChange={(e) => change(() => setReference(e.target.value))}
          />
        )}
      </Field>
      <label className={fieldCss.check}>
        <input type="checkbox" checked={examples} onChange={(e) => change(() => setExamples(e.target.checked))} />
        <span>{t.examples}</span>
      </label>
      <label className={fieldCss.check}>
        <input type="checkbox" checked={sign} onChange={(e) => change(() => setSign(e.target.checked))} />
        <span>{t.sign}</span>
      </label>
      <div>
        <Button disabledReason={why} onClick={() => void look()}>
          {t.look}
        </Button>
      </div>
      {p && <Leaving p={p} sign={sign} push={() => void push()} />}
    </section>
  );
}

/** Everything that a push sends, and the button that sends it. */
export function Leaving({ p, sign = true, push }: { p: Preview; sign?: boolean; push: () => void }) {
  const t = text.pushing;
  const why = p.blocked ? t.blocked : p.already_there ? t.there : undefined;
  const place = (x: Schemas["SkillPersonalData"]) => `${x.path}:${x.line}: ${x.secret ? t.secret : `${text.name(x.kind)} ${x.text ?? ""}`}`;
  return (
    <div className="stack tight" role="group" aria-label={t.leaves}>
      <h3>{t.leaves}</h3>
      <p className="small">
        {t.goes(p.reference, p.version)} <span className="mono">{short(p.content_hash)}</span>
        {p.content_hash !== p.own_hash && ` ${t.other}`}
      </p>
      <p className="small">{p.signed ? t.signed(p.signer ? short(p.signer) : "") : sign ? t.noKeychain : t.unsigned}</p>
      {!!p.other_keys?.length && <p className="small">{t.otherKeys(p.other_keys.map(short).join(", "))}</p>}
      {p.keys_unread && <p className="small">{t.keysUnread}</p>}
      {p.replaces && !p.already_there && <p className="small">{t.replaces}</p>}
      <ul className="stack tight">
        {p.files?.map((f) => (
          <li key={f.path} className="row apart small">
            <bdi className="mono break">{f.path}</bdi>
            <span className="muted num nowrap">{text.bytes(f.bytes)}</span>
          </li>
        ))}
      </ul>
      <Listed title={t.shown} all={Object.entries(p.annotations ?? {}).map(([k, v]) => `${k}: ${v}`)} />
      <Listed title={t.stays} all={p.left_out?.map((l) => (l.replaced ? t.replaced(l.path) : l.path))} />
      <Listed title={t.sites} all={p.sites ?? []} />
      <Listed title={t.sentences} all={p.sentences ?? []} />
      <Listed title={t.notFor} all={p.not_for ?? []} />
      <Listed title={t.asks} all={[...(p.asks?.tools ?? []), ...(p.asks?.domains ?? []), ...(p.asks?.credentials ?? [])]} />
      <Listed title={t.personal} all={p.personal?.map(place)} />
      <Listed title={t.notText} all={p.not_text ?? []} />
      <Listed title={t.findings} all={p.findings?.map((f) => `${text.imports.at(f.file, f.line)}: ${f.title}`)} />
      <div>
        <Button look="primary" disabledReason={why} onClick={push}>
          {t.push}
        </Button>
      </div>
      {why && <p className={fieldCss.why}>{why}</p>}
    </div>
  );
}
