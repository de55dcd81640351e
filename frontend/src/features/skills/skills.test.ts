import { describe, expect, it } from "vitest";
import type { Schemas } from "../../api/client";
import { told } from "../learn/Story";
import { goalsOf, textOf } from "./Files";
import { found, type Item, itemsOf, matches } from "./items";
import { byDispatch, standing } from "./Runs";

const item = (o: Partial<Item>): Item => ({
  id: "x",
  title: "Sort invoices",
  source: "imported",
  enabled: true,
  usable: true,
  lane: "approved_workspace",
  readOnly: false,
  categories: [],
  ...o,
});
const receipt = (o: object) =>
  ({
    checkpoint_id: "c1",
    status: "reached",
    created_at: "2026-01-01T00:00:00Z",
    evidence: "",
    ...o,
  }) as Schemas["CheckpointVerificationReceipt"];

describe("the skills", () => {
  it("are abilities and native ones, each once, with their categories", () => {
    const entry = {
      ability_id: "a",
      title: "A",
      source: "learned",
      enabled: true,
      usable_now: true,
      install_lane: "approved_workspace",
      trust: "approved",
    } as Schemas["AbilityAvailabilityEntry"];
    const catalog = [
      { ability_id: "a", category_ids: ["k"], found_in: [] },
      { ability_id: "native:b", title: "B", source: "native", read_only: true, scan: { verdict: "blocked", findings: 1 } },
    ] as unknown as Schemas["SkillCatalogEntry"][];
    expect(itemsOf([entry], catalog).map((i) => [i.id, i.readOnly, i.categories, i.scan])).toEqual([
      ["a", false, ["k"], undefined],
      ["native:b", true, [], "blocked"],
    ]);
  });
  it("are filtered by where they are from, by state, by words and by category (0B.9)", () => {
    expect(matches(item({ lane: "quarantined" }), "all")).toBe(false);
    expect(matches(item({ lane: "quarantined" }), "quarantined")).toBe(true);
    expect(matches(item({ enabled: false }), "disabled")).toBe(true);
    expect(matches(item({}), "native")).toBe(false);
    expect(found(item({ description: "by vendor" }), " Vendor ", "")).toBe(true);
    expect(found(item({}), "", "k")).toBe(false);
  });
});

it("tells runs apart by their dispatch, and counts the latest word on each checkpoint", () => {
  const all = [
    receipt({ dispatch_id: "d1" }),
    receipt({ dispatch_id: "d2", created_at: "2026-01-03T00:00:00Z" }),
    receipt({ dispatch_id: "d1", status: "failed", created_at: "2026-01-02T00:00:00Z" }),
  ];
  const runs = byDispatch(all);
  expect(runs.map((r) => [r.id, r.receipts.length])).toEqual([
    ["d2", 1],
    ["d1", 2],
  ]);
  expect(standing(runs[1]!.receipts)).toEqual({ reached: 0, skipped: 0, failed: 1 });
});

it("shows text as text, and nothing else as such", () => {
  expect(textOf(btoa("# Hi"))).toBe("# Hi");
  expect(textOf(btoa("\x00\x01\xff"))).toBeUndefined();
});

it("tells the receipts oldest first, without the hops and repetitions", () => {
  const r = (receipt_id: string, kind: string, summary: string) => ({ receipt_id, kind, summary }) as Schemas["LearningReceipt"];
  expect(
    told([r("4", "b", "B."), r("3", "b", "B."), r("2", "learn.session.state", "Hop."), r("1", "a", "A.")]).map((x) => x.summary),
  ).toEqual(["A.", "B."]);
});

describe("the sentences of checkpoints", () => {
  it("are those of the skill's own checks; a skill without them has none", () => {
    const checks = {
      checkpoints: [{ checkpoint_id: "cp-01", goal: "The order is saved" }, { checkpoint_id: 2, goal: "x" }, { checkpoint_id: "cp-03" }],
    };
    const file = (content: string) => [{ path: "tests/checks.json", executable: false, content: btoa(content) }];
    expect(goalsOf(file(JSON.stringify(checks)))).toEqual({ "cp-01": "The order is saved" });
    expect([goalsOf(file("[")), goalsOf([]), goalsOf()]).toEqual([{}, {}, {}]);
  });
});

it("gives what comes with Showhow a word of its own", () => {
  const entry = { ability_id: "built-in-showhow-pdf", title: "Read PDF documents", source: "native", built_in: true };
  const [i] = itemsOf([entry as never], []);
  expect(i?.source).toBe("built_in");
  expect(matches(i!, "built_in")).toBe(true);
  expect(matches(i!, "native")).toBe(false);
});
