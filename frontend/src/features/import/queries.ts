import { queryOptions } from "@tanstack/react-query";
import { api, body } from "../../api/client";
import { every, pageSize } from "../../api/pages";

export const imports = {
  list: (page = 1, size = 25) =>
    queryOptions({
      queryKey: ["imports", "list", page, size],
      queryFn: () => body(api.GET("/api/skills/import/list", { params: { query: { page, page_size: size } } })),
    }),
  every: (pending: boolean) =>
    queryOptions({
      queryKey: ["imports", "every", pending],
      queryFn: () =>
        every(
          async (page) =>
            (
              await body(
                api.GET("/api/skills/import/list", { params: { query: { page, page_size: pageSize, ...(pending ? { pending } : {}) } } }),
              )
            ).items ?? [],
        ),
    }),
  files: (id: string, hash = "") =>
    queryOptions({
      queryKey: ["imports", "files", id, hash],
      staleTime: Infinity,
      queryFn: () => body(api.GET("/api/skills/import/{importId}/files", { params: { path: { importId: id } } })),
    }), // of this very content
  one: (id: string) =>
    queryOptions({
      queryKey: ["imports", "one", id],
      queryFn: () => body(api.GET("/api/skills/import/{importId}", { params: { path: { importId: id } } })),
    }),
  /** The connectors that are on: any of them may offer skills. */
  connectors: () =>
    queryOptions({
      queryKey: ["connectors", "all", "on"],
      queryFn: async () =>
        (await body(api.GET("/api/mcp/servers"))).servers.filter((c) => c.registry.enabled && c.registry.active_build_surface),
    }),
  offered: (id: string) =>
    queryOptions({
      queryKey: ["connectors", "skills", id],
      queryFn: () => body(api.GET("/api/mcp/servers/{serverId}/skills", { params: { path: { serverId: id } } })),
    }),
  uploads: () =>
    queryOptions({
      queryKey: ["imports", "uploads"],
      queryFn: async () => (await body(api.GET("/api/skills/import/uploads"))).uploads ?? [],
    }),
};
