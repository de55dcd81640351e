import type { Connector } from "./queries";

/** Where a connector leads, as a person would say it. */
export function placeOf({ endpoint_url, local_bridge }: Connector["registry"]) {
  if (!local_bridge) return endpoint_url ?? "";
  const { command, package: p } = local_bridge;
  if (!p) return command.join(" ");
  return p.command?.join(" ") ?? [`${p.name}@${p.version}`, ...command.slice(2)].join(" "); // as it was registered
}
