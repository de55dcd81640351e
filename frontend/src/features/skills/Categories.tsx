import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Box } from "../../ui/Box";
import { Button } from "../../ui/Button";
import { useEntry } from "../../ui/entry";
import { Chip } from "../../ui/parts";
import css from "./Categories.module.css";
import fieldCss from "../../ui/field.module.css";
import formsCss from "../../ui/forms.module.css";

type Category = Schemas["Category"];
export type Kind = "skill" | "learned_ability" | "proposal" | "bundle";

/** What can be in a category: a skill, a draft, or what is brought in and not installed yet. */
export interface Sorted {
  kind: Kind;
  id: string;
  title: string;
}

export const Dot = ({ color }: { color: string }) => <span className={css.swatch} aria-hidden style={{ background: color }} />;

/** The categories that something is in, as marks. */
export const Marks = ({ all, of }: { all?: Category[]; of: string[] }) => (
  <>
    {all
      ?.filter((c) => of.includes(c.category_id))
      .map((c) => (
        <Chip key={c.category_id}>
          <Dot color={c.color} />
          <bdi>{c.title}</bdi>
        </Chip>
      ))}
  </>
);

function useRefresh() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ["categories"] });
    void client.invalidateQueries({ queryKey: ["abilities", "catalog"] });
  };
}

/** The browser of categories: one of them, or all, with how many of what is listed are in each; and where they are edited. */
export function CategoryFilter({ value, onChange, of }: { value: string; onChange: (id: string) => void; of: string[][] }) {
  const { data: all } = useQuery(q.categories());
  const [editing, setEditing] = useState(false);
  const t = text.skills;
  if (!all?.length) return null;
  return (
    <div className="row" role="group" aria-label={t.categories}>
      {[undefined, ...all].map((c) => (
        <button
          key={c?.category_id ?? ""}
          type="button"
          className={formsCss.pick}
          aria-pressed={value === (c?.category_id ?? "")}
          onClick={() => onChange(c?.category_id ?? "")}
        >
          {c && <Dot color={c.color} />}
          <bdi>{c?.title ?? t.anyCategory}</bdi>
          {c && <span className="num small">{of.filter((in_) => in_.includes(c.category_id)).length}</span>}
        </button>
      ))}
      <Button look="plain tiny" onClick={() => setEditing(true)}>
        {t.manage}
      </Button>
      {editing && <Manage all={all} close={() => setEditing(false)} />}
    </div>
  );
}

/** Add to Category…: a tick for each, and a line for a new one. */
export function AddToCategory({ item, within, close }: { item: Sorted; within: string[]; close: () => void }) {
  const t = text.skills;
  const { act } = useActs();
  const refresh = useRefresh();
  const { data: all } = useQuery(q.categories());
  const [on, setOn] = useState(within);
  const put = async (id: string, yes: boolean) => {
    const r = await act(t.addTo, () =>
      yes
        ? body(
            api.POST("/api/categories/{categoryId}/assign", {
              params: { path: { categoryId: id } },
              body: { item_kind: item.kind, item_id: item.id, ...once() },
            }),
          )
        : body(
            api.DELETE("/api/categories/{categoryId}/items/{itemKind}/{itemId}", {
              params: { path: { categoryId: id, itemKind: item.kind, itemId: item.id } },
            }),
          ),
    );
    if (r) setOn((was) => (yes ? [...was, id] : was.filter((x) => x !== id)));
    refresh();
  };
  return (
    <Box title={t.addToTitle(item.title)} onClose={close}>
      <div className="stack below">
        {all?.length === 0 && <p className="muted">{t.addToNone}</p>}
        <div className={fieldCss.ticks}>
          {all?.map((c) => (
            <label key={c.category_id} className={fieldCss.tick}>
              <input type="checkbox" checked={on.includes(c.category_id)} onChange={(e) => void put(c.category_id, e.target.checked)} />
              <span>
                <Dot color={c.color} /> <bdi>{c.title}</bdi>
              </span>
            </label>
          ))}
        </div>
        <Create created={(c) => void put(c.category_id, true)} />
        <div>
          <Button onClick={close}>{text.close}</Button>
        </div>
      </div>
    </Box>
  );
}

