import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Acting, Notices, useActs } from "./act";

it("a message is shown in the frame's own place for it, and nowhere over the page", async () => {
  function Sayer() {
    const { say } = useActs();
    return (
      <button type="button" onClick={() => say("Unpacked.")}>
        do
      </button>
    );
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Acting>
        <nav>
          <Notices />
        </nav>
        <main>
          <Sayer />
        </main>
      </Acting>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "do" }));
  expect((await screen.findByText("Unpacked.")).closest("nav")).not.toBeNull();
  expect(screen.getAllByRole("status")).toHaveLength(1);
});
