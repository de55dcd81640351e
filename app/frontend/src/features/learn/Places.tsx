import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Icon } from "../../ui/Icon";
import { Button } from "../../ui/parts";
import { type Kind, kinds, type Picked, tidy } from "./scope";

/** What is open now, to pick from, and a line for each kind to type what is not. */
export function Places({ picked, onChange }: { picked: Picked; onChange: (p: Picked) => void }) {
  const targets = useQuery({ ...q.targets(), refetchInterval: 5000 });
  const toggle = (k: Kind, v: string) => onChange({ ...picked, [k]: picked[k].includes(v) ? picked[k].filter((x) => x !== v) : [...picked[k], v] });
  return (
    <div className="stack">
      {kinds.map((k) => (
        <Place key={k} kind={k} open={targets.data?.filter((t) => t.kind === k)} picked={picked[k]} toggle={(v) => toggle(k, v)} />
      ))}
    </div>
  );
}

function Place({ kind, open, picked, toggle }: { kind: Kind; open?: Schemas["ObservationTarget"][]; picked: string[]; toggle: (v: string) => void }) {
  const [typed, setTyped] = useState("");
  const [all, setAll] = useState(false);
  const t = text.setup;
  const known = open ?? [];
  const shown = all ? known : known.slice(0, 8);
  const extra = picked.filter((v) => !shown.some((o) => o.value === v));
  const add = () => {
    const v = tidy(kind, typed);
    if (v && !picked.includes(v)) toggle(v);
    setTyped("");
  };
  return (
    <div role="group" aria-label={text.name(kind)} className="stack tight">
      <h3>{text.name(kind)}</h3>
      <div className="row">
        {extra.map((v) => (
          <button key={v} type="button" className="pick" aria-pressed onClick={() => toggle(v)}>
            <Icon name="check" />
            {v}
          </button>
        ))}
        {shown.map((o) => (
          <button key={o.value} type="button" className="pick" aria-pressed={picked.includes(o.value)} onClick={() => toggle(o.value)}>
            {picked.includes(o.value) && <Icon name="check" />}
            <span>
              {o.title && o.title !== o.value ? (
                <>
                  {o.title} <span className="small muted">{o.value}</span>
                </>
              ) : (
                o.value
              )}
            </span>
          </button>
        ))}
        {known.length > shown.length && (
          <Button look="plain tiny" onClick={() => setAll(true)}>
            {text.more} ({known.length - shown.length})
          </Button>
        )}
        <span className="row" style={{ flexWrap: "nowrap" }}>
          <input
            className="input short"
            aria-label={t.typed(text.name(kind))}
            placeholder={t.typedExample[kind]}
            value={typed}
            onChange={(e) => setTyped(e.target.value)}
            onBlur={add}
            onKeyDown={(e) => {
              if (e.key !== "Enter") return;
              e.preventDefault();
              add();
            }}
          />
          {typed.trim() && (
            <Button look="tiny" onClick={add}>
              {text.add}
            </Button>
          )}
        </span>
      </div>
    </div>
  );
}
