import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Choice, Field, Toggle } from "../../ui/forms";
import { Icon } from "../../ui/Icon";
import { Button } from "../../ui/Button";
import { Chip, Empty, Time } from "../../ui/parts";
import { listed } from "../../text/say";
import { stateIcon, stateTone } from "../learn/states";
import { Phrase } from "../../ui/Phrase";
import { CheckpointProgress } from "./Checkpoints";
import { FindingLine } from "./Findings";
import { byLine } from "./lint";
import { EvidenceOf } from "./Pictures";
import { offered, policy } from "./policy";
import css from "./Tests.module.css";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type Detail = Schemas["ProposalDetailResponse"];
type Request = Omit<Schemas["StartValidationRunRequest"], "schema_version">;

export function Tests({ d }: { d: Detail }) {
  const { act } = useActs();
  const id = d.proposal.proposal_id;
  const { data: runs } = useQuery({
    ...q.runs(id),
    refetchInterval: (x) => (x.state.data?.runs.some((r) => r.status === "running") ? 700 : false),
  });
  const running = runs?.runs.find((r) => r.status === "running");
  const openQuestions = d.questions.filter((x) => !x.answered && x.required).length;
  const may = d.session?.allowed_actions.includes("validate");
  const why = running
    ? text.tests.busy
    : openQuestions
      ? text.tests.openFirst(openQuestions)
      : may
        ? undefined
        : (text.review.because[d.proposal.proposal_state] ?? text.review.noRevise);
  const done = d.proposal.validation === "passed" || d.proposal.validation === "partial";
  const start = (what: string, request: Request) =>
    void act(what, (confirmed) =>
      body(
        api.POST("/api/learn/proposals/{proposalId}/validate", {
          params: { path: { proposalId: id }, header: seen(d.proposal.revision) },
          body: { ...request, schema_version: 1, ...once() },
          headers: confirmed,
        }),
      ),
    );
  return (
    <div className="split">
      <div className="stack">
        <section className={`${panelCss.panel} stack`}>
          <h2>{text.tests.checks}</h2>
          <p className="muted">{text.tests.checksMore}</p>
          <div>
            <Button look={done ? "" : "primary"} disabledReason={why} onClick={() => start(text.tests.check, {})}>
              {done ? text.reviewing.again : text.tests.check}
            </Button>
          </div>
          {why && <p className={fieldCss.why}>{why}</p>}
        </section>
        <Rehearse d={d} why={why} start={start} />
        <Lint report={d.checkpoint_lint_report} source={d.skill_md ?? ""} />
      </div>
      <Runs d={d} runs={runs} />
    </div>
  );
}

function Rehearse({ d, why, start }: { d: Detail; why?: string; start: (what: string, r: Request) => void }) {
  const modes = offered(d.graph?.steps ?? []);
  const [chosen, setMode] = useState<string>(d.session?.test_policy?.mode ?? "");
  const mode = modes.includes(chosen) ? chosen : (modes[0] ?? "controlled_live_test");
  const [values, setValues] = useState<Record<string, string>>({});
  const [pictures, setPictures] = useState(false);
  const t = text.tests;
  const given = Object.fromEntries(Object.entries(values).filter(([, v]) => v.trim()));
  return (
    <section className={`${panelCss.panel} stack`}>
      <h2>{t.rehearse}</h2>
      <p className="muted">{t.rehearseMore}</p>
      <Choice
        label={t.how}
        value={mode}
        onChange={setMode}
        options={modes.map((value) => ({ value, label: t.policies[value]?.[0] ?? value, more: t.policies[value]?.[1] }))}
      />
      {(d.interpretation?.inputs.length ?? 0) > 0 && (
        <fieldset className="stack tight">
          <legend>{t.withValues}</legend>
          {d.interpretation?.inputs.map((i) => (
            <Field key={i.name} label={text.capital(i.label || i.name)}>
              {(id) =>
                i.options?.length && !i.list ? (
                  <select
                    id={id}
                    className={fieldCss.input}
                    value={values[i.name] ?? ""}
                    onChange={(e) => setValues({ ...values, [i.name]: e.target.value })}
                  >
                    <option value="" />
                    {i.options.map((o) => (
                      <option key={o}>{o}</option>
                    ))}
                  </select>
                ) : (
                  <input
                    id={id}
                    className={fieldCss.input}
                    placeholder={i.example ?? i.options?.join(", ")}
                    value={values[i.name] ?? ""}
                    onChange={(e) => setValues({ ...values, [i.name]: e.target.value })}
                  />
                )
              }
            </Field>
          ))}
        </fieldset>
      )}
      <Toggle label={text.failures.pictures} more={text.failures.picturesMore} on={pictures} onChange={setPictures} />
      <div>
        <Button
          disabledReason={why}
          onClick={() =>
            start(t.perform, { run_kinds: ["rehearsal"], parameters: given, test_policy: policy(mode), keep_pictures: pictures })
          }
        >
          {t.perform}
        </Button>
      </div>
    </section>
  );
}

