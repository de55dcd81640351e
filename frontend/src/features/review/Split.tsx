import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Field } from "../../ui/forms";
import { Ask } from "../../ui/Box";
import fieldCss from "../../ui/field.module.css";

/** Makes two drafts of the work, cut after a step; the draft itself stays. */
export function SplitBox({
  d,
  after,
  title,
  close,
}: {
  d: Schemas["ProposalDetailResponse"];
  after: string;
  title: string;
  close: () => void;
}) {
  const { act } = useActs();
  const go = useNavigate();
  const [goals, setGoals] = useState(["", ""]);
  const t = text.reviewing.split;
  const split = () =>
    act(
      t.do,
      () => {
        const named = goals.map((g) => g.trim());
        return body(
          api.POST("/api/learn/proposals/{proposalId}/split", {
            params: { path: { proposalId: d.proposal.proposal_id }, header: seen(d.proposal.revision) },
            body: { after: [after], ...(named.every(Boolean) ? { goals: named } : {}), ...once() },
          }),
        );
      },
      t.done,
    ).then((r) => {
      if (!r) return;
      close();
      void go({ to: "/learn/pending" });
    });
  return (
    <Ask title={t.title} does={t.do} onDo={() => void split()} close={close}>
      <p>{t.more}</p>
      <p className="muted break">
        {t.here}: {title}
      </p>
      {goals.map((g, i) => (
        <Field key={i} label={t.goals(i + 1)} hint={i === 0 ? t.hint : undefined}>
          {(id, desc) => (
            <input
              id={id}
              aria-describedby={desc}
              className={fieldCss.input}
              maxLength={400}
              value={g}
              onChange={(e) => setGoals(goals.map((x, n) => (n === i ? e.target.value : x)))}
            />
          )}
        </Field>
      ))}
    </Ask>
  );
}
