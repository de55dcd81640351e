// The difference between a text and an earlier version, line by line: additions, deletions, and a gap where nothing
// changed.
import { parsePatch, structuredPatch } from "diff";
import { text } from "../text/en";
import css from "./Difference.module.css";
import panelCss from "./panel.module.css";

/** The lines of the changes; null for omitted unchanged lines. */
export type Lines = (string | null)[];

const parted = (hunks: { lines: string[] }[]): Lines =>
  hunks.flatMap((h, i) => [...(i ? [null] : []), ...h.lines.filter((l) => !l.startsWith("\\"))]);

/** The changes of a text, with some lines around each. */
export const between = (before: string, after: string, context = 2): Lines =>
  parted(structuredPatch("", "", before, after, undefined, undefined, { context }).hunks);

/** The lines of a unified diff. A truncated one is read as far as possible. */
export function unified(difference: string): Lines {
  try {
    return parted(parsePatch(difference).flatMap((p) => p.hunks));
  } catch {
    const lines = difference.split("\n").filter(Boolean); // even an empty line has its mark
    const first = lines.findIndex((l) => l.startsWith("@@"));
    return lines.slice(first + 1).map((l) => (l.startsWith("@@") ? null : l));
  }
}

const marks: Record<string, { look: string; said: string }> = {
  "+": { look: "plus", said: text.difference.added },
  "-": { look: "minus", said: text.difference.removed },
};

export function Difference({ lines, label, framed = false }: { lines: Lines; label: string; framed?: boolean }) {
  return (
    <div className={framed ? `${css.diff} ${panelCss.panel} ${panelCss.flush}` : css.diff} role="group" aria-label={label}>
      {lines.map((l, i) => {
        if (l === null)
          return (
            <div key={i} data-mark="" aria-hidden className="muted">
              ⋯
            </div>
          );
        const mark = l.charAt(0);
        return (
          <div key={i} data-mark={mark} className={marks[mark] && css[marks[mark].look]}>
            {marks[mark] && <span className="hidden">{marks[mark].said} </span>}
            {l.slice(1) || " "}
          </div>
        );
      })}
    </div>
  );
}
