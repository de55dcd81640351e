import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, ApiError, body, once, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Ask, Box } from "../../ui/Box";
import { Button, button } from "../../ui/Button";
import { Elsewhere } from "../../ui/Elsewhere";
import { Chip, Time } from "../../ui/parts";
import { version } from "./decide";
import { type Connector, q } from "./queries";
import factsCss from "../../ui/facts.module.css";
import panelCss from "../../ui/panel.module.css";

type Started = Schemas["MCPAuthStartResponse"];
const t = text.connector;

const hostOf = (url?: string) => (url && URL.canParse(url) ? new URL(url).host : (url ?? ""));

/** The person's sign-in to a service, and the possible actions. */
export function SignIn({ c }: { c: Connector }) {
  const { act } = useActs();
  const client = useQueryClient();
  const [started, setStarted] = useState<Started>();
  const [issuer, setIssuer] = useState("");
  const [asking, setAsking] = useState(false);
  const id = c.registry.server_id;
  const params = { path: { serverId: id } };
  const may = (a: Connector["available_actions"][number]) => c.available_actions.includes(a);
  const fresh = () => void client.invalidateQueries({ queryKey: ["connectors"] });
  if (!c.auth && !may("connect_auth")) return null;

  const start = async (confirm_issuer?: string) => {
    setIssuer("");
    const r = await act(t.signInDo, async (headers) => {
      const o = { params, headers, body: { server_id: id, interactive_hint: "new_tab" as const, confirm_issuer, ...version, ...once() } };
      try {
        return await body(api.POST("/api/mcp/servers/{serverId}/auth/start", o));
      } catch (e) {
        // Another host handles the sign-in: the person is shown which one.
        if (e instanceof ApiError && e.code === "MCP_AUTH_CHALLENGE_REQUIRED" && typeof e.details.issuer === "string")
          return e.details.issuer;
        throw e;
      }
    });
    if (typeof r === "string") setIssuer(r);
    else setStarted(r);
    fresh();
  };
  const renew = () =>
    act(
      t.renew,
      (headers) =>
        body(
          api.POST("/api/mcp/servers/{serverId}/auth/refresh", {
            params,
            headers,
            body: { server_id: id, force: true, ...version, ...once() },
          }),
        ),
      t.renewed,
    ).finally(fresh);
  const giveUp = () =>
    act(
      t.giveUp,
      (headers) =>
        body(
          api.POST("/api/mcp/servers/{serverId}/auth/revoke", {
            params,
            headers,
            body: { server_id: id, revoke_remote: true, ...version, ...once() },
          }),
        ),
      t.gaveUp,
    ).finally(fresh);

  const a = c.auth;
  const wanted = c.badge_states.includes("auth_required");
  return (
    <section className={`${panelCss.panel} ${wanted ? panelCss.ask : ""} stack tight`} aria-label={t.signIn}>
      <div className="row apart">
        <h2>{t.signIn}</h2>
        {a && (
          <Chip tone={a.auth_state === "healthy" ? "ok" : wanted ? "warn" : ""} icon={a.auth_state === "healthy" ? "check" : undefined}>
            {text.connectors.signIn(a.auth_state)}
          </Chip>
        )}
      </div>
      {wanted && <p>{t.signInWanted}</p>}
      {a && (
        <dl className={factsCss.facts}>
          {a.auth_mode && (
            <>
              <dt>{t.how}</dt>
              <dd>{text.connectors.way(a.auth_mode)}</dd>
            </>
          )}
          {a.expires_at && a.auth_state === "healthy" && (
            <>
              <dt>{t.until}</dt>
              <dd>
                <Time at={a.expires_at} />
              </dd>
            </>
          )}
          {a.scopes_granted.length > 0 && (
            <>
              <dt>{t.granted}</dt>
              <dd>{a.scopes_granted.join(", ")}</dd>
            </>
          )}
          {a.scopes_missing.length > 0 && (
            <>
              <dt>{t.missing}</dt>
              <dd>{a.scopes_missing.join(", ")}</dd>
            </>
          )}
        </dl>
      )}
      <div className="row">
        {may("connect_auth") && (
          <Button look="primary" onClick={() => void start()}>
            {a && a.auth_state !== "unknown" ? t.signInAgain : t.signInDo}
          </Button>
        )}
        {may("refresh_auth") && <Button onClick={() => void renew()}>{t.renew}</Button>}
        {may("revoke_auth") && (
          <Button look="danger" onClick={() => setAsking(true)}>
            {t.giveUp}
          </Button>
        )}
      </div>
      {started && <Under c={c} s={started} close={() => setStarted(undefined)} />}
      {issuer && (
        <Ask title={t.issuer} does={t.issuerDo} onDo={() => void start(issuer)} close={() => setIssuer("")}>
          <p className="break">{t.issuerMore(hostOf(c.registry.endpoint_url), issuer)}</p>
        </Ask>
      )}
      {asking && (
        <Ask
          title={t.giveUpTitle}
          does={t.giveUp}
          look="danger"
          onDo={() => {
            setAsking(false);
            void giveUp();
          }}
          close={() => setAsking(false)}
        >
          <p>{t.giveUpMore}</p>
        </Ask>
      )}
    </section>
  );
}

/** A sign-in in progress in the browser: its address, until the person is back. */
function Under({ c, s, close }: { c: Connector; s: Started; close: () => void }) {
  const { say } = useActs();
  const client = useQueryClient();
  const [late, setLate] = useState(false);
  const { data } = useQuery({ ...q.auth(c.registry.server_id), refetchInterval: 1000, gcTime: 0, staleTime: 0 });
  const host = hostOf(s.auth_url);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), Math.max(0, new Date(s.expires_at).getTime() - Date.now()));
    return () => clearTimeout(timer);
  }, [s.expires_at]);
  const there = data?.auth_state === "healthy";
  useEffect(() => {
    if (!there) return;
    say(t.signedIn);
    void client.invalidateQueries({ queryKey: ["connectors"] });
    close();
    // It is over once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [there]);
  return (
    <Box title={t.signInTitle(c.registry.display_name)} onClose={close}>
      <div className="stack below">
        <p>{t.signInAt(host)}</p>
        {late ? (
          <p role="alert">{t.signInLate}</p>
        ) : (
          <>
            <div className="row">
              <Elsewhere className={button("primary")} to={s.auth_url}>
                {t.signInOpen(host)}
              </Elsewhere>
              <Button onClick={() => void navigator.clipboard?.writeText(s.auth_url).then(() => say(text.trust.copied))}>
                {t.signInCopy}
              </Button>
            </div>
            <p className="muted" role="status">
              {t.signInWaits}
            </p>
          </>
        )}
        <div>
          <Button look="plain" onClick={close}>
            {text.cancel}
          </Button>
        </div>
      </div>
    </Box>
  );
}
