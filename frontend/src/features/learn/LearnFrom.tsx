import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, body, once, type Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";

type Request = Schemas["CreateLearnSessionRequest"];

/** Earlier work to learn from: completed runs of an agent, the traces of a demonstration, or a receipt (DOC3 0B.6). */
export type Source = Pick<Request, "source_run_ids"> | Pick<Request, "source_trace_ids"> | Pick<Request, "source_receipt_id">;

/**
 * Learn From This: a session of what was kept. While a draft takes examples it is Use as Example instead, a further demonstration of
 * the same task. What it was kept of stays as it is.
 */
export function LearnFrom({ source, what }: { source: Source; what: string }) {
  const { act } = useActs();
  const go = useNavigate();
  const draft = useQuery(q.active()).data?.find((s) => s.allowed_actions.includes("add_example"));
  const t = text.runs;
  const [label, done, more] = draft ? [t.example, t.exampled, { example_of: draft.learn_session_id }] : [t.learn, t.learned, {}];
  const learn = () =>
    void act(
      label,
      () => body(api.POST("/api/learn/sessions", { body: { entry_mode: "demonstrating_skill", ...source, ...more, ...once() } })),
      done,
    ).then((r) => r && go({ to: "/sessions/$id", params: { id: r.session.learn_session_id } }));
  return (
    <Button look="tiny" aria-label={`${label}: ${what}`} onClick={learn}>
      {label}
    </Button>
  );
}

/** The newest receipt about a demonstration, to learn from again, or undefined. */
export const learnable = (all: Schemas["LearningReceipt"][]) => all.find((r) => r.learn_session_id)?.receipt_id;
