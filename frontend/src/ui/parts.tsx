// Small parts that every view is made of.
import type { UseQueryResult } from "@tanstack/react-query";
import { type ButtonHTMLAttributes, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";
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
  <span className="masked" title={text.masked.titled(length)}>
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
  // Who follows a link by keyboard goes on in the view that it opened, and a screen reader says which that is.
  useLayoutEffect(() => {
    const at = document.activeElement;
    if (loaded && (!at || at === document.body || at.closest(".nav"))) h.current?.focus({ preventScroll: true });
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

/**
 * A modal box; the platform keeps the focus inside and Escape closes it. It hangs on the page itself: what it was asked from does not
 * colour it.
 */
export function Box({ title, onClose, wide, children }: { title: string; onClose: () => void; wide?: boolean; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const d = ref.current;
    const from = document.activeElement as HTMLElement | null;
    if (d && !d.open) {
      d.showModal?.();
      // Not left to the platform: WebKit stays on the box itself, Chromium on a text that scrolls. What keeps something from
      // being lost comes first, else the first control.
      (d.querySelector<HTMLElement>("[data-first]") ?? d.querySelector<HTMLElement>("input, textarea, select, button, a[href]"))?.focus();
    }
    // A box that leaves the page gives the focus back to nobody: it goes where it was, or to where the view begins.
    return () => {
      const now = document.activeElement;
      if (now && now !== document.body && !d?.contains(now)) return;
      const back = from?.isConnected && !d?.contains(from) && from !== document.body ? from : document.querySelector("h1");
      back?.focus();
    };
  }, []);
  return createPortal(
    <dialog ref={ref} className={wide ? "box wide" : "box"} aria-labelledby={id} onClose={onClose} onCancel={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>,
    document.body,
  );
}

interface AskProps {
  title: string;
  does: string;
  why?: string; // why it cannot be done yet
  look?: "primary" | "danger"; // danger: it cannot be taken back
  onDo: () => void;
  close: () => void;
  wide?: boolean;
  children: ReactNode;
}

/** A box with the two ways out of it: to do it, or not now. */
export const Ask = ({ title, does, why, look = "primary", onDo, close, wide, children }: AskProps) => (
  <Box title={title} onClose={close} wide={wide}>
    <form
      onSubmit={(e) => {
        e.preventDefault();
        if (!why) onDo();
      }}
    >
      {children}
      <div className="row">
        <Button look={look} disabledReason={why} onClick={onDo}>
          {does}
        </Button>
        <Button look="plain" onClick={close}>
          {text.cancel}
        </Button>
      </div>
    </form>
  </Box>
);
