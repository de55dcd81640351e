// Form parts over Radix primitives.
import * as Radio from "@radix-ui/react-radio-group";
import * as Switch from "@radix-ui/react-switch";
import { type ReactNode, useId } from "react";
import fieldCss from "./field.module.css";
import css from "./forms.module.css";

export function Field({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: ReactNode;
  children: (id: string, described?: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={fieldCss.field}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className={fieldCss.hint} id={`${id}-h`}>
          {hint}
        </p>
      )}
      {children(id, hint ? `${id}-h` : undefined)}
    </div>
  );
}

export interface Option {
  value: string;
  label: string;
  more?: string;
}

export function Choice({
  label,
  options,
  value,
  onChange,
  inline,
}: {
  label: string;
  options: Option[];
  value: string;
  onChange: (v: string) => void;
  inline?: boolean;
}) {
  return (
    <Radio.Root className={inline ? `${css.choice} ${css.inline}` : css.choice} aria-label={label} value={value} onValueChange={onChange}>
      {options.map((o) => (
        <Radio.Item key={o.value} value={o.value} className={css.opt}>
          <span className={css.dot} aria-hidden />
          <span>
            <b>{o.label}</b>
            {o.more && <span className="muted">{o.more}</span>}
          </span>
        </Radio.Item>
      ))}
    </Radio.Root>
  );
}

export function Toggle({ label, more, on, onChange }: { label: string; more?: ReactNode; on: boolean; onChange: (on: boolean) => void }) {
  const id = useId();
  return (
    <div className="row beside">
      <Switch.Root className={css.switch} id={id} checked={on} onCheckedChange={onChange}>
        <Switch.Thumb />
      </Switch.Root>
      <div>
        <label htmlFor={id}>
          <strong>{label}</strong>
        </label>
        {more && <p className="muted">{more}</p>}
      </div>
    </div>
  );
}

/** A field that narrows a list down while one types. */
export function Search({
  label,
  value,
  onChange,
  maxLength,
}: {
  label: string;
  value: string;
  onChange: (v: string) => void;
  maxLength?: number;
}) {
  return (
    <input
      className={`${fieldCss.input} ${fieldCss.short}`}
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={maxLength}
      value={value}
      onChange={(e) => onChange(e.target.value)}
    />
  );
}
