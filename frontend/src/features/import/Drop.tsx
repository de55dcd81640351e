import { type DragEvent, useId, useState } from "react";
import { text } from "../../text/en";
import { Icon } from "../../ui/Icon";
import { button } from "../../ui/Button";
import css from "./Drop.module.css";
import fieldCss from "../../ui/field.module.css";

/** A place to drop an archive on, and a file picker for the keyboard. */
export function Drop({ busy, take }: { busy: boolean; take: (f: File) => void }) {
  const t = text.imports;
  const [over, setOver] = useState(false);
  const [wrong, setWrong] = useState("");
  const id = useId();
  const pick = (files: FileList | null) => {
    const f = files?.[0];
    if (!f || busy) return;
    const why = files.length > 1 ? t.oneFile : /\.zip$/i.test(f.name) ? (f.size > 100 << 20 ? t.tooLarge : "") : t.notZip;
    setWrong(why);
    if (!why) take(f);
  };
  const drag = (on: boolean) => (e: DragEvent) => {
    e.preventDefault();
    setOver(on);
  };
  return (
    <div
      className={over ? `${css.drop} ${css.over}` : css.drop}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(e) => {
        drag(false)(e);
        pick(e.dataTransfer.files);
      }}
    >
      <Icon name="import" />
      <p>
        <strong>{t.drop}</strong>
      </p>
      <p className="muted">{t.dropMore}</p>
      <input
        id={id}
        type="file"
        className="hidden"
        accept=".zip,application/zip"
        aria-describedby={wrong ? `${id}-w` : undefined}
        onChange={(e) => {
          pick(e.target.files);
          e.target.value = ""; // the same file may be picked again
        }}
      />
      <label htmlFor={id} className={button("primary")} aria-disabled={busy || undefined}>
        {t.pick}
      </label>
      {wrong && (
        <p className={fieldCss.why} id={`${id}-w`} role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}
