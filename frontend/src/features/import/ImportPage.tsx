import * as Tabs from "@radix-ui/react-tabs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Field } from "../../ui/forms";
import { Button } from "../../ui/Button";
import { Chip, Empty, Load, Page, Time, Wrong } from "../../ui/parts";
import { stateIcon, stateTone } from "../learn/states";
import { Drop } from "./Drop";
import { Folders } from "./Folders";
import { From, type FromProps } from "./From";
import { FromConnector } from "./FromConnector";
import { FromRegistry } from "./FromRegistry";
import { Sortable } from "../skills/Sortable";
import { imports } from "./queries";
import { isOver } from "./states";
import { bring, choices, type Kind, ofFile, ofRequest, pathKind, scan, type Source } from "./upload";
import css from "./ImportPage.module.css";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type Job = { name: string; phase: "uploading" | "scanning"; part?: number };

const kinds: Kind[] = ["file", "text", "folder", "git", "registry", "connector"];

export function ImportPage() {
  const t = text.imports;
  const client = useQueryClient();
  const go = useNavigate();
  const { say } = useActs();
  const [job, setJob] = useState<Job>();
  const [error, setError] = useState<unknown>();
  const [several, setSeveral] = useState<{ source: Source; folders: string[] }>();

  const take = async (source: Source, folders: (string | undefined)[]) => {
    setError(undefined);
    let last = "";
    try {
      for (const within of folders)
        last = await bring(source, within, (phase, part) => setJob({ name: within ?? source.name, phase, part }));
    } catch (e) {
      const found = choices(e);
      if (found && folders.length === 1) setSeveral({ source, folders: found });
      else {
        if (folders.length === 1 && !folders[0]) setSeveral(undefined); // something else was brought
        setError(e);
      }
      return;
    } finally {
      setJob(undefined);
      void client.invalidateQueries({ queryKey: ["imports"] });
    }
    setSeveral(undefined);
    if (folders.length === 1) void go({ to: "/import/$id", params: { id: last } });
    else say(t.severalDone(folders.length));
  };
  const begin = (s: Source) => void take(s, [undefined]);

  return (
    <Page title={t.title} lead={t.lead} side={<Link to="/learn/new">{text.setup.back}</Link>}>
      <div className="stack loose">
        <section className={`${panelCss.panel} stack`} aria-label={t.bring}>
          <Tabs.Root defaultValue="file">
            <Tabs.List className="tabs" aria-label={t.bring}>
              {kinds.map((k) => (
                <Tabs.Trigger key={k} value={k}>
                  {t.from[k]}
                </Tabs.Trigger>
              ))}
            </Tabs.List>
            <Tabs.Content value="file" tabIndex={-1}>
              <Drop busy={Boolean(job)} take={(f) => begin(ofFile(f))} />
            </Tabs.Content>
            <Tabs.Content value="text" tabIndex={-1}>
              <FromText busy={Boolean(job)} begin={begin} />
            </Tabs.Content>
            <Tabs.Content value="folder" tabIndex={-1}>
              <FromPath busy={Boolean(job)} begin={begin} />
            </Tabs.Content>
            <Tabs.Content value="git" tabIndex={-1}>
              <FromGit busy={Boolean(job)} begin={begin} />
            </Tabs.Content>
            <Tabs.Content value="registry" tabIndex={-1}>
              <FromRegistry busy={Boolean(job)} begin={begin} />
            </Tabs.Content>
            <Tabs.Content value="connector" tabIndex={-1}>
              <FromConnector busy={Boolean(job)} begin={begin} />
            </Tabs.Content>
          </Tabs.Root>
          <div role="status">{job && <Progress job={job} />}</div>
          {error !== undefined && <Wrong error={error} />}
          {several && <Folders key={several.source.name} folders={several.folders} take={(some) => void take(several.source, some)} />}
          <p className="small muted">{t.promise}</p>
        </section>
        <Uploads />
        <Imports />
      </div>
    </Page>
  );
}