/** What the wording's checks found; SKILL.md as it is written shows each at its line. */
function Lint({ report, source }: { report?: Schemas["LintReport"]; source: string }) {
  const t = text.review;
  const at = byLine(source, report?.findings);
  return (
    <section className={`${panelCss.panel} stack tight`}>
      <h2>{t.lint}</h2>
      {!report?.findings?.length && <p className="muted">{t.lintOk}</p>}
      <ul className="stack tight">
        {[...at].map(([n, found]) =>
          found.map((f, i) => (
            <li key={`${n}-${i}`}>
              <FindingLine f={f} />{" "}
              {n > 0 && (
                <Link to="." search={{ view: "understood" }} className="small">
                  {t.line(n)}
                </Link>
              )}
            </li>
          )),
        )}
      </ul>
    </section>
  );
}

function Runs({ d, runs }: { d: Detail; runs?: Schemas["ValidationRunsListResponse"] }) {
  const t = text.tests;
  const { data: receipts } = useQuery({ ...q.checkpoints(d.session?.learn_session_id ?? ""), enabled: Boolean(d.session) });
  if (!runs?.runs.length)
    return (
      <section className={panelCss.panel}>
        <Empty title={t.none}>
          <p>{t.noneMore}</p>
        </Empty>
      </section>
    );
  const last = runs.runs[0];
  const since = (receipts ?? []).filter((r) => last && r.created_at >= last.started_at);
  const rehearsed = last?.run_kinds.includes("rehearsal");
  return (
    <div className="stack">
      {rehearsed && d.interpretation && (
        <section className={panelCss.panel}>
          <h2>{t.progress}</h2>
          <CheckpointProgress
            checkpoints={d.interpretation.checkpoints}
            receipts={since}
            rest={last?.status === "running" ? undefined : t.not}
          />
        </section>
      )}
      <section className={`${panelCss.panel} stack`} aria-label={t.runs}>
        <h2>{t.runs}</h2>
        {runs.runs.map((r, i) => (
          <RunItem
            key={r.validation_run_id}
            r={r}
            current={d.proposal.revision}
            inputs={d.interpretation?.inputs ?? []}
            open={i === 0}
            steps={runs.steps.filter((s) => s.validation_run_id === r.validation_run_id)}
          />
        ))}
      </section>
    </div>
  );
}

const tally = (steps: Schemas["ValidationStepResult"][]) =>
  ["passed", "failed", "skipped"].map((x) => steps.filter((s) => s.result === x).length) as [number, number, number];

/** The inputs for which the person gave a failed rehearsal a value: it may be the value that was wrong. */
export function givenFor(steps: Schemas["ValidationStepResult"][], inputs: Schemas["InputSpec"][]): string[] {
  if (!steps.some((s) => s.run_kind === "rehearsal" && s.result === "failed")) return [];
  const given = steps.filter((s) => s.code === "given_value").map((s) => s.test_case_id.split(".").at(-1));
  return inputs.filter((i) => given.includes(i.name)).map((i) => i.label || i.name);
}

