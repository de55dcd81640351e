// Small parts that every view uses.
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { ApiError } from "../api/client";
import { text } from "../text/en";
import { Button } from "./Button";
import { Icon } from "./Icon";
import { Phrase } from "./Phrase";
import phraseCss from "./Phrase.module.css";
import css from "./parts.module.css";

type Tone = "" | "ok" | "warn" | "bad" | "rec" | "accent";

export const Chip = ({ tone = "", icon, children }: { tone?: Tone; icon?: string; children: ReactNode }) => (
  <span className={tone ? `${css.chip} ${css[tone]}` : css.chip}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
);

export const Masked = ({ kind, length }: { kind?: string; length?: number }) => (
  <span className={phraseCss.masked} title={text.masked.titled(length)}>
    {text.masked.said(kind)}
  </span>
);

let loaded = false; // whether a view was shown before: only then is a new one the answer to a deed

export function Page({
  title,
  lead,
  side,
  wide,
  children,
}: {
  title: string;
  lead?: ReactNode;
  side?: ReactNode;
  wide?: boolean;
  children?: ReactNode;
}) {
  const h = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} - Showhow`;
  }, [title]);
  // After following a link by keyboard the person continues in the view that it opened, and a screen reader announces
  // it.
  useLayoutEffect(() => {
    const at = document.activeElement;
    if (loaded && (!at || at === document.body || at.closest("[data-nav]"))) h.current?.focus({ preventScroll: true });
    loaded = true;
  }, []);
  return (
    <div className={wide ? "page wide" : "page"}>
      <header>
        <div>
          <h1 ref={h} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {side && <div className="row">{side}</div>}
      </header>
      {children}
    </div>
  );
}

export function Wrong({ error, retry }: { error: unknown; retry?: () => void }) {
  const e = error instanceof ApiError ? error : new ApiError("UNEXPECTED", text.errors.unexpected);
  return (
    <div className={css.wrong} role="alert">
      <p>
        <strong>{text.sentence(e.message)}</strong> {e.hint && <Phrase>{text.sentence(e.hint)}</Phrase>}
      </p>
      {retry && (
        <Button look="plain" onClick={retry}>
          {text.again}
        </Button>
      )}
    </div>
  );
}

export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={css.empty}>
    <h2>{title}</h2>
    {children}
  </div>
);

/** A query's three states: pending, failed, loaded. Loaded data stays during a refetch. */
export function Load<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Wrong error={query.error} retry={() => void query.refetch()} />;
  return <div className={css.wait} role="status" aria-label={text.loading} />;
}

export function Time({ at, as = "both" }: { at: string; as?: "time" | "both" | "day" }) {
  const d = new Date(at);
  return (
    <time dateTime={at} className="num nowrap muted" title={d.toLocaleString("en-GB")}>
      {text.time(d, as)}
    </time>
  );
}
