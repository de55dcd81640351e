import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { api, body } from "../../api/client";
import { text } from "../../text/en";
import { connectingM365 as t } from "../../text/m365";
import { useActs } from "../../ui/act";
import { Toggle } from "../../ui/forms";
import { More } from "../../ui/more";
import { Load, Page } from "../../ui/parts";
import { BeforeStart } from "../learn/BeforeStart";
import { Line } from "./Line";
import { consequences, groupOf, groupsOf, type M365Draft, m365Registration, type Operation, unready, usual, worded } from "./m365";
import { q } from "./queries";
import { troubleOf } from "./trouble";

/** Connecting Microsoft 365: what agents may be offered, the person's application, and what the sign-in will ask for. */
export function M365Page() {
  return (
    <Page title={t.title} lead={t.lead} side={<Link to="/connectors">{text.connectors.all}</Link>}>
      <Load query={useQuery(q.m365())}>{(all) => <Form all={all} />}</Load>
    </Page>
  );
}

function Form({ all }: { all: Operation[] }) {
  const { act, say } = useActs();
  const client = useQueryClient();
  const go = useNavigate();
  const [d, setD] = useState<M365Draft>(usual);
  const [busy, setBusy] = useState(false);
  const form = useId();
  const put = (k: Exclude<keyof M365Draft, "groups">) => (v: string) => setD((had) => ({ ...had, [k]: v }));
  const turn = (g: string) => (on: boolean) =>
    setD((had) => ({ ...had, groups: on ? [...had.groups, g] : had.groups.filter((x) => x !== g) }));
  const why = unready(d);
  const connect = async () => {
    if (why || busy) return;
    setBusy(true);
    const made = await act(t.title, (headers) => body(api.POST("/api/mcp/servers/register", { headers, body: m365Registration(d, all) })));
    setBusy(false);
    if (!made) return;
    await client.invalidateQueries({ queryKey: ["connectors"] });
    const trouble = troubleOf(made.server);
    say(trouble ? text.connectingService.doneBut(trouble) : t.done);
    void go({ to: "/connectors/$id", params: { id: made.server.registry.server_id } });
  };
  return (
    <div className="split aside">
      <form
        id={form}
        className="stack loose"
        onSubmit={(e) => {
          e.preventDefault();
          void connect();
        }}
      >
        <p className="muted">{t.untried}</p>
        <fieldset className="stack tight">
          <legend>
            <h2>{t.what}</h2>
          </legend>
          {groupsOf(all).map((g) => (
            <Toggle
              key={g}
              label={t.groups[g] ?? text.name(g)}
              more={t.more(all.filter((o) => groupOf(o) === g).map((o) => `${worded(o)} (${t.does[o.action_class]})`))}
              on={d.groups.includes(g)}
              onChange={turn(g)}
            />
          ))}
        </fieldset>
        <Line label={t.app} hint={t.appHint} value={d.clientId} onChange={put("clientId")} />
        <Line label={t.tenant} hint={t.tenantHint} example="example.com" value={d.tenant} onChange={put("tenant")} />
        <Line label={t.name} hint={t.nameHint} value={d.name} onChange={put("name")} />
        <More title={t.rest} is={t.restIs}>
          <Line label={t.redirect} hint={t.redirectHint} value={d.redirect} onChange={put("redirect")} />
          <Line label={t.graph} hint={t.graphHint} example="https://graph.microsoft.us/v1.0" value={d.graph} onChange={put("graph")} />
        </More>
      </form>
      <BeforeStart says={consequences(d, all)} why={why} busy={busy} start={t.do} starting={t.busy} form={form} />
    </div>
  );
}
