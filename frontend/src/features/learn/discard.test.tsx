import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { api, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Acting } from "../../ui/act";
import { Discard, wayOut } from "./Discard";

type Session = Schemas["LearnSession"];
const session = (more: object) =>
  ({ learn_session_id: "s1", revision: 4, goal: "Change an order", allowed_actions: ["cancel"], ...more }) as Session;

describe("the way out of what was begun", () => {
  it("is there in every state but while it is installed, and once it is over", () => {
    expect(wayOut(session({}))).toBe("discard");
    expect(wayOut(session({ allowed_actions: ["install", "reject"], proposal_id: "p1" }))).toBe("decide");
    expect(wayOut(session({ allowed_actions: [] }))).toBeUndefined();
  });
  it("says whose draft is lost, outside of what it was asked from, and gives up exactly what was seen", async () => {
    const sent = vi
      .spyOn(api, "POST")
      .mockImplementation((() => Promise.resolve({ data: {}, response: new Response("{}") })) as unknown as typeof api.POST);
    const done = vi.fn();
    render(
      <QueryClientProvider client={new QueryClient()}>
        <Acting>
          <section className="watch">
            <Discard s={session({ proposal_id: "p1" })} done={done} />
          </section>
        </Acting>
      </QueryClientProvider>,
    );
    fireEvent.click(screen.getByRole("button", { name: text.watch.discard }));
    const dialog = document.querySelector("dialog")!;
    expect(dialog.closest(".watch")).toBeNull(); // the strip's colours are not for it
    expect(dialog.textContent).toContain("Change an order");
    expect(dialog.textContent).toContain(text.watch.discardDraftMore);
    fireEvent.submit(dialog.querySelector("form")!);
    await waitFor(() => expect(done).toHaveBeenCalled());
    expect(sent).toHaveBeenCalledWith(
      "/api/learn/sessions/{sessionId}/cancel",
      expect.objectContaining({ params: { path: { sessionId: "s1" }, header: { "If-Match": '"4"' } } }),
    );
  });
});
