// Server-sent events over fetch: EventSource cannot send the login. Goes on with Last-Event-ID after every break.
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

/** Splits a stream into messages. Comments and unknown fields are passed over, as the standard asks. */
export class Parser {
  private rest = "";
  private event = "";
  private id = "";
  private data: string[] = [];

  push(chunk: string, on: (m: Message) => void) {
    this.rest += chunk;
    for (let at; (at = this.rest.indexOf("\n")) >= 0;) {
      const line = this.rest.slice(0, at).replace(/\r$/, "");
      this.rest = this.rest.slice(at + 1);
      this.line(line, on);
    }
  }

  private line(line: string, on: (m: Message) => void) {
    if (line === "") {
      if (this.data.length) on({ event: this.event || "message", id: this.id, data: JSON.parse(this.data.join("\n")) as Frame });
      this.event = "";
      this.id = "";
      this.data = [];
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.event = value;
    else if (name === "id") this.id = value;
    else if (name === "data") this.data.push(value);
  }
}

/** broken: the daemon answers, but not with a stream. offline: nobody answers at that address. */
export type StreamState = "connecting" | "live" | "broken" | "offline";

export interface Listener {
  message(m: Message): void;
  state(s: StreamState): void;
}

const longer = [250, 1000, 2000, 5000];

/** Whether anybody answers at all: something between here and there may keep only streams from coming through. */
const answers = (signal: AbortSignal) =>
  fetch("/api/version", { headers: headers(), signal, cache: "no-store" }).then(
    (r) => r.ok,
    () => false,
  );

/** Listens until the signal ends it. `from` is the id to go on after; a broken stream is opened again, ever less often. */
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
      const parser = new Parser();
      const reader = r.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        failed = 0;
        parser.push(value, (m) => {
          if (m.id) last = m.id;
          to.message(m);
        });
      }
    } catch {
      if (signal.aborted) return;
      answered ||= await answers(signal);
    }
    to.state(failed++ === 0 ? "connecting" : answered ? "broken" : "offline");
    await new Promise((done) => setTimeout(done, pauses[Math.min(failed, pauses.length) - 1]));
  }
}
