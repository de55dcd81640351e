import * as Menu from "@radix-ui/react-dropdown-menu";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Chip, Time } from "../../ui/parts";
import { stateIcon, stateTone } from "../learn/states";
import { AddToCategory, Marks } from "./Categories";
import { type Item, sortedOf } from "./items";
import { MenuLine } from "./Sortable";
import { useAbilityVerb, type Verb, verbName } from "./verbs";
import css from "./SkillItem.module.css";
import menuCss from "../../ui/menu.module.css";
import panelCss from "../../ui/panel.module.css";

/** Whether agents can use it now. A stale state is not shown as current (DOC3 0C.11B). */
export const Usable = ({ i, stale }: { i: Pick<Item, "usable" | "enabled" | "reason">; stale?: boolean }) =>
  stale ? (
    <Chip>{text.skills.refreshing}</Chip>
  ) : (
    <Chip tone={i.usable ? "ok" : "warn"} icon={i.usable ? "check" : "warn"}>
      {i.usable ? text.skills.usable : i.enabled ? text.skills.notUsable : text.skills.disabled}
    </Chip>
  );

export function SkillItem({ i, categories, stale }: { i: Item; categories: Schemas["Category"][]; stale?: boolean }) {
  const t = text.skills;
  const [sorting, setSorting] = useState(false);
  const about = i.readOnly ? t.readOnly : i.usable || i.reason === i.lane ? "" : text.sentence(i.reason ?? "");
  return (
    <>
      <MenuLine
        title={i.title}
        items={<Items i={i} sort={() => setSorting(true)} />}
        side={
          <>
            <Marks all={categories} of={i.categories} />
            {i.trust && i.trust !== "approved" && (
              <Chip tone={stateTone(i.trust)} icon={stateIcon(i.trust)}>
                {text.name(i.trust)}
              </Chip>
            )}
            {i.readOnly ? (
              i.scan === "blocked" && (
                <Chip tone="bad" icon="cross">
                  {text.imports.verdicts.blocked?.[0]}
                </Chip>
              )
            ) : (
              <Usable i={i} stale={stale} />
            )}
          </>
        }
      >
        <div>
          {i.readOnly ? (
            <bdi className={panelCss.what}>{i.title}</bdi>
          ) : (
            <Link className={panelCss.what} to="/skills/$id" params={{ id: i.id }}>
              <bdi>{i.title}</bdi>
            </Link>
          )}
          {i.description && <p className={`small muted break ${css.clip}`}>{i.description}</p>}
          <p className="small muted break">
            {text.name(i.source)}
            {!i.readOnly && `, ${text.name(i.lane).toLowerCase()}`}
            {i.lastUsed && (
              <>
                , {t.used} <Time at={i.lastUsed} />
              </>
            )}
            {about && `. ${about}`} {i.scan && i.scan !== "clean" && t.scanned(i.scan)}
          </p>
        </div>
      </MenuLine>
      {sorting && <AddToCategory item={sortedOf(i)} within={i.categories} close={() => setSorting(false)} />}
    </>
  );
}

function Items({ i, sort }: { i: Item; sort: () => void }) {
  const t = text.skills;
  const go = useNavigate();
  const { act } = useActs();
  const verb = useAbilityVerb(i.id, i.revision ?? 0);
  const verbs: Verb[] = i.readOnly
    ? []
    : i.lane === "quarantined"
      ? ["unquarantine"]
      : [i.enabled ? "deactivate" : "activate", "quarantine"];
  const adopt = async () => {
    const a = await act(
      t.adopt,
      () => body(api.POST("/api/abilities/native/{name}/adopt", { params: { path: { name: i.slug ?? "" } }, body: once() })),
      t.adopted,
    );
    if (a) void go({ to: "/skills/$id", params: { id: a.ability_id } });
  };
  return (
    <>
      {!i.readOnly && <Menu.Item onSelect={() => void go({ to: "/skills/$id", params: { id: i.id } })}>{t.open}</Menu.Item>}
      <Menu.Item onSelect={() => setTimeout(sort)}>{t.addTo}</Menu.Item>
      {i.readOnly && i.slug && <Menu.Item onSelect={() => void adopt()}>{t.adopt}</Menu.Item>}
      {verbs.map((v) => (
        <Menu.Item key={v} className={v === "quarantine" ? menuCss.danger : undefined} onSelect={() => void verb(v)}>
          {verbName[v]}
        </Menu.Item>
      ))}
    </>
  );
}
