import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Schemas } from "../../api/client";
import { remote as t } from "../../text/remote";
import { Acting } from "../../ui/act";
import { Callers } from "./Remote";

const off: Schemas["RemoteStatus"] = {
  on: false,
  addresses: [],
  callers: [],
  waiting: [],
  tasks: [],
  a2a: { on: false },
  clients: 0,
  schema_version: 1,
};

const show = (s: Schemas["RemoteStatus"]) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Acting>
        <Callers s={s} />
      </Acting>
    </QueryClientProvider>,
  );

it("offers nothing to press while it is off and nobody was let in", () => {
  show(off);
  expect(screen.queryAllByRole("button")).toEqual([]);
});

it("asks for the code that the browser shows, and says what the caller may do, and where the browser goes", () => {
  const waiting: Schemas["RemoteRequest"] = {
    request_id: "3fa2c1d09b7e4410",
    client_name: "Scout",
    sends_to: "127.0.0.1:4711",
    scopes: ["showhow", "showhow.write"],
    resource: "https://desk.example/contract",
    from: "192.0.2.7",
    asked_at: "2026-11-26T10:00:00Z",
    expires_at: "2026-11-26T10:10:00Z",
  };
  show({ ...off, on: true, url: "https://desk.example", waiting: [waiting] });
  expect(screen.getByRole("button", { name: t.allow }).getAttribute("aria-disabled")).toBe("true");
  fireEvent.change(screen.getByLabelText(t.code), { target: { value: "bcdf-2345" } });
  expect(screen.getByRole("button", { name: t.allow }).getAttribute("aria-disabled")).toBe(null);
  expect((screen.getByLabelText(t.scopes["showhow"]!) as HTMLInputElement).disabled).toBe(true);
  const more = screen.getByLabelText(t.scopes["showhow.write"]!) as HTMLInputElement;
  expect(more.checked).toBe(true);
  fireEvent.click(more);
  expect(more.checked).toBe(false);
  expect(screen.getByText(t.details("192.0.2.7", "127.0.0.1:4711"))).toBeTruthy();
  expect(screen.getByRole("button", { name: t.deny })).toBeTruthy();
});

it("shows what callers ask to have run, in their words, and what performs it", () => {
  const task: Schemas["RemoteTask"] = {
    task_id: "6f1c0a5e-7d0b-4a2e-9a58-0a6f5c1d2e3f",
    caller: "remote/scout",
    skill: "sort-receipts",
    title: "Sort receipts",
    goal: "those of May",
    asked_at: "2026-11-26T10:00:00Z",
    expires_at: "2026-11-26T11:00:00Z",
  };
  show({ ...off, on: true, url: "https://desk.example", a2a: { on: true, command: ["claude", "-p"] }, tasks: [task] });
  expect(screen.getByRole("group", { name: t.asksRun("remote/scout", "Sort receipts") }).textContent).toContain("those of May");
  expect(screen.getByRole("button", { name: t.run })).toBeTruthy();
  expect(screen.getByRole("button", { name: t.noRun })).toBeTruthy();
  expect(screen.getByText("claude -p")).toBeTruthy();
  expect(screen.getByRole("button", { name: t.a2aTurnOff })).toBeTruthy();
});

it("goes to the request that the address names", () => {
  const waiting = (request_id: string): Schemas["RemoteRequest"] => ({
    request_id,
    client_name: request_id,
    sends_to: "127.0.0.1:4711",
    scopes: ["showhow.mcp"],
    resource: "https://desk.example/mcp",
    from: "192.0.2.7",
    asked_at: "2026-11-26T10:00:00Z",
    expires_at: "2026-11-26T10:10:00Z",
  });
  location.hash = "#00aa11bb22cc33dd";
  show({ ...off, on: true, url: "https://desk.example", waiting: [waiting("3fa2c1d09b7e4410"), waiting("00aa11bb22cc33dd")] });
  location.hash = "";
  expect(document.activeElement).toBe(screen.getByRole("group", { name: t.asks("00aa11bb22cc33dd") }));
});

it("says what a caller may do, and how a skill is opened to it", () => {
  const caller: Schemas["RemoteCaller"] = {
    caller_id: "0b0f8a3e-6d4e-4a55-9d0e-2b1c5f7a9e11",
    name: "remote/ledger",
    client_name: "Ledger",
    machine: false,
    scopes: ["showhow.mcp", "showhow.connectors"],
    resource: "https://desk.example/mcp",
    approved_at: "2026-11-26T10:00:00Z",
    calls: 0,
    revision: 1,
  };
  show({ ...off, on: true, url: "https://desk.example", callers: [caller] });
  expect(screen.getByText("showhow.mcp showhow.connectors")).toBeTruthy();
  expect(screen.getByText("showhow skill permissions SKILL --agent remote/ledger")).toBeTruthy();
});
