import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Difference, unified } from "../../ui/Difference";
import { Button } from "../../ui/Button";
import { Chip, Load } from "../../ui/parts";
import { stateIcon, stateTone } from "../learn/states";
import { atFirst, type Permissions, same, Ticks, tidy } from "./Ticks";
import { Found, Told, toRead } from "./Told";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type Entry = Schemas["AbilityAvailabilityEntry"];
type Difference = Schemas["Difference"];

/** The skill's trust: its state, changes, permissions, and a pending decision. */
export function TrustPanel({ a }: { a: Entry }) {
  const t = text.skills;
  const diff = useQuery(q.difference(a.ability_id));
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.trust}>
      <div className="row apart">
        <h2>{t.trust}</h2>
        <Chip tone={stateTone(a.trust)} icon={stateIcon(a.trust)}>
          {text.name(a.trust)}
        </Chip>
      </div>
      <p>
        {a.built_in ? t.builtInMeans : t.trustMeans[a.trust]}{" "}
        {a.reject_reason && (
          <span className="muted">
            {t.rejectedBefore}: <bdi>{a.reject_reason}</bdi>
          </span>
        )}
      </p>
      <Load query={diff}>
        {(d) => (
          <>
            {a.trust !== "approved" && <Changed d={d} />}
            <Decide key={`${d.revision} ${a.revision}`} a={a} d={d} />
          </>
        )}
      </Load>
    </section>
  );
}

function Changed({ d }: { d: Difference }) {
  const t = text.skills;
  const files = d.files ?? [];
  return (
    <section className="stack tight" aria-label={t.changed}>
      <h3>{t.changed}</h3>
      {!d.approved_hash && <p className="muted">{t.neverApproved}</p>}
      {d.where !== "bundle" && (
        <>
          <p>{t.changedCopy(d.where)}</p>
          {d.set_aside && (
            <p>
              {t.setAside} <bdi className="mono break">{d.set_aside}</bdi>
            </p>
          )}
          <p>
            {t.takeOver} <bdi className="mono break">{d.folder}</bdi>
          </p>
        </>
      )}
      {d.note && <p className="muted">{text.sentence(d.note)}</p>}
      {d.warnings?.map((w) => (
        <p key={w}>{text.sentence(w)}</p>
      ))}
      {d.approved_hash && !files.length && <p className="muted">{t.changedNone}</p>}
      {files.map((f) => (
        <details key={f.path} open={files.length === 1}>
          <summary>
            <Chip>{t.changes[f.change]}</Chip> <bdi className="mono break">{f.path}</bdi>
          </summary>
          {f.unified ? (
            <Difference lines={unified(f.unified)} label={text.skills.changed} framed />
          ) : (
            <p className="muted">{f.binary && t.binary}</p>
          )}
          {f.truncated && <p className="small muted">{t.cut}</p>}
        </details>
      ))}
    </section>
  );
}

/** What the scanner finds in a change, apart from what is ticked one by one. */
function NewFindings({ d }: { d: Difference }) {
  const others = d.findings?.filter((f) => !d.findings_to_read?.includes(`${f.rule_id} ${f.file}:${f.line}`));
  if (!others?.length) return null;
  return (
    <section className="stack tight" aria-label={text.skills.newFindings}>
      <h3>{text.skills.newFindings}</h3>
      <ul>
        {others.map((f) => (
          <li key={`${f.rule_id} ${f.file}:${f.line}`}>
            <Found f={f} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The ticks, and what can be done with them: save them, or approve content and ticks together. */
function Decide({ a, d }: { a: Entry; d: Difference }) {
  const t = text.skills;
  const { act } = useActs();
  const agents = useQuery(q.settings()).data?.targets.map((x) => x.name);
  const asked = tidy(a.permissions);
  const granted = tidy(d.granted_permissions);
  const approved = a.trust === "approved";
  const [may, setMay] = useState<Permissions>(() => (approved ? asked : atFirst(asked, granted)));
  const [reason, setReason] = useState("");
  const told = toRead(d.findings_to_read, d.findings);
  const [read, setRead] = useState<string[]>([]);
  const [accept, setAccept] = useState(false);
  const why = !a.content_hash
    ? text.sentence(a.reason_unusable ?? "")
    : d.blocked && !accept
      ? text.imports.blockedWhy
      : read.length < told.length
        ? text.imports.readWhy(told.length - read.length)
        : undefined;
  const params = { path: { abilityId: a.ability_id }, header: seen(a.revision) };
  const save = () =>
    void act(t.saveMay, (headers) => body(api.PUT("/api/abilities/{abilityId}/permissions", { params, headers, body: may })), t.savedMay);
  const approve = () =>
    void act(
      t.approve,
      (headers) =>
        body(
          api.POST("/api/abilities/{abilityId}/approve", {
            params,
            headers,
            body: {
              content_hash: a.content_hash ?? "",
              permissions: may,
              ...(d.blocked ? { accept_findings: accept } : {}),
              ...(told.length ? { findings_read: read } : {}),
              ...once(),
            },
          }),
        ),
      t.approved,
    );
  const restore = () =>
    void act(t.restore, () => body(api.POST("/api/abilities/{abilityId}/restore", { params, body: once() })), t.restored);
  const reject = () =>
    void act(
      t.reject,
      (headers) => body(api.POST("/api/abilities/{abilityId}/reject", { params, headers, body: { reason: reason.trim(), ...once() } })),
      t.rejected,
    );
  return (
    <section className="stack" aria-label={t.may}>
      <div>
        <h3>{t.may}</h3>
        <p className="muted">{t.mayMore}</p>
      </div>
      <Ticks
        offered={asked}
        value={may}
        onChange={setMay}
        now={approved ? asked : undefined}
        addable={approved}
        agents={agents}
        fixed={a.built_in ? text.skills.builtInMay : undefined}
      />
      {approved ? (
        <div>
          <Button look="primary" disabledReason={same(may, asked) ? t.sameMay : undefined} onClick={save}>
            {t.saveMay}
          </Button>
        </div>
      ) : (
        <div className="stack">
          <NewFindings d={d} />
          {told.length > 0 && <Told told={told} read={read} onChange={setRead} />}
          {d.blocked && (
            <label className={fieldCss.check}>
              <input type="checkbox" checked={accept} onChange={(e) => setAccept(e.target.checked)} />
              <span>{text.imports.acceptFindings}</span>
            </label>
          )}
          <div className="row">
            <Button look="primary" disabledReason={why} onClick={approve}>
              {t.approve}
            </Button>
            {d.approved_hash && (
              <Button disabledReason={d.can_restore ? undefined : t.restoreNot} onClick={restore}>
                {t.restore}
              </Button>
            )}
          </div>
          {!a.reject_reason && (
            <div className="row">
              <input
                className={`${fieldCss.input} ${fieldCss.grows}`}
                aria-label={text.imports.reason}
                placeholder={text.imports.reason}
                maxLength={240}
                value={reason}
                onChange={(e) => setReason(e.target.value)}
              />
              <Button look="danger" disabledReason={reason.trim() ? undefined : text.imports.noReason} onClick={reject}>
                {t.reject}
              </Button>
            </div>
          )}
        </div>
      )}
    </section>
  );
}
