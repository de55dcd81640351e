import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { text } from "../../text/en";
import { button } from "../../ui/Button";
import { Chip, Empty, Load, Page, Time } from "../../ui/parts";
import { type Item, q } from "./queries";
import panelCss from "../../ui/panel.module.css";

const t = text.inbox;

/** Everything that waits for the person, each with its action. */
export function InboxPage() {
  return (
    <Page title={t.title} lead={t.lead}>
      <Load query={useQuery(q.all())}>
        {(items) =>
          items.length ? (
            <ul className={`${panelCss.panel} ${panelCss.flush} ${panelCss.list}`}>
              {items.map((i) => (
                <Waiting key={i.item_id} i={i} />
              ))}
            </ul>
          ) : (
            <Empty title={t.empty}>
              <p>{t.emptyMore}</p>
            </Empty>
          )
        }
      </Load>
    </Page>
  );
}

const Waiting = ({ i }: { i: Item }) => (
  <li className="row apart">
    <div className="stack tight">
      <p className={panelCss.what}>
        <bdi>{i.title}</bdi>
      </p>
      {i.detail && <p className="small muted">{i.detail}</p>}
      <p className="row small muted">
        <Chip tone={i.kind === "quarantined" || i.kind === "degraded" ? "bad" : ""}>{t.kinds[i.kind]}</Chip>
        {i.since && <Time at={i.since} />}
      </p>
    </div>
    <Link className={button()} to={i.action.page}>
      {i.action.label}
    </Link>
  </li>
);
