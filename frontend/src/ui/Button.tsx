// A button, and links that look like one.
import { type ButtonHTMLAttributes, useId } from "react";
import css from "./Button.module.css";

/** The classes of a button of this look: of a link, a label or a menu's trigger that is one to the eye. */
export const button = (look = "") => ["btn", ...look.split(" ").filter(Boolean)].map((l) => css[l]).join(" ");

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled"> {
  "data-first"?: string; // has the focus when its box opens
  look?: string; // primary, danger, plain, tiny
  disabledReason?: string; // a disabled button always says why, and stays reachable by keyboard
  busy?: boolean;
}

export function Button({ look = "", disabledReason, busy, onClick, className, children, ...rest }: ButtonProps) {
  const off = Boolean(disabledReason) || busy;
  const id = useId();
  return (
    <>
      <button
        type="button"
        {...rest}
        className={className ? `${button(look)} ${className}` : button(look)}
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
