import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button, button } from "../../ui/Button";
import { Chip, Empty, Load, Page, Time } from "../../ui/parts";
import { type Item, q } from "./queries";
import fieldCss from "../../ui/field.module.css";
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
    {i.kind === "agent_question" ? (
      <Answer i={i} />
    ) : (
      <Link className={button()} to={i.action.page.split("#")[0]} hash={i.action.page.split("#")[1]}>
        {i.action.label}
      </Link>
    )}
  </li>
);

/** The form with which a person answers what an agent asks, or refuses. */
function Answer({ i }: { i: Item }) {
  const { act } = useActs();
  const [said, setSaid] = useState("");
  const answer = (refuse: boolean) =>
    void act(
      refuse ? t.refuse : t.send,
      (headers) =>
        body(
          api.POST("/api/questions/{questionId}/answer", {
            params: { path: { questionId: i.ref } },
            headers,
            body: refuse ? { refuse, ...once() } : { text: said.trim(), ...once() },
          }),
        ),
      refuse ? t.refused : t.answered,
    );
  return (
    <form
      className="row"
      onSubmit={(e) => {
        e.preventDefault();
        if (said.trim()) answer(false);
      }}
    >
      <input
        className={`${fieldCss.input} ${fieldCss.short}`}
        aria-label={t.answer}
        placeholder={t.answer}
        maxLength={4000}
        value={said}
        onChange={(e) => setSaid(e.target.value)}
      />
      <Button look="primary" disabledReason={said.trim() ? undefined : t.noAnswer} onClick={() => answer(false)}>
        {t.send}
      </Button>
      <Button onClick={() => answer(true)}>{t.refuse}</Button>
    </form>
  );
}
