import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Icon } from "../../ui/Icon";
import { Phrase } from "../../ui/Phrase";
import { Button, button } from "../../ui/Button";
import { Chip, Load, Page } from "../../ui/parts";
import { stateIcon, stateTone } from "../learn/states";
import { FileList } from "../skills/Files";
import { TryPhrase } from "../skills/TryPhrase";
import { Compared } from "./Compared";
import { DecideImport } from "./DecideImport";
import { Facts } from "./Facts";
import { imports } from "./queries";
import { Findings } from "./Findings";
import { isAtWork, isOver, progress, retryKind, warning, way } from "./states";
import css from "./ImportDetail.module.css";
import panelCss from "../../ui/panel.module.css";

type Detail = Schemas["SkillImportDetailResponse"];

export function ImportDetail() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useQuery({
    ...imports.one(id),
    refetchInterval: (q) => (q.state.data && isAtWork(q.state.data.import_record) ? 1000 : false),
  });
  return <Load query={query}>{(d) => <Import d={d} />}</Load>;
}

function Import({ d }: { d: Detail }) {
  const t = text.imports;
  const r = d.import_record;
  return (
    <Page
      title={r.skill_name || r.original_filename || t.unnamed}
      lead={t.came(r.provenance.kind)}
      side={
        <>
          <Link to="/import">{t.back}</Link>
          <Chip tone={stateTone(r.stage_state)} icon={stateIcon(r.stage_state)}>
            {text.name(r.stage_state)}
          </Chip>
        </>
      }
    >
      <div className="stack">
        <Way state={r.stage_state} />
        <Next d={d} />
        <div className="split aside">
          <div className="stack">
            {d.scan_report && <Findings report={d.scan_report} compatibility={d.compatibility_report} />}
            {d.comparison && <Compared c={d.comparison} />}
            {readable.includes(r.stage_state) && <Read r={r} left={d.files_left_out} />}
            {r.stage_state === "ready_for_review" && <DecideImport key={r.content_hash} d={d} />}
            {d.scan_report && !isOver(r) && <TryPhrase of={{ import_id: r.import_id }} />}
          </div>
          <Facts d={d} listed={!readable.includes(r.stage_state)} />
        </div>
      </div>
    </Page>
  );
}

const readable: Schemas["ImportedSkillRecord"]["stage_state"][] = ["scan_complete", "ready_for_review", "install_failed"];

/** The import to decide on, with every file, before anything is unpacked or installed. */
function Read({ r, left }: { r: Schemas["ImportedSkillRecord"]; left: number }) {
  const t = text.imports;
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.files}>
      <h2>{t.files}</h2>
      <p className="muted">{t.filesMore}</p>
      <Load query={useQuery(imports.files(r.import_id, r.content_hash))}>{(x) => <FileList x={x} written />}</Load>
      {left > 0 && <p className="small muted">{t.filesLeft(left)}</p>}
    </section>
  );
}

function Way({ state }: { state: Schemas["ImportedSkillRecord"]["stage_state"] }) {
  const { done, failed } = progress(state);
  return (
    <ol className={css.way} aria-label={text.imports.wayLabel}>
      {way.map((w, i) => {
        const look = i < done ? "done" : failed && i === done ? "bad" : "";
        return (
          <li key={w} className={look && css[look]}>
            <span className={css.dot} aria-hidden>
              {look && <Icon name={look === "done" ? "check" : "cross"} />}
            </span>
            {text.imports.way[w]}
            {look === "bad" && <span className="hidden"> {text.name(state)}</span>}
          </li>
        );
      })}
    </ol>
  );
}

/** A failure in words: known reasons have texts, others are shown by their name. */
export function because(code: string, failure?: Schemas["Failure"]): string {
  const t = text.imports;
  if (failure && !t.reasons[code])
    return [failure.message, failure.hint]
      .filter(Boolean)
      .map((s) => text.sentence(s!))
      .join(" ");
  return t.reasons[code] ?? (/^[a-z_]+$/.test(code) ? t.refused(code) : text.sentence(code.replaceAll("_", " ").toLowerCase()));
}

/** The best next step. */
function Next({ d }: { d: Detail }) {
  const t = text.imports;
  const { act } = useActs();
  const r = d.import_record;
  const may = (a: string) => r.allowed_actions.includes(a);
  const params = { header: seen(r.revision) };
  const stage = () =>
    void act(
      t.stage,
      () => body(api.POST("/api/skills/import/stage", { params, body: { import_id: r.import_id, schema_version: 1, ...once() } })),
      t.staged,
    );
  const kind = retryKind(r.stage_state);
  const retry = () =>
    void act(
      t.retry,
      (headers) =>
        body(
          api.POST("/api/skills/import/retry", {
            params,
            headers,
            body: { import_id: r.import_id, retry_kind: kind!, schema_version: 1, ...once() },
          }),
        ),
      t.retried,
    );
  const discard = () =>
    void act(
      t.discard,
      () => body(api.POST("/api/skills/import/discard", { params, body: { import_id: r.import_id, schema_version: 1, ...once() } })),
      t.discarded,
    );
  // The scan's findings are shown below, with their own verdict.
  const warnings = (d.warnings ?? []).map(warning).filter((w) => w.code !== "findings_block_install" || !d.scan_report);
  const again =
    !may("retry") &&
    (r.stage_state === "scan_failed" || r.stage_state === "stage_failed" || r.stage_state === "expired" || r.stage_state === "discarded");
  return (
    <section className={`${panelCss.panel} ${panelCss.ask} stack tight`} aria-label={text.review.next}>
      <div className="row apart">
        <div>
          <p>
            <strong>{text.review.next}.</strong> {t.next[r.stage_state]}
          </p>
          {r.last_error_code && (r.stage_state.endsWith("failed") || d.failure) && (
            <p className="break" role="alert">
              <Phrase>{because(r.last_error_code, d.failure)}</Phrase>
            </p>
          )}
          {d.reason && (
            <p className="muted">
              {t.because}: <bdi>{d.reason}</bdi>
            </p>
          )}
        </div>
        <div className="row">
          {may("stage") && (
            <Button look="primary" onClick={stage}>
              {t.stage}
            </Button>
          )}
          {may("retry") && (
            <Button look="primary" onClick={retry}>
              {t.retry}
            </Button>
          )}
          {again && (
            <Link className={button("primary")} to="/import">
              {t.restart}
            </Link>
          )}
          {r.ability_id && (
            <Link className={button("primary")} to="/skills/$id" params={{ id: r.ability_id }}>
              {t.open}
            </Link>
          )}
          {may("discard") && (
            <Button look="danger" onClick={discard} title={t.discardMore}>
              {t.discard}
            </Button>
          )}
        </div>
      </div>
      {warnings.length > 0 && (
        <ul className="stack tight">
          {warnings.map((w) => (
            <li key={w.code} className="row">
              <Chip
                tone={w.code === "findings_block_install" ? "bad" : "warn"}
                icon={w.code === "findings_block_install" ? "cross" : "warn"}
              >
                {text.name(w.code)}
              </Chip>
              {w.words && <span className="muted break">{text.sentence(w.words)}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
