import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Empty, Load, Page } from "../../ui/parts";
import { SessionItem } from "../learn/Lists";
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
  return (
    <Page title={t.title} lead={t.lead}>
      <Load query={useQuery(q.active())}>
        {(all) => {
          const groups: [string, Schemas["LearnSession"][]][] = [
            [t.captures, all.filter(isWatched)],
            [t.tests, all.filter(testing)],
            [t.open, all.filter((s) => !isWatched(s) && !testing(s))],
          ];
          if (!all.length && !agents.length)
            return (
              <Empty title={t.empty}>
                <p>{t.emptyMore}</p>
                <Link className={button("primary")} to="/learn/new">
                  {t.begin}
                </Link>
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
              <RunList title={text.runs.earlier} runs={agents.filter((r) => !isAtWork(r)).slice(0, 8)} />
            </div>
          );
        }}
      </Load>
    </Page>
  );
}
