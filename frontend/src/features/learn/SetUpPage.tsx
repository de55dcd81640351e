import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Choice, Field, Toggle } from "../../ui/forms";
import { Icon } from "../../ui/Icon";
import { Chip, Page } from "../../ui/parts";
import { BeforeStart } from "./BeforeStart";
import { modes } from "./NewPage";
import { Places } from "./Places";
import { type Kind, kinds, modeOf, nothing, offered, type Picked, pickedOf, scopeOf, type SetUp, summary } from "./scope";
import { policy } from "../review/policy";
import { PracticeSetUp } from "../runs/PracticeSetUp";
import { openSite } from "../session/OwnBrowser";
import { stateIcon, stateTone } from "./states";
import { Unfinished, useUnfinished } from "./Unfinished";
import { More } from "../../ui/more";
import css from "./SetUpPage.module.css";
import fieldCss from "../../ui/field.module.css";

type Mode = (typeof modes)[number];

/** The set-up of every way to learn: an agent that works in the sandbox is given its task, everything else is watched. */
export function SetUpPage() {
  const { mode } = useParams({ strict: false }) as { mode: Mode };
  const [own, setOwn] = useState(false);
  if (mode === "autonomous_agent_practice") return <PracticeSetUp key={mode} mode={mode} />;
  if (mode === "coaching_agent" && !own) return <PracticeSetUp key={mode} mode={mode} own={() => setOwn(true)} />;
  return <WatchSetUp key={mode} mode={mode} />;
}

