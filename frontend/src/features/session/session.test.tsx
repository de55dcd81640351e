import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, renderHook, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "../../api/client";
import { text } from "../../text/en";
import { Acting, saidFor } from "../../ui/act";
import { EdgeHandle } from "./Edge";
import type { Observation } from "./group";
import { useRemovals } from "./useRemovals";

describe("an edge of the demonstration", () => {
  it("is moved by the arrow keys within the timeline, set by Enter and given up by Escape", () => {
    const did: (string | number)[] = [];
    render(
      <EdgeHandle
        edge="end"
        at={1}
        of={3}
        stops={[0, 1, 2]}
        said="Saved"
        over={() => 0}
        onMove={(n) => did.push(n)}
        onDrop={() => did.push("set")}
        onGiveUp={() => did.push("not")}
      />,
    );
    const s = screen.getByRole("slider", { name: text.timeline.edge.end });
    expect([s.getAttribute("aria-valuenow"), s.getAttribute("aria-valuetext")]).toEqual(["2", "2 of 3: Saved"]);
    for (const key of ["ArrowUp", "PageUp", "ArrowDown", "PageDown", "End", "Home", "Enter", "Escape", "x"]) fireEvent.keyDown(s, { key });
    expect(did).toEqual([0, 0, 2, 2, 2, 0, "set", "not"]);
  });
});

describe("deleting an observation", () => {
  const o = { event: { event_id: "e1" } } as Observation;
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>
      <Acting>{children}</Acting>
    </QueryClientProvider>
  );
  let sent: string[];
  beforeEach(() => {
    sent = [];
    vi.useFakeTimers();
    vi.stubGlobal("fetch", (path: string, how: RequestInit) => {
      sent.push(`${how.method} ${path}`);
      return Promise.resolve(new Response("{}"));
    });
    vi.spyOn(api, "DELETE").mockImplementation(((path: string, how: { params: { path: { eventId: string } } }) => {
      sent.push(`DELETE ${path} ${how.params.path.eventId}`);
      return Promise.resolve({ data: {}, response: new Response("{}") });
    }) as unknown as typeof api.DELETE);
  });
  const begin = () => {
    const gone: string[] = [];
    const h = renderHook(
      () =>
        useRemovals(
          "s1",
          (id) => gone.push(id),
          (x) => gone.splice(gone.indexOf(x.event.event_id), 1),
        ),
      { wrapper },
    );
    act(() => h.result.current.remove([o]));
    return { gone, h };
  };

  it("is done when it was not undone in time", async () => {
    const { gone } = begin();
    expect([gone, sent]).toEqual([["e1"], []]);
    await act(() => vi.advanceTimersByTimeAsync(saidFor + 10));
    expect(sent).toEqual(["DELETE /api/learn/sessions/{sessionId}/observations/{eventId} e1"]);
  });
  it("can be undone, and then nothing was asked of anybody", async () => {
    const { gone, h } = begin();
    fireEvent.click(screen.getByRole("button", { name: text.act.undo }));
    await act(() => vi.advanceTimersByTimeAsync(saidFor + 10));
    h.unmount();
    expect([gone, sent]).toEqual([[], []]);
  });
  it("is done before the page is left", () => {
    begin().h.unmount();
    expect(sent).toEqual(["DELETE /api/learn/sessions/s1/observations/e1"]);
  });
});
