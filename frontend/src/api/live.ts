// One stream of all lifecycle events keeps all views current: each event names the queries that it makes stale. If
// the stream is not available, views poll every few seconds instead, and the shell says so.
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { listen, type StreamState } from "./stream";

/** The first element of the keys of the queries that an event makes stale. */
export function stale(kind: string): string[] {
  if (kind === "snapshot" || kind === "reset")
    return [
      "sessions",
      "proposals",
      "runs",
      "abilities",
      "history",
      "agents",
      "imports",
      "categories",
      "connectors",
      "inbox",
      "mined",
      "projects",
      "notes",
      "remote",
    ];
  if (kind === "learn.validation.step" || kind === "learn.validation.waiting" || kind.startsWith("checkpoint."))
    return ["runs", "checkpoints"];
  if (kind.startsWith("learn.")) return ["sessions", "proposals", "runs", "history", "abilities"];
  if (/^(ability|bridge|capability|canary)\./.test(kind)) return ["abilities", "inbox"];
  if (kind.startsWith("skill.import.")) return ["imports", "abilities", "history"];
  if (kind.startsWith("connector.")) return ["connectors", "inbox"];
  if (kind.startsWith("mining.")) return ["mined", "inbox"];
  if (kind.startsWith("notes.")) return ["notes", "inbox"];
  if (kind.startsWith("project.")) return ["projects", "abilities"];
  if (kind.startsWith("remote.")) return ["remote"];
  if (kind.startsWith("category.")) return ["categories", "abilities"];
  if (kind.startsWith("agent.") || kind.startsWith("observe.")) return ["agents"];
  return [];
}

/** The queries that are asked again after their first answer: once, however many events come before it. */
const waiting = new WeakSet<Query>();

/**
 * Makes queries stale, also those whose first answer is still on its way: it may be older than the event, and the library
 * would wait for it (cancelRefetch stops a fetch only where there is data).
 */
function invalidate(client: QueryClient, name: string) {
  const first = client.getQueryCache().findAll({ queryKey: [name], fetchStatus: "fetching", predicate: (q) => q.state.data === undefined });
  void client.invalidateQueries({ queryKey: [name] });
  for (const q of first) {
    const answer = q.promise;
    if (!answer || waiting.has(q)) continue;
    waiting.add(q);
    const again = () => void client.invalidateQueries({ queryKey: q.queryKey, exact: true });
    void answer.then(again, () => {}).finally(() => waiting.delete(q)); // an error is shown, with a way to try again
  }
}

/** Collects stale keys and invalidates them together: events come in bursts. */
export function gatherer(client: QueryClient) {
  const names = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (more: string[]) => {
    more.forEach((n) => names.add(n));
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const n of names) invalidate(client, n);
      names.clear();
    }, 60);
  };
}

const pollEvery = 3000;

export function useLive(): StreamState {
  const client = useQueryClient();
  const [state, setState] = useState<StreamState>("connecting");
  useEffect(() => {
    const end = new AbortController();
    const gather = gatherer(client);
    void listen("/api/events", "", { message: (m) => gather(stale(m.event)), state: setState }, end.signal);
    return () => end.abort();
  }, [client]);
  useEffect(() => {
    if (state !== "broken" && state !== "offline") return;
    const t = setInterval(() => void client.invalidateQueries(), pollEvery);
    return () => clearInterval(t);
  }, [state, client]);
  return state;
}