function Progress({ job }: { job: Job }) {
  const t = text.imports;
  const percent = Math.round((job.part ?? 0) * 100);
  return (
    <div className="stack tight">
      <p>
        {t.phases[job.phase]} <bdi className="break">{job.name}</bdi>
        {job.phase === "uploading" && <span className="num muted"> {percent}%</span>}
      </p>
      {job.phase === "uploading" ? (
        <progress className={css.bar} max={100} value={percent} aria-label={t.phases.uploading} />
      ) : (
        <progress className={css.bar} aria-label={t.phases.scanning} />
      )}
    </div>
  );
}

function FromText({ busy, begin }: FromProps) {
  const t = text.imports;
  const [md, setMd] = useState("");
  return (
    <From busy={busy} why={md.trim() ? undefined : t.noText} send={() => begin(ofRequest(t.pasted, { kind: "text", text: md }))}>
      <Field label={t.textLabel} hint={t.textHint}>
        {(id, d) => (
          <textarea
            id={id}
            aria-describedby={d}
            className={`${fieldCss.input} mono`}
            rows={8}
            spellCheck={false}
            maxLength={1_000_000}
            value={md}
            onChange={(e) => setMd(e.target.value)}
          />
        )}
      </Field>
    </From>
  );
}

function FromPath({ busy, begin }: FromProps) {
  const t = text.imports;
  const [path, setPath] = useState("");
  const said = path.trim();
  const why = !said ? t.noPath : /^(\/|[A-Za-z]:[\\/])/.test(said) ? undefined : t.pathRelative;
  return (
    <From busy={busy} why={why} send={() => begin(ofRequest(said, { kind: pathKind(said), path: said }))}>
      <Field label={t.pathLabel} hint={t.pathHint}>
        {(id, d) => (
          <input
            id={id}
            aria-describedby={d}
            className={`${fieldCss.input} mono`}
            spellCheck={false}
            placeholder="/home/me/skills/change-an-order"
            value={path}
            onChange={(e) => setPath(e.target.value)}
          />
        )}
      </Field>
    </From>
  );
}

function FromGit({ busy, begin }: FromProps) {
  const t = text.imports;
  const [url, setUrl] = useState("");
  const [ref, setRef] = useState("");
  const said = url.trim();
  return (
    <From
      busy={busy}
      why={said ? undefined : t.noUrl}
      send={() => begin(ofRequest(said, { kind: "git", url: said, ref: ref.trim() || undefined }))}
    >
      <Field label={t.urlLabel} hint={t.urlHint}>
        {(id, d) => (
          <input
            id={id}
            aria-describedby={d}
            className={`${fieldCss.input} mono`}
            spellCheck={false}
            placeholder="https://example.org/skills.git"
            value={url}
            onChange={(e) => setUrl(e.target.value)}
          />
        )}
      </Field>
      <Field label={t.refLabel}>
        {(id) => (
          <input
            id={id}
            className={`${fieldCss.input} mono ${fieldCss.short}`}
            spellCheck={false}
            value={ref}
            onChange={(e) => setRef(e.target.value)}
          />
        )}
      </Field>
    </From>
  );
}

