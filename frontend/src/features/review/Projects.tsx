import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { button } from "../../ui/Button";
import { Button } from "../../ui/Button";
import { q } from "../growth/queries";
import { useRevise } from "./Questions";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type Detail = Schemas["ProposalDetailResponse"];

/** For which projects the skill is: a picker of those that are known. */
export function Projects({ d }: { d: Detail }) {
  const revise = useRevise(d);
  const known = useQuery(q.projects()).data ?? [];
  const [picked, setPicked] = useState<string[]>();
  const t = text.reviewing.projects;
  const now = d.interpretation?.project_ids ?? [];
  const may = d.proposal.allowed_actions.includes("revise");
  const all = [...new Set([...known.map((b) => b.project_id), ...now])];
  if (!d.interpretation) return null;
  const save = async () => {
    if (!picked) return;
    if (picked.join("\n") === now.join("\n") || (await revise(t.title, { projects: picked }))) setPicked(undefined);
  };
  return (
    <section className={`${panelCss.panel} stack`} aria-label={t.title}>
      <div className="row apart">
        <h2>{t.title}</h2>
        {!picked && all.length > 0 && (
          <Button
            look="tiny"
            aria-label={`${text.edit}: ${t.title}`}
            disabledReason={may ? undefined : text.review.noRevise}
            onClick={() => setPicked(now)}
          >
            {text.edit}
          </Button>
        )}
      </div>
      {picked ? (
        <form
          className="stack"
          onSubmit={(e) => {
            e.preventDefault();
            void save();
          }}
        >
          <p className="muted">{t.pick}</p>
          {all.map((id) => (
            <label key={id} className={fieldCss.check}>
              <input
                type="checkbox"
                checked={picked.includes(id)}
                onChange={(e) => setPicked(e.target.checked ? [...picked, id] : picked.filter((x) => x !== id))}
              />
              <span>
                {id}
                {known.find((b) => b.project_id === id)?.aliases.length ? (
                  <span className="muted"> {known.find((b) => b.project_id === id)!.aliases.join(", ")}</span>
                ) : null}
              </span>
            </label>
          ))}
          <div className="row">
            <button type="submit" className={button("primary")}>
              {text.save}
            </button>
            <Button look="plain" onClick={() => setPicked(undefined)}>
              {text.cancel}
            </Button>
          </div>
        </form>
      ) : (
        <p>
          {now.length ? t.only(now) : t.every} {all.length === 0 && <Link to="/projects">{t.none}</Link>}
        </p>
      )}
    </section>
  );
}