/** What a rehearsal could not do without a value: an input, or the step that needed one; nothing if something failed. */
export function missingIn(steps: Schemas["ValidationStepResult"][], inputs: Schemas["InputSpec"][]): string[] {
  const rehearsed = steps.filter((s) => s.run_kind === "rehearsal");
  if (rehearsed.some((s) => s.result === "failed")) return [];
  return rehearsed
    .filter((s) => s.code === "needs_value")
    .map((s) => inputs.find((i) => i.name === s.test_case_id.split(".").at(-1))?.label || s.label);
}

function RunItem({
  r,
  steps,
  open,
  current,
  inputs,
}: {
  r: Schemas["ValidationRun"];
  inputs: Schemas["InputSpec"][];
  steps: Schemas["ValidationStepResult"][];
  open: boolean;
  current: number;
}) {
  const { act } = useActs();
  const t = text.tests;
  const state = r.status === "running" ? "running" : (r.overall_result ?? "cancelled");
  const kinds = [...new Set(steps.map((s) => s.run_kind ?? ""))];
  const missing = missingIn(steps, inputs);
  const given = r.overall_result === "failed" ? givenFor(steps, inputs) : [];
  const path = { params: { path: { runId: r.validation_run_id } }, body: once() };
  return (
    <details open={open}>
      <summary className="row">
        <Chip tone={stateTone(state)} icon={stateIcon(state)}>
          {text.name(state)}
        </Chip>
        <span className="muted small">{t.counts(...tally(steps))}</span>
        <Time at={r.started_at} />
        {r.revision !== current && <span className="small muted">{t.void}</span>}
      </summary>
      <div className="stack tight below">
        {r.reason && (
          <p className="break">
            <Phrase>{missing.length ? text.reviewing.values.missing(missing) : text.sentence(r.reason)}</Phrase>
          </p>
        )}
        {given.length > 0 && <p className={`${panelCss.panel} ${panelCss.note}`}>{text.failures.given(listed(given))}</p>}
        {r.waiting_for && (
          <p className={`${panelCss.panel} ${panelCss.note} row apart`}>
            {t.waiting}
            <Button onClick={() => void act(t.goOn, () => body(api.POST("/api/learn/validation-runs/{runId}/continue", path)))}>
              {t.goOn}
            </Button>
          </p>
        )}
        {r.status === "running" && (
          <div>
            <Button onClick={() => void act(t.stop, () => body(api.POST("/api/learn/validation-runs/{runId}/cancel", path)))}>
              {t.stop}
            </Button>
          </div>
        )}
        {kinds.map((k) => (
          <details key={k} open={k === "rehearsal" || steps.some((s) => (s.run_kind ?? "") === k && s.result === "failed")}>
            <summary>
              <strong>{text.name(k)}</strong>{" "}
              <span className="small muted">{t.counts(...tally(steps.filter((s) => (s.run_kind ?? "") === k)))}</span>
            </summary>
            <ul className="between">
              {steps
                .filter((s) => (s.run_kind ?? "") === k)
                .map((s) => (
                  <li key={s.test_case_id + s.created_at} className="row beside">
                    <span className={`${css.result} ${css[s.result] ?? ""}`}>
                      <Icon name={s.result === "failed" ? "cross" : s.result === "passed" ? "check" : "skip"} label={text.name(s.result)} />
                    </span>
                    <span className="break">
                      <Phrase>{text.capital(s.label)}</Phrase>{" "}
                      {s.code === "needs_value" && k === "rehearsal" ? (
                        <span className="small muted">{text.reviewing.values.needed}</span>
                      ) : (
                        s.details && (
                          <span className="small muted">
                            <Phrase>{text.sentence(s.details)}</Phrase>
                          </span>
                        )
                      )}
                      {s.result === "failed" && k === "rehearsal" && (
                        <EvidenceOf run={r.validation_run_id} step={s.test_case_id} label={s.label} />
                      )}
                    </span>
                  </li>
                ))}
            </ul>
          </details>
        ))}
      </div>
    </details>
  );
}
