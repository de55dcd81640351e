import { useState } from "react";
import { Search } from "../../ui/forms";
import { text } from "../../text/en";
import { Button } from "../../ui/Button";
import { Chip } from "../../ui/parts";
import { useChange, usePolicy } from "./decide";
import type { Connector, Tool } from "./queries";
import css from "./Tools.module.css";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

const t = text.connector;
const modes: Tool["mode"][] = ["enabled", "ask_first", "disabled"];
const many = 12; // from so many tools on they can be searched
const pageSize = 50;

/** What agents may call of a connector, and the source of each decision. */
export function Tools({ c }: { c: Connector }) {
  const [word, setWord] = useState("");
  const [size, setSize] = useState(pageSize);
  const said = word.trim().toLowerCase();
  const some = c.tools.filter((x) => `${x.name} ${x.title ?? ""} ${x.description ?? ""}`.toLowerCase().includes(said));
  return (
    <>
      <Changed c={c} />
      <section className={`${panelCss.panel} stack`} aria-label={t.tools}>
        <div className="row apart">
          <h2>{t.tools}</h2>
          {c.tools.length > many && <Search label={t.search} value={word} onChange={setWord} />}
        </div>
        <p className="muted">{t.toolsMore}</p>
        {c.tools.length > 0 && <Whole c={c} />}
        <ul className={panelCss.list}>
          {some.slice(0, size).map((x) => (
            <OneTool key={x.name} server={c.registry.server_id} x={x} health={c.health.tool_health[x.name]} />
          ))}
          {!some.length && <li className="muted">{c.tools.length ? t.searchNone : t.toolsNone}</li>}
        </ul>
        {some.length > size && (
          <div>
            <Button onClick={() => setSize(size + pageSize)}>{text.more}</Button>
          </div>
        )}
      </section>
    </>
  );
}

interface ModeProps {
  label: string;
  value: Tool["mode"] | "";
  none?: string; // the text while nobody has decided
  onChange: (m: Tool["mode"]) => void;
}

const Mode = ({ label, value, none, onChange }: ModeProps) => (
  <select
    className={`${fieldCss.input} ${css.mode}`}
    aria-label={label}
    value={value}
    onChange={(e) => onChange(e.target.value as Tool["mode"])}
  >
    {none && (
      <option value="" disabled>
        {none}
      </option>
    )}
    {modes.map((m) => (
      <option key={m} value={m}>
        {t.modes[m]}
      </option>
    ))}
  </select>
);

/** The decision for the connector itself. */
function Whole({ c }: { c: Connector }) {
  const decide = usePolicy();
  const p = c.effective_policy;
  const own = p.decision.updated_by === "user" && p.inherited_from === "none";
  return (
    <div className={`row apart ${css.whole}`}>
      <div>
        <strong>{t.whole}</strong>
        <p className="small muted">{t.wholeIs}</p>
      </div>
      <Mode
        label={t.modeOf(t.whole)}
        value={own ? p.decision.mode : ""}
        none={own ? undefined : t.wholeNone}
        onChange={(m) => void decide({ target_kind: "server", server_id: c.registry.server_id }, m)}
      />
    </div>
  );
}

interface OneProps {
  server: string;
  x: Tool;
  health?: Connector["health"]["tool_health"][string]; // of its last call
}

function OneTool({ server, x, health }: OneProps) {
  const decide = usePolicy();
  const gone = x.state !== "usable";
  return (
    <li className="stack tight">
      <div className="row apart">
        <div>
          <bdi className={`mono ${panelCss.what}`}>{x.name}</bdi>{" "}
          <span className="small muted">{text.connectors.deed(x.action_class)}</span>
          {x.description && <p className={`small muted break ${css.clip}`}>{x.description}</p>}
        </div>
        <div className="row">
          {gone && (
            <Chip tone="warn" icon="warn">
              {t.states[x.state]}
            </Chip>
          )}
          {!gone && health && !health.ok && (
            <Chip tone="warn" icon="warn">
              {t.toolFailed(health.last_error)}
            </Chip>
          )}
          {x.state !== "refused" && (
            <Mode
              label={t.modeOf(x.name)}
              value={x.mode}
              onChange={(m) => void decide({ target_kind: "tool", server_id: server, tool_name: x.name }, m)}
            />
          )}
        </div>
      </div>
      <details className="small">
        <summary>
          <span className="muted">
            {t.from}: {text.connectors.source(x.decided_by)}
          </span>
        </summary>
        <dl className={css.more}>
          <dt>{t.why}</dt>
          <dd>{text.sentence(x.why)}</dd>
          <dt>{t.door}</dt>
          <dd className="mono break">{x.door_name}</dd>
          <dt>{t.trace}</dt>
          <dd>
            <ol>
              {x.precedence_trace.map((l) => (
                <li key={l} className="break">
                  {text.sentence(l)}
                </li>
              ))}
            </ol>
          </dd>
        </dl>
      </details>
    </li>
  );
}

/** Tools that have changed since the person saw them: the differences, and accepting them. */
function Changed({ c }: { c: Connector }) {
  const change = useChange(c);
  const others = c.tools.filter((x) => ["changed", "new", "gone"].includes(x.state));
  if (!others.length) return null;
  return (
    <section className={`${panelCss.panel} ${panelCss.ask} stack tight`} aria-label={t.changed}>
      <h2>{t.changed}</h2>
      <p>{t.changedMore}</p>
      <ul className="stack tight">
        {others.map((x) => (
          <li key={x.name}>
            <bdi className="mono">{x.name}</bdi>: {text.sentence(t.states[x.state] ?? "")}
            {x.difference?.map((d) => (
              <p key={d} className={`small break ${css.difference}`}>
                <bdi>{d}</bdi>
              </p>
            ))}
          </li>
        ))}
      </ul>
      <div>
        <Button look="primary" onClick={() => void change(t.accept, { accept_tools: true }, t.accepted)}>
          {t.accept}
        </Button>
      </div>
    </section>
  );
}
