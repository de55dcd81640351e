import { useId, useState, type ReactNode } from "react";
import css from "./more.module.css";

// More shows the rest of a form on demand. It is a button, not <summary>, which WebKitGTK does not expose to screen
// readers.
export function More({ title, is, small, children }: { title: string; is: string; small?: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const H = small ? "h3" : "h2";
  return (
    <section className={small ? `${css.more} ${css.within}` : css.more}>
      <H>
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {title}
        </button>
      </H>{" "}
      <span className="muted">{is}</span>
      <div id={id} hidden={!open} className="stack loose">
        {children}
      </div>
    </section>
  );
}
