// Small parts that every view is made of.
import type { UseQueryResult } from "@tanstack/react-query";
import { type ButtonHTMLAttributes, type ReactNode, useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { ApiError } from "../api/client";
import { text } from "../text/en";
import { Icon } from "./Icon";
import { Phrase } from "./Phrase";

type Tone = "" | "ok" | "warn" | "bad" | "rec" | "accent";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled"> {
  "data-first"?: string; // has the focus when its box opens
  look?: string; // primary, danger, plain, tiny
  disabledReason?: string; // a disabled button always says why, and stays reachable by keyboard
  busy?: boolean;
}

export function Button({ look = "", disabledReason, busy, onClick, children, ...rest }: ButtonProps) {
  const off = Boolean(disabledReason) || busy;
  const id = useId();
  return (
    <>
      <button
        type="button"
        {...rest}
        className={`btn ${look}`}
        aria-disabled={off || undefined}
        aria-describedby={disabledReason ? id : undefined}
        title={disabledReason}
        onClick={(e) => (off ? e.preventDefault() : onClick?.(e))}
      >
        {children}
      </button>
      {disabledReason && (
        <span id={id} className="hidden">
          {disabledReason}
        </span>
      )}
    </>
  );
}

export const Chip = ({ tone = "", icon, children }: { tone?: Tone; icon?: string; children: ReactNode }) => (
  <span className={`chip ${tone}`}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
);

export const Masked = ({ kind, length }: { kind?: string; length?: number }) => (
  <span className="masked" title={text.masked.title}>
    {text.masked.said(kind, length)}
  </span>
);

export function Page({ title, lead, side, wide, children }: { title: string; lead?: ReactNode; side?: ReactNode; wide?: boolean; children: ReactNode }) {
  const h = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} - Showhow`;
  }, [title]);
  return (
    <div className={wide ? "page wide" : "page"}>
      <header>
        <div>
          <h1 ref={h}>{title}</h1>
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
    <div className="wrong" role="alert">
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
  <div className="empty">
    <h2>{title}</h2>
    {children}
  </div>
);

/** A query's three lives: waiting, wrong, there. What was there stays while it is asked for again. */
export function Load<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Wrong error={query.error} retry={() => void query.refetch()} />;
  return <div className="wait" role="status" aria-label={text.loading} />;
}

export function Time({ at, as = "both" }: { at: string; as?: "time" | "both" | "day" }) {
  const d = new Date(at);
  return (
    <time dateTime={at} className="num nowrap muted" title={d.toLocaleString("en-GB")}>
      {text.time(d, as)}
    </time>
  );
}

/** A modal box; the platform keeps the focus inside and Escape closes it. It hangs on the page itself: what it was asked from does not colour it. */
export function Box({ title, onClose, wide, children }: { title: string; onClose: () => void; wide?: boolean; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const d = ref.current;
    if (!d || d.open) return;
    d.showModal?.();
    d.querySelector<HTMLElement>("[data-first]")?.focus(); // where something would be lost, what keeps it comes first
  }, []);
  return createPortal(
    <dialog ref={ref} className={wide ? "box wide" : "box"} aria-labelledby={id} onClose={onClose} onCancel={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>,
    document.body,
  );
}
