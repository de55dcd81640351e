import type { ReactNode } from "react";
import panelCss from "../../ui/panel.module.css";

export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={panelCss.panel} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);
