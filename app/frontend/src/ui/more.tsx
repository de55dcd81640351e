import { useId, useState, type ReactNode } from "react";

// More shows the rest of a form on demand. A button and not <summary>, which WebKitGTK tells screen readers nothing of.
export function More({ title, is, children }: { title: string; is: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <section className="more">
      <h2>
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {title}
        </button>
      </h2>{" "}
      <span className="muted">{is}</span>
      <div id={id} hidden={!open} className="stack loose">
        {children}
      </div>
    </section>
  );
}
