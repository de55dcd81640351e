import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body, once } from "../../api/client";
import { notes as t } from "../../text/notes";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";
import { useEntry } from "../../ui/entry";
import { Chip, Load, Page } from "../../ui/parts";
import { type Change, type Note, q } from "./queries";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

const me = { type: "user", id: "user" } as const;

/** Performs an action and brings the lists up to date; it is over when they are. */
function useChange() {
  const { act } = useActs();
  const client = useQueryClient();
  return <T,>(what: string, deed: (headers: Record<string, string>) => Promise<T>, done?: string) =>
    act(what, deed, done).finally(() => client.invalidateQueries({ queryKey: ["notes"] }));
}

/** Notes, tasks, captured items, and what agents propose to change of them. */
export function NotesPage() {
  const change = useChange();
  const folder = useQuery(q.status()).data?.folder;
  const { say } = useActs();
  const undo = async () => {
    const x = await change(t.undo, (headers) =>
      body(api.POST("/api/notes/undo", { headers, body: { requested_by: me, reason: t.undoReason, ...once() } })),
    );
    if (x) say(t.undone(x.undone));
  };
  return (
    <Page title={t.title} lead={t.lead} side={<Button onClick={() => void undo()}>{t.undo}</Button>}>
      <div className="stack">
        <Proposals />
        <Tasks />
        <Found />
        {folder && <p className="small muted">{t.folder(folder)}</p>}
      </div>
    </Page>
  );
}

function Proposals() {
  const { data } = useQuery(q.changes());
  if (!data?.length) return null;
  return (
    <section className="stack tight" aria-label={t.proposals}>
      <h2>{t.proposals}</h2>
      <ul className={panelCss.list}>
        {data.map((c) => (
          <Proposal key={c.change_set_id} c={c} />
        ))}
      </ul>
    </section>
  );
}

function Proposal({ c }: { c: Change }) {
  const change = useChange();
  const commit = () =>
    change(
      t.commit,
      (headers) =>
        body(api.POST("/api/notes/changes/commit", { headers, body: { change_set_id: c.change_set_id, approved_by: me, ...once() } })),
      t.committed,
    );
  const discard = () =>
    change(
      t.discard,
      (headers) =>
        body(api.POST("/api/notes/changes/{id}/discard", { params: { path: { id: c.change_set_id } }, headers, body: { ...once() } })),
      t.discarded,
    );
  return (
    <li className="stack tight">
      <div className="row apart">
        <p className={panelCss.what}>
          <bdi>{t.proposed(c.actor.id, c.summary.creates, c.summary.updates)}</bdi>
        </p>
        <div className="row">
          <Button look="primary" onClick={() => void commit()}>
            {t.commit}
          </Button>
          <Button onClick={() => void discard()}>{t.discard}</Button>
        </div>
      </div>
      {c.summary.duplicate_candidates > 0 && <p className="small muted">{t.twins(c.summary.duplicate_candidates)}</p>}
      <pre aria-label={t.lines} tabIndex={0}>
        {c.diff.join("\n")}
      </pre>
    </li>
  );
}

function Tasks() {
  const change = useChange();
  const { typed, type, send } = useEntry();
  const [due, setDue] = useState("");
  const add = () =>
    send(async (title) => {
      setDue("");
      const task = { title, status: "todo" as const, source: "page", ...(due && { due }) };
      const added = await change(
        t.add,
        (headers) => body(api.POST("/api/notes/tasks", { headers, body: { ...task, ...once() } })),
        t.added,
      );
      if (!added) setDue((now) => now || due);
      return added;
    });
  return (
    <section className="stack tight" aria-label={t.tasks}>
      <h2>{t.tasks}</h2>
      <form
        className="row"
        onSubmit={(e) => {
          e.preventDefault();
          void add();
        }}
      >
        <input
          className={`${fieldCss.input} ${fieldCss.short}`}
          aria-label={t.task}
          placeholder={t.task}
          maxLength={200}
          value={typed}
          onChange={(e) => type(e.target.value)}
        />
        <Day label={t.dueLabel} value={due} onChange={setDue} />
        <Button disabledReason={typed.trim() ? undefined : t.noTitle} onClick={() => void add()}>
          {t.add}
        </Button>
      </form>
      <Load query={useQuery(q.tasks())}>
        {(all) =>
          all.length ? (
            <ul className={panelCss.list}>
              {all.map((i) => (
                <Task key={i.id} i={i} />
              ))}
            </ul>
          ) : (
            <p className="muted">{t.noTasks}</p>
          )
        }
      </Load>
    </section>
  );
}

const today = () => new Date().toLocaleDateString("sv"); // as 2026-12-01

