// SKILL.md as elements. The text is never turned into HTML: it is parsed into tokens, and each kind of token has its
// own element. Tokens without one (raw HTML, images) are shown as plain text, and links are inactive: a draft is
// material to judge.
import { marked, type Token, type Tokens } from "marked";
import type { ReactNode } from "react";
import documentCss from "../../ui/document.module.css";
import factsCss from "../../ui/facts.module.css";

export interface Front {
  name: string;
  value: string;
}

/** Splits the frontmatter off: top-level keys with what they say. */
export function split(text: string): { front: Front[]; rest: string } {
  const m = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(text);
  if (!m) return { front: [], rest: text };
  const front: Front[] = [];
  for (const line of (m[1] ?? "").split("\n")) {
    const kv = /^([\w-]+):\s*(.*)$/.exec(line);
    const last = front.at(-1);
    if (kv) front.push({ name: kv[1] ?? "", value: unquote(kv[2] ?? "") });
    else if (last && line.trim()) last.value += `${last.value ? "\n" : ""}${unquote(line.trim())}`;
  }
  return { front, rest: text.slice(m[0].length) };
}

const unquote = (s: string) =>
  s
    .replace(/: "(.*)"$/, ": $1")
    .replace(/^"(.*)"$/, "$1")
    .replaceAll('\\"', '"');

export function Markdown({ source }: { source: string }) {
  const { front, rest } = split(source);
  const shown = front.filter((f) => f.name !== "metadata");
  return (
    <>
      {shown.length > 0 && (
        <dl className={documentCss.front}>{shown.map((f) => [<dt key={f.name}>{f.name}</dt>, <dd key={`${f.name}-v`}>{f.value}</dd>])}</dl>
      )}
      {blocks(marked.lexer(rest, { gfm: true }))}
    </>
  );
}

const blocks = (tokens: Token[] | undefined): ReactNode[] => (tokens ?? []).map((t, i) => <Block key={i} t={t} />);

// A document inside a page: its headings begin one level below the page's own.
const headings = ["h2", "h3", "h4", "h5", "h6", "h6"] as const;

function Block({ t }: { t: Token }): ReactNode {
  switch (t.type) {
    case "heading": {
      const H = headings[(t as Tokens.Heading).depth - 1] ?? "h6";
      return <H>{inline(t.tokens)}</H>;
    }
    case "paragraph":
      return <p>{inline(t.tokens)}</p>;
    case "text":
      return <>{t.tokens ? inline(t.tokens) : t.text}</>;
    case "list": {
      const l = t as Tokens.List;
      const items = l.items.map((i, n) => <li key={n}>{blocks(i.tokens)}</li>);
      return l.ordered ? <ol start={l.start || 1}>{items}</ol> : <ul>{items}</ul>;
    }
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{t.text}</code>
        </pre>
      );
    case "blockquote":
      return <blockquote>{blocks(t.tokens)}</blockquote>;
    case "table": {
      const table = t as Tokens.Table;
      return (
        <div className={factsCss.scroll}>
          <table className={factsCss.grid}>
            <thead>
              <tr>
                {table.header.map((c, n) => (
                  <th key={n}>{inline(c.tokens)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((r, m) => (
                <tr key={m}>
                  {r.map((c, n) => (
                    <td key={n}>{inline(c.tokens)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    }
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    default:
      return <p>{t.raw}</p>;
  }
}

const inline = (tokens: Token[] | undefined): ReactNode[] => (tokens ?? []).map((t, i) => <Inline key={i} t={t} />);

function Inline({ t }: { t: Token }): ReactNode {
  switch (t.type) {
    case "strong":
      return <strong>{inline(t.tokens)}</strong>;
    case "em":
      return <em>{inline(t.tokens)}</em>;
    case "del":
      return <del>{inline(t.tokens)}</del>;
    case "codespan":
      return <code>{t.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <u title={(t as Tokens.Link).href}>{inline(t.tokens)}</u>;
    case "escape":
      return <>{t.text}</>;
    case "text":
      return <>{t.tokens ? inline(t.tokens) : t.text}</>;
    default:
      return <>{t.raw}</>;
  }
}