function Create({ created }: { created: (c: Category) => void }) {
  const t = text.skills;
  const { act } = useActs();
  const { typed, type, send } = useEntry();
  const make = async (e?: FormEvent) => {
    e?.preventDefault();
    const c = await send((title) => act(t.newCategory, () => body(api.POST("/api/categories", { body: { title, ...once() } }))));
    if (c) created(c);
  };
  return (
    <form className="row" onSubmit={(e) => void make(e)}>
      <input
        className={`${fieldCss.input} ${fieldCss.grows}`}
        aria-label={t.newCategory}
        placeholder={t.newCategory}
        maxLength={80}
        value={typed}
        onChange={(e) => type(e.target.value)}
      />
      <Button disabledReason={typed.trim() ? undefined : t.noTitle} onClick={() => void make()}>
        {t.newCategoryDo}
      </Button>
    </form>
  );
}

/** What is deleted here goes when the box is closed; until then it can be taken back. */
export function Manage({ all, close }: { all: Category[]; close: () => void }) {
  const t = text.skills;
  const { act } = useActs();
  const refresh = useRefresh();
  const [gone, setGone] = useState<string[]>([]);
  const left = useRef(false);
  const away = async () => {
    if (left.current) return; // Escape says it twice
    left.current = true;
    close();
    for (const c of all.filter((c) => gone.includes(c.category_id)))
      await act(
        t.deleteCategory,
        () =>
          body(api.DELETE("/api/categories/{categoryId}", { params: { path: { categoryId: c.category_id }, header: seen(c.revision) } })),
        t.deletedCategory,
      );
    if (gone.length) refresh();
  };
  return (
    <Box title={t.manage} onClose={() => void away()}>
      <div className="stack below">
        <p className="muted">{t.manageMore}</p>
        <ul className="stack tight">
          {all.map((c) => (
            <One
              key={`${c.category_id} ${c.revision}`}
              c={c}
              gone={gone.includes(c.category_id)}
              setGone={(g) => setGone(g ? [...gone, c.category_id] : gone.filter((x) => x !== c.category_id))}
              changed={refresh}
            />
          ))}
        </ul>
        <Create created={refresh} />
        <div>
          <Button onClick={() => void away()}>{text.close}</Button>
        </div>
      </div>
    </Box>
  );
}

function One({ c, gone, setGone, changed }: { c: Category; gone: boolean; setGone: (g: boolean) => void; changed: () => void }) {
  const t = text.skills;
  const { act } = useActs();
  const [title, setTitle] = useState(c.title);
  const [color, setColor] = useState(c.color);
  const params = { path: { categoryId: c.category_id }, header: seen(c.revision) };
  const save = () =>
    void act(text.save, () => body(api.PUT("/api/categories/{categoryId}", { params, body: { title: title.trim(), color } }))).then(
      changed,
    );
  if (gone)
    return (
      <li className="row apart">
        <span className="muted" role="status">
          {t.goesCategory(c.title)}
        </span>
        <Button look="tiny" autoFocus onClick={() => setGone(false)} aria-label={`${text.act.undo}: ${c.title}`}>
          {text.act.undo}
        </Button>
      </li>
    );
  return (
    <li className="row whole">
      <input
        type="color"
        className={css.colour}
        aria-label={`${t.colour}: ${c.title}`}
        value={color.toLowerCase()}
        onChange={(e) => setColor(e.target.value)}
      />
      <input
        className={fieldCss.input}
        aria-label={`${t.rename}: ${c.title}`}
        maxLength={80}
        value={title}
        onChange={(e) => setTitle(e.target.value)}
      />
      {(title.trim() !== c.title || color.toLowerCase() !== c.color.toLowerCase()) && (
        <Button look="tiny" disabledReason={title.trim() ? undefined : t.noTitle} onClick={save}>
          {text.save}
        </Button>
      )}
      <Button look="danger tiny" aria-label={`${t.deleteCategory}: ${c.title}`} onClick={() => setGone(true)}>
        {t.deleteCategory}
      </Button>
    </li>
  );
}
