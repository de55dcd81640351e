import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { api, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Acting } from "../../ui/act";
import { learnable, LearnFrom, type Source } from "./LearnFrom";

const went = vi.fn();
vi.mock("@tanstack/react-router", () => ({ useNavigate: () => went }));

const sources: Source[] = [{ source_run_ids: ["r1"] }, { source_trace_ids: ["t1", "t2"] }, { source_receipt_id: "x1" }];

it.each(sources)("makes a session of what was kept and opens it: %o", async (source) => {
  const post = vi
    .spyOn(api, "POST")
    .mockResolvedValue({ data: { session: { learn_session_id: "s9" } }, response: new Response("{}") } as never);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Acting>
        <LearnFrom source={source} what="the report" />
      </Acting>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: `${text.runs.learn}: the report` }));
  await waitFor(() => expect(went).toHaveBeenLastCalledWith({ to: "/sessions/$id", params: { id: "s9" } }));
  expect(post.mock.calls[0]).toMatchObject(["/api/learn/sessions", { body: { entry_mode: "demonstrating_skill", ...source } }]);
});

it("takes it as an example while a draft takes some", async () => {
  const post = vi
    .spyOn(api, "POST")
    .mockResolvedValue({ data: { session: { learn_session_id: "s9" } }, response: new Response("{}") } as never);
  vi.spyOn(api, "GET").mockResolvedValue({
    data: { sessions: [{ learn_session_id: "s1", allowed_actions: ["add_example"] }] },
    response: new Response("{}"),
  } as never);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Acting>
        <LearnFrom source={{ source_run_ids: ["r1"] }} what="the report" />
      </Acting>
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole("button", { name: "Use as Example: the report" }));
  await waitFor(() => expect(post).toHaveBeenCalled());
  expect(post.mock.calls[0]).toMatchObject(["/api/learn/sessions", { body: { example_of: "s1", source_run_ids: ["r1"] } }]);
});

it("learns from the newest receipt that tells of a demonstration", () => {
  const r = (receipt_id: string, learn_session_id?: string) => ({ receipt_id, learn_session_id }) as Schemas["LearningReceipt"];
  expect(learnable([r("a"), r("b", "s"), r("c", "s")])).toBe("b");
  expect(learnable([r("a")])).toBeUndefined();
});
