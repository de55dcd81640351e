import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once } from "../../api/client";
import { text } from "../../text/en";
import { growth } from "../../text/growth";
import { useActs } from "../../ui/act";
import { Button, button } from "../../ui/Button";
import { Choice, Field } from "../../ui/forms";
import { Empty, Load, Page } from "../../ui/parts";
import { type Binding, q } from "./queries";
import factsCss from "../../ui/facts.module.css";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

const t = growth.projects;
const lists = ["aliases", "onedrive_refs", "sharepoint_refs", "teams_refs", "preferred_doc_types"] as const;

const fresh: Binding = {
  project_id: "",
  aliases: [],
  bucket_ids: [],
  preferred_doc_types: [],
  sharepoint_refs: [],
  onedrive_refs: [],
  teams_refs: [],
  source_of_truth: "mixed",
  ambiguity_policy: "use_room_context_then_prompt",
  schema_version: 1,
};

/** Names of projects, and where their documents are. */
export function ProjectsPage() {
  const [edited, setEdited] = useState<Binding>();
  return (
    <Page
      title={t.title}
      lead={t.lead}
      side={
        <>
          <Link to="/settings">{text.nav.settings}</Link>
          {!edited && (
            <Button look="primary" onClick={() => setEdited(fresh)}>
              {t.add}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        {edited && <Form key={edited.project_id} b={edited} onDone={() => setEdited(undefined)} />}
        <Load query={useQuery(q.projects())}>
          {(all) =>
            all.length ? (
              <ul className={panelCss.list}>
                {all.map((b) => (
                  <Bound key={b.project_id} b={b} onEdit={() => setEdited(b)} />
                ))}
              </ul>
            ) : edited ? null : (
              <Empty title={t.empty}>
                <p>{t.emptyMore}</p>
              </Empty>
            )
          }
        </Load>
      </div>
    </Page>
  );
}

function Bound({ b, onEdit }: { b: Binding; onEdit: () => void }) {
  const { act } = useActs();
  const client = useQueryClient();
  const unbind = () =>
    act(
      t.unbind,
      (headers) => body(api.DELETE("/api/projects/bindings/{projectId}", { params: { path: { projectId: b.project_id } }, headers })),
      t.unbound,
    ).finally(() => void client.invalidateQueries({ queryKey: ["projects"] }));
  return (
    <li className="row apart">
      <div className="stack tight">
        <p className={panelCss.what}>
          <bdi>{b.project_id}</bdi>
        </p>
        <dl className={factsCss.facts}>
          {lists.map((x) =>
            b[x].length ? (
              <div key={x} className="pair">
                <dt>{t.fields[x]}</dt>
                <dd>{b[x].join(", ")}</dd>
              </div>
            ) : null,
          )}
        </dl>
      </div>
      <div className="row">
        <Button look="tiny" aria-label={`${text.edit}: ${b.project_id}`} onClick={onEdit}>
          {text.edit}
        </Button>
        <Button look="tiny" aria-label={`${t.unbind}: ${b.project_id}`} onClick={() => void unbind()}>
          {t.unbind}
        </Button>
      </div>
    </li>
  );
}

const split = (s: string) =>
  s
    .split("\n")
    .map((x) => x.trim())
    .filter(Boolean);

function Form({ b, onDone }: { b: Binding; onDone: () => void }) {
  const { act } = useActs();
  const client = useQueryClient();
  const [id, setId] = useState(b.project_id);
  const [typed, setTyped] = useState<Record<string, string>>(() => Object.fromEntries(lists.map((x) => [x, b[x].join("\n")])));
  const [policy, setPolicy] = useState<string>(b.ambiguity_policy ?? fresh.ambiguity_policy!);
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (!id.trim() || busy) return;
    setBusy(true);
    const next = { ...b, project_id: id.trim(), ambiguity_policy: policy, ...Object.fromEntries(lists.map((x) => [x, split(typed[x]!)])) };
    const r = await act(
      t.save,
      (headers) => body(api.POST("/api/projects/bindings", { headers, body: { ...(next as Binding), ...once() } })),
      t.saved,
    );
    setBusy(false);
    void client.invalidateQueries({ queryKey: ["projects"] });
    if (r) onDone();
  };
  return (
    <section className={`${panelCss.panel} ${panelCss.note}`} aria-label={t.form}>
      <form
        className="stack"
        onSubmit={(e) => {
          e.preventDefault();
          void save();
        }}
      >
        <h2>{t.form}</h2>
        <Field label={t.id} hint={t.idHint}>
          {(at, described) => (
            <input
              id={at}
              aria-describedby={described}
              className={`${fieldCss.input} ${fieldCss.short}`}
              maxLength={160}
              readOnly={Boolean(b.project_id)}
              value={id}
              onChange={(e) => setId(e.target.value)}
            />
          )}
        </Field>
        {lists.map((x) => (
          <Field key={x} label={t.fields[x]} hint={x === "aliases" ? t.lines : undefined}>
            {(at, described) => (
              <textarea
                id={at}
                aria-describedby={described}
                className={fieldCss.input}
                rows={x === "aliases" ? 3 : 2}
                value={typed[x]}
                onChange={(e) => setTyped({ ...typed, [x]: e.target.value })}
              />
            )}
          </Field>
        ))}
        <h3>{t.ambiguous}</h3>
        <Choice label={t.ambiguous} options={t.policies} value={policy} onChange={setPolicy} />
        <div className="row">
          <button type="submit" className={button("primary")} aria-disabled={!id.trim() || busy || undefined}>
            {t.save}
          </button>
          <Button look="plain" onClick={onDone}>
            {text.cancel}
          </Button>
        </div>
      </form>
    </section>
  );
}
