import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Box } from "../../ui/Box";
import { Button, button } from "../../ui/Button";

type Session = Schemas["LearnSession"];

/** How a session can be discarded now: at once, by deciding on its draft, or not at all during installation. */
export function wayOut(s: Pick<Session, "allowed_actions" | "proposal_id">): "discard" | "decide" | undefined {
  if (s.allowed_actions.includes("cancel")) return "discard";
  return s.allowed_actions.includes("reject") && s.proposal_id ? "decide" : undefined;
}

export const titleOf = (s: Pick<Session, "goal" | "title">) => s.goal || s.title || text.history.untitled;

/** Discards a demonstration or a draft, after saying what is lost; a draft that is ready for review is rejected in its review instead. */
export function Discard({ s, look = "", done }: { s: Session; look?: string; done?: () => void }) {
  const [ask, setAsk] = useState(false);
  const way = wayOut(s);
  if (way === "decide")
    return (
      <Link
        className={button(`danger ${look}`)}
        to="/review/$id"
        params={{ id: s.proposal_id! }}
        search={{ view: "decide" }}
        onClick={done}
      >
        {text.decide.reject}
      </Link>
    );
  if (!way) return null;
  return (
    <>
      <Button look={`danger ${look}`} onClick={() => setAsk(true)}>
        {text.watch.discard}
      </Button>
      {ask && <ReallyDiscard s={s} close={() => setAsk(false)} done={done} />}
    </>
  );
}

export function ReallyDiscard({ s, close, done }: { s: Session; close: () => void; done?: () => void }) {
  const { act } = useActs();
  const client = useQueryClient();
  const t = text.watch;
  const drafted = Boolean(s.proposal_id);
  const give = async () => {
    const r = await act(
      t.discard,
      () =>
        body(
          api.POST("/api/learn/sessions/{sessionId}/cancel", {
            params: { path: { sessionId: s.learn_session_id }, header: seen(s.revision) },
            body: once(),
          }),
        ),
      t.discarded,
    );
    close();
    if (!r) return;
    for (const queryKey of [["sessions"], ["proposals"]]) void client.invalidateQueries({ queryKey });
    done?.();
  };
  return (
    <Box title={drafted ? t.discardDraft : t.discardTitle} onClose={close}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void give();
        }}
      >
        <p>
          <strong>{titleOf(s)}.</strong> {drafted ? t.discardDraftMore : t.discardMore}
        </p>
        <div className="row">
          <button type="submit" className={button("danger solid")}>
            {t.discard}
          </button>
          <Button look="plain" data-first="" onClick={close}>
            {t.keep}
          </Button>
        </div>
      </form>
    </Box>
  );
}
