import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button, button } from "../../ui/Button";
import { Chip } from "../../ui/parts";
import { Discard, wayOut } from "../learn/Discard";
import { Story } from "../learn/Story";
import { stateTone } from "../learn/states";
import { short } from "../../ui/hash";
import { Ticks, tidy } from "../permissions/Ticks";
import { ExportDraft } from "./ExportDraft";
import { SagaSteps } from "./Saga";
import factsCss from "../../ui/facts.module.css";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type Detail = Schemas["ProposalDetailResponse"];

/** Why the draft cannot be installed now, or undefined. */
export function installBlocked(d: Detail): string | undefined {
  const p = d.proposal;
  if (d.questions.some((x) => !x.answered && x.required)) return text.decide.openFirst;
  if (p.validation !== "passed" && p.validation !== "partial") return text.decide.untested;
  return undefined;
}

export function Decide({ d }: { d: Detail }) {
  const { act } = useActs();
  const p = d.proposal;
  const t = text.decide;
  const [partial, setPartial] = useState(false);
  const [reason, setReason] = useState("");
  const asked = tidy(d.permissions);
  const [allowed, setAllowed] = useState(asked);
  const may = (a: string) => p.allowed_actions.includes(a);
  const params = { path: { proposalId: p.proposal_id }, header: seen(p.revision) };
  const what = {
    revision: p.revision,
    content_hash: p.content_hash ?? "",
    permissions: allowed,
    ...(p.validation === "partial" ? { confirm_partial: partial } : {}),
  };
  const needsPartial = p.validation === "partial" && !partial ? t.confirmPartial : undefined;
  const blocked = installBlocked(d) ?? needsPartial;

  const install = () =>
    void act(
      t.install,
      (headers) =>
        body(
          api.POST("/api/learn/proposals/{proposalId}/install", {
            params,
            headers,
            body: { install_lane: "experimental_private", ...what, ...once() },
          }),
        ),
      t.installed,
    );
  const approve = () =>
    void act(
      t.approve,
      (headers) =>
        body(
          api.POST("/api/learn/proposals/{proposalId}/approve", {
            params,
            headers,
            body: { approval_scope: "approved_workspace", schema_version: 1, ...what, ...once() },
          }),
        ),
      t.approved,
    );
  const reject = () =>
    void act(
      t.reject,
      (headers) =>
        body(
          api.POST("/api/learn/proposals/{proposalId}/reject", {
            params,
            headers,
            body: { reason: reason.trim(), schema_version: 1, ...once() },
          }),
        ),
      t.rejected,
    );

  const decided = !may("install") && !may("approve") && over.includes(p.proposal_state);
  const notInstalled = p.proposal_state === "quarantined" && Boolean(d.installation?.failed_step);
  const notNow = text.review.because[p.proposal_state];
  return (
    <div className="split">
      <div className="stack">
        {over.includes(p.proposal_state) && <Outcome p={p} why={notInstalled ? "not_installed" : p.proposal_state} />}
        {!decided && (
          <>
            <section className={`${panelCss.panel} stack`} aria-label={t.mayUse}>
              <h2>{t.mayUse}</h2>
              <p className="muted">{t.mayUseMore}</p>
              <Ticks offered={asked} value={allowed} onChange={setAllowed} />
            </section>
            <section className={`${panelCss.panel} stack`}>
              {p.validation === "partial" && (
                <label className={fieldCss.check}>
                  <input type="checkbox" checked={partial} onChange={(e) => setPartial(e.target.checked)} />
                  <span>{t.confirmPartial}</span>
                </label>
              )}
              {!p.ability_id && (
                <Deed
                  label={t.install}
                  more={t.installMore}
                  primary
                  why={may("install") ? blocked : (blocked ?? notNow)}
                  onClick={install}
                />
              )}
              <Deed
                label={t.approve}
                more={t.approveMore}
                primary={Boolean(p.ability_id)}
                why={may("approve") ? blocked : (blocked ?? notNow)}
                onClick={approve}
              />
            </section>
          </>
        )}
        {d.session?.allowed_actions.includes("validate") && !decided && (
          <section className={`${panelCss.panel} stack tight`} aria-label={text.failures.moreTests}>
            <h2>{text.failures.moreTests}</h2>
            <p className="muted">{text.failures.moreTestsMore}</p>
            <div>
              <Link className={button()} to="." search={{ view: "tests" }}>
                {text.failures.moreTests}
              </Link>
            </div>
          </section>
        )}
        {(!decided || d.installation) && <SagaSteps p={p} saga={d.installation} />}
        {may("take_up") ? null : d.session && wayOut(d.session) === "discard" ? (
          <section className={`${panelCss.panel} stack`} aria-label={t.discard}>
            <h2>{t.discard}</h2>
            <p className="muted">{t.discardMore}</p>
            <div>
              <Discard s={d.session} />
            </div>
          </section>
        ) : may("reject") ? (
          <section className={`${panelCss.panel} stack`}>
            <h2>{t.reject}</h2>
            <p className="muted">{t.rejectMore}</p>
            <div className={fieldCss.field}>
              <label htmlFor="reason">{t.reason}</label>
              <input id="reason" className={fieldCss.input} maxLength={240} value={reason} onChange={(e) => setReason(e.target.value)} />
            </div>
            <div>
              <Button look="danger" disabledReason={reason.trim() ? undefined : t.noReason} onClick={reject}>
                {t.reject}
              </Button>
            </div>
          </section>
        ) : null}
      </div>
      <div className="stack">
        <section className={panelCss.panel}>
          <h2>{t.seen}</h2>
          <dl className={factsCss.facts}>
            <dt>{t.revision}</dt>
            <dd className="num">{p.revision}</dd>
            <dt>{t.hash}</dt>
            <dd className="mono">{short(p.content_hash)}</dd>
            <dt>{text.tests.checks}</dt>
            <dd>
              <Chip tone={stateTone(p.validation)}>{text.name(p.validation)}</Chip>
            </dd>
            <dt>{t.lane}</dt>
            <dd>{text.name(notInstalled ? "pending" : p.install_lane)}</dd>
            {d.interpretation?.preferred_control_surfaces.length ? (
              <>
                <dt>{t.needs}</dt>
                <dd>{[...new Set(d.interpretation.preferred_control_surfaces.map((s) => text.name(s)))].join(", ")}</dd>
              </>
            ) : null}
            <Surfaces d={d} />
            {d.compatibility && <Beside c={d.compatibility} />}
            <dt>{t.files}</dt>
            <dd>
              {d.files.map((f) => (
                <div key={f.path} className="mono">
                  {f.path}
                </div>
              ))}
            </dd>
          </dl>
        </section>
        <ExportDraft d={d} />
        <section className={panelCss.panel}>
          <h2>{t.story}</h2>
          <Story of={{ proposal_id: p.proposal_id }} />
        </section>
      </div>
    </div>
  );
}

