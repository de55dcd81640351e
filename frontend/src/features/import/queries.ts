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
  uploads: () =>
    queryOptions({
      queryKey: ["imports", "uploads"],
      queryFn: async () => (await body(api.GET("/api/skills/import/uploads"))).uploads ?? [],
    }),
};
