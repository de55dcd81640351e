import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, body, seen } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";
import { Chip, Load } from "../../ui/parts";
import { Part } from "./Part";
import fieldCss from "../../ui/field.module.css";

const credentials = { queryKey: ["agents", "credentials"], queryFn: () => body(api.GET("/api/credentials")) };

/** Names of what runs may be given from the keychain. A value goes in and is never shown again. */
export function Credentials() {
  const { act } = useActs();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const t = text.connecting;
  const refresh = () => void client.invalidateQueries({ queryKey: credentials.queryKey });
  return (
    <Part title={t.credentials}>
      <p className="muted">{t.credentialsMore}</p>
      <Load query={useQuery(credentials)}>
        {(c) => {
          const why = !c.keychain ? t.noKeychain : name.trim() && value ? undefined : t.noName;
          const store = async (e?: FormEvent) => {
            e?.preventDefault();
            if (why) return;
            const revision = c.credentials?.find((x) => x.name === name.trim())?.revision;
            const r = await act(
              t.store,
              (headers) =>
                body(
                  api.PUT("/api/credentials/{name}", {
                    params: { path: { name: name.trim() }, ...(revision ? { header: seen(revision) } : {}) },
                    headers,
                    body: { value, schema_version: 1 },
                  }),
                ),
              t.stored,
            );
            setValue("");
            if (!r) return;
            setName("");
            refresh();
          };
          const forget = (of: string, revision?: number) =>
            void act(
              t.forget,
              (headers) =>
                body(
                  api.DELETE("/api/credentials/{name}", {
                    params: { path: { name: of }, ...(revision ? { header: seen(revision) } : {}) },
                    headers,
                  }),
                ),
              t.forgotten,
            ).then(refresh);
          return (
            <div className="stack below">
              <ul className="stack tight">
                {c.credentials?.map((x) => (
                  <li key={x.name} className="row apart">
                    <span className="break">
                      <code>{x.name}</code> <Chip tone={x.state === "stored" ? "ok" : "warn"}>{text.name(x.state)}</Chip>
                      {(x.used_by?.length ?? 0) > 0 && <span className="small muted"> {t.usedBy(x.used_by!.join(", "))}</span>}
                    </span>
                    {x.state === "stored" && (
                      <Button look="danger tiny" aria-label={`${t.forget}: ${x.name}`} onClick={() => forget(x.name, x.revision)}>
                        {t.forget}
                      </Button>
                    )}
                  </li>
                ))}
                {c.keychain && !c.credentials?.length && <li>{t.credentialsNone}</li>}
              </ul>
              {c.keychain ? (
                <form className="row" autoComplete="off" onSubmit={(e) => void store(e)}>
                  <input
                    className={`${fieldCss.input} ${fieldCss.short}`}
                    aria-label={t.credential}
                    placeholder={t.credentialIs}
                    maxLength={120}
                    spellCheck={false}
                    value={name}
                    onChange={(e) => setName(e.target.value)}
                  />
                  <input
                    className={`${fieldCss.input} ${fieldCss.short}`}
                    type="password"
                    autoComplete="new-password"
                    aria-label={t.value}
                    placeholder={t.value}
                    maxLength={8192}
                    value={value}
                    onChange={(e) => setValue(e.target.value)}
                  />
                  <Button disabledReason={why} onClick={() => void store()}>
                    {t.store}
                  </Button>
                </form>
              ) : (
                <p className={fieldCss.why}>{t.noKeychain}</p>
              )}
            </div>
          );
        }}
      </Load>
    </Part>
  );
}