/** The control-surface difference (1.1N): ways of the installed skill that the draft lacks, and the other way round. */
function Surfaces({ d }: { d: Detail }) {
  const installed = useQuery(q.abilities()).data?.abilities.find(
    (a) => a.ability_id === d.proposal.ability_id || [a.ability_id, a.skill_slug].includes(d.proposal.improves_skill || "-"),
  );
  if (!installed || !d.interpretation) return null;
  const { gone, come } = surfaceDifference(installed.preferred_control_surfaces, d.interpretation.preferred_control_surfaces);
  return (
    <>
      <dt>{text.decide.surfaces}</dt>
      <dd>{gone.length + come.length ? text.decide.surfaceChange(come.map(text.name), gone.map(text.name)) : text.decide.surfacesSame}</dd>
    </>
  );
}

export const surfaceDifference = (was: string[], now: string[]) => ({
  gone: was.filter((x) => !now.includes(x)),
  come: now.filter((x) => !was.includes(x)),
});

/** Where the skill can run, and what it would conflict with. */
export function Beside({ c }: { c: Schemas["SkillCompatibilityReport"] }) {
  const t = text.decide;
  const collides = c.findings?.filter((f) => collisions.includes(f.code)) ?? [];
  const rest = c.findings?.filter((f) => !collisions.includes(f.code) && f.severity !== "info") ?? [];
  return (
    <>
      <dt>{text.imports.where}</dt>
      <dd>
        {text.imports.grades[c.tool_shadowing_check === "clear" ? c.portability_grade : "direct"]}
        <Said all={rest} />
      </dd>
      <dt>{t.collisions}</dt>
      <dd>{collides.length ? <Said all={collides} /> : t.noCollisions}</dd>
    </>
  );
}

const collisions = ["SKILL-SLUG-TAKEN", "SKILL-TRIGGER-TAKEN", "SKILL-TOOL-SHADOW"];

const Said = ({ all }: { all: Schemas["SkillCompatibilityFinding"][] }) => (
  <ul className={panelCss.lines}>
    {all.map((f) => (
      <li key={f.code + f.message} className="break">
        {text.sentence(f.message)}
      </li>
    ))}
  </ul>
);

const over = ["installed_private", "approved", "rejected", "cancelled", "quarantined"];

/** The result, once the draft is decided. */
function Outcome({ p, why }: { p: Detail["proposal"]; why: string }) {
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={text.decide.outcome}>
      <h2>{text.decide.outcome}</h2>
      <p>{text.review.because[why]}</p>
      {p.reason && p.proposal_state === "rejected" && (
        <p className="muted">
          {text.decide.reason} <bdi>{text.name(p.reason)}</bdi>
        </p>
      )}
      {p.ability_id && (
        <div>
          <Link className={button()} to="/skills/$id" params={{ id: p.ability_id }}>
            {text.review.goSkill}
          </Link>
        </div>
      )}
    </section>
  );
}

function Deed({
  label,
  more,
  primary,
  why,
  onClick,
}: {
  label: string;
  more: string;
  primary?: boolean;
  why?: string;
  onClick: () => void;
}) {
  return (
    <div className="stack tight">
      <div>
        <Button look={primary ? "primary" : ""} disabledReason={why} onClick={onClick}>
          {label}
        </Button>
      </div>
      <p className="muted">{more}</p>
      {why && <p className={fieldCss.why}>{why}</p>}
    </div>
  );
}
