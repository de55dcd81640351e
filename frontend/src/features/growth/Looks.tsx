import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { text } from "../../text/en";
import { growth } from "../../text/growth";
import { Chip, Time } from "../../ui/parts";
import { q } from "./queries";
import panelCss from "../../ui/panel.module.css";

const t = growth.looks;
const tones = { passed: "ok", failed: "bad", inconclusive: "" } as const;

/** The looks that Showhow makes by itself: the last result and the next time of each. */
export function Looks({ always }: { always?: boolean }) {
  const c = useQuery(q.looks()).data;
  if (!c || (!always && c.canaries.length === 0)) return null;
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.title}>
      <h2>{t.title}</h2>
      <p className="small muted">
        {c.canaries.length ? t.today(c.today.looks, c.settings.looks_per_day) : t.none}{" "}
        {c.waiting && c.canaries.length > 0 && t.waiting[c.waiting]}
      </p>
      <ul className={panelCss.list}>
        {c.canaries.map((x) => (
          <li key={x.ability_id} className="row apart">
            <div>
              <Link className={panelCss.what} to="/skills/$id" params={{ id: x.ability_id }}>
                <bdi>{x.title}</bdi>
              </Link>
              <p className="small muted break">
                {x.last_told && text.sentence(x.last_told)}{" "}
                {x.next_at && (
                  <>
                    {t.next} <Time at={x.next_at} />
                  </>
                )}
              </p>
            </div>
            {x.last_result && <Chip tone={tones[x.last_result]}>{text.health.results[x.last_result]}</Chip>}
          </li>
        ))}
      </ul>
    </section>
  );
}
