// Server-sent events over fetch: EventSource cannot send the login. Resumes with Last-Event-ID after every
// interruption.
import { createParser } from "eventsource-parser";
import { toError, headers } from "./client";
import { leave } from "./login";

export interface Frame {
  event_kind: string;
  session_id?: string;
  timestamp: string;
  payload: unknown;
}

export interface Message {
  event: string;
  id: string;
  data: Frame;
}

/** Calls on for each message of a stream that arrives in pieces. */
export const messages = (on: (m: Message) => void) =>
  createParser({ onEvent: (e) => on({ event: e.event ?? "message", id: e.id ?? "", data: JSON.parse(e.data) as Frame }) });

/** broken: the daemon answers, but not with a stream. offline: nobody answers at that address. */
export type StreamState = "connecting" | "live" | "broken" | "offline";

export interface Listener {
  message(m: Message): void;
  state(s: StreamState): void;
}

const longer = [250, 1000, 2000, 5000];

/** Whether anybody answers at all: a proxy in between may block only streams. */
const answers = (signal: AbortSignal) =>
  fetch("/api/version", { headers: headers(), signal, cache: "no-store" }).then(
    (r) => r.ok,
    () => false,
  );

/** Listens until the signal aborts. `from` is the id to resume after; a broken stream is reopened at growing intervals. */
export async function listen(path: string, from: string, to: Listener, signal: AbortSignal, pauses = longer): Promise<void> {
  let last = from;
  for (let failed = 0; !signal.aborted;) {
    let answered = false;
    try {
      const r = await fetch(path, {
        headers: { ...headers(), Accept: "text/event-stream", ...(last ? { "Last-Event-ID": last } : {}) },
        signal,
        cache: "no-store",
      });
      answered = true;
      if (r.status === 401) return leave();
      if (!r.ok || !r.body) throw toError(await r.json().catch(() => undefined), r.status);
      to.state("live");
      const parser = messages((m) => {
        if (m.id) last = m.id;
        to.message(m);
      });
      const reader = r.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        failed = 0;
        parser.feed(value);
      }
    } catch {
      if (signal.aborted) return;
      answered ||= await answers(signal);
    }
    to.state(failed++ === 0 ? "connecting" : answered ? "broken" : "offline");
    await new Promise((done) => setTimeout(done, pauses[Math.min(failed, pauses.length) - 1]));
  }
}
