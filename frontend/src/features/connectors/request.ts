// What a person has typed to connect a service, and the resulting request to the daemon.
import { once, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { list, words } from "../runs/words";
import { version } from "./decide";

export interface Draft {
  at: "address" | "program";
  url: string;
  command: string;
  name: string;
  folders: string;
  read: string;
  hosts: string;
  headers: string;
  env: string;
  data: string;
  clientId: string;
  scopes: string;
  preset: string; // a well-known service
  key: string; // a credential that is sent as its API key
  keyHint: string;
  named: "" | "folders"; // the folders are named in the command, too
}

export type Preset = Schemas["MCPPreset"];

export const empty: Draft = {
  at: "address",
  url: "",
  command: "",
  name: "",
  folders: "",
  read: "",
  hosts: "",
  headers: "",
  env: "",
  data: "",
  clientId: "",
  scopes: "",
  preset: "",
  key: "",
  keyHint: "",
  named: "",
};

/** What is known of a service, as if a person had typed it. Nothing known: empty fields. */
export const filled = (p?: Preset): Draft => ({
  ...empty,
  ...(p && {
    at: p.command ? "program" : "address",
    url: p.endpoint_url ?? "",
    command: p.command?.join(" ") ?? "",
    name: p.preset_id,
    data: p.data_classes.join(", "),
    scopes: p.scopes?.join(" ") ?? "",
    preset: p.preset_id,
    keyHint: p.key_hint ?? "",
    named: p.folder_arguments ? "folders" : "",
  }),
});

const t = text.connectingService;
const lines = (s: string) => list(s, /\n/);
const place = (path: string) => path.startsWith("/") && path.length > 1;

/** NAME=credential, one per line; undefined if a line is invalid. */
export function pairs(typed: string): Record<string, string> | undefined {
  const out: Record<string, string> = {};
  for (const l of lines(typed)) {
    const at = l.indexOf("=");
    const [k, v] = [l.slice(0, at).trim(), l.slice(at + 1).trim()];
    if (at < 1 || !v) return undefined;
    out[k] = v;
  }
  return out;
}

const address = (url: string) =>
  URL.canParse(url.trim()) && /^https?:$/.test(new URL(url.trim()).protocol) ? new URL(url.trim()) : undefined;

/** A service's default name: its host, or its program's name. */
export function usualName(d: Draft): string {
  if (d.at === "address") return address(d.url)?.hostname ?? "";
  return (
    words(d.command)
      .at(-1)
      ?.split("/")
      .findLast(Boolean)
      ?.replace(/^server-/, "") ?? ""
  );
}

/** Why it cannot be connected yet, or undefined. The daemon checks the rest. */
export function wrong(d: Draft): string | undefined {
  if (d.at === "address" && !address(d.url)) return t.urlWrong;
  if (d.at === "program") {
    if (!words(d.command).length) return t.commandNone;
    if (![...lines(d.folders), ...lines(d.read)].every(place)) return t.pathWrong;
    if (!pairs(d.env)) return t.pairWrong;
    if (d.named && !lines(d.folders).length) return t.foldersNone;
  } else if (!pairs(d.headers)) return t.pairWrong;
  else if (d.keyHint && !d.key.trim()) return t.keyNone;
  return d.name.trim() || usualName(d) ? undefined : t.nameNone;
}

const some = <T extends object>(o: T) => (Object.keys(o).length ? o : undefined);

/** The registration described by the fields; a sign-in, if the person described one, is created first. */
export function registration(d: Draft, auth_profile_id?: string): Schemas["MCPServerCreateRequest"] {
  const data_classes = list(d.data, /,/);
  const shared = {
    provider: "custom_remote" as const,
    display_name: d.name.trim() || usualName(d),
    ...(data_classes.length ? { data_classes } : {}),
    ...(auth_profile_id ? { auth_profile_id } : {}),
    ...version,
    ...once(),
  };
  if (d.at === "address")
    return { ...shared, transport: "remote_http", endpoint_url: d.url.trim(), header_secrets: some(pairs(d.headers) ?? {}) };
  return {
    ...shared,
    transport: "local_bridge",
    local_bridge: {
      command: [...words(d.command), ...(d.named ? lines(d.folders) : [])],
      folders: lines(d.folders),
      read_folders: lines(d.read),
      hosts: lines(d.hosts),
      credentials: some(pairs(d.env) ?? {}),
    },
  };
}

/** The consequences of connecting it, in sentences. */
export function summary(d: Draft): string[] {
  const secrets = Object.values(pairs(d.at === "address" ? d.headers : d.env) ?? {});
  if (d.at === "address" && d.key.trim()) secrets.push(d.key.trim());
  const out: string[] = [];
  if (d.at === "address") {
    const u = address(d.url);
    if (u) out.push(t.getsAddress(u.host));
  } else {
    const [folders, read, hosts] = [lines(d.folders), lines(d.read), lines(d.hosts)];
    out.push(t.getsProgram);
    if (folders.length) out.push(t.getsFolders(folders));
    if (read.length) out.push(t.getsRead(read));
    if (hosts.length) out.push(t.getsHosts(hosts));
    if (!folders.length && !read.length && !hosts.length) out.push(t.getsNothing);
  }
  if (secrets.length) out.push(t.getsSecrets(secrets));
  return [...out, t.getsRule];
}
