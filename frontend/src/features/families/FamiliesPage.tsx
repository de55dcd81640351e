import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { q as shared } from "../../api/queries";
import { text } from "../../text/en";
import { families as t } from "../../text/families";
import { Button, button } from "../../ui/Button";
import { Fix } from "../../ui/Fix";
import { More } from "../../ui/more";
import { Chip, Empty, Load, Page, Time } from "../../ui/parts";
import { Phrase } from "../../ui/Phrase";
import { q as services, self } from "../connectors/queries";
import { asking, capabilitiesOf, type Family, kinds, q } from "./queries";
import panelCss from "../../ui/panel.module.css";

/** The skills that come with Showhow: what each can do, whether it can do it here, and what was done with it. */
export function FamiliesPage() {
  return (
    <Page title={t.title} lead={t.lead}>
      <Load query={useQuery(shared.abilities())}>
        {(snap) => {
          const all = snap.abilities.filter((a) => a.built_in);
          if (!all.length)
            return (
              <Empty title={t.none}>
                <p>{t.noneMore}</p>
              </Empty>
            );
          return (
            <div className="stack">
              {all.map((f) => (
                <OneFamily key={f.ability_id} f={f} />
              ))}
            </div>
          );
        }}
      </Load>
    </Page>
  );
}

function OneFamily({ f }: { f: Family }) {
  const health = useQuery({ ...q.pdf(), enabled: f.family === "pdf" }).data;
  const pdf = f.family === "pdf" ? health : undefined; // what another family asked for is in the query, too
  const about = useQuery(shared.catalog()).data?.items.find((c) => c.ability_id === f.ability_id)?.description;
  const partly = f.usable_now && pdf !== undefined && pdf.missing_programs.length > 0;
  return (
    <section className={`${panelCss.panel} stack`} aria-label={f.title}>
      <div className="row apart">
        <h2>
          <Link to="/skills/$id" params={{ id: f.ability_id }}>
            <bdi>{f.title}</bdi>
          </Link>
        </h2>
        <Chip tone={partly ? "warn" : f.usable_now ? "ok" : "bad"} icon={f.usable_now && !partly ? "check" : "warn"}>
          {!f.enabled ? t.off : partly ? t.partly : f.usable_now ? t.ready : t.notReady}
        </Chip>
      </div>
      {about && <p className="muted break">{about}</p>}
      {!f.usable_now && (
        <p className="break">
          <Phrase>{text.sentence(f.reason_unusable || text.skills.notUsable)}</Phrase>
        </p>
      )}
      {pdf && (
        <div className="stack tight">
          <p className="small">
            {t.reads(pdf.supported_capabilities)} {pdf.missing_programs.length > 0 && t.lacks(pdf.missing_programs)}{" "}
            {pdf.reason_code === "sandbox_unavailable" && t.noSandbox}
          </p>
          {pdf.install_command && <Fix said={pdf.install_command} />}
        </div>
      )}
      {f.family === "notes" && (
        <div>
          <Link className={button("tiny")} to="/notes">
            {t.toNotes}
          </Link>
        </div>
      )}
      {f.family === "m365" && <Services />}
      <Capabilities f={f} />
      <Lately f={f} />
    </section>
  );
}

/** The connectors to Microsoft 365, or the way to one. */
function Services() {
  const all = useQuery(services.all()).data?.servers.filter((s) => s.registry.provider === "m365");
  if (!all) return null;
  return (
    <div className="row">
      {all.map((s) => (
        <Link key={s.registry.server_id} className={button("tiny")} to="/connectors/$id" params={{ id: s.registry.server_id }}>
          {t.toConnector}: <bdi>{s.registry.display_name}</bdi>
        </Link>
      ))}
      {!all.length && (
        <Link className={button("tiny")} to="/connect/m365">
          {t.toConnect}
        </Link>
      )}
    </div>
  );
}

