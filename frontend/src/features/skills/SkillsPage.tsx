import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { q, useAgentName } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Choice, Search } from "../../ui/forms";
import { Button, button } from "../../ui/Button";
import { Empty, Load, Page } from "../../ui/parts";
import { CategoryFilter } from "./Categories";
import { found, itemsOf, matches } from "./items";
import { SkillItem, Usable } from "./SkillItem";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

const pageSize = 50;

/** What can be used now, polled while it is stale. */
const useAbilities = () => useQuery({ ...q.abilities(), refetchInterval: (x) => (x.state.data?.stale ? 1000 : false) });
export const useStale = () => Boolean(useAbilities().data?.stale);

export function SkillsPage() {
  const abilities = useAbilities();
  const t = text.skills;
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="stack">
        <Lookup />
        <Load query={abilities}>
          {(snapshot) => (
            <>
              {snapshot.stale && (
                <p className={panelCss.strip} role="status">
                  {t.stale}
                </p>
              )}
              <Skills snapshot={snapshot} />
            </>
          )}
        </Load>
      </div>
    </Page>
  );
}

function Skills({ snapshot }: { snapshot: Schemas["AbilityAvailabilitySnapshot"] }) {
  const t = text.skills;
  const catalog = useQuery(q.catalog());
  const { data: categories } = useQuery(q.categories());
  const [filter, setFilter] = useState("all");
  const [typed, setTyped] = useState("");
  const [category, setCategory] = useState("");
  const [size, setSize] = useState(pageSize);
  const items = itemsOf(snapshot.abilities ?? [], catalog.data?.items ?? []);
  if (!items.length && !catalog.isPending)
    return (
      <Empty title={t.empty}>
        <p>{t.emptyMore}</p>
        <Link className={button("primary")} to="/learn/new">
          {text.active.begin}
        </Link>
      </Empty>
    );
  const filters = t.filters.filter((f) => f === "all" || items.some((i) => matches(i, f)));
  const chosen = categories?.some((c) => c.category_id === category) ? category : "";
  const some = items.filter((i) => matches(i, filter) && found(i, typed, chosen));
  return (
    <>
      <div className="row apart">
        <Choice
          inline
          label={t.filter}
          value={filter}
          onChange={setFilter}
          options={filters.map((f) => ({ value: f, label: t.filterNames[f] ?? text.name(f) }))}
        />
        <Search label={t.search} value={typed} onChange={setTyped} />
      </div>
      <CategoryFilter value={chosen} onChange={setCategory} of={items.map((i) => i.categories)} />
      <ul className={`${panelCss.panel} ${panelCss.flush} ${panelCss.list}`} aria-busy={snapshot.stale}>
        {some.slice(0, size).map((i) => (
          <SkillItem key={i.id} i={i} categories={categories ?? []} stale={snapshot.stale} />
        ))}
        {!some.length && <li className="muted">{t.none}</li>}
      </ul>
      {some.length > size && (
        <div className="row">
          <Button onClick={() => setSize(size + pageSize)}>{text.more}</Button>
          <span className="muted num">{t.shown(size, some.length)}</span>
        </div>
      )}
    </>
  );
}

/** What an agent would be given for a task. */
function Lookup() {
  const { act } = useActs();
  const [said, setSaid] = useState("");
  const [answer, setAnswer] = useState<Schemas["LookupMatch"][]>();
  const stale = useStale();
  const agent = useAgentName();
  const t = text.skills;
  const ask = async () => {
    const r = await act(t.lookupDo, () =>
      body(
        api.POST("/api/abilities/lookup", {
          body: { user_query: said.trim(), include_private_owned_by_user: true, schema_version: 1, ...once() },
        }),
      ),
    );
    if (r) setAnswer(r.matches ?? []);
  };
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.lookup(agent)}>
      <h2>{t.lookup(agent)}</h2>
      <form
        className="row"
        onSubmit={(e) => {
          e.preventDefault();
          if (said.trim()) void ask();
        }}
      >
        <input
          className={`${fieldCss.input} ${fieldCss.grows}`}
          aria-label={t.lookupLabel}
          placeholder={t.lookupMore}
          maxLength={400}
          value={said}
          onChange={(e) => setSaid(e.target.value)}
        />
        <button className={button()} type="submit">
          {t.lookupDo}
        </button>
      </form>
      <div role="status">
        {answer?.length === 0 && <p className="muted">{t.lookupNone(agent)}</p>}
        {answer && answer.length > 0 && (
          <ul className="stack tight">
            {answer.map((m) => (
              <li key={m.ability_id} className="row">
                <Link to="/skills/$id" params={{ id: m.ability_id }}>
                  {m.title}
                </Link>
                <Usable i={{ usable: m.usable_now, enabled: true, reason: m.reason_unusable }} stale={stale} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
