import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, body } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Phrase } from "../../ui/Phrase";
import { Button } from "../../ui/Button";
import { Time } from "../../ui/parts";
import { OfRun } from "../connectors/Meanwhile";
import { LearnFrom } from "../learn/LearnFrom";
import panelCss from "../../ui/panel.module.css";

/** Runs of agents that were kept by consent, each of which can be learned from. Nothing is shown when there is none. */
export function KeptRuns() {
  const { act } = useActs();
  const client = useQueryClient();
  const { data } = useQuery(q.runsKept());
  const t = text.runs;
  if (!data?.runs?.length) return null;
  const forget = (id: string) =>
    void act(
      text.session.remove,
      () => body(api.DELETE("/api/observe/runs/{runId}", { params: { path: { runId: id } } })),
      t.forgotten,
    ).then(() => client.invalidateQueries({ queryKey: q.runsKept().queryKey }));
  return (
    <section className="stack tight after">
      <h2>{t.learnTitle}</h2>
      <p className="muted">{t.learnMore}</p>
      <ul className={`${panelCss.panel} ${panelCss.flush} ${panelCss.list}`}>
        {data.runs.map((r) => (
          <li key={r.run_id} className="row apart">
            <div>
              <strong className="break">
                <Phrase>{r.first ?? ""}</Phrase>
              </strong>
              <p className="muted small break">{t.kept(r.observations, r.agent)}</p>
              <OfRun r={r} />
            </div>
            <div className="row">
              <Time at={r.last_at ?? r.started_at} />
              <LearnFrom source={{ source_run_ids: [r.run_id] }} what={r.first ?? r.agent} />
              <Button look="danger tiny" aria-label={`${text.session.remove}: ${r.first ?? r.agent}`} onClick={() => forget(r.run_id)}>
                {text.session.remove}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
