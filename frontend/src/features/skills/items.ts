// Abilities and native skills as one list (DOC3 0B.9).
import type { Schemas } from "../../api/client";

type Entry = Schemas["AbilityAvailabilityEntry"];
type CatalogEntry = Schemas["SkillCatalogEntry"];

export interface Item {
  id: string;
  title: string;
  description?: string;
  source: string;
  enabled: boolean;
  usable: boolean;
  reason?: string;
  lane: string;
  trust?: string;
  readOnly: boolean;
  revision?: number;
  lastUsed?: string;
  scan?: string; // the scanner's verdict on a native skill
  slug?: string;
  categories: string[];
}

/** Where it is from; what comes with Showhow has a word of its own. */
export const sourceOf = (e: Pick<Entry, "source" | "built_in">): string => (e.built_in ? "built_in" : e.source);

export function itemsOf(entries: Entry[], catalog: CatalogEntry[]): Item[] {
  const byId = new Map(catalog.map((c) => [c.ability_id, c]));
  const own = entries.map((e): Item => {
    const c = byId.get(e.ability_id);
    return {
      id: e.ability_id,
      title: e.title,
      description: c?.description,
      source: sourceOf(e),
      enabled: e.enabled,
      usable: e.usable_now,
      reason: e.reason_unusable,
      lane: e.install_lane,
      trust: e.trust,
      readOnly: false,
      revision: e.revision,
      lastUsed: e.last_used_at,
      slug: e.skill_slug,
      categories: c?.category_ids ?? [],
    };
  });
  const known = new Set(own.map((i) => i.id));
  const found = catalog
    .filter((c) => !known.has(c.ability_id))
    .map((c): Item => ({
      id: c.ability_id,
      title: c.title,
      description: c.description,
      source: c.source,
      enabled: c.enabled,
      usable: c.usable_now,
      reason: c.reason_unusable,
      lane: c.install_lane,
      trust: c.trust,
      readOnly: c.read_only,
      scan: c.scan?.verdict,
      slug: c.skill_slug,
      categories: c.category_ids ?? [],
    }));
  return [...own, ...found];
}

export function matches(i: Item, filter: string): boolean {
  switch (filter) {
    case "all":
      return i.lane !== "quarantined";
    case "disabled":
      return !i.enabled;
    case "quarantined":
      return i.lane === "quarantined";
  }
  return i.source === filter;
}

/** The typed text is in title, description or name, and the category is one of the item's. */
export function found(i: Item, typed: string, category: string): boolean {
  const word = typed.trim().toLowerCase();
  const said = `${i.title} ${i.description ?? ""} ${i.slug ?? ""}`.toLowerCase();
  return (!word || said.includes(word)) && (!category || i.categories.includes(category));
}

/** An item as what can be in a category. */
export const sortedOf = (i: Item) => ({ kind: i.readOnly ? ("skill" as const) : ("learned_ability" as const), id: i.id, title: i.title });
