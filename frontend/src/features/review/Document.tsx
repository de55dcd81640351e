import * as Tabs from "@radix-ui/react-tabs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { between, Difference } from "../../ui/Difference";
import { Load } from "../../ui/parts";
import { Source } from "./Findings";
import { Markdown } from "./Markdown";
import documentCss from "../../ui/document.module.css";
import panelCss from "../../ui/panel.module.css";

type Detail = Schemas["ProposalDetailResponse"];

/** SKILL.md: readable, as written, and what the last revision changed. */
export function Document({ d }: { d: Detail }) {
  const [view, setView] = useState("read");
  const t = text.review.view;
  const source = d.skill_md ?? "";
  return (
    <section className={`${panelCss.panel} ${panelCss.flush}`} aria-label={text.review.document}>
      <Tabs.Root value={view} onValueChange={setView}>
        <Tabs.List className="tabs inset" aria-label={text.review.document}>
          <Tabs.Trigger value="read">{t.read}</Tabs.Trigger>
          <Tabs.Trigger value="raw">{t.raw}</Tabs.Trigger>
          <Tabs.Trigger value="diff">{t.diff}</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="read" className={documentCss.doc}>
          <Markdown source={source} />
        </Tabs.Content>
        <Tabs.Content value="raw" className={documentCss.doc}>
          <Source source={source} findings={d.checkpoint_lint_report?.findings} />
        </Tabs.Content>
        <Tabs.Content value="diff" className={documentCss.doc}>
          {view === "diff" && <Changes d={d} />}
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
}

function Changes({ d }: { d: Detail }) {
  const now = d.proposal.revision;
  const earlier = d.revisions.filter((r) => r.revision < now).map((r) => r.revision);
  const before = Math.max(0, ...earlier);
  const last = d.revisions.find((r) => r.revision === now);
  const file = useQuery({ ...q.file(d.proposal.proposal_id, before, "SKILL.md"), enabled: before > 0 });
  if (!before) return <p className="muted">{text.review.diffNone}</p>;
  return (
    <Load query={file}>
      {(old) => {
        const lines = between(old, d.skill_md ?? "");
        return (
          <div className="stack">
            {last?.changes?.length ? (
              <ul>
                {last.changes.map((c) => (
                  <li key={c}>{text.sentence(c)}</li>
                ))}
              </ul>
            ) : null}
            {lines.length ? <Difference lines={lines} label={text.review.view.diff} /> : <p className="muted">{text.review.diffSame}</p>}
          </div>
        );
      }}
    </Load>
  );
}
