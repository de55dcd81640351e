import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api, body, type Schemas, seen } from "../../api/client";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button, button } from "../../ui/Button";
import { Load, Page, Time } from "../../ui/parts";
import { Story } from "../learn/Story";
import { TrustPanel } from "../permissions/TrustPanel";
import { AddToCategory, Marks } from "./Categories";
import { Health } from "./Health";
import { ExportSkill } from "./ExportSkill";
import { PushSkill } from "./PushSkill";
import { Files } from "./Files";
import { itemsOf, sortedOf, sourceOf } from "./items";
import { Runs } from "./Runs";
import { Usable } from "./SkillItem";
import { TryPhrase } from "./TryPhrase";
import { useStale } from "./SkillsPage";
import { useAbilityVerb } from "./verbs";
import css from "./SkillPage.module.css";
import factsCss from "../../ui/facts.module.css";
import fieldCss from "../../ui/field.module.css";
import panelCss from "../../ui/panel.module.css";

type Entry = Schemas["AbilityAvailabilityEntry"];

export function SkillPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  return <Load query={useQuery(q.ability(id))}>{(a) => <Skill a={a} />}</Load>;
}

function Skill({ a }: { a: Entry }) {
  const t = text.skills;
  const stale = useStale();
  return (
    <Page
      title={a.title}
      lead={stale ? t.stale : a.usable_now ? t.agentsCan : text.sentence(a.reason_unusable || t.notUsable)}
      side={
        <>
          <Link to="/skills">{t.back}</Link>
          <Usable i={{ usable: a.usable_now, enabled: a.enabled, reason: a.reason_unusable }} stale={stale} />
        </>
      }
    >
      <div className="split aside">
        <div className="stack">
          <section className={panelCss.panel}>
            <dl className={factsCss.facts}>
              <dt>{t.source}</dt>
              <dd>{text.name(sourceOf(a))}</dd>
              <dt>{t.lane}</dt>
              <dd>{text.name(a.install_lane)}</dd>
              <dt>{t.lastUsed}</dt>
              <dd>{a.last_used_at ? <Time at={a.last_used_at} /> : t.never}</dd>
              <dt>{t.lastTested}</dt>
              <dd>{a.last_validated_at ? <Time at={a.last_validated_at} /> : t.never}</dd>
              {a.checkpoint_health && a.checkpoint_health !== "no_data" && (
                <>
                  <dt>{t.health}</dt>
                  <dd>{text.name(a.checkpoint_health)}</dd>
                </>
              )}
              <dt>{t.asked}</dt>
              <dd>{a.trigger_phrases?.join("; ")}</dd>
              {Object.keys(a.configured ?? {}).length > 0 && (
                <>
                  <dt>{t.configured}</dt>
                  <dd>
                    <ul className="stack tight">
                      {Object.entries(a.configured ?? {}).map(([name, value]) => (
                        <li key={name} className="break">
                          {name}: {typeof value === "string" ? value : JSON.stringify(value)}
                        </li>
                      ))}
                    </ul>
                  </dd>
                </>
              )}
              <dt>{t.content}</dt>
              <dd className="mono">{a.content_hash?.replace("sha256:", "").slice(0, 16)}</dd>
            </dl>
          </section>
          <TrustPanel a={a} />
          <Health id={a.ability_id} />
          <Runs a={a} />
          <Files a={a} />
          <TryPhrase of={{ ability_id: a.ability_id }} />
          <section className={panelCss.panel}>
            <h2>{t.story}</h2>
            <Story of={{ ability_id: a.ability_id }} learn={a.title} />
          </section>
        </div>
        <Deeds a={a} />
      </div>
    </Page>
  );
}

function Deeds({ a }: { a: Entry }) {
  const { act } = useActs();
  const go = useNavigate();
  const verb = useAbilityVerb(a.ability_id, a.revision);
  const [sorting, setSorting] = useState(false);
  const { data: catalog } = useQuery(q.catalog());
  const { data: categories } = useQuery(q.categories());
  const t = text.skills;
  const params = { path: { abilityId: a.ability_id }, header: seen(a.revision) };
  const quarantined = a.install_lane === "quarantined";
  const [item] = itemsOf([a], catalog?.items?.filter((c) => c.ability_id === a.ability_id) ?? []);
  const notPromoted =
    a.install_lane === "shared_promoted"
      ? t.promoted
      : a.install_lane === "approved_workspace" && a.trust === "approved"
        ? undefined
        : t.promoteOnly;
  const remove = async () => {
    const r = await act(t.removeDo, (headers) => body(api.DELETE("/api/abilities/{abilityId}", { params, headers })), t.removed);
    if (r) void go({ to: "/skills" });
  };
  return (
    <aside className="stack sticky">
      <section className={`${panelCss.panel} stack tight ${css.deeds}`}>
        {a.skill_slug && !a.built_in && (
          <Link
            className={button()}
            to="/learn/new/$mode"
            params={{ mode: "improving_existing_skill" }}
            search={{ improves: a.ability_id }}
          >
            {t.improve}
          </Link>
        )}
        {!quarantined && (
          <Button onClick={() => void verb(a.enabled ? "deactivate" : "activate")}>{a.enabled ? t.disable : t.enable}</Button>
        )}
        {!quarantined && !a.built_in && (
          <Button disabledReason={notPromoted} onClick={() => void verb("promote-shared")}>
            {t.promote}
          </Button>
        )}
        {!quarantined && !a.built_in && notPromoted && <p className={fieldCss.why}>{notPromoted}</p>}
        <Button onClick={() => void verb(quarantined ? "unquarantine" : "quarantine")}>
          {quarantined ? t.unquarantine : t.quarantine}
        </Button>
        {a.built_in ? (
          <p className="small muted">{t.builtInMore}</p>
        ) : (
          <>
            <Button look="danger" onClick={() => void remove()}>
              {text.remove}
            </Button>
            <p className="small muted">{t.removeMore}</p>
          </>
        )}
      </section>
      <section className={`${panelCss.panel} stack tight`} aria-label={t.categories}>
        <h2>{t.categories}</h2>
        {item && item.categories.length > 0 && (
          <div className="row">
            <Marks all={categories} of={item.categories} />
          </div>
        )}
        <div>
          <Button look="tiny" onClick={() => setSorting(true)}>
            {t.addTo}
          </Button>
        </div>
      </section>
      <ExportSkill a={a} />
      {!a.built_in && <PushSkill a={a} />}
      {sorting && item && <AddToCategory item={sortedOf(item)} within={item.categories} close={() => setSorting(false)} />}
    </aside>
  );
}
