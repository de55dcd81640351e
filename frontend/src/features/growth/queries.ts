import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "../../api/client";

export type Routine = Schemas["MinedRoutine"];
export type Binding = Schemas["ProjectBinding"];
export type Mining = Schemas["SkillMiningSettings"];

/** The receipts that tell how abilities came, fared, were repaired and went (1.1N, learning timeline). */
const growth = [
  "learn.session.started",
  "learn.proposal.created",
  "learn.install.completed",
  "skill.import.installed_private",
  "skill.import.approved",
  "ability.approved",
  "ability.promoted",
  "ability.quarantined",
  "ability.unquarantined",
  "ability.drifted",
  "ability.restored",
  "ability.removed",
  "capability.health.changed",
  "mining.learned",
];

export const q = {
  mined: () =>
    queryOptions({ queryKey: ["mined", "all"], queryFn: async () => (await body(api.GET("/api/learn/mined"))).routines, staleTime: 2000 }),
  mining: () => queryOptions({ queryKey: ["mined", "settings"], queryFn: () => body(api.GET("/api/skills/mining/settings")) }),
  projects: () => queryOptions({ queryKey: ["projects"], queryFn: async () => (await body(api.GET("/api/projects/bindings"))).bindings }),
  looks: () => queryOptions({ queryKey: ["abilities", "looks"], queryFn: () => body(api.GET("/api/canaries")) }),
  anchors: () =>
    queryOptions({ queryKey: ["abilities", "anchors"], queryFn: async () => (await body(api.GET("/api/capabilities/anchors"))).anchors }),
  bridge: () => queryOptions({ queryKey: ["abilities", "bridge"], queryFn: () => body(api.GET("/api/capabilities/bridge")) }),
  timeline: () =>
    queryOptions({
      queryKey: ["history", "growth"],
      queryFn: async () =>
        (await body(api.GET("/api/learn/receipts", { params: { query: { kind: growth.join(","), page_size: 30 } } }))).receipts ?? [],
    }),
};
