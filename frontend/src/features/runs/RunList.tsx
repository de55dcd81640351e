import { Link } from "@tanstack/react-router";
import { text } from "../../text/en";
import { Time } from "../../ui/parts";
import type { Run } from "./queries";
import { RunState } from "./RunPage";
import panelCss from "../../ui/panel.module.css";

export function RunList({ title, runs }: { title: string; runs: Run[] }) {
  if (!runs.length) return null;
  return (
    <section className="stack tight">
      <h2>{title}</h2>
      <ul className={`${panelCss.panel} ${panelCss.flush} ${panelCss.list}`}>
        {runs.map((r) => (
          <li key={r.run_id} className="row apart">
            <div>
              <Link className={panelCss.what} to="/runs/$id" params={{ id: r.run_id }}>
                {r.goal || text.runs.untitled}
              </Link>
              <p className="muted small break">
                {r.agent}, {text.name(r.purpose).toLowerCase()}
                {r.reason && `, ${r.reason}`}
              </p>
            </div>
            <div className="row">
              <Time at={r.started_at} />
              <RunState r={r} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
