import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import type { Explain } from "../../ui/act";
import { Box } from "../../ui/Box";
import { Button, button } from "../../ui/Button";
import { Discard, titleOf } from "./Discard";
import { PutAside } from "./PutAside";
import panelCss from "../../ui/panel.module.css";

type Session = Schemas["LearnSession"];

/** What keeps something new from being taught: one thing at a time, until it is decided or discarded (DOC3 0C.1B). */
export function useUnfinished(): Session | undefined {
  const { data } = useQuery(q.active());
  return data?.[0];
}

/** To where it stands: its draft once there is one, else its timeline. */
export function GoOn({ s, onClick, look = "" }: { s: Session; onClick?: () => void; look?: string }) {
  const drafted = s.proposal_id && !["armed", "capturing", "paused", "stopped"].includes(s.state);
  return drafted ? (
    <Link className={button(look)} to="/review/$id" params={{ id: s.proposal_id! }} onClick={onClick}>
      {text.unfinished.goOn}
    </Link>
  ) : (
    <Link className={button(look)} to="/sessions/$id" params={{ id: s.learn_session_id }} onClick={onClick}>
      {text.unfinished.goOn}
    </Link>
  );
}

/** Said before anything is filled in: what is not finished, and the two ways on. */
export function Unfinished({ s }: { s: Session }) {
  return (
    <section className={`${panelCss.panel} ${panelCss.note} row apart`} aria-label={text.unfinished.label}>
      <div>
        <p>
          <strong>{text.unfinished.title(titleOf(s))}</strong>
        </p>
        <p className="muted">{text.unfinished.more}</p>
      </div>
      <div className="row">
        <GoOn s={s} look="primary" />
        <PutAside s={s} />
        <Discard s={s} />
      </div>
    </section>
  );
}

/** A start that came second is told what is not finished. */
export const explainUnfinished: Explain = (error, close) => {
  const id = error.code === "LEARN_SESSION_ALREADY_ACTIVE" ? error.details.active_session_id : undefined;
  return typeof id === "string" ? <UnfinishedBox id={id} close={close} /> : undefined;
};

function UnfinishedBox({ id, close }: { id: string; close: () => void }) {
  const { data: s } = useQuery(q.session(id));
  const t = text.unfinished;
  return (
    <Box title={s ? t.title(titleOf(s)) : t.label} onClose={close}>
      <div className="stack below">
        <p>{t.more}</p>
        <div className="row">
          {s && <GoOn s={s} look="primary" onClick={close} />}
          {s && <PutAside s={s} done={close} />}
          {s && <Discard s={s} done={close} />}
          <Button look="plain" onClick={close}>
            {text.close}
          </Button>
        </div>
      </div>
    </Box>
  );
}
