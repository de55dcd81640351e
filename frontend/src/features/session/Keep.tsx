import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Toggle } from "../../ui/forms";
import { Button } from "../../ui/Button";
import panelCss from "../../ui/panel.module.css";

/** How long a demonstration is kept, and deleting it for good, which the person must confirm. */
export function Keep({ s }: { s: Schemas["LearnSession"] }) {
  const { act } = useActs();
  const go = useNavigate();
  const client = useQueryClient();
  const t = text.keeping;
  const params = { path: { sessionId: s.learn_session_id }, header: seen(s.revision) };
  const retain = (on: boolean) =>
    void act(t.retain, () => body(api.POST("/api/learn/sessions/{sessionId}/retain", { params, body: { retain: on, ...once() } }))).then(
      () => client.invalidateQueries({ queryKey: ["sessions"] }),
    );
  const remove = async () => {
    const r = await act(t.delete, (headers) => body(api.DELETE("/api/learn/sessions/{sessionId}", { params, headers })), t.deleted);
    if (!r) return;
    void go({ to: "/learn/history" });
    void client.invalidateQueries();
  };
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.title}>
      <h2>{t.title}</h2>
      <p className="muted">{s.raw_purged_at ? t.purged : s.retain ? t.kept : t.usual}</p>
      {!s.raw_purged_at && <Toggle label={t.retain} more={t.retainMore} on={s.retain ?? false} onChange={retain} />}
      <p className="small muted">{t.deleteMore}</p>
      <div>
        <Button look="danger tiny" onClick={() => void remove()}>
          {t.delete}
        </Button>
      </div>
    </section>
  );
}
