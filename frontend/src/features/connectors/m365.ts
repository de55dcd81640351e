// What a person has chosen of Microsoft 365, and the registration that follows from it.
import { once, type Schemas } from "../../api/client";
import { connectingM365 as t } from "../../text/m365";
import { version } from "./decide";

type Request = Schemas["MCPServerCreateRequest"];
export type Operation = Schemas["M365Operation"];

export interface M365Draft {
  groups: string[];
  clientId: string;
  tenant: string;
  name: string;
  redirect: string;
  graph: string;
}

/** As the command line has it: the address that the documentation tells people to register at Microsoft. */
export const usual: M365Draft = {
  groups: [],
  clientId: "",
  tenant: "",
  name: "m365",
  redirect: "http://localhost:47365/callback",
  graph: "",
};

/** An operation's group is the first kind of data that it handles. */
export const groupOf = (o: Operation) => o.data_classes[0] ?? "";
export const groupsOf = (all: Operation[]) => [...new Set(all.map(groupOf))];
const chosen = (d: M365Draft, all: Operation[]) => all.filter((o) => d.groups.includes(groupOf(o)));
const scopes = (of: Operation[]) => [...new Set(of.flatMap((o) => o.minimum_delegated_scopes))];

/** An operation's name in words. */
export const worded = (o: Operation) => o.operation_family.replaceAll("_", " ");

/** Why it cannot be connected yet, or undefined. The daemon checks the rest. */
export const unready = (d: M365Draft): string | undefined =>
  !d.groups.length ? t.none : !d.clientId.trim() ? t.noApp : !d.name.trim() ? t.noName : undefined;

export function m365Registration(d: M365Draft, all: Operation[]): Request {
  const of = chosen(d, all);
  return {
    provider: "m365",
    display_name: d.name.trim(),
    transport: "remote_http",
    ...(d.graph.trim() ? { endpoint_url: d.graph.trim() } : {}),
    operation_families: of.map((o) => o.operation_family) as Request["operation_families"], // the daemon's own list
    requested_scopes: scopes(of),
    client_id: d.clientId.trim(),
    ...(d.tenant.trim() ? { tenant_id: d.tenant.trim() } : {}),
    redirect_uri: d.redirect.trim(),
    ...version,
    ...once(),
  };
}

/** The consequences of connecting it, in sentences. */
export function consequences(d: M365Draft, all: Operation[]): string[] {
  const of = chosen(d, all);
  const asks = of.filter((o) => o.action_class !== "read").map(worded);
  return [...(of.length ? [t.asks(scopes(of))] : []), ...(asks.length ? [t.waits(asks)] : []), t.first];
}
