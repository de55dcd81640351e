import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Chip, Load } from "../../ui/parts";
import { gradeTone } from "../import/states";
import { Markdown } from "../review/Markdown";
import documentCss from "../../ui/document.module.css";
import panelCss from "../../ui/panel.module.css";
import sourceCss from "../../ui/source.module.css";

type Reading = Schemas["SkillReading"];
type Finding = Reading["report"]["findings"][number];

const decoded = (content: string) => Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
const mostLines = 2000;

/** The text of a file; undefined for what is none. */
export function textOf(content: string): string | undefined {
  try {
    const s = new TextDecoder("utf-8", { fatal: true }).decode(decoded(content));
    return s.includes("\0") ? undefined : s;
  } catch {
    return undefined;
  }
}

/** The results of a skill's own checks for its checkpoints, by id. */
export function goalsOf(files: Reading["files"] = []): Record<string, string> {
  try {
    const s = textOf(files.find((f) => f.path === "tests/checks.json")?.content ?? "");
    const checks = JSON.parse(s ?? "") as { checkpoints?: { checkpoint_id?: unknown; goal?: unknown }[] };
    return Object.fromEntries(
      (checks.checkpoints ?? []).flatMap((c) =>
        typeof c.checkpoint_id === "string" && typeof c.goal === "string" && c.goal ? [[c.checkpoint_id, c.goal]] : [],
      ),
    );
  } catch {
    return {}; // a skill from elsewhere may have none, or others
  }
}

/**
 * The files of a skill as they stand now. Those of one that nobody approved are shown as written, with what the scan found at each
 * line.
 */
export function Files({ a }: { a: Schemas["AbilityAvailabilityEntry"] }) {
  const t = text.skills;
  const approved = a.trust === "approved";
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.files}>
      <h2>{t.files}</h2>
      {!approved && <p className="muted">{t.filesNot}</p>}
      <Load query={useQuery(q.skillFiles(a.ability_id, a.content_hash))}>{(x) => <FileList x={x} written={!approved} />}</Load>
    </section>
  );
}

/** Every file, to be opened. As written, with what was found at each line, when it is read for a decision. */
export function FileList({ x, written }: { x: Reading; written: boolean }) {
  return (
    <>
      {x.files?.map((f) => {
        const found = written ? (x.report.findings ?? []).filter((y) => y.file === f.path) : [];
        return (
          <details key={f.path} open={written && f.path === "SKILL.md"}>
            <summary>
              <bdi className="mono break">{f.path}</bdi>{" "}
              <span className="small muted">
                {f.executable && `${text.imports.runs}, `}
                {text.bytes(decoded(f.content).length)}
              </span>{" "}
              {found.length > 0 && (
                <Chip tone={gradeTone(found[0]!.severity)} icon="warn">
                  {text.skills.findings(found.length)}
                </Chip>
              )}
            </summary>
            <OneFile path={f.path} content={f.content} found={found} written={written} />
          </details>
        );
      })}
    </>
  );
}

function OneFile({ path, content, found, written }: { path: string; content: string; found: Finding[]; written: boolean }) {
  const s = textOf(content);
  if (s === undefined) return <p className="muted">{text.skills.binary}</p>;
  if (written) return <Written source={s} found={found} />;
  return (
    <div className={`${documentCss.doc} ${documentCss.bare}`} tabIndex={0} role="group" aria-label={path}>
      {path.endsWith(".md") ? <Markdown source={s} /> : <pre className={documentCss.raw}>{s}</pre>}
    </div>
  );
}

/** A file line by line, with the findings at each line; findings about the whole file come first. */
export function Written({ source, found }: { source: string; found: Finding[] }) {
  const lines = source.split("\n");
  const at = (n: number) => found.filter((f) => f.line === n).map((f) => <Found key={f.rule_id} f={f} />);
  return (
    <div className="stack tight">
      {at(0)}
      <ol className={sourceCss.source}>
        {lines.slice(0, mostLines).map((line, i) => (
          <li key={i} className={found.some((f) => f.line === i + 1) ? sourceCss.found : undefined}>
            <span className={sourceCss.no} aria-hidden>
              {i + 1}
            </span>
            <code>
              <bdi>{line || " "}</bdi>
            </code>
            {at(i + 1)}
          </li>
        ))}
      </ol>
      {lines.length > mostLines && <p className="small muted">{text.skills.cut}</p>}
    </div>
  );
}

const Found = ({ f }: { f: Finding }) => (
  <p className={sourceCss.finding}>
    <Chip tone={gradeTone(f.severity)}>{text.name(f.severity)}</Chip> <strong>{f.title}</strong> {f.meaning}{" "}
    <span className="muted">{f.why}</span>
  </p>
);
