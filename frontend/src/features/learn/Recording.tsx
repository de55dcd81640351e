import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Notes } from "../../ui/Notes";
import { button } from "../../ui/Button";
import panelCss from "../../ui/panel.module.css";

const most = 921_600; // what the daemon takes

/** A recording made elsewhere, used as a demonstration. */
export function Recording() {
  const { act, say } = useActs();
  const client = useQueryClient();
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [taken, setTaken] = useState<Schemas["RecordingResponse"]>();
  const t = text.recordings;
  const take = async (f: File) => {
    if (f.size > most) return say(t.large);
    setBusy(true);
    const content = await f.text();
    const r = await act(t.title, (headers) => body(api.POST("/api/learn/recordings", { headers, body: { content, ...once() } })), t.taken);
    setBusy(false);
    setTaken(r);
    void client.invalidateQueries({ queryKey: ["sessions"] });
  };
  return (
    <section className="stack tight after" aria-label={t.title}>
      <h2>{t.title}</h2>
      <p className="muted">{t.more}</p>
      <div>
        <input
          id={id}
          type="file"
          className="hidden"
          accept=".json,.jsonl,application/json"
          onChange={(e) => {
            const f = e.target.files?.[0];
            e.target.value = ""; // the same file can be chosen once more
            if (f && !busy) void take(f);
          }}
        />
        <label htmlFor={id} className={button()} aria-disabled={busy || undefined}>
          {t.choose}
        </label>
      </div>
      <div role="status">
        {taken && (
          <div className={`${panelCss.panel} stack tight`}>
            <p className="row apart">
              <strong className="break">{taken.session.goal || taken.session.title || text.history.untitled}</strong>
              <Link className={button("primary")} to="/sessions/$id" params={{ id: taken.session.learn_session_id }}>
                {t.on}
              </Link>
            </p>
            <Notes title={t.leftOut} all={taken.left_out} />
          </div>
        )}
      </div>
    </section>
  );
}
