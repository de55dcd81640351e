import { describe, expect, it, vi } from "vitest";
import { stale } from "./live";
import { listen, type Message, messages } from "./stream";

const frame = (kind: string) => JSON.stringify({ event_kind: kind, timestamp: "t", payload: {}, schema_version: 1 });

describe("messages", () => {
  it("reads messages from whatever pieces they come in", () => {
    const whole = `: showhow\n\nevent: a\nid: 7\ndata: ${frame("a")}\n\n:keepalive\n\nevent: b\r\nid: 8\r\ndata: ${frame("b")}\r\n\r\n`;
    for (const size of [1, 3, 1000]) {
      const got: Message[] = [];
      const p = messages((m) => got.push(m));
      for (let i = 0; i < whole.length; i += size) p.feed(whole.slice(i, i + size));
      expect(got.map((m) => [m.event, m.id, m.data.event_kind])).toEqual([
        ["a", "7", "a"],
        ["b", "8", "b"],
      ]);
    }
  });
});

describe("listen", () => {
  it("goes on after the last event that it saw, and says when it cannot", async () => {
    const end = new AbortController();
    const asked: (string | undefined)[] = [];
    const states: string[] = [];
    let up = false;
    const answers = [
      () => new Response(`id: 41\ndata: ${frame("x")}\n\n`),
      () => Promise.reject(new Error("down")),
      () => ((up = true), Promise.reject(new Error("kept away"))),
      () => new Response("{}", { status: 503 }),
      () => new Response(`id: 42\ndata: ${frame("y")}\n\n`),
    ];
    vi.stubGlobal("fetch", (path: string, o: RequestInit) => {
      if (path !== "/e") return up ? Promise.resolve(new Response("{}")) : Promise.reject(new Error("down"));
      asked.push((o.headers as Record<string, string>)["Last-Event-ID"]);
      const a = answers.shift();
      if (!a) end.abort();
      return a ? Promise.resolve(a()) : Promise.reject(new Error("aborted"));
    });
    const got: string[] = [];
    await listen("/e", "5", { message: (m) => got.push(m.id), state: (s) => states.push(s) }, end.signal, [1]);
    expect(asked.slice(0, 6)).toEqual(["5", "41", "41", "41", "41", "42"]);
    expect(got).toEqual(["41", "42"]);
    expect(states).toEqual(["live", "connecting", "offline", "broken", "broken", "live", "connecting"]);
  });
});

describe("stale", () => {
  it("names what an event makes old, and everything after a gap", () => {
    expect(stale("learn.capture.paused")).toContain("sessions");
    expect(stale("learn.validation.step")).not.toContain("proposals");
    expect(stale("ability.quarantined")).toEqual(["abilities", "inbox"]);
    expect(stale("connector.asks")).toEqual(["connectors", "inbox"]);
    expect(stale("reset")).toContain("proposals");
    expect(stale("reset")).toContain("connectors");
    expect(stale("something.new")).toEqual([]);
  });
});
