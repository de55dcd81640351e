import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once, seen } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";
import { q, type Run } from "./queries";
import fieldCss from "../../ui/field.module.css";
import stripCss from "../../ui/strip.module.css";

/** What an agent's run asks, in every view: everything in its sandbox stands still until a person answers. */
export function RunQuestions() {
  const { data } = useQuery(q.list());
  const asking = data?.filter((r) => r.state === "waiting" && r.question) ?? [];
  return asking.map((r) => <RunQuestion key={r.question!.question_id} r={r} link />);
}

export function RunQuestion({ r, link }: { r: Run; link?: boolean }) {
  const { act } = useActs();
  const [said, setSaid] = useState("");
  const t = text.runs;
  const ask = r.question;
  if (!ask) return null;
  const host = ask.kind === "domain";
  const answer = (allow: boolean) =>
    void act(
      allow ? (host ? t.allow : t.send) : t.refuse,
      (headers) =>
        body(
          api.POST("/api/agent-runs/{runId}/answer", {
            params: { path: { runId: r.run_id }, header: seen(r.revision) },
            headers,
            body: { question_id: ask.question_id, allow, ...(allow && !host ? { text: said.trim() } : {}), ...once() },
          }),
        ),
      allow ? t.answered : t.refused,
    );
  return (
    <section className={stripCss.asked} aria-label={t.label}>
      <div className={stripCss.said}>
        <strong className="break">{host ? t.asksHost(text.capital(r.agent), ask.host ?? "") : t.asksInput(text.capital(r.agent))}</strong>
        {ask.text && (
          <p className="break">
            {t.itsWords}: <q>{ask.text}</q>
          </p>
        )}
        <p className="small">{t.still}</p>
      </div>
      <form
        className="row"
        onSubmit={(e) => {
          e.preventDefault();
          if (said.trim()) answer(true);
        }}
      >
        {!host && (
          <input
            className={`${fieldCss.input} ${fieldCss.short}`}
            aria-label={t.answer}
            placeholder={t.answer}
            maxLength={4000}
            value={said}
            onChange={(e) => setSaid(e.target.value)}
          />
        )}
        <Button look="primary" disabledReason={host || said.trim() ? undefined : t.noAnswer} onClick={() => answer(true)}>
          {host ? t.allow : t.send}
        </Button>
        <Button onClick={() => answer(false)}>{t.refuse}</Button>
        {link && (
          <Link to="/runs/$id" params={{ id: r.run_id }}>
            {t.open}
          </Link>
        )}
      </form>
    </section>
  );
}
