import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Chip } from "../../ui/parts";
import { bySeverity, gradeTone } from "./states";
import css from "./Findings.module.css";
import panelCss from "../../ui/panel.module.css";

const tones = { clean: "ok", acts: "accent", review: "warn", blocked: "bad" } as const;
const icons = { clean: "check", acts: "check", review: "warn", blocked: "cross" } as const;

/** The rules that describe what a skill uses: a person permits that instead of judging it. */
const permissions = ["runs-commands", "uses-network"];
const onlyActs = (report: Schemas["Report"]) =>
  report.verdict === "review" &&
  (report.findings ?? []).every((f) => permissions.includes(f.rule_id) || f.severity === "low" || f.severity === "info");

/** The scan's findings, most severe first, each with its place, meaning and importance. Foreign text is marked as such. */
export function Findings({ report, compatibility }: { report: Schemas["Report"]; compatibility?: Schemas["SkillCompatibilityReport"] }) {
  const t = text.imports;
  const verdict = onlyActs(report) ? "acts" : report.verdict;
  const [title, more] = t.verdicts[verdict] ?? [verdict, ""];
  const groups = bySeverity(report.findings ?? []);
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.findings}>
      <div className="row apart">
        <h2>{t.findings}</h2>
        <Chip tone={tones[verdict]} icon={icons[verdict]}>
          {title}
        </Chip>
      </div>
      <p>
        {more} <span className="muted">{text.sentence(t.scanned(report.files_scanned, text.bytes(report.bytes)))}</span>
      </p>
      {!groups.length && <p className="muted">{t.noFindings}</p>}
      {groups.map(([grade, some]) => (
        <section key={grade} aria-label={t.ofGrade(text.name(grade), some.length)}>
          <h3 className="row">
            <Chip tone={gradeTone(grade)} icon={gradeTone(grade) ? "warn" : undefined}>
              {t.ofGrade(text.name(grade), some.length)}
            </Chip>
          </h3>
          <ul>
            {some.map((f) => (
              <li key={`${f.rule_id} ${f.file} ${f.line}`} className={css.finding}>
                <div className="row apart">
                  <strong>{f.title}</strong>
                  <bdi className={`${css.place} mono break`}>{t.at(f.file, f.line)}</bdi>
                </div>
                <p>{f.meaning}</p>
                <p className="muted">
                  {t.matters}: {f.why}
                </p>
                {f.excerpt && (
                  <pre>
                    <bdi>{f.excerpt}</bdi>
                  </pre>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {compatibility && <Compatibility c={compatibility} />}
    </section>
  );
}

function Compatibility({ c }: { c: Schemas["SkillCompatibilityReport"] }) {
  const t = text.imports;
  return (
    <section aria-label={t.where} className="stack tight">
      <h3>{t.where}</h3>
      <p>
        {t.grades[c.portability_grade]}. {c.tool_shadowing_check === "collision_detected" && t.shadow}
      </p>
      <ul className="stack tight muted">
        {c.findings?.map((f) => (
          <li key={f.code + f.path_hint} className="break">
            {text.sentence(f.message)} {f.path_hint && <bdi className="mono">{f.path_hint}</bdi>}
          </li>
        ))}
        {c.recommended_fixes?.map((f) => (
          <li key={f} className="break">
            {text.sentence(f)}
          </li>
        ))}
      </ul>
    </section>
  );
}
