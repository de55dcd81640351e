import { ApiError, api, body, once, type Schemas, seen } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Icon } from "../../ui/Icon";
import { Button } from "../../ui/Button";
import { Wrong } from "../../ui/parts";
import { knot } from "../../ui/thread";
import panelCss from "../../ui/panel.module.css";
import threadCss from "../../ui/thread.module.css";

type Proposal = Schemas["SkillBundleProposal"];
type Saga = Schemas["SagaOutcome"];
type Mark = "" | "ok" | "accent" | "bad" | "warn";

/** The state of each step: not begun, in progress, done, failed, or undone because a later one failed. */
export function marks(saga?: Saga): Record<string, Mark> {
  const steps = Object.keys(text.reviewing.saga.steps);
  const failed = saga?.failed_step ? steps.indexOf(saga.failed_step) : -1;
  const at = saga ? steps.indexOf(saga.step) : -1;
  return Object.fromEntries(
    steps.map((s, i) => {
      if (!saga) return [s, ""];
      if (saga.failed_step) return [s, i < failed ? "warn" : i === failed ? "bad" : ""];
      if (saga.state === "completed") return [s, "ok"];
      return [s, i < at ? "ok" : i === at ? "accent" : ""];
    }),
  );
}

/** The result of the steps, in a sentence. */
function sum(saga?: Saga): string {
  const t = text.reviewing.saga;
  if (!saga) return t.before;
  if (saga.failed_step) return saga.state === "compensated" ? t.failed : t.takingBack;
  return saga.state === "completed" ? t.done : t.under;
}

/** The installation step by step (DOC3 0C.23), and the result of a failure. */
export function SagaSteps({ p, saga }: { p: Proposal; saga?: Saga }) {
  const t = text.reviewing.saga;
  const how = marks(saga);
  const { act } = useActs();
  // A draft whose installation failed is set aside; a revision without changes makes it testable again.
  const prepare = () =>
    act(
      t.again,
      () =>
        body(
          api.POST("/api/learn/proposals/{proposalId}/revise", {
            params: { path: { proposalId: p.proposal_id }, header: seen(p.revision) },
            body: { revision_instructions: "", edited_fields: { title: p.title }, ...once() },
          }),
        ),
      t.prepared,
    );
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.title}>
      <h2>{t.title}</h2>
      <p className="muted" role="status">
        {sum(saga)}
      </p>
      {saga?.failed_step && p.proposal_state !== "installing_private" && (
        <Wrong error={new ApiError(saga.failed_code ?? "", saga.failed_message || t.unknown, saga.failed_hint)} />
      )}
      {p.proposal_state === "quarantined" && saga?.failed_step && (
        <div className="row">
          <Button look="primary" onClick={() => void prepare()}>
            {t.again}
          </Button>
          <span className="muted">{t.againMore}</span>
        </div>
      )}
      <ol className={threadCss.thread}>
        {Object.entries(t.steps).map(([step, [label, more]], i) => {
          const m = how[step] ?? "";
          return (
            <li key={step} aria-current={m === "accent" ? "step" : undefined}>
              <span className={`${knot(m)} num`}>
                {m === "ok" ? <Icon name="check" /> : m === "bad" ? <Icon name="cross" /> : m === "warn" ? <Icon name="loop" /> : i + 1}
              </span>
              <strong>{label}</strong> <span className="muted small">{m === "warn" ? t.takenBack : m === "bad" ? t.here : more}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
