// The queries of the views. Keys begin with the name that api/live.ts makes stale.
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";
import { every, pageSize } from "./pages";

export type Outcome = NonNullable<Schemas["HistoryItem"]["outcome"]> | "installed_private";

export const q = {
  // An ability that shows an import is listed as that import.
  active: () =>
    queryOptions({
      queryKey: ["sessions", "active"],
      queryFn: async () =>
        ((await body(api.GET("/api/learn/sessions", { params: { query: { active: true, page_size: 100 } } }))).sessions ?? []).filter(
          (s) => !s.import_id && !s.temp_artifact_ref,
        ),
    }),
  session: (id: string) =>
    queryOptions({
      queryKey: ["sessions", "one", id],
      queryFn: () => body(api.GET("/api/learn/sessions/{sessionId}/detail", { params: { path: { sessionId: id } } })),
    }),
  scope: (id: string) =>
    queryOptions({
      queryKey: ["sessions", "scope", id],
      queryFn: () => body(api.GET("/api/learn/sessions/{sessionId}/observation-scope", { params: { path: { sessionId: id } } })),
    }),
  boundaries: (id: string) =>
    queryOptions({
      queryKey: ["sessions", "boundaries", id],
      queryFn: async () =>
        (await body(api.GET("/api/learn/sessions/{sessionId}/boundaries", { params: { path: { sessionId: id } } }))).boundaries ?? [],
    }),
  pending: () =>
    queryOptions({
      queryKey: ["proposals", "pending"],
      queryFn: async () =>
        (
          await every(
            async (page) =>
              (await body(api.GET("/api/learn/proposals", { params: { query: { pending: true, page, page_size: pageSize } } })))
                .proposals ?? [],
          )
        ).filter((p) => !p.import_id),
    }),
  proposal: (id: string) =>
    queryOptions({
      queryKey: ["proposals", "one", id],
      queryFn: () => body(api.GET("/api/learn/proposals/{proposalId}/detail", { params: { path: { proposalId: id } } })),
    }),
  file: (id: string, revision: number, path: string) =>
    queryOptions({
      queryKey: ["files", id, revision, path],
      staleTime: Infinity, // a revision's files never change
      queryFn: async () => {
        const f = await body(
          api.GET("/api/learn/proposals/{proposalId}/files", { params: { path: { proposalId: id }, query: { path, revision } } }),
        );
        return new TextDecoder().decode(Uint8Array.from(atob(f.content), (c) => c.charCodeAt(0)));
      },
    }),
  values: (session: string) =>
    queryOptions({
      queryKey: ["sessions", "values", session],
      gcTime: 0,
      queryFn: async () =>
        (await body(api.GET("/api/learn/sessions/{sessionId}/values", { params: { path: { sessionId: session } } }))).values ?? [],
    }),
  runs: (proposal: string) =>
    queryOptions({
      queryKey: ["runs", proposal],
      queryFn: () =>
        body(
          api.GET("/api/learn/proposals/{proposalId}/validation-runs", {
            params: { path: { proposalId: proposal }, query: { page_size: 20 } },
          }),
        ),
    }),
  checkpoints: (session: string) =>
    queryOptions({
      queryKey: ["checkpoints", session],
      queryFn: async () =>
        (
          await body(
            api.GET("/api/learn/sessions/{sessionId}/checkpoint-receipts", {
              params: { path: { sessionId: session }, query: { page_size: 100 } },
            }),
          )
        ).receipts ?? [],
    }),
  receipts: (query: { session_id?: string; proposal_id?: string; ability_id?: string }) =>
    queryOptions({
      queryKey: ["history", "receipts", query],
      queryFn: async () => (await body(api.GET("/api/learn/receipts", { params: { query: { ...query, page_size: 100 } } }))).receipts ?? [],
    }),
  history: (page: number, outcome: Outcome | "" = "", search = "") =>
    queryOptions({
      queryKey: ["history", "page", page, outcome, search],
      queryFn: () =>
        body(
          api.GET("/api/learn/history", {
            params: { query: { page, page_size: 25, ...(outcome ? { outcome } : {}), ...(search ? { search } : {}) } },
          }),
        ),
      placeholderData: keepPreviousData,
    }),
  abilities: () => queryOptions({ queryKey: ["abilities", "all"], queryFn: () => body(api.GET("/api/abilities/availability")) }),
  catalog: () => queryOptions({ queryKey: ["abilities", "catalog"], queryFn: () => body(api.GET("/api/abilities/catalog")) }),
  ability: (id: string) =>
    queryOptions({
      queryKey: ["abilities", "one", id],
      queryFn: () => body(api.GET("/api/abilities/{abilityId}/availability", { params: { path: { abilityId: id } } })),
    }),
  difference: (id: string) =>
    queryOptions({
      queryKey: ["abilities", "difference", id],
      queryFn: () => body(api.GET("/api/abilities/{abilityId}/diff", { params: { path: { abilityId: id } } })),
    }),
  abilityRuns: (id: string) =>
    queryOptions({
      queryKey: ["checkpoints", "ability", id],
      queryFn: async () =>
        (
          await body(
            api.GET("/api/abilities/{abilityId}/checkpoint-receipts", { params: { path: { abilityId: id }, query: { page_size: 100 } } }),
          )
        ).receipts ?? [],
    }),
  skillFiles: (id: string, hash = "") =>
    queryOptions({
      queryKey: ["abilities", "files", id, hash],
      queryFn: () => body(api.GET("/api/abilities/{abilityId}/files", { params: { path: { abilityId: id } } })),
    }),
  categories: () =>
    queryOptions({ queryKey: ["categories"], queryFn: async () => (await body(api.GET("/api/categories"))).categories ?? [] }),
  // The categories of each item, by its id. Items in no category cost nothing.
  sorted: () =>
    queryOptions({
      queryKey: ["categories", "items"],
      queryFn: async () => {
        const all = (await body(api.GET("/api/categories"))).categories ?? [];
        const some = all
          .filter((c) => c.items > 0)
          .map((c) => body(api.GET("/api/categories/{categoryId}/items", { params: { path: { categoryId: c.category_id } } })));
        const of: Record<string, string[]> = {};
        for (const c of await Promise.all(some)) for (const i of c.items ?? []) (of[i.item_id] ??= []).push(c.category_id);
        return of;
      },
    }),
  adapters: () =>
    queryOptions({
      queryKey: ["adapters"],
      staleTime: 10_000,
      queryFn: async () => (await body(api.GET("/api/observe/adapters"))).adapters ?? [],
    }),
  targets: () =>
    queryOptions({ queryKey: ["targets"], gcTime: 0, queryFn: async () => (await body(api.GET("/api/observe/targets"))).targets ?? [] }),
  observed: () =>
    queryOptions({ queryKey: ["agents", "observed"], queryFn: async () => (await body(api.GET("/api/observe/agents"))).agents ?? [] }),
  runsKept: () =>
    queryOptions({
      queryKey: ["agents", "runs"],
      queryFn: () => body(api.GET("/api/observe/runs", { params: { query: { page_size: 50 } } })),
    }),
  agents: () => queryOptions({ queryKey: ["agents", "tokens"], queryFn: async () => (await body(api.GET("/api/agents"))).agents ?? [] }),
  doctor: () => queryOptions({ queryKey: ["doctor"], staleTime: 30_000, queryFn: () => body(api.GET("/api/doctor")) }),
  settings: () => queryOptions({ queryKey: ["settings"], staleTime: Infinity, queryFn: () => body(api.GET("/api/settings")) }),
  status: () => queryOptions({ queryKey: ["status"], queryFn: () => body(api.GET("/api/status")) }),
};

/** The person's name for their agent (settings), or empty. It is used where no particular agent is meant. */
export const useAgentName = () => useQuery(q.settings()).data?.agent_display_name ?? "";
