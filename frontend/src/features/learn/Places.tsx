import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Icon } from "../../ui/Icon";
import { Button } from "../../ui/Button";
import { More } from "../../ui/more";
import { type Kind, kinds, type Picked, tidy, wrong } from "./scope";
import { listed } from "../../text/say";
import css from "./Places.module.css";
import fieldCss from "../../ui/field.module.css";
import formsCss from "../../ui/forms.module.css";

/** The open places to pick from, and a line for each kind to type others. */
export function Places({ picked, onChange }: { picked: Picked; onChange: (p: Picked) => void }) {
  const targets = useQuery({ ...q.targets(), refetchInterval: 5000 });
  const toggle = (k: Kind, v: string) =>
    onChange({ ...picked, [k]: picked[k].includes(v) ? picked[k].filter((x) => x !== v) : [...picked[k], v] });
  const place = (k: Kind) => (
    <Place key={k} kind={k} open={targets.data?.filter((t) => t.kind === k)} picked={picked[k]} toggle={(v) => toggle(k, v)} />
  );
  const t = text.setup;
  const set = seldom.flatMap((k) => picked[k]);
  return (
    <div className="stack tight">
      {kinds.filter((k) => !seldom.includes(k)).map(place)}
      <More small title={t.places} is={set.length ? t.placesSet(listed(set)) : t.placesNone}>
        <div className="stack tight">{seldom.map(place)}</div>
      </More>
    </div>
  );
}

const seldom: Kind[] = ["app", "shell", "device"]; // what most people never need

function Place({
  kind,
  open,
  picked,
  toggle,
}: {
  kind: Kind;
  open?: Schemas["ObservationTarget"][];
  picked: string[];
  toggle: (v: string) => void;
}) {
  const [typed, setTyped] = useState("");
  const [all, setAll] = useState(false);
  const [why, setWhy] = useState("");
  const id = useId();
  const t = text.setup;
  const known = open ?? [];
  const shown = all ? known : known.slice(0, 8);
  const extra = picked.filter((v) => !shown.some((o) => o.value === v));
  const add = () => {
    const v = tidy(kind, typed);
    const no = v ? wrong(kind, v) : undefined;
    setWhy(no ?? "");
    if (no) return; // what was typed stays, to be mended
    if (v && !picked.includes(v)) toggle(v);
    setTyped("");
  };
  return (
    <div role="group" aria-label={text.name(kind)} className={css.where}>
      <h3>{text.name(kind)}</h3>
      <div className="row">
        {extra.map((v) => (
          <button key={v} type="button" className={formsCss.pick} aria-pressed onClick={() => toggle(v)}>
            <Icon name="check" />
            {v}
          </button>
        ))}
        {shown.map((o) => (
          <button
            key={o.value}
            type="button"
            className={formsCss.pick}
            aria-pressed={picked.includes(o.value)}
            onClick={() => toggle(o.value)}
          >
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
        <span className={`row ${css.fill}`}>
          <input
            className={fieldCss.input}
            aria-label={t.typed(text.name(kind))}
            placeholder={t.typedExample[kind]}
            value={typed}
            aria-invalid={why ? true : undefined}
            aria-describedby={why ? id : undefined}
            onChange={(e) => {
              setTyped(e.target.value);
              setWhy("");
            }}
            onBlur={add}
            onKeyDown={(e) => {
              if (e.key !== "Enter") return;
              e.preventDefault();
              add();
            }}
          />
          {typed.trim() && (
            <Button look="tiny" tabIndex={-1} onClick={add}>
              {text.add}
            </Button>
          )}
        </span>
      </div>
      {why && (
        <p className={`${fieldCss.why} ${css.why}`} id={id} role="alert">
          {why}
        </p>
      )}
    </div>
  );
}
