import { queryOptions } from "@tanstack/react-query";
import { api, body, once, type Schemas } from "../../api/client";

export type Note = Schemas["NoteItem"];
export type Change = Schemas["ChangeSet"];

export const q = {
  status: () => queryOptions({ queryKey: ["notes", "status"], queryFn: () => body(api.GET("/api/notes/status")) }),
  changes: () =>
    queryOptions({
      queryKey: ["notes", "changes"],
      queryFn: async () => (await body(api.GET("/api/notes/changes", { params: { query: { status: "proposed" } } }))).change_sets,
    }),
  tasks: () =>
    queryOptions({
      queryKey: ["notes", "tasks"],
      queryFn: async () => (await body(api.POST("/api/notes/tasks/list", { body: { view: "open", page_size: 100, ...once() } }))).items,
    }),
  found: (query: string) =>
    queryOptions({
      queryKey: ["notes", "found", query],
      queryFn: async () => (await body(api.POST("/api/notes/search", { body: { query, status: "open", page_size: 50, ...once() } }))).items,
    }),
};
