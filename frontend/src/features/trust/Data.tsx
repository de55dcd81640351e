import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api, body, once } from "../../api/client";
import { erased } from "../../api/login";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Field } from "../../ui/forms";
import { Ask } from "../../ui/Box";
import { Button } from "../../ui/Button";
import { Part } from "./Part";
import css from "./Data.module.css";
import fieldCss from "../../ui/field.module.css";

/** Purge now, export or delete everything: each confirmed by a person. */
export function Data() {
  const t = text.trust;
  const { act, say } = useActs();
  const client = useQueryClient();
  const [folder, setFolder] = useState("");
  const [written, setWritten] = useState("");
  const [erasing, setErasing] = useState(false);
  const wrong = folder.trim() && !/^(\/|[A-Za-z]:[\\/])/.test(folder.trim()) ? t.folderWrong : undefined;

  const purge = async () => {
    const r = await act(t.purge, (headers) => body(api.POST("/api/data/purge", { headers, body: once() })));
    if (r) say(t.purged(r.sessions, r.runs));
    void client.invalidateQueries();
  };
  const write = async () => {
    const r = await act(t.exportAll, (headers) =>
      body(api.POST("/api/data/export", { headers, body: { ...(folder.trim() ? { folder: folder.trim() } : {}), ...once() } })),
    );
    if (r) setWritten(t.exported(r.file, r.files));
  };
  return (
    <Part title={t.data}>
      <p className="muted">{t.dataMore}</p>
      <div className="stack below">
        <Row more={t.purgeMore}>
          <Button onClick={() => void purge()}>{t.purge}</Button>
        </Row>
        <Row
          more={t.exportMore}
          below={
            <>
              <Field label={t.exportFolder}>
                {(id) => (
                  <input
                    id={id}
                    className={`${fieldCss.input} mono`}
                    spellCheck={false}
                    value={folder}
                    onChange={(e) => setFolder(e.target.value)}
                  />
                )}
              </Field>
              <p role="status" className="break">
                {written}
              </p>
            </>
          }
        >
          <Button disabledReason={wrong} onClick={() => void write()}>
            {t.exportAll}
          </Button>
        </Row>
        <Row more={t.eraseMore}>
          <Button look="danger" onClick={() => setErasing(true)}>
            {t.erase}
          </Button>
        </Row>
      </div>
      {erasing && <Erase close={() => setErasing(false)} />}
    </Part>
  );
}

function Row({ more, below, children }: { more: string; below?: ReactNode; children: ReactNode }) {
  return (
    <div className={css.deed}>
      <p>{more}</p>
      <div>{children}</div>
      {below && <div className="stack tight">{below}</div>}
    </div>
  );
}

/** An irreversible action must be typed in words, and then confirmed like every other action. */
function Erase({ close }: { close: () => void }) {
  const t = text.trust;
  const { act } = useActs();
  const [typed, setTyped] = useState("");
  const ready = typed.trim().toLowerCase() === t.eraseWord;
  const erase = async () => {
    close();
    const r = await act(t.erase, (headers) => body(api.POST("/api/data/erase", { headers, body: once() })));
    if (r) erased(r.left ?? []);
  };
  return (
    <Ask title={t.eraseTitle} does={t.erase} why={ready ? undefined : t.eraseNot} look="danger" onDo={() => void erase()} close={close}>
      <p>{t.eraseMore}</p>
      <Field label={t.eraseType(t.eraseWord)}>
        {(id) => <input id={id} className={fieldCss.input} autoComplete="off" value={typed} onChange={(e) => setTyped(e.target.value)} />}
      </Field>
    </Ask>
  );
}
