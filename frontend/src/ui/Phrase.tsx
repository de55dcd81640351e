// The daemon's texts with their embedded sealed values, inputs and commands, each shown in its own form.
import type { ReactNode } from "react";
import { text } from "../text/en";
import css from "./Phrase.module.css";

const parts = /\[\[([\w-]+) (\d+) [\w-]+\]\]|‹([\w -]+)›|`([^`]+)`|\{(\w+)\}/g;

/** [[id 6 v_x]] and ‹id› are sealed, `wc -l` is a command, {order} is an input. */
export function Phrase({ children }: { children: string }) {
  const out: ReactNode[] = [];
  let at = 0;
  for (const m of children.matchAll(parts)) {
    out.push(children.slice(at, m.index));
    const [whole, kind, length, short, code, input] = m;
    const key = m.index;
    if (kind ?? short)
      out.push(
        <span key={key} className={css.masked} title={text.masked.titled(Number(length) || undefined)}>
          {text.masked.said(kind ?? short)}
        </span>,
      );
    else if (code)
      out.push(
        <code key={key}>
          <Phrase>{code}</Phrase>
        </code>,
      );
    else
      out.push(
        <span key={key} className={css.slot}>
          {input?.replaceAll("_", " ")}
        </span>,
      );
    at = m.index + whole.length;
  }
  out.push(children.slice(at));
  return <>{out}</>;
}
