import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api, body, once, type Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Phrase } from "../../ui/Phrase";
import { Ask, Box } from "../../ui/Box";
import { Button } from "../../ui/Button";
import { useRevise } from "./Questions";
import factsCss from "../../ui/facts.module.css";
import panelCss from "../../ui/panel.module.css";

type Answer = Schemas["ImproveTextResponse"];

/** The configured model's better wording, to accept or not. Nothing is shown without a model. */
export function Wording({ d }: { d: Schemas["ProposalDetailResponse"] }) {
  const { act } = useActs();
  const revise = useRevise(d);
  const { data: settings } = useQuery(q.settings());
  const [busy, setBusy] = useState(false);
  const [consent, setConsent] = useState("");
  const [answer, setAnswer] = useState<Answer>();
  const t = text.wording;
  if (!settings?.model?.url || !d.proposal.allowed_actions.includes("revise")) return null;
  const ask = async (consent_to?: string) => {
    setConsent("");
    setBusy(true);
    const r = await act(t.title, async (headers) => {
      try {
        return await body(
          api.POST("/api/learn/proposals/{proposalId}/improve-text", {
            params: { path: { proposalId: d.proposal.proposal_id } },
            headers,
            body: { ...(consent_to ? { consent_to } : {}), ...once() },
          }),
        );
      } catch (e) {
        const at = e instanceof ApiError && e.code === "MODEL_CONSENT_REQUIRED" ? e.details.endpoint : undefined;
        if (typeof at !== "string") throw e;
        return at;
      }
    });
    setBusy(false);
    if (typeof r === "string") setConsent(r);
    else if (r) setAnswer(r);
  };
  const take = async () => {
    if (await revise(t.take, answer?.edited_fields as Record<string, unknown>)) setAnswer(undefined);
  };
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.title}>
      <h2>{t.title}</h2>
      <p className="muted">{t.more}</p>
      <div>
        <Button busy={busy} onClick={() => void ask()}>
          {busy ? t.asking : t.do}
        </Button>
      </div>
      {consent && (
        <Ask title={t.title} does={t.consentDo} onDo={() => void ask(consent)} close={() => setConsent("")}>
          <p className="break">{t.consent(consent)}</p>
        </Ask>
      )}
      {answer && <Offered a={answer} take={() => void take()} close={() => setAnswer(undefined)} />}
    </section>
  );
}

function Offered({ a, take, close }: { a: Answer; take: () => void; close: () => void }) {
  const t = text.wording;
  const some = (a.texts?.length ?? 0) > 0;
  return (
    <Box title={t.title} onClose={close} wide>
      <div className="stack below">
        <p>{some ? t.said(a.model, a.texts_sent) : t.none}</p>
        {a.texts?.map((x) => (
          <dl key={x.text} className={factsCss.facts}>
            <dt>{t.was}</dt>
            <dd className="break muted">
              <Phrase>{x.before}</Phrase>
            </dd>
            <dt>{t.better}</dt>
            <dd className="break">
              <Phrase>{x.after}</Phrase>
            </dd>
          </dl>
        ))}
        {(a.refused?.length ?? 0) > 0 && (
          <details className="small">
            <summary>{t.refused}</summary>
            <ul className="stack tight">
              {a.refused?.map((x) => (
                <li key={x.text} className="break">
                  <Phrase>{x.before}</Phrase> <span className="muted">{text.sentence(x.reason)}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
        <div className="row">
          {some && (
            <Button look="primary" onClick={take}>
              {t.take}
            </Button>
          )}
          <Button look={some ? "plain" : "primary"} onClick={close}>
            {some ? t.leave : text.close}
          </Button>
        </div>
      </div>
    </Box>
  );
}
