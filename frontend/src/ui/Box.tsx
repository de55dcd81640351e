// A modal dialog, and one that asks.
import { type ReactNode, useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { text } from "../text/en";
import css from "./Box.module.css";
import { Button } from "./Button";

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
      // Browsers differ: WebKit focuses the dialog itself, Chromium a scrollable text. Focus what prevents a loss
      // first, else the first control.
      (d.querySelector<HTMLElement>("[data-first]") ?? d.querySelector<HTMLElement>("input, textarea, select, button, a[href]"))?.focus();
    }
    // A dialog that leaves the page does not restore the focus: it goes back to where it was, or to the beginning of
    // the view.
    return () => {
      const now = document.activeElement;
      if (now && now !== document.body && !d?.contains(now)) return;
      const back = from?.isConnected && !d?.contains(from) && from !== document.body ? from : document.querySelector("h1");
      back?.focus();
    };
  }, []);
  return createPortal(
    <dialog ref={ref} className={wide ? `${css.box} ${css.wide}` : css.box} aria-labelledby={id} onClose={onClose} onCancel={onClose}>
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

/** A dialog with two ways out: to do it, or not now. */
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
