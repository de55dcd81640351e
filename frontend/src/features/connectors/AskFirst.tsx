import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Box } from "../../ui/Box";
import { Button } from "../../ui/Button";
import { Choice } from "../../ui/forms";
import { Time } from "../../ui/parts";
import { useAnswer } from "./decide";
import { type Connector, type Dispatch, nameOf, one, q, self } from "./queries";
import { shown, visible } from "./shown";
import css from "./AskFirst.module.css";
import factsCss from "../../ui/facts.module.css";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";
import stripCss from "../../ui/strip.module.css";

const t = text.askFirst;

/** The calls that wait for the person, oldest first. */
export function usePending(): Dispatch[] {
  const { data } = useQuery(q.dispatches());
  return data?.filter((d) => d.status === "pending") ?? [];
}

/** The strip in every view while a call waits: the oldest, and the number of others. */
export function CallsThatWait() {
  const pending = usePending();
  const [first] = pending;
  if (!first) return null;
  return (
    <section className={stripCss.asked} aria-label={t.label}>
      <Question key={first.dispatch_id} d={first} />
      {pending.length > 1 && (
        <p className="small">
          <Link to="/connectors">{t.more(pending.length - 1)}</Link>
        </p>
      )}
    </section>
  );
}

/** All waiting calls and those that expired, on the page of connectors. */
export function Waiting() {
  const { data = [] } = useQuery(q.dispatches());
  const { data: known } = useQuery(q.all());
  const pending = data.filter((d) => d.status === "pending");
  const late = data.filter((d) => d.status === "expired");
  return (
    <>
      {pending.length > 1 && (
        <section className={`${panelCss.panel} stack tight`} aria-label={t.pending}>
          <h2>{t.pending}</h2>
          <ul className={`${panelCss.panel} ${panelCss.list}`}>
            {pending.map((d) => (
              <li key={d.dispatch_id} className="row apart">
                <Question d={d} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {late.length > 0 && (
        <details className="small">
          <summary>
            {t.expired}: {late.length}
          </summary>
          <p className="muted">{t.expiredMore}</p>
          <ul className="stack tight">
            {late.map((d) => (
              <li key={d.dispatch_id} className="break">
                {text.connectors.asked(d, nameOf(known?.servers, d.server_id))} <Time at={d.created_at} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Question({ d }: { d: Dispatch }) {
  const { data: known } = useQuery(q.all());
  const [open, setOpen] = useState(false);
  const { refuse } = useAnswer(d.dispatch_id);
  return (
    <>
      <div className={stripCss.said}>
        <strong className="break">
          <bdi>{text.connectors.asked(d, nameOf(known?.servers, d.server_id))}</bdi>
        </strong>
        <p className="small">
          {d.caller_waits ? t.waits : t.gone} {t.until(new Date(d.expires_at))}
        </p>
      </div>
      <div className="row">
        <Button look="primary" onClick={() => setOpen(true)}>
          {t.look}
        </Button>
        <Button onClick={() => void refuse()}>{t.refuse}</Button>
      </div>
      {open && <Decide d={d} c={one(known?.servers, d.server_id)} close={() => setOpen(false)} />}
    </>
  );
}

type Yes = Parameters<ReturnType<typeof useAnswer>["allow"]>[0];
const scopes: Yes[] = ["approve_once", "approve_until_end_of_turn", "approve_for_session", "approve_for_project"];
const wide: Yes[] = ["approve_until_end_of_turn", "approve_for_session"]; // which may cover any arguments

/** Why a call asks: it is one of Showhow's own, or what its tool does, as far as somebody can tell. */
function reasonOf(d: Dispatch, tool?: Connector["tools"][number]) {
  if (d.server_id === self) return t.ownReason;
  if (!tool) return text.sentence(d.request_summary);
  const source = text.connectors.source(tool.decided_by);
  return tool.action_class === "other" ? t.unknownDeed(source) : t.because(text.connectors.deed(tool.action_class), source);
}

/** Everything a person decides on (R9 0.9D), with exactly what would be sent, and the extent of a yes. */
export function Decide({ d, c, close }: { d: Dispatch; c?: Connector; close: () => void }) {
  const { say } = useActs();
  const { allow, refuse } = useAnswer(d.dispatch_id);
  const [scope, setScope] = useState<Yes>("approve_once");
  const [any, setAny] = useState(false);
  const [found, sent] = [useId(), useId()];
  const tool = c?.tools.find((x) => x.name === d.tool_name);
  const args = Object.entries(d.arguments ?? {});
  const yes = async () => {
    const r = await allow(scope, any && wide.includes(scope));
    if (!r) return;
    say(r.resumed ? t.allowed : t.allowedLater);
    close();
  };
  return (
    <Box title={t.title} onClose={close} wide>
      <div className="stack below">
        <dl className={factsCss.facts}>
          <dt>{t.agent}</dt>
          <dd>{d.agent}</dd>
          {d.project_id && (
            <>
              <dt>{t.project}</dt>
              <dd>
                <bdi>{d.project_id}</bdi>
              </dd>
            </>
          )}
          <dt>{t.service}</dt>
          <dd>
            <bdi>{nameOf(c && [c], d.server_id)}</bdi>
            {d.provider && <span className="muted"> ({text.connectors.provider(d.provider)})</span>}
          </dd>
          <dt>{t.tool}</dt>
          <dd>
            <bdi className="mono">{d.tool_name}</bdi>
          </dd>
          <dt>{t.does}</dt>
          <dd>
            {text.capital(text.connectors.deed(d.action_class))}
            {tool?.description && (
              <div className={`small muted ${css.words}`} tabIndex={0} aria-label={t.does} role="group">
                {tool.description}
              </div>
            )}
          </dd>
          <dt>{t.data}</dt>
          <dd>{d.data_classes?.length ? d.data_classes.join(", ") : <span className="muted">{t.dataNone}</span>}</dd>
          <dt>{t.reason}</dt>
          <dd>{reasonOf(d, tool)}</dd>
        </dl>
        {Boolean(d.about?.length) && (
          <section className="stack tight">
            <h3 id={found}>{t.found}</h3>
            <ul className={`${css.sent} stack tight`} tabIndex={0} aria-labelledby={found}>
              {d.about!.map((x, i) => (
                <li key={i} className="break">
                  <bdi>{visible(x)}</bdi>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section className="stack tight">
          <h3 id={sent}>{t.sent}</h3>
          {args.length ? (
            <div className={css.sent} tabIndex={0} aria-labelledby={sent} role="group">
              <dl className="stack tight">
                {args.map(([k, v]) => (
                  <div key={k}>
                    <dt>
                      <bdi>{visible(k)}</bdi>
                    </dt>
                    <dd>
                      <pre>
                        <bdi>{shown(v)}</bdi>
                      </pre>
                    </dd>
                  </div>
                ))}
              </dl>
            </div>
          ) : (
            <p className="muted">{t.nothing}</p>
          )}
          {Boolean(d.changed?.length) && (
            <p className="small">
              {t.changed}: <bdi>{visible(d.changed!.join(", "))}</bdi>
            </p>
          )}
        </section>
        <form
          onSubmit={(e) => {
            e.preventDefault();
            void yes();
          }}
        >
          <section aria-label={t.how}>
            <h3>{t.how}</h3>
            <Choice
              label={t.how}
              value={scope}
              onChange={(v) => setScope(v as Yes)}
              options={scopes
                .filter((v) => v !== "approve_for_project" || d.project_id)
                .map((v) => ({ value: v, label: t.scopes[v]![0], more: t.scopes[v]![1] }))}
            />
            {wide.includes(scope) && (
              <label className={fieldCss.check}>
                <input type="checkbox" checked={any} onChange={(e) => setAny(e.target.checked)} />
                <span>
                  {t.any} <span className="small muted">{t.anyMore}</span>
                </span>
              </label>
            )}
          </section>
          <div className="row">
            <Button look="primary" onClick={() => void yes()}>
              {t.allow}
            </Button>
            <Button onClick={() => void refuse().then((r) => r && close())}>{t.refuse}</Button>
            <Button look="plain" data-first="" onClick={close}>
              {text.cancel}
            </Button>
          </div>
        </form>
      </div>
    </Box>
  );
}
