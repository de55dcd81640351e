// The actions that several views of connectors offer.
import { useQueryClient } from "@tanstack/react-query";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import type { Connector } from "./queries";

/** Requests with a schema_version. */
export const version = { schema_version: 1 as const };

const useFresh = () => {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ["connectors"] });
};

/** Decides what agents may call, for a tool, a connector, or all of them. */
export function usePolicy() {
  const { act } = useActs();
  const fresh = useFresh();
  return (target: Schemas["MCPPolicyTarget"], mode: Schemas["MCPTool"]["mode"]) =>
    act(
      text.connector.tools,
      (headers) => body(api.POST("/api/mcp/policy/update", { headers, body: { target, decision: { mode }, ...version, ...once() } })),
      text.connector.decided,
    ).finally(fresh);
}

/** Turns something off as a whole, or on again. */
export function useSwitch() {
  const { act } = useActs();
  const fresh = useFresh();
  const t = text.connectors;
  return (s: Schemas["MCPSwitch"], what = s.off ? t.turnOff : t.turnOn) =>
    act(
      what,
      (headers) => body(api.POST("/api/mcp/toggle", { headers, body: { ...s, ...version, ...once() } })),
      s.off ? t.turnedOff : t.turnedOn,
    ).finally(fresh);
}

/** Changes a connector at the revision that was shown. */
export function useChange(c: Connector) {
  const { act } = useActs();
  const fresh = useFresh();
  const params = { path: { serverId: c.registry.server_id }, header: seen(c.revision) };
  return (what: string, change: Omit<Schemas["MCPServerPatchRequest"], "schema_version">, done?: string) =>
    act(
      what,
      (headers) => body(api.PATCH("/api/mcp/servers/{serverId}", { params, headers, body: { ...change, ...version } })),
      done,
    ).finally(fresh);
}

/** Answers a waiting call. */
export function useAnswer(id: string) {
  const { act } = useActs();
  const fresh = useFresh();
  const t = text.askFirst;
  const params = { path: { dispatchId: id } };
  return {
    allow: (decision: Exclude<Schemas["MCPAskFirstDecisionRequest"]["decision"], "deny">, any: boolean) =>
      act(t.allow, (headers) =>
        body(
          api.POST("/api/mcp/ask-first/{dispatchId}/approve", {
            params,
            headers,
            body: { decision, ...(any ? { any_arguments: true } : {}), ...version, ...once() },
          }),
        ),
      ).finally(fresh),
    refuse: () =>
      act(
        t.refuse,
        () => body(api.POST("/api/mcp/ask-first/{dispatchId}/deny", { params, body: { decision: "deny", ...version, ...once() } })),
        t.refused,
      ).finally(fresh),
  };
}
