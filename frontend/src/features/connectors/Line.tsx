import { Field } from "../../ui/forms";
import fieldCss from "../../ui/field.module.css";

interface LineProps {
  label: string;
  hint?: string;
  example?: string;
  value: string;
  rows?: number; // more than a line
  onChange: (v: string) => void;
}

/** One or more lines of text without spell checking. */
export const Line = ({ label, hint, example, value, rows, onChange }: LineProps) => (
  <Field label={label} hint={hint}>
    {(id, described) => {
      const shared = {
        id,
        "aria-describedby": described,
        className: fieldCss.input,
        maxLength: 4000,
        spellCheck: false,
        autoCapitalize: "off",
        placeholder: example,
        value,
        onChange: (e: { target: { value: string } }) => onChange(e.target.value),
      };
      return rows ? <textarea {...shared} rows={rows} /> : <input {...shared} />;
    }}
  </Field>
);