/** Goal, places, use of the data, and a plain summary before the start. */
function WatchSetUp({ mode }: { mode: Mode }) {
  const { improves, example } = useSearch({ strict: false }) as { improves?: string; example?: string };
  const { act } = useActs();
  const go = useNavigate();
  const client = useQueryClient();
  const busyWith = useUnfinished();
  const { data: shown } = useQuery({ ...q.session(example ?? ""), enabled: Boolean(example) });
  const [goal, setGoal] = useState("");
  const [skill, setSkill] = useState(improves ?? "");
  const [picked, setPicked] = useState<Picked>(nothing);
  const [mine, setMine] = useState(mode !== "coaching_agent");
  const [agents, setAgents] = useState(mode === "coaching_agent");
  const [values, setValues] = useState("sealed");
  const [literal, setLiteral] = useState("");
  const [build, setBuild] = useState("build_then_review");
  const [test, setTest] = useState("later");
  const [busy, setBusy] = useState(false);
  const sent = useRef(false);
  const t = text.setup;
  const literalApps = literal
    .split(",")
    .map((s) => s.trim())
    .filter(Boolean);
  const setUp: SetUp = { picked, mine, agents, literal: values === "literal", literalApps };
  const improving = mode === "improving_existing_skill";

  // A further example is of the same task, in the same places; both can still be changed.
  useEffect(() => {
    if (!shown) return;
    setGoal((g) => g || (shown.goal ?? ""));
    setPicked((p) => (kinds.every((k) => p[k].length === 0) ? pickedOf(shown.scope) : p));
  }, [shown]);

  // A repeated demonstration uses the sites that the skill works on; they can still be changed.
  const { data: skills } = useQuery({ ...q.abilities(), enabled: improving });
  const sites = skills?.abilities?.find((a) => a.ability_id === skill)?.permissions?.domains?.join(" ") ?? "";
  useEffect(() => {
    if (sites) setPicked((p) => offered(p, sites.split(" ")));
  }, [sites]);

  const why =
    improving && !skill
      ? t.noSkill
      : !improving && !goal.trim()
        ? t.noGoal
        : !mine && !agents
          ? t.neither
          : mine && kinds.every((k) => picked[k].length === 0)
            ? t.noScope
            : values === "literal" && !literalApps.length
              ? t.noLiteral
              : undefined;

  const start = async () => {
    if (sent.current) return; // a double click is one start
    sent.current = true;
    setBusy(true);
    const request: Schemas["CreateLearnSessionRequest"] = {
      entry_mode: mode,
      observation_mode: modeOf(setUp),
      goal: goal.trim() || undefined,
      scope: scopeOf(picked),
      build_policy: build as "build_then_review",
      ...(build === "private_auto_install" ? { allow_private_install: true } : {}),
      ...(values === "literal" ? { value_policy: "literal" as const, literal_apps: literalApps } : {}),
      ...(improving ? { target_kind: "existing_skill" as const, target_skill_id: skill } : {}),
      ...(example ? { example_of: example } : {}),
      ...once(),
    };
    // Readable values and a lenient test each need a separate confirmation, so each is a separate action.
    let started = false;
    const made = await act(t.start, (headers) => body(api.POST("/api/learn/sessions", { body: request, headers })));
    const id = made?.session.learn_session_id;
    if (id) {
      const params = { path: { sessionId: id } };
      if (test !== "later")
        await act(t.testSet, (headers) =>
          body(
            api.POST("/api/learn/sessions/{sessionId}/set-test-policy", {
              params,
              headers,
              body: { test_policy: policy(test), ...once() },
            }),
          ),
        );
      const began = await act(t.start, async () => {
        await api.POST("/api/learn/indicators/renew", { body: { indicator: "window" } });
        return body(api.POST("/api/learn/sessions/{sessionId}/start", { params, body: once() }));
      });
      // A failed start leaves nothing behind: the form keeps its content, to be tried again.
      if (!began) await api.POST("/api/learn/sessions/{sessionId}/cancel", { params, body: once() }).catch(() => undefined);
      // watching continues, and a message says that no browser came
      else if (picked.site[0]) void act(text.session.openOwn, () => openSite(picked.site[0]!));
      started = Boolean(began);
    }
    setBusy(false);
    sent.current = false;
    await client.invalidateQueries({ queryKey: ["sessions"] });
    if (id && started) void go({ to: "/sessions/$id", params: { id } });
  };

  return (
    <Page
      title={shown ? t.exampleOf(shown.goal || shown.title || text.history.untitled) : text.name(mode)}
      lead={shown ? t.exampleMore : text.learn.cards[mode]}
      side={<Link to="/learn/new">{t.back}</Link>}
    >
      {busyWith && !example && (
        <div className="first">
          <Unfinished s={busyWith} />
        </div>
      )}
      <div className="split aside">
        <form
          className="stack loose"
          onSubmit={(e) => {
            e.preventDefault();
            if (!why && !busy) void start();
          }}
        >
          {improving && <PickSkill value={skill} onChange={setSkill} />}
          <Field label={t.goal} hint={t.goalHint}>
            {(id, d) => (
              <input
                id={id}
                aria-describedby={d}
                className={fieldCss.input}
                maxLength={400}
                placeholder={t.goalExample}
                value={goal}
                onChange={(e) => setGoal(e.target.value)}
              />
            )}
          </Field>
          <fieldset className="stack tight">
            <legend>
              <h2>{t.where}</h2>
            </legend>
            <p className={`${fieldCss.hint} muted`}>{t.whereHint}</p>
            <Places picked={picked} onChange={setPicked} />
          </fieldset>
          <Adapters mine={mine} agents={agents} picked={picked} />
          <More title={t.more} is={t.moreIs}>
            <fieldset className="stack tight">
              <legend className="hidden">{t.watch}</legend>
              <Toggle label={t.watch} more={t.watchMore} on={mine} onChange={setMine} />
              <Toggle label={t.agents} more={t.agentsMore} on={agents} onChange={setAgents} />
            </fieldset>
            <fieldset className="stack tight">
              <legend>
                <h2>{t.values}</h2>
              </legend>
              <Choice
                label={t.values}
                value={values}
                onChange={setValues}
                options={[
                  { value: "sealed", label: t.sealed, more: t.sealedMore },
                  { value: "literal", label: t.literal, more: t.literalMore },
                ]}
              />
              {values === "literal" && (
                <Field label={t.literalApps}>
                  {(id) => <input id={id} className={fieldCss.input} value={literal} onChange={(e) => setLiteral(e.target.value)} />}
                </Field>
              )}
            </fieldset>
            <fieldset className="stack tight">
              <legend>
                <h2>{t.build}</h2>
              </legend>
              <Choice
                label={t.build}
                value={build}
                onChange={setBuild}
                options={Object.entries(t.builds).map(([value, [label, more]]) => ({ value, label, more }))}
              />
            </fieldset>
            <fieldset className="stack tight">
              <legend>
                <h2>{t.test}</h2>
              </legend>
              <Choice
                label={t.test}
                value={test}
                onChange={setTest}
                options={Object.entries(t.tests).map(([value, [label, more]]) => ({ value, label, more }))}
              />
            </fieldset>
          </More>
        </form>
        <BeforeStart says={summary(setUp)} why={why} busy={busy} start={t.start} starting={t.starting} onStart={() => void start()} />
      </div>
    </Page>
  );
}

