import { text } from "../text/en";
import { Phrase } from "./Phrase";

/** Sentences that the daemon says about what it did, one below the other; nothing when there is none. */
export function Notes({ title, all }: { title: string; all?: string[] | null }) {
  if (!all?.length) return null;
  return (
    <details className="small" open={all.length < 4}>
      <summary>{title}</summary>
      <ul className="stack tight">
        {all.map((n) => (
          <li key={n} className="break">
            <Phrase>{text.sentence(n)}</Phrase>
          </li>
        ))}
      </ul>
    </details>
  );
}
