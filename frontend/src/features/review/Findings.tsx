import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Chip } from "../../ui/parts";
import { byLine } from "./lint";
import sourceCss from "../../ui/source.module.css";

type Finding = Schemas["SkillFinding"];

export const FindingLine = ({ f }: { f: Finding }) => (
  <span className="break">
    <Chip tone={f.severity === "error" ? "bad" : f.severity === "warn" ? "warn" : ""}>{f.rule}</Chip> {text.sentence(f.message)}{" "}
    {f.fix && <span className="muted">{text.sentence(f.fix)}</span>}
  </span>
);

/** The file with line numbers, with the lint findings at their lines. */
export function Source({ source, findings }: { source: string; findings?: Finding[] }) {
  const at = byLine(source, findings);
  const t = text.reviewing.lines;
  return (
    <div className="stack tight">
      <p className="muted small">{t.findings(findings?.length ?? 0)}</p>
      {at.get(0)?.map((f, i) => (
        <p key={i} className={sourceCss.finding}>
          <FindingLine f={f} /> <span className="muted small">({t.elsewhere})</span>
        </p>
      ))}
      <ol className={sourceCss.source}>
        {source.split("\n").map((line, i) => (
          <li key={i} className={at.has(i + 1) ? sourceCss.found : undefined}>
            <span className={sourceCss.no} aria-hidden>
              {i + 1}
            </span>
            <code>{line || " "}</code>
            {at.get(i + 1)?.map((f, n) => (
              <p key={n} className={sourceCss.finding}>
                <FindingLine f={f} />
              </p>
            ))}
          </li>
        ))}
      </ol>
    </div>
  );
}
