import { type ReactNode, useId, useState } from "react";
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Button } from "../../ui/Button";
import fieldCss from "../../ui/field.module.css";

export type Permissions = Schemas["AbilityPermissions"];
export const permissionKinds = ["tools", "domains", "credentials"] as const;
type Kind = (typeof permissionKinds)[number];

export const none: Permissions = { tools: [], domains: [], credentials: [] };

/** Lists may be null on the wire. */
export const tidy = (p?: Partial<Permissions> | null): Permissions => ({
  tools: p?.tools ?? [],
  domains: p?.domains ?? [],
  credentials: p?.credentials ?? [],
  ...(p?.agents?.length ? { agents: p.agents } : {}),
});

/** What is ticked before a person ticks anything: the tools, which go with the content; no site and no credential. */
export const atFirst = (asked: Permissions, granted: Permissions = none): Permissions => ({
  tools: asked.tools,
  domains: asked.domains.filter((d) => granted.domains.includes(d)),
  credentials: asked.credentials.filter((c) => granted.credentials.includes(c)),
  ...(granted.agents ? { agents: granted.agents } : {}),
});

const equal = (a: string[], b: string[]) => a.length === b.length && a.every((x) => b.includes(x));

export const same = (a: Permissions, b: Permissions) =>
  permissionKinds.every((k) => equal(a[k], b[k])) && equal(a.agents ?? [], b.agents ?? []);

const union = (a: string[], b: string[]) => [...new Set([...a, ...b])].sort();

interface Props {
  offered: Permissions; // what is asked for, or was allowed once
  value: Permissions;
  onChange: (p: Permissions) => void;
  now?: Permissions; // what is allowed now, to mark what the ticks would change
  addable?: boolean;
  agents?: string[]; // whose skill folders are known; without them nothing is asked about agents
  fixed?: string; // why only the agents can be chosen
}

/** Tools, sites and the names of credentials, each with its own tick: nothing is allowed merely by being listed. */
export function Ticks({ offered, value, onChange, now, addable, agents = [], fixed }: Props) {
  const t = text.permissions;
  const tick = (k: Kind, name: string) =>
    onChange({ ...value, [k]: value[k].includes(name) ? value[k].filter((x) => x !== name) : [...value[k], name] });
  return (
    <div className="stack">
      {fixed && <p className="small muted">{fixed}</p>}
      {permissionKinds.map((k) => (
        <Group key={k} kind={k} addable={addable && !fixed} add={(name) => value[k].includes(name) || tick(k, name)}>
          {union(union(offered[k], value[k]), now?.[k] ?? []).map((name) => (
            <label key={name} className={fieldCss.tick}>
              <input type="checkbox" checked={value[k].includes(name)} disabled={!!fixed} title={fixed} onChange={() => tick(k, name)} />
              <bdi className="mono break">{name}</bdi>
              {now && value[k].includes(name) !== now[k].includes(name) && (
                <span className="small muted">{value[k].includes(name) ? t.newly : t.noMore}</span>
              )}
            </label>
          ))}
        </Group>
      ))}
      {(agents.length > 1 || value.agents) && (
        <Agents known={union(agents, now?.agents ?? [])} value={value} onChange={onChange} now={now} />
      )}
    </div>
  );
}

const afar = (name: string) => name.startsWith("remote/"); // an agent on another computer

/**
 * Which agents may use it: every agent of this computer, as long as nobody chose some of them; of callers from elsewhere
 * none but those that are named.
 */
function Agents({ known, value, onChange, now }: Pick<Props, "value" | "onChange" | "now"> & { known: string[] }) {
  const t = text.permissions;
  const named = union(known, value.agents ?? []);
  const here = named.filter((x) => !afar(x));
  const elsewhere = named.filter(afar);
  const of = (p?: Permissions) => (p?.agents ?? []).filter((x) => !afar(x));
  const chosen = of(value).length ? of(value) : here;
  const may = (p: Permissions | undefined, name: string) =>
    afar(name) ? !!p?.agents?.includes(name) : !of(p).length || of(p).includes(name);
  const set = (local: string[], others: string[]) => {
    const { agents: _, ...rest } = value;
    const agents = [...(equal(local, here) ? [] : local), ...others];
    onChange(agents.length ? { ...rest, agents } : rest);
  };
  const flip = (all: string[], name: string) => (all.includes(name) ? all.filter((x) => x !== name) : union(all, [name]));
  const open = (value.agents ?? []).filter(afar);
  return (
    <fieldset className="stack tight">
      <legend>{t.agents}</legend>
      <div className={fieldCss.ticks}>
        {[...here, ...elsewhere].map((name) => (
          <label key={name} className={fieldCss.tick}>
            <input
              type="checkbox"
              checked={may(value, name)}
              disabled={!afar(name) && chosen.length === 1 && chosen[0] === name}
              onChange={() => (afar(name) ? set(chosen, flip(open, name)) : set(flip(chosen, name), open))}
            />
            <bdi className="mono break">{name}</bdi>
            {now && may(value, name) !== may(now, name) && <span className="small muted">{may(value, name) ? t.newly : t.noMore}</span>}
          </label>
        ))}
      </div>
      <p className="small muted">{of(value).length ? t.agentsSome : t.agentsAll}</p>
      {open.length > 0 && <p className="small muted">{t.agentsElsewhere}</p>}
    </fieldset>
  );
}

function Group({ kind, addable, add, children }: { kind: Kind; addable?: boolean; add: (name: string) => void; children: ReactNode[] }) {
  const t = text.permissions;
  const [typed, setTyped] = useState("");
  const id = useId();
  const take = () => {
    if (typed.trim()) add(typed.trim());
    setTyped("");
  };
  return (
    <fieldset className="stack tight">
      <legend>{t.kinds[kind]}</legend>
      {children.length ? <div className={fieldCss.ticks}>{children}</div> : <p className="small muted">{t.none[kind]}</p>}
      {addable && (
        <div className="row">
          <label className="hidden" htmlFor={id}>
            {t.addLabel[kind]}
          </label>
          <input
            id={id}
            className={`${fieldCss.input} ${fieldCss.add}`}
            placeholder={t.addExample[kind]}
            value={typed}
            onChange={(e) => setTyped(e.target.value)}
            onKeyDown={(e) => {
              if (e.key !== "Enter") return;
              e.preventDefault();
              take();
            }}
          />
          {typed.trim() && (
            <Button look="tiny" onClick={take}>
              {text.add}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  );
}
