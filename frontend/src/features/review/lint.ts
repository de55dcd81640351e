import type { Schemas } from "../../api/client";

type Finding = Schemas["SkillFinding"];

/** The findings of a draft by the line of SKILL.md that they concern; 0 holds those that concern no single line. */
export function byLine(source: string, findings: Finding[] = []): Map<number, Finding[]> {
  const lines = source.split("\n");
  const out = new Map<number, Finding[]>();
  for (const f of findings) {
    const n = f.subject ? lines.findIndex((l) => l.includes(f.subject!)) + 1 : 0;
    out.set(n, [...(out.get(n) ?? []), f]);
  }
  return out;
}