/** Uploads that were not scanned yet: the page was closed in between. */
function Uploads() {
  const t = text.imports;
  const { act } = useActs();
  const go = useNavigate();
  const client = useQueryClient();
  const { data: all } = useQuery(imports.uploads());
  const { data: known } = useQuery(imports.every(false));
  const refs = new Set(known?.map((i) => i.source_ref));
  const waiting = known && all?.filter((u) => !refs.has(u.temp_artifact_ref));
  if (!waiting?.length) return null;
  const remove = (ref: string) =>
    void act(
      t.deleteUpload,
      () => body(api.DELETE("/api/skills/import/uploads/{tempArtifactRef}", { params: { path: { tempArtifactRef: ref } } })),
      t.uploadDeleted,
    ).then(() => client.invalidateQueries({ queryKey: ["imports"] }));
  const look = async (ref: string) => {
    const id = await act(t.scan, () => scan(ref, () => {}));
    void client.invalidateQueries({ queryKey: ["imports"] });
    if (id) void go({ to: "/import/$id", params: { id } });
  };
  return (
    <section className="stack tight" aria-label={t.uploads}>
      <h2>{t.uploads}</h2>
      <ul className={`${panelCss.panel} ${panelCss.flush} ${panelCss.list}`}>
        {waiting.map((u) => (
          <li key={u.temp_artifact_ref} className="row apart">
            <div>
              <bdi className={panelCss.what}>{u.original_filename || t.unnamed}</bdi>
              <p className="muted small">
                {text.bytes(u.byte_size)}, {t.goes} <Time at={u.expires_at} />
              </p>
            </div>
            <div className="row">
              {u.warnings?.includes("upload_expiring_soon") && (
                <Chip tone="warn" icon="warn">
                  {text.name("upload_expiring_soon")}
                </Chip>
              )}
              <Button look="tiny" onClick={() => void look(u.temp_artifact_ref)}>
                {t.scan}
              </Button>
              <Button look="danger tiny" onClick={() => remove(u.temp_artifact_ref)}>
                {t.deleteUpload}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Imports() {
  const t = text.imports;
  const [page, setPage] = useState(1);
  return (
    <section className="stack tight" aria-label={t.all}>
      <h2>{t.all}</h2>
      <Load query={useQuery(imports.list(page))}>
        {(l) => {
          const pages = Math.max(1, Math.ceil(l.total / l.page_size));
          if (!l.items?.length)
            return (
              <Empty title={t.none}>
                <p>{t.noneMore}</p>
              </Empty>
            );
          const open = l.items.filter((i) => !isOver(i));
          return (
            <>
              <ul className={`${panelCss.panel} ${panelCss.flush} ${panelCss.list}`}>
                {[...open, ...l.items.filter(isOver)].map((i) => (
                  <ImportItem key={i.import_id} i={i} />
                ))}
              </ul>
              {pages > 1 && (
                <div className="row">
                  {page > 1 && <Button onClick={() => setPage(page - 1)}>{text.history.newer}</Button>}
                  {page < pages && <Button onClick={() => setPage(page + 1)}>{text.history.older}</Button>}
                  <span className="muted">{text.history.page(page, pages)}</span>
                </div>
              )}
            </>
          );
        }}
      </Load>
    </section>
  );
}

export function ImportItem({ i }: { i: Schemas["ImportedSkillRecord"] }) {
  const go = useNavigate();
  const to = { to: "/import/$id", params: { id: i.import_id } } as const;
  const title = i.skill_name || i.original_filename || text.imports.unnamed;
  const what = (
    <div>
      <Link className={panelCss.what} {...to}>
        <bdi>{title}</bdi>
      </Link>
      <p className="muted small break">
        {text.imports.came(i.provenance.kind)}
        {i.provenance.reference && `, ${i.provenance.reference}`}
        {i.provenance.version && `, ${text.imports.versionOf(i.provenance.version)}`}
        {i.verdict && `, ${text.imports.verdicts[i.verdict]?.[0].toLowerCase()}`}
      </p>
    </div>
  );
  const side = (
    <>
      <Time at={i.updated_at} />
      {i.last_error_code === "several_skills" ? (
        <Chip>{text.imports.severalChip}</Chip>
      ) : (
        <Chip tone={stateTone(i.stage_state)} icon={stateIcon(i.stage_state)}>
          {text.name(i.stage_state)}
        </Chip>
      )}
    </>
  );
  if (!isOver(i))
    return (
      <Sortable item={{ kind: "bundle", id: i.import_id, title }} open={() => void go(to)} side={side}>
        {what}
      </Sortable>
    );
  return (
    <li className="row apart">
      {what}
      <div className="row">{side}</div>
    </li>
  );
}
