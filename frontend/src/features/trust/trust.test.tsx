import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { text } from "../../text/en";
import { about, Fix } from "../../ui/Fix";
import { Network } from "./About";
import { callers } from "./Remote";

it("shows a command as it must be typed, and a sentence as one", () => {
  render(
    <>
      <Fix said="showhow agent hook install claude-code" />
      <Fix said="run `echo hook >> ~/.bashrc` and open a new shell" />
      <Fix said="run Showhow as the user whose work it should learn" />
    </>,
  );
  expect(screen.getByText("showhow agent hook install claude-code").tagName).toBe("CODE");
  expect(screen.getByRole("button", { name: `${text.trust.copy}: echo hook >> ~/.bashrc` })).toBeTruthy(); // and nothing of the sentence
  expect(screen.getByText("Run Showhow as the user whose work it should learn.")).toBeTruthy();
  expect(about("adapter terminal_command")).toBe("Terminal");
});

it("says who reaches this computer, when callers from elsewhere are on", () => {
  const shown = (on: boolean) => {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
    client.setQueryData(callers().queryKey, { on, url: "https://desk.example.net:7443" } as never);
    render(
      <QueryClientProvider client={client}>
        <Network />
      </QueryClientProvider>,
    );
    const said = document.body.textContent;
    cleanup();
    return said;
  };
  expect(shown(false)).not.toContain("desk.example.net");
  expect(shown(true)).toContain("other computers reach Showhow at https://desk.example.net:7443");
  expect(shown(true)).not.toContain("no network connection");
  expect(text.trust.retentionRows.some(([what, how]) => what?.startsWith("Documents") && how?.startsWith("24 hours"))).toBe(true);
});
