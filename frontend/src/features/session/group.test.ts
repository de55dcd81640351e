import { describe, expect, it } from "vitest";
import { became, edges, inOrder, type Look, type Mark, type Observation, rows as shown, span, steps, stops, type Told } from "./group";

const rows = (all: Observation[], parts: Told[] = [], look: Look = {}) => shown(inOrder(all), steps(inOrder(all), parts), look);

let seq = 0;
const o = (at: string, action: object, more: object = {}): Observation =>
  ({
    seq: ++seq,
    trace_id: "t",
    action: { occurred_at: at, verb: "click", ...action },
    event: { event_id: `e${seq}`, action_label: "x", adapter_kind: "browser_dom", caused_state_change: true },
    ...more,
  }) as unknown as Observation;

describe("rows", () => {
  const part = (title: string, ...events: Observation[]): Told =>
    ({ title, where: "on 'Orders'", adapters: ["browser_dom"], events: events.map((x) => x.event.event_id) }) as Told;
  const [a, b, c, d] = ["1", "2", "3", "4"].map((at) => o(at, {})) as [Observation, Observation, Observation, Observation];
  it("are steps with what belongs to them, and what is not told yet stands by itself", () => {
    const list = rows([d, b, a, c], [part("Saved", a, c), part("Looked", b)]);
    expect(list.map((r) => (r.kind === "step" ? `${r.step.told.title} ${r.where}` : r.kind === "event" ? r.n : r.kind))).toEqual([
      "Saved on 'Orders'",
      0,
      2,
      1,
      3,
    ]);
    expect(list.map((r) => r.kind === "event" && r.inside)).toEqual([false, true, true, false, false]);
  });
  it("hold no observation twice, and no step without any", () => {
    const list = rows([a, b], [part("One", a, b), part("Two", b), part("Three", c)]);
    expect(list.map((r) => r.kind)).toEqual(["step", "event", "event"]);
  });
  it("hide what is in a step that is not open, and an edge goes around it", () => {
    const list = rows([a, b, c, d], [part("Saved", b, c)], { at: { start: 1, end: 2 }, movable: ["start", "end"], open: () => false });
    expect(list.map((r) => r.kind)).toEqual(["event", "edge", "step", "edge", "event"]);
    expect([stops(list, "start"), stops(list, "end")]).toEqual([
      [0, 1, 3],
      [0, 2, 3],
    ]);
  });
  it("gives each of ten thousand a row of its own", () => {
    const many = Array.from({ length: 10_000 }, (_, i) => o(String(20_000 - i).padStart(6, "0"), { page: { title: `P${i % 7}` } }));
    expect(rows(many).filter((r) => r.kind === "event").length).toBe(10_000);
  });
});

describe("became", () => {
  it("says what is new in the world, and a command's failure", () => {
    expect(became(o("1", {}, { before: { headings: ["Orders"] }, after: { headings: ["Orders"], alerts: ["Saved"] } }))).toBe("Saved");
    expect(became(o("1", {}, { before: { headings: ["Orders"] }, after: { headings: ["Orders", "Order 7"] } }))).toBe("Order 7");
    expect(became(o("1", { command: { line: "false", exit: 1 } }))).toContain("1");
    expect(became(o("1", {}))).toBe("");
  });
});

describe("the edges of a demonstration", () => {
  const all = ["1", "2", "3", "4"].map((at) => o(at, { page: { title: "Orders" } }));
  const mark = (kind: string, event_at: string, label = "") =>
    ({ boundary_id: kind + event_at + label, kind, event_at, label, created_at: event_at }) as Mark;
  it("are where a person put them, else where they were inferred", () => {
    expect(span([mark("start", "1"), mark("stop", "4"), mark("trim_start", "2")])).toEqual({ start: "2", end: "4" });
    expect(edges(all, { start: "2", end: "3" })).toEqual({ start: 1, end: 2 });
    expect(edges(all, { start: "", end: "" })).toEqual({ start: 0, end: 3 });
  });
  it("stand in the timeline, and what is outside is shown as left out", () => {
    const list = rows(all, [], { marks: [mark("mark_step", "3", "check it")], at: { start: 1, end: 2 }, movable: ["start", "end"] });
    expect(list.map((r) => (r.kind === "event" ? (r.out ? "out" : "in") : r.kind))).toEqual([
      "out",
      "edge",
      "in",
      "mark",
      "in",
      "edge",
      "out",
    ]);
  });
});
