import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import type { Schemas } from "../../api/client";
import { type Outcome, q } from "../../api/queries";
import { text } from "../../text/en";
import { Choice, Search } from "../../ui/forms";
import { Button } from "../../ui/Button";
import { Chip, Empty, Load, Time } from "../../ui/parts";
import { MeanwhileOf } from "../connectors/Meanwhile";
import { stateIcon, stateTone } from "./states";
import { Story } from "./Story";
import panelCss from "../../ui/panel.module.css";

const outcomes: Outcome[] = ["in_progress", "approved", "installed_private", "rejected", "cancelled", "quarantined"];

/** All demonstrations, by their results; the daemon filters and pages. */
export function History() {
  const t = text.history;
  const [page, setPage] = useState(1);
  const [outcome, setOutcome] = useState<Outcome | "">("");
  const [word, setWord] = useState("");
  const search = useDeferredValue(word.trim());
  const query = useQuery(q.history(page, outcome, search));
  const narrow = outcome !== "" || search !== "";
  return (
    <Load query={query}>
      {(h) => {
        const pages = Math.max(1, Math.ceil(h.total / h.page_size));
        if (!h.items?.length && !narrow)
          return (
            <Empty title={t.empty}>
              <p>{t.emptyMore}</p>
            </Empty>
          );
        return (
          <div className="stack">
            <div className="row apart">
              <Choice
                inline
                label={text.pending.filter}
                value={outcome || "all"}
                onChange={(v) => {
                  setOutcome(v === "all" ? "" : (v as Outcome));
                  setPage(1);
                }}
                options={["all", ...outcomes].map((v) => ({ value: v, label: v === "all" ? text.pending.all : text.name(v) }))}
              />
              <Search
                label={t.search}
                maxLength={200}
                value={word}
                onChange={(v) => {
                  setWord(v);
                  setPage(1);
                }}
              />
            </div>
            <ul className={`${panelCss.panel} ${panelCss.flush} ${panelCss.list}`} aria-busy={query.isPlaceholderData}>
              {h.items?.map((i) => (
                <HistoryItem key={i.learn_session_id} i={i} />
              ))}
              {!h.items?.length && <li className="muted">{text.pending.none}</li>}
            </ul>
            {pages > 1 && (
              <div className="row">
                {page > 1 && <Button onClick={() => setPage(page - 1)}>{t.newer}</Button>}
                {page < pages && <Button onClick={() => setPage(page + 1)}>{t.older}</Button>}
                <span className="muted">{t.page(page, pages)}</span>
              </div>
            )}
          </div>
        );
      }}
    </Load>
  );
}

function HistoryItem({ i }: { i: Schemas["HistoryItem"] }) {
  const [open, setOpen] = useState(false);
  const outcome = i.outcome ?? i.state;
  return (
    <li>
      <div className="row apart">
        <div>
          {i.import_id ? (
            <Link className={panelCss.what} to="/import/$id" params={{ id: i.import_id }}>
              {i.title || text.history.untitled}
            </Link>
          ) : i.proposal_id ? (
            <Link className={panelCss.what} to="/review/$id" params={{ id: i.proposal_id }}>
              {i.title || text.history.untitled}
            </Link>
          ) : (
            <Link className={panelCss.what} to="/sessions/$id" params={{ id: i.learn_session_id }}>
              {i.title || text.history.untitled}
            </Link>
          )}
          <p className="muted small">{text.name(i.entry_mode)}</p>
        </div>
        <div className="row">
          <Time at={i.completed_at ?? i.created_at} />
          <Chip tone={stateTone(outcome)} icon={stateIcon(outcome)}>
            {text.name(outcome)}
          </Chip>
          <Button look="plain tiny" aria-expanded={open} onClick={() => setOpen(!open)}>
            {text.history.story}
          </Button>
        </div>
      </div>
      {open && (
        <>
          <Story of={{ session_id: i.learn_session_id }} learn={i.import_id ? undefined : i.title || text.history.untitled} />
          {!i.import_id && <MeanwhileOf id={i.learn_session_id} />}
        </>
      )}
    </li>
  );
}