function PickSkill({ value, onChange }: { value: string; onChange: (v: string) => void }) {
  const { data } = useQuery(q.abilities());
  return (
    <Field label={text.setup.skill}>
      {(id) => (
        <select id={id} className={fieldCss.input} value={value} onChange={(e) => onChange(e.target.value)}>
          <option value="">{text.setup.skillNone}</option>
          {data?.abilities
            ?.filter((a) => a.skill_slug)
            .map((a) => (
              <option key={a.ability_id} value={a.ability_id}>
                {a.title}
              </option>
            ))}
        </select>
      )}
    </Field>
  );
}

const inside = ["mcp_receipt", "wrapper_receipt"];

// The adapters for each kind of place. The daemon decides by the scope (daemon/learn/session/scope.go); this only
// shows it in advance.
const through: Record<string, Kind[]> = {
  browser_dom: ["site"],
  browser_snapshot: ["site"],
  terminal_command: ["shell"],
  process_launch: ["app"],
  midi: ["device"],
  files: ["folder"],
};

/** Whether an adapter observes any of the picked places; before anything is picked, all are shown. */
export const needed = (id: string, p: Picked) =>
  kinds.every((k) => p[k].length === 0) ||
  !through[id] ||
  through[id].some((k) => p[k].length > 0) ||
  ((id.startsWith("browser") || id === "terminal_command") && p.app.length > 0);

/** The adapters for the choice above, with their health and remedy. */
function Adapters({ mine, agents, picked }: { mine: boolean; agents: boolean; picked: Picked }) {
  const { data } = useQuery(q.adapters());
  const t = text.setup;
  if (kinds.every((k) => picked[k].length === 0)) return null; // what is not asked for need not work
  const used = data?.filter(
    (a) =>
      (a.available || a.phase === "phase_1") &&
      (inside.includes(a.kind) ? agents : mine && needed(a.adapter_id === "files" ? "files" : a.kind, picked)),
  );
  if (!used?.length) return null;
  return (
    <section className="stack tight" aria-label={t.adapters}>
      <h2>{t.adapters}</h2>
      <ul className={css.through}>
        {used.map((a) => (
          <li key={a.adapter_id || a.kind} className={a.health.state === "ready" ? undefined : css.wide}>
            <Icon name={a.adapter_id === "files" ? "file" : a.kind} />
            <div>
              {a.title}{" "}
              <Chip tone={stateTone(a.health.state)} icon={stateIcon(a.health.state)}>
                {text.name(a.health.state)}
              </Chip>
              {a.health.state !== "ready" && (
                <p className="small muted">
                  {text.sentence(a.health.reason ?? "")} {text.sentence(a.health.fix ?? "")}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
