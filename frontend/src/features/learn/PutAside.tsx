import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Box } from "../../ui/Box";
import { Button, button } from "../../ui/Button";
import { titleOf } from "./Discard";

type Session = Schemas["LearnSession"];
type Proposal = Schemas["SkillBundleProposal"];

/** Makes room for another task without a decision, after saying how long the draft and the typed values are kept. */
export function PutAside({ s, look = "", done }: { s: Session; look?: string; done?: () => void }) {
  const [ask, setAsk] = useState(false);
  const { act } = useActs();
  const client = useQueryClient();
  const t = text.aside;
  if (!s.allowed_actions.includes("put_aside")) return null;
  const put = async () => {
    const r = await act(
      t.put,
      () =>
        body(
          api.POST("/api/learn/sessions/{sessionId}/put-aside", {
            params: { path: { sessionId: s.learn_session_id }, header: seen(s.revision) },
            body: once(),
          }),
        ),
      t.done,
    );
    setAsk(false);
    if (!r) return;
    for (const queryKey of [["sessions"], ["proposals"]]) void client.invalidateQueries({ queryKey });
    done?.();
  };
  return (
    <>
      <Button look={look} onClick={() => setAsk(true)}>
        {t.put}
      </Button>
      {ask && (
        <Box title={t.title} onClose={() => setAsk(false)}>
          <form
            onSubmit={(e) => {
              e.preventDefault();
              void put();
            }}
          >
            <p>
              <strong>{titleOf(s)}.</strong> {t.more}
            </p>
            <div className="row">
              <button type="submit" className={button("primary")}>
                {t.put}
              </button>
              <Button look="plain" onClick={() => setAsk(false)}>
                {text.cancel}
              </Button>
            </div>
          </form>
        </Box>
      )}
    </>
  );
}

/** Continues a draft that was put aside. */
export function TakeUp({ p, look = "primary" }: { p: Proposal; look?: string }) {
  const { act } = useActs();
  const client = useQueryClient();
  const t = text.aside;
  if (!p.allowed_actions.includes("take_up")) return null;
  const take = async () => {
    const r = await act(
      t.take,
      () =>
        body(
          api.POST("/api/learn/proposals/{proposalId}/take-up", {
            params: { path: { proposalId: p.proposal_id }, header: seen(p.revision) },
            body: once(),
          }),
        ),
      t.taken,
    );
    if (r) for (const queryKey of [["sessions"], ["proposals"]]) void client.invalidateQueries({ queryKey });
  };
  return (
    <Button look={look} onClick={() => void take()}>
      {t.take}
    </Button>
  );
}
