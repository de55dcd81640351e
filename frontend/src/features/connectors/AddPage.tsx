import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { api, body, once } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Choice, Field } from "../../ui/forms";
import { More } from "../../ui/more";
import { Page } from "../../ui/parts";
import { BeforeStart } from "../learn/BeforeStart";
import { list } from "../runs/words";
import { version } from "./decide";
import { Line } from "./Line";
import { q } from "./queries";
import { type Draft, empty, filled, registration, summary, usualName, wrong } from "./request";
import { troubleOf } from "./trouble";
import fieldCss from "../../ui/field.module.css";

const t = text.connectingService;

/** Connecting a service: its address, what it may access, and the consequences, before anything happens. */
export function AddPage() {
  const { act, say } = useActs();
  const client = useQueryClient();
  const go = useNavigate();
  const [d, setD] = useState<Draft>(empty);
  const [busy, setBusy] = useState(false);
  const form = useId();
  const [signIn, setSignIn] = useState({ of: "", id: "" }); // made already, by a try that did not go on
  const put = (k: keyof Draft) => (v: string) => setD((had) => ({ ...had, [k]: v }));
  const { data: presets = [] } = useQuery(q.presets());
  const chosen = presets.find((p) => p.preset_id === d.preset);
  const why = wrong(d);
  const program = d.at === "program";

  /** The sign-in that the person described, or "". */
  const profileOf = async () => {
    const of = [d.key, d.clientId, d.scopes]
      .map((x) => x.trim())
      .join(" ")
      .trim();
    if (program || !of) return "";
    if (signIn.of === of) return signIn.id;
    const p = await body(
      api.POST("/api/mcp/auth-profiles", {
        body: {
          provider: "custom_remote",
          ...(d.key.trim()
            ? { auth_mode: "api_key" as const, secret_ref: d.key.trim() }
            : {
                auth_mode: "oauth2_delegated" as const,
                refresh_policy: "auto_if_refresh_token" as const,
                scopes: list(d.scopes, /[\s,]+/),
                ...(d.clientId.trim() ? { client_id: d.clientId.trim() } : {}),
              }),
          ...version,
          ...once(),
        },
      }),
    );
    setSignIn({ of, id: p.auth_profile_id });
    return p.auth_profile_id;
  };

  const connect = async () => {
    if (why || busy) return;
    setBusy(true);
    const profile = await act(t.title, profileOf);
    const asked = profile === undefined ? undefined : registration(d, profile);
    const made = asked && (await act(t.title, (headers) => body(api.POST("/api/mcp/servers/register", { headers, body: asked }))));
    setBusy(false);
    if (!made) return;
    await client.invalidateQueries({ queryKey: ["connectors"] });
    const trouble = troubleOf(made.server);
    say(trouble ? t.doneBut(trouble) : t.done);
    void go({ to: "/connectors/$id", params: { id: made.server.registry.server_id } });
  };

  return (
    <Page title={t.title} lead={t.lead} side={<Link to="/connectors">{text.connectors.all}</Link>}>
      <div className="split aside">
        <form
          id={form}
          className="stack loose"
          onSubmit={(e) => {
            e.preventDefault();
            void connect();
          }}
        >
          {presets.length > 0 && (
            <Field label={t.known} hint={t.knownHint}>
              {(id, described) => (
                <select
                  id={id}
                  aria-describedby={described}
                  className={fieldCss.input}
                  value={d.preset}
                  onChange={(e) => setD(filled(presets.find((p) => p.preset_id === e.target.value)))}
                >
                  <option value="">{t.knownNone}</option>
                  {presets.map((p) => (
                    <option key={p.preset_id} value={p.preset_id}>
                      {p.title}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          {chosen && <p className="muted">{chosen.about}</p>}
          <p>
            <Link to="/connect/m365">{t.m365}</Link> <span className="muted">{t.m365More}</span>
          </p>
          <fieldset className="stack tight">
            <legend>
              <h2>{t.where}</h2>
            </legend>
            <Choice
              label={t.where}
              value={d.at}
              onChange={put("at")}
              options={[
                { value: "address", label: t.address, more: t.addressMore },
                { value: "program", label: t.program, more: t.programMore },
              ]}
            />
          </fieldset>
          {program ? (
            <>
              <Line label={t.command} hint={t.commandHint} example={t.commandExample} value={d.command} onChange={put("command")} />
              <Line label={t.read} hint={t.readHint} value={d.read} rows={2} onChange={put("read")} />
              <Line label={t.folders} hint={t.foldersHint} value={d.folders} rows={2} onChange={put("folders")} />
              <Line label={t.hosts} hint={t.hostsHint} value={d.hosts} rows={2} onChange={put("hosts")} />
            </>
          ) : (
            <>
              <Line label={t.url} example={t.urlExample} value={d.url} onChange={put("url")} />
              {d.keyHint && <Line label={t.key} hint={t.keyHint(d.keyHint)} value={d.key} onChange={put("key")} />}
            </>
          )}
          <Line label={t.name} hint={t.nameHint} example={usualName(d)} value={d.name} onChange={put("name")} />
          <More title={t.rest} is={t.restIs}>
            <p className="muted">{t.secretsMore}</p>
            {program ? (
              <Line label={t.env} example={t.envExample} value={d.env} rows={2} onChange={put("env")} />
            ) : (
              <Line label={t.headers} example={t.headersExample} value={d.headers} rows={2} onChange={put("headers")} />
            )}
            <Line label={t.data} hint={t.dataHint} value={d.data} onChange={put("data")} />
            {!program && (
              <>
                {!d.keyHint && <Line label={t.key} hint={t.keyHint("")} value={d.key} onChange={put("key")} />}
                <Line label={t.clientId} hint={t.clientIdHint} value={d.clientId} onChange={put("clientId")} />
                <Line label={t.scopes} hint={t.scopesHint} value={d.scopes} onChange={put("scopes")} />
              </>
            )}
          </More>
        </form>
        <BeforeStart says={summary(d)} why={why} busy={busy} start={t.do} starting={t.looking} form={form} />
      </div>
    </Page>
  );
}
