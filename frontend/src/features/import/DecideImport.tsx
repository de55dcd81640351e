import { useState } from "react";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";
import { atFirst, Ticks, tidy } from "../permissions/Ticks";
import { Told, toRead } from "../permissions/Told";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

/** The decision: the content that was read, with the ticks. The code that confirms it is bound to both. */
export function DecideImport({ d }: { d: Schemas["SkillImportDetailResponse"] }) {
  const t = text.imports;
  const { act, say } = useActs();
  const kept = (out?: { set_aside?: string }) => out?.set_aside && say(t.keptAside(out.set_aside));
  const r = d.import_record;
  const asked = tidy(d.scan_report?.permissions);
  const [allowed, setAllowed] = useState(() => atFirst(asked, tidy(d.comparison?.granted)));
  const [accept, setAccept] = useState(false);
  const told = toRead(d.findings_to_read, d.scan_report?.findings);
  const [read, setRead] = useState<string[]>([]);
  const [reason, setReason] = useState("");
  const may = (a: string) => r.allowed_actions.includes(a);
  const blocked = r.verdict === "blocked";
  const why = (a: string) =>
    !may(a)
      ? t.notNow(text.name(r.stage_state))
      : blocked && !accept
        ? t.blockedWhy
        : read.length < told.length
          ? t.readWhy(told.length - read.length)
          : undefined;
  const params = { header: seen(r.revision) };
  const what = {
    import_id: r.import_id,
    content_hash: r.content_hash,
    permissions: allowed,
    ...(blocked ? { accept_findings: accept } : {}),
    ...(told.length ? { findings_read: read } : {}),
    schema_version: 1 as const,
  };
  const approve = () =>
    void act(
      t.approve,
      (headers) => body(api.POST("/api/skills/import/approve", { params, headers, body: { ...what, ...once() } })),
      t.installed,
    ).then(kept);
  const install = () =>
    void act(
      t.install,
      (headers) =>
        body(api.POST("/api/skills/import/install-private", { params, headers, body: { ...what, target_scope: "private", ...once() } })),
      t.installed,
    ).then(kept);
  const reject = () =>
    void act(
      t.reject,
      (headers) =>
        body(
          api.POST("/api/skills/import/reject", {
            params,
            headers,
            body: { import_id: r.import_id, reason: reason.trim(), schema_version: 1, ...once() },
          }),
        ),
      t.rejected,
    );
  return (
    <>
      <section className={`${panelCss.panel} stack`} aria-label={t.mayUse}>
        <h2>{t.mayUse}</h2>
        <p className="muted">{t.mayUseMore}</p>
        <Ticks offered={asked} value={allowed} onChange={setAllowed} />
      </section>
      <section className={`${panelCss.panel} stack`} aria-label={t.decide}>
        <h2>{t.decide}</h2>
        {told.length > 0 && <Told told={told} read={read} onChange={setRead} />}
        {blocked && (
          <label className={fieldCss.check}>
            <input type="checkbox" checked={accept} onChange={(e) => setAccept(e.target.checked)} />
            <span>{t.acceptFindings}</span>
          </label>
        )}
        <div className="split">
          <div className="stack tight">
            <div>
              <Button look="primary" disabledReason={why("install_private")} onClick={install}>
                {t.install}
              </Button>
            </div>
            <p className="muted">{t.installMore}</p>
          </div>
          <div className="stack tight">
            <div>
              <Button disabledReason={why("approve")} onClick={approve}>
                {t.approve}
              </Button>
            </div>
            <p className="muted">{t.approveMore}</p>
          </div>
        </div>
        {why("approve") && <p className={fieldCss.why}>{why("approve")}</p>}
        <div className="stack tight">
          <p className="muted">{t.rejectMore}</p>
          <div className="row">
            <input
              className={`${fieldCss.input} ${fieldCss.grows}`}
              aria-label={t.reason}
              placeholder={t.reason}
              maxLength={1000}
              value={reason}
              onChange={(e) => setReason(e.target.value)}
            />
            <Button
              look="danger"
              disabledReason={!may("reject") ? t.notNow(text.name(r.stage_state)) : reason.trim() ? undefined : t.noReason}
              onClick={reject}
            >
              {t.reject}
            </Button>
          </div>
        </div>
      </section>
    </>
  );
}
