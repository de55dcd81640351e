import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Icon } from "../../ui/Icon";
import { Phrase } from "../../ui/Phrase";
import { KeptRuns } from "../runs/KeptRuns";
import { Recording } from "./Recording";
import { Unfinished, useUnfinished } from "./Unfinished";
import css from "./NewPage.module.css";
import fieldCss from "../../ui/field.module.css";

export const modes = [
  "demonstrating_skill",
  "coaching_agent",
  "autonomous_agent_practice",
  "improving_existing_skill",
  "import_skill",
] as const;
const icons = ["show", "coach", "practice", "improve", "import"];

/** Why a way to teach is not available now, or undefined. */
function useUnbacked(): Record<string, string | undefined> {
  const { data: abilities } = useQuery(q.abilities());
  const t = text.learn.unbacked;
  return {
    improving_existing_skill: abilities?.abilities?.some((a) => a.skill_slug) ? undefined : t.improving_existing_skill,
  };
}

/** Create new ability by: the five ways (DOC3 0B.5). */
export function NewPage() {
  const unbacked = useUnbacked();
  const busy = useUnfinished();
  return (
    <section className="stack">
      <h2>{text.learn.heading}</h2>
      {busy ? <Unfinished s={busy} /> : <p className="muted">{text.learn.nothing}</p>}
      <ul className={css.cards}>
        {modes.map((m, i) => {
          const why = unbacked[m];
          const inside = (
            <>
              <span className={css.pic}>
                <Icon name={icons[i] ?? "learn"} />
              </span>
              <span>
                <b>{text.name(m)}</b>
                <span className="muted">{text.learn.cards[m]}</span>
                {why && (
                  <span className={`${fieldCss.why} ${css.why}`}>
                    <Phrase>{why}</Phrase>
                  </span>
                )}
              </span>
            </>
          );
          return (
            <li key={m}>
              {why ? (
                <div className={`${css.card} ${css.off}`}>{inside}</div>
              ) : (
                <Link className={css.card} to={m === "import_skill" ? "/import" : "/learn/new/$mode"} params={{ mode: m }}>
                  {inside}
                  <span className={css.go}>
                    <Icon name="right" />
                  </span>
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      <KeptRuns />
      <Recording />
    </section>
  );
}
