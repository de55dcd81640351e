import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "../../api/client";

export type Run = Schemas["Run"];

const ended = ["succeeded", "failed", "cancelled"];
export const isAtWork = (r: Pick<Run, "state">) => !ended.includes(r.state);

// "agents" is made stale by every event of a run (api/live.ts).
export const q = {
  list: () =>
    queryOptions({
      queryKey: ["agents", "work"],
      queryFn: async () => (await body(api.GET("/api/agent-runs", { params: { query: { page_size: 20 } } }))).runs ?? [],
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ["agents", "work", id],
      queryFn: () => body(api.GET("/api/agent-runs/{runId}", { params: { path: { runId: id } } })),
    }),
  evidence: (id: string) =>
    queryOptions({
      queryKey: ["agents", "evidence", id],
      queryFn: () => body(api.GET("/api/agent-runs/{runId}/evidence", { params: { path: { runId: id } } })),
    }),
  practice: (id: string) =>
    queryOptions({
      queryKey: ["agents", "practice", id],
      queryFn: () => body(api.GET("/api/learn/practice/{practiceId}", { params: { path: { practiceId: id } } })),
    }),
  lastPractice: () =>
    queryOptions({
      queryKey: ["agents", "practice"],
      queryFn: async () => (await body(api.GET("/api/learn/practice"))).practices?.[0] ?? null,
    }),
};
