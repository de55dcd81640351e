import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "../../api/client";
import { text } from "../../text/en";

export type Connector = Schemas["MCPServerListItem"];
export type Tool = Schemas["MCPTool"];
export type Dispatch = Schemas["MCPAskFirstDispatchRecord"];
export type Receipt = Schemas["MCPReceiptSummary"];
export type Switch = Schemas["MCPSwitch"];
export interface ReceiptsOf {
  server_id?: string;
  receipt_kind?: string;
  agent?: string;
  since?: string;
  until?: string;
}

// A service's health changes without an event, so open views poll (DOC3 0.2D: poll first).
const often = 4000;

// "connectors" is made stale by every event of a connector (api/live.ts).
export const q = {
  all: () => queryOptions({ queryKey: ["connectors", "all"], queryFn: () => body(api.GET("/api/mcp/servers")), refetchInterval: often }),
  dispatches: () =>
    queryOptions({
      queryKey: ["connectors", "asks"],
      queryFn: async () => (await body(api.GET("/api/mcp/ask-first/pending"))).dispatches,
      structuralSharing: false, // it would lose an argument named __proto__, which is sent all the same
      // An event announces a waiting call; that it timed out, or its agent is gone, is not announced.
      refetchInterval: (x) => (x.state.data?.some((d) => d.status === "pending") ? often : false),
    }),
  receipts: (of: ReceiptsOf, limit = 50) =>
    queryOptions({
      queryKey: ["connectors", "receipts", of, limit],
      queryFn: () => body(api.GET("/api/mcp/receipts", { params: { query: { ...of, limit } } })),
      refetchInterval: of.until ? false : often,
    }),
  grants: () =>
    queryOptions({
      queryKey: ["connectors", "grants"],
      queryFn: async () => (await body(api.GET("/api/mcp/ask-first/grants"))).grants,
      refetchInterval: often,
    }),
  found: () => queryOptions({ queryKey: ["connectors", "found"], queryFn: () => body(api.GET("/api/mcp/found")) }),
  m365: () =>
    queryOptions({
      queryKey: ["connectors", "m365"],
      queryFn: async () => (await body(api.GET("/api/mcp/m365/operations"))).operations,
      staleTime: Infinity,
    }),
  presets: () =>
    queryOptions({
      queryKey: ["connectors", "presets"],
      queryFn: async () => (await body(api.GET("/api/mcp/presets"))).presets,
      staleTime: Infinity,
    }),
  auth: (id: string) =>
    queryOptions({
      queryKey: ["connectors", "auth", id],
      queryFn: () => body(api.GET("/api/mcp/servers/{serverId}/auth/status", { params: { path: { serverId: id } } })),
    }),
  profiles: () =>
    queryOptions({
      queryKey: ["connectors", "profiles"],
      queryFn: async () => (await body(api.GET("/api/mcp/auth-profiles"))).auth_profiles,
      refetchInterval: often,
    }),
};

/** A connector by its id, from the list of all: the API has no route for a single one. */
export const one = (all: Connector[] | undefined, id: string) => all?.find((c) => c.registry.server_id === id);

/** The id under which Showhow's own tools are asked for; no connector has it. */
export const self = "showhow";

/** A connector's name; the id of one that is gone. */
export const nameOf = (all: Connector[] | undefined, id: string) =>
  id === self ? text.connectors.self : (one(all, id)?.registry.display_name ?? id);