/** Changes a task at once: proposed and committed by the person. While it does, a second press does nothing. */
function useUpdate(i: Note) {
  const change = useChange();
  const [busy, setBusy] = useState(false);
  const update = async (what: string, fields: { status?: "done"; due?: string | null }, done: string) => {
    if (busy) return undefined;
    setBusy(true);
    return change(
      what,
      async (headers) => {
        const p = await body(
          api.POST("/api/notes/changes", {
            body: {
              actor: me,
              tool: "openclaw-skill",
              actions: [{ type: "update_task", payload: { task_id: i.id, ...fields } }],
              ...once(),
            },
          }),
        );
        try {
          return await body(
            api.POST("/api/notes/changes/commit", { headers, body: { change_set_id: p.change_set_id, approved_by: me, ...once() } }),
          );
        } catch (e) {
          // Nobody is asked about it again.
          await api.POST("/api/notes/changes/{id}/discard", { params: { path: { id: p.change_set_id } }, body: { ...once() } });
          throw e;
        }
      },
      done,
    ).finally(() => setBusy(false));
  };
  return { update, busy };
}

function Task({ i }: { i: Note }) {
  const [day] = useState(today);
  const [dating, setDating] = useState(false);
  const { update, busy } = useUpdate(i);
  return (
    <li className="stack tight">
      <div className="row apart">
        <div className="stack tight">
          <p className={panelCss.what}>
            <bdi>{i.title}</bdi>
          </p>
          <p className="row small muted">
            {i.priority && <Chip>{i.priority}</Chip>}
            {i.blocked && <Chip tone="bad">{t.blocked}</Chip>}
            {i.due && (i.due < day ? <Chip tone="warn">{t.overdue(i.due)}</Chip> : <span>{t.due(i.due)}</span>)}
            {i.project && <bdi>{i.project}</bdi>}
            {i.problem && <span>{t.problem(i.problem)}</span>}
          </p>
        </div>
        <div className="row">
          <Button look="tiny" aria-expanded={dating} aria-label={`${t.dueLabel}: ${i.title}`} onClick={() => setDating(!dating)}>
            {t.dueLabel}
          </Button>
          <Button
            look="tiny"
            busy={busy}
            aria-label={`${t.done}: ${i.title}`}
            onClick={() => void update(t.done, { status: "done" }, t.isDone)}
          >
            {t.done}
          </Button>
        </div>
      </div>
      {dating && <Due i={i} update={update} busy={busy} close={() => setDating(false)} />}
    </li>
  );
}

/** The day by which a task is to be done: set, moved or taken away. */
function Due({ i, update, busy, close }: ReturnType<typeof useUpdate> & { i: Note; close: () => void }) {
  const [due, setDue] = useState(i.due ?? "");
  const set = async (to: string | null) => {
    if (await update(t.dueLabel, { due: to }, to ? t.dueSet(to) : t.dueGone)) close();
  };
  return (
    <form
      className="row"
      onSubmit={(e) => {
        e.preventDefault();
        if (due) void set(due);
      }}
    >
      <Day label={t.dueOf(i.title)} value={due} onChange={setDue} />
      <Button look="tiny primary" busy={busy} disabledReason={due ? undefined : t.noDay} onClick={() => void set(due)}>
        {t.setDue}
      </Button>
      {i.due && (
        <Button look="tiny" busy={busy} onClick={() => void set(null)}>
          {t.noDue}
        </Button>
      )}
      <Button look="tiny" onClick={close}>
        {t.leave}
      </Button>
    </form>
  );
}

const Day = ({ label, value, onChange }: { label: string; value: string; onChange: (v: string) => void }) => (
  <input
    className={`${fieldCss.input} ${fieldCss.short}`}
    type="date"
    aria-label={label}
    title={label}
    max="9999-12-31"
    value={value}
    onChange={(e) => onChange(e.target.value)}
  />
);

function Found() {
  const [query, setQuery] = useState("");
  return (
    <section className="stack tight" aria-label={t.found}>
      <h2>{t.found}</h2>
      <input
        className={fieldCss.input}
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        maxLength={400}
        value={query}
        onChange={(e) => setQuery(e.target.value)}
      />
      <Load query={useQuery(q.found(query.trim()))}>
        {(all) =>
          all.length ? (
            <ul className={panelCss.list}>
              {all.map((i) => (
                <Hit key={i.id} i={i} />
              ))}
            </ul>
          ) : (
            <p className="muted">{t.none}</p>
          )
        }
      </Load>
    </section>
  );
}

function Hit({ i }: { i: Note }) {
  const change = useChange();
  const archive = () =>
    change(
      t.archive,
      (headers) => body(api.POST("/api/notes/items/{id}/archive", { params: { path: { id: i.id } }, headers, body: { ...once() } })),
      t.archived,
    );
  return (
    <li className="row apart">
      <div className="stack tight">
        <p className={panelCss.what}>
          <bdi>{i.title}</bdi>
        </p>
        {i.excerpt && i.excerpt !== i.title && <p className="small muted">{i.excerpt}</p>}
        <p className="row small muted">
          <Chip>{t.kinds[i.kind]}</Chip>
          <bdi>{i.path}</bdi>
          {i.problem && <span>{t.problem(i.problem)}</span>}
        </p>
      </div>
      {i.kind === "captured" && (
        <Button look="tiny" aria-label={`${t.archive}: ${i.title}`} onClick={() => void archive()}>
          {t.archive}
        </Button>
      )}
    </li>
  );
}
