import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { stateTone } from "../learn/states";
import { Chip, Empty, Load, Page } from "../../ui/parts";
import { Looks } from "../growth/Looks";
import { pendingState, SessionItem } from "../learn/Lists";
import { LastPractice } from "../runs/PracticePage";
import { isAtWork, q as runs } from "../runs/queries";
import { RunList } from "../runs/RunList";
import { isWatched } from "../shell/WatchBanner";
import { button } from "../../ui/Button";
import panelCss from "../../ui/panel.module.css";

const testing = (s: Schemas["LearnSession"]) => s.state === "testing_proposal" || s.state === "installing_private";

/** Running captures, tests and open questions (decisions E12). */
export function ActivePage() {
  const t = text.active;
  const { data: agents = [] } = useQuery(runs.list());
  const { data: proposals = [] } = useQuery(q.pending());
  return (
    <Page title={t.title} lead={t.lead}>
      <Load query={useQuery(q.active())}>
        {(all) => {
          const groups: [string, Schemas["LearnSession"][]][] = [
            [t.captures, all.filter(isWatched)],
            [t.tests, all.filter(testing)],
            [t.open, all.filter((s) => !isWatched(s) && !testing(s))],
          ];
          const known = new Set(all.map((s) => s.learn_session_id));
          const drafts = proposals.filter((p) => !known.has(p.learn_session_id ?? ""));
          if (!all.length && !agents.length && !drafts.length)
            return (
              <Empty title={t.empty}>
                <p>{t.emptyMore}</p>
                <Link className={button("primary")} to="/learn/new">
                  {t.begin}
                </Link>
                <Looks />
              </Empty>
            );
          return (
            <div className="stack loose">
              <LastPractice />
              <RunList title={text.runs.working} runs={agents.filter(isAtWork)} />
              {groups.map(([title, some]) =>
                some.length ? (
                  <section key={title} className="stack tight">
                    <h2>{title}</h2>
                    <ul className={`${panelCss.panel} ${panelCss.flush} ${panelCss.list}`}>
                      {some.map((s) => (
                        <SessionItem key={s.learn_session_id} s={s} />
                      ))}
                    </ul>
                  </section>
                ) : null,
              )}
              {drafts.length > 0 && (
                <section className="stack tight">
                  <h2>{t.drafts}</h2>
                  <ul className={`${panelCss.panel} ${panelCss.flush} ${panelCss.list}`}>
                    {drafts.map((p) => (
                      <li key={p.proposal_id} className="row apart">
                        <Link className={panelCss.what} to="/review/$id" params={{ id: p.proposal_id }}>
                          <bdi>{p.title}</bdi>
                        </Link>
                        <Chip tone={stateTone(pendingState(p) ?? p.proposal_state)}>{text.name(pendingState(p) ?? p.proposal_state)}</Chip>
                      </li>
                    ))}
                  </ul>
                </section>
              )}
              <Looks />
              <RunList title={text.runs.earlier} runs={agents.filter((r) => !isAtWork(r)).slice(0, 8)} />
            </div>
          );
        }}
      </Load>
    </Page>
  );
}