function Capabilities({ f }: { f: Family }) {
  const { data } = useQuery(shared.skillFiles(f.ability_id, f.content_hash));
  const { data: sends } = useQuery({ ...services.m365(), enabled: f.family === "m365" });
  const all = data ? capabilitiesOf(data.files) : [];
  if (!all.length) return null;
  const of = (id: string) => sends?.find((o) => `m365.${o.operation_family}` === id);
  return (
    <More small title={t.can(all.length)} is="">
      <ul className={panelCss.list}>
        {all.map((c) => (
          <li key={c.id} className="row apart">
            <div className="break">
              <span className={panelCss.what}>{c.title}</span>
              {of(c.id) && <p className="small muted">{t.sends(of(c.id)!.sends)}</p>}
            </div>
            {c.asks && <Chip>{t.asks}</Chip>}
          </li>
        ))}
      </ul>
    </More>
  );
}

const few = 5;
const most = 100;

interface Line {
  id: string;
  at: string;
  says: string;
  result?: string;
}

/** What was done with a family, newest first: from Showhow's own receipts, and those of calls at the door. */
function Lately({ f }: { f: Family }) {
  const [size, setSize] = useState(few);
  const m365 = f.family === "m365";
  const without = t.without[f.family];
  const servers = useQuery({ ...services.all(), enabled: m365 });
  const kept = useQuery({ ...q.kept(kinds[f.family] ?? "", size), enabled: f.family in kinds, placeholderData: keepPreviousData });
  const own = useQuery({ ...services.receipts({ server_id: self, receipt_kind: "tool_call" }, most), enabled: f.family in asking });
  // A query that is not asked here may have been asked for another family.
  const ours = ((m365 && servers.data?.servers) || []).filter((s) => s.registry.provider === "m365").map((s) => s.registry.server_id);
  // Of each of them: among the newest calls of all services, theirs may be none.
  const theirs = useQueries({ queries: ours.map((server_id) => services.receipts({ server_id, receipt_kind: "tool_call" }, most)) });
  const asked = [...(f.family in kinds ? [kept] : []), ...(f.family in asking ? [own] : []), ...(m365 ? [servers, ...theirs] : [])];
  const unread = asked.some((x) => x.isError);
  const reading = asked.some((x) => x.isPending);
  const calls = [
    ...(own.data?.receipts ?? []).filter((r) => r.call && asking[f.family]?.includes(r.call.tool_name)),
    ...theirs.flatMap((x) => (x.data?.receipts ?? []).filter((r) => r.call)),
  ];
  const lines: Line[] = [
    ...(kept.data?.receipts ?? []).map((r) => ({ id: r.receipt_id, at: r.created_at, says: text.sentence(r.summary || r.kind) })),
    ...calls.map((r) => ({
      id: r.receipt_id,
      at: r.created_at,
      says: text.receipts.call(r.call!),
      result: text.receipts.result(r.call!.result),
    })),
  ].sort((a, b) => b.at.localeCompare(a.at));
  const more = Math.min((kept.data?.total ?? 0) + calls.length, most) - size;
  return (
    <div className="stack tight">
      <h3>{t.receipts}</h3>
      {lines.length ? (
        <ul className={panelCss.list}>
          {lines.slice(0, size).map((l) => (
            <li key={l.id} className="row apart">
              <span className="break">{l.says}</span>
              <span className="row">
                {l.result && <Chip>{text.capital(l.result)}</Chip>}
                <Time at={l.at} />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        !unread && <p className="small muted">{reading ? text.loading : t.noReceipts}</p>
      )}
      {unread && (
        <p className="small muted" role="status">
          {lines.length ? t.unreadSome : t.unread}
        </p>
      )}
      {without && (
        <p className="small muted">
          <Phrase>{without}</Phrase>
        </p>
      )}
      {more > 0 && (
        <div>
          <Button look="tiny" onClick={() => setSize(most)}>
            {t.older(more)}
          </Button>
        </div>
      )}
    </div>
  );
}
