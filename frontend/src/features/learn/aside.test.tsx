import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { api, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Acting } from "../../ui/act";
import { pendingState } from "./Lists";
import { PutAside, TakeUp } from "./PutAside";

const session = (actions: string[]) =>
  ({ learn_session_id: "s1", revision: 4, goal: "Change an order", allowed_actions: actions }) as Schemas["LearnSession"];
const proposal = (more: object) =>
  ({ proposal_id: "p1", revision: 2, proposal_state: "draft", allowed_actions: ["take_up"], ...more }) as Schemas["SkillBundleProposal"];

function show(what: React.ReactNode) {
  const sent = vi
    .spyOn(api, "POST")
    .mockImplementation((() => Promise.resolve({ data: {}, response: new Response("{}") })) as unknown as typeof api.POST);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Acting>{what}</Acting>
    </QueryClientProvider>,
  );
  return sent;
}

describe("putting a draft aside", () => {
  it("says how long everything waits before anything happens", async () => {
    const done = vi.fn();
    const sent = show(<PutAside s={session(["put_aside", "cancel"])} done={done} />);
    fireEvent.click(screen.getByRole("button", { name: text.aside.put }));
    expect(sent).not.toHaveBeenCalled();
    const dialog = document.querySelector("dialog")!;
    expect(dialog.textContent).toContain("30 days");
    fireEvent.submit(dialog.querySelector("form")!);
    await waitFor(() => expect(done).toHaveBeenCalled());
    expect(sent).toHaveBeenCalledWith(
      "/api/learn/sessions/{sessionId}/put-aside",
      expect.objectContaining({ params: { path: { sessionId: "s1" }, header: { "If-Match": '"4"' } } }),
    );
  });
  it("is offered only where the daemon allows it", () => {
    show(<PutAside s={session(["cancel"])} />);
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("taking it up again", () => {
  it("asks for exactly the draft that was seen", () => {
    const sent = show(<TakeUp p={proposal({})} />);
    fireEvent.click(screen.getByRole("button", { name: text.aside.take }));
    expect(sent).toHaveBeenCalledWith(
      "/api/learn/proposals/{proposalId}/take-up",
      expect.objectContaining({ params: { path: { proposalId: "p1" }, header: { "If-Match": '"2"' } } }),
    );
  });
  it("is a state of its own among the pending ones", () => {
    expect(pendingState(proposal({ put_aside_until: "2026-12-25T00:00:00Z" }))).toBe("put_aside");
    expect(pendingState(proposal({}))).toBe("drafting");
  });
});
