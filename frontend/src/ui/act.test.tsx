import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { api, ApiError } from "../api/client";
import { text } from "../text/en";
import { Acting, useActs } from "./act";

function Doer({ error }: { error: ApiError }) {
  const { act } = useActs();
  return (
    <button type="button" onClick={() => void act("Stop", () => Promise.reject(error))}>
      do
    </button>
  );
}

const fail = (error: ApiError) => {
  const client = new QueryClient();
  const refreshed = vi.spyOn(client, "invalidateQueries");
  render(
    <QueryClientProvider client={client}>
      <Acting>
        <Doer error={error} />
      </Acting>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "do" }));
  return refreshed;
};

it("a question that only a person can answer begins where the code is typed, however long its text is", async () => {
  // A scrollable text is the first element that a browser focuses when it opens a dialog.
  HTMLDialogElement.prototype.showModal = function () {
    const long = this.querySelector<HTMLElement>("ul");
    if (long) long.tabIndex = 0;
    long?.focus();
  };
  vi.spyOn(api, "POST").mockResolvedValue({
    data: { confirmation_id: "c", about: ["one", "two"], how: "terminal" },
    response: new Response("{}"),
  } as never);
  fail(new ApiError("PRESENCE_REQUIRED", "a person must confirm this", "", { action: "install", subject_id: "p" }, 403));
  const code = await screen.findByLabelText(text.act.code);
  await waitFor(() => expect(document.activeElement).toBe(code));
  delete (HTMLDialogElement.prototype as Partial<HTMLDialogElement>).showModal;
  vi.restoreAllMocks();
});

describe("what another hand did first", () => {
  it("is no failure when it was the same: stopped twice is stopped, and the page is refreshed", async () => {
    const refreshed = fail(new ApiError("CAPTURE_ALREADY_STOPPED", "stopped", "", {}, 409));
    await screen.findByText(text.watch.stoppedBefore);
    expect(screen.queryByRole("alert", { hidden: true })).toBeNull();
    expect(refreshed).toHaveBeenCalled();
  });
  it("is told, and that the page is up to date only when it is", async () => {
    let arrive = () => {};
    vi.spyOn(QueryClient.prototype, "invalidateQueries").mockReturnValueOnce(new Promise<void>((r) => (arrive = r)));
    const refreshed = fail(new ApiError("REVISION_CONFLICT", "it changed", "", {}, 409));
    await screen.findByText(text.act.refreshing);
    expect(screen.queryByText(text.act.refreshed)).toBeNull();
    expect(refreshed).toHaveBeenCalled();
    arrive();
    await screen.findByText(text.act.refreshed);
    vi.restoreAllMocks();
  });
  it("refreshes nothing when the world is as it was", async () => {
    const refreshed = fail(new ApiError("FORBIDDEN", "no", "", {}, 403));
    await screen.findByRole("alert", { hidden: true });
    expect(refreshed).not.toHaveBeenCalled();
  });
});
