import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { text } from "../../text/en";
import { Button } from "../../ui/Button";
import { Chip, Load, Time } from "../../ui/parts";
import { nameOf, q, type Receipt, type ReceiptsOf, self } from "./queries";
import panelCss from "../../ui/panel.module.css";

const t = text.receipts;
const step = 20;
const most = 200; // that the API gives at once

const tones: Record<Receipt["status"], "ok" | "warn" | "bad" | ""> = { ok: "ok", degraded: "warn", blocked: "", failed: "bad" };
const icons: Partial<Record<Receipt["status"], string>> = { ok: "check", degraded: "warn", failed: "cross" };

/** Calls, newest first; of one connector, or of all with their names. */
export function Receipts({ of }: { of: ReceiptsOf }) {
  const [size, setSize] = useState(step);
  const query = useQuery({ ...q.receipts(of, size), placeholderData: keepPreviousData });
  const { data: known } = useQuery(q.all());
  return (
    <Load query={query}>
      {(l) => (
        <>
          <ul className={panelCss.list}>
            {l.receipts.map((r) => (
              <OneReceipt key={r.receipt_id} r={r} name={of.server_id ? "" : nameOf(known?.servers, r.server_id ?? "")} />
            ))}
            {!l.receipts.length && <li className="muted">{t.none}</li>}
          </ul>
          {l.next_cursor && size < most && (
            <div>
              <Button look="tiny" onClick={() => setSize(Math.min(most, size + 2 * step))}>
                {t.older}
              </Button>
            </div>
          )}
        </>
      )}
    </Load>
  );
}

function OneReceipt({ r, name }: { r: Receipt; name: string }) {
  const call = r.call;
  return (
    <li>
      <div className="row apart">
        <div>
          <span className={panelCss.what}>{call ? t.call(call) : t.happened(r.receipt_kind)}</span>
          {name && (
            <>
              {" "}
              {r.server_id === self ? (
                name
              ) : (
                <Link to="/connectors/$id" params={{ id: r.server_id! }}>
                  {name}
                </Link>
              )}
            </>
          )}
        </div>
        <div className="row">
          <Time at={r.created_at} />
          <Chip tone={tones[r.status]} icon={icons[r.status]}>
            {call ? text.capital(t.result(call.result)) : t.status(r.status)}
          </Chip>
        </div>
      </div>
      {call ? (
        <p className="small muted break">
          {text.sentence(
            [
              text.connectors.deed(call.action_class),
              ...(call.result === "denied" // nothing of it was sent, with nobody's sign-in
                ? [t.refused(call)]
                : [t.identity(call), t.approval(call.approval_mode), t.sent(call.sent), t.answered(call.answered)]),
            ].join(", "),
          )}{" "}
          {call.error_code && <code>{call.error_code}</code>}
        </p>
      ) : (
        <p className="small muted break">{text.sentence(r.summary)}</p>
      )}
    </li>
  );
}
