import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { api } from "../../api/client";
import { notes as t } from "../../text/notes";
import { Acting } from "../../ui/act";
import { NotesPage } from "./NotesPage";

it("sets, moves and takes away the day by which a task is to be done", async () => {
  const task = { id: "tsk_1", title: "Order paper", kind: "task", status: "todo", due: "2026-12-01" };
  const sent: { path: string; body: Record<string, unknown> }[] = [];
  vi.spyOn(api, "GET").mockImplementation((() => Promise.resolve({ data: { change_sets: [] }, response: new Response("{}") })) as never);
  vi.spyOn(api, "POST").mockImplementation(((path: string, given: { body: Record<string, unknown> }) => {
    sent.push({ path, body: given.body });
    const data = path.endsWith("list") ? { items: [task] } : path.endsWith("search") ? { items: [] } : { change_set_id: "chg_1" };
    return Promise.resolve({ data, response: new Response("{}") });
  }) as never);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Acting>
        <NotesPage />
      </Acting>
    </QueryClientProvider>,
  );
  const payloads = () =>
    sent.filter((s) => s.path === "/api/notes/changes").map((s) => (s.body.actions as { payload: unknown }[])[0]!.payload);
  const open = async () => fireEvent.click(await screen.findByRole("button", { name: `${t.dueLabel}: Order paper` }));

  await open();
  fireEvent.change(screen.getByLabelText(t.dueOf("Order paper")), { target: { value: "2026-12-09" } });
  fireEvent.click(screen.getByRole("button", { name: t.setDue }));
  await waitFor(() => expect(payloads()).toEqual([{ task_id: "tsk_1", due: "2026-12-09" }]));
  await waitFor(() => expect(screen.queryByRole("button", { name: t.setDue })).toBeNull());

  await open();
  fireEvent.click(screen.getByRole("button", { name: t.noDue }));
  await waitFor(() => expect(payloads()[1]).toEqual({ task_id: "tsk_1", due: null }));
  expect(sent.filter((s) => s.path.endsWith("commit"))).toHaveLength(2);

  fireEvent.change(screen.getByLabelText(t.task), { target: { value: "Call" } });
  fireEvent.change(screen.getByLabelText(t.dueLabel), { target: { value: "2026-12-24" } });
  fireEvent.click(screen.getByRole("button", { name: t.add }));
  await waitFor(() => expect(sent.find((s) => s.path === "/api/notes/tasks")?.body).toMatchObject({ title: "Call", due: "2026-12-24" }));
});

it("a second press changes nothing while the first is at work", async () => {
  const task = { id: "tsk_1", title: "Order paper", kind: "task", status: "todo", due: "2026-12-01" };
  const proposed: unknown[] = [];
  let finish = () => {};
  vi.spyOn(api, "GET").mockImplementation((() => Promise.resolve({ data: { change_sets: [] }, response: new Response("{}") })) as never);
  vi.spyOn(api, "POST").mockImplementation((async (path: string, given: { body: Record<string, unknown> }) => {
    if (path === "/api/notes/changes") {
      proposed.push(given.body);
      await new Promise<void>((r) => (finish = r));
    }
    const data = path.endsWith("list") ? { items: [task] } : path.endsWith("search") ? { items: [] } : { change_set_id: "chg_1" };
    return { data, response: new Response("{}") };
  }) as never);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Acting>
        <NotesPage />
      </Acting>
    </QueryClientProvider>,
  );
  const button = (name: string) => screen.getByRole("button", { name });
  fireEvent.click(await screen.findByRole("button", { name: `${t.dueLabel}: Order paper` }));
  const day = screen.getByLabelText(t.dueOf("Order paper"));
  fireEvent.change(day, { target: { value: "2026-12-09" } });
  for (const again of [t.setDue, t.setDue, t.noDue, `${t.done}: Order paper`]) fireEvent.click(button(again));
  fireEvent.submit(day.closest("form")!);
  expect(button(t.setDue).getAttribute("aria-disabled")).toBe("true");
  expect(proposed).toHaveLength(1);
  finish();
  await waitFor(() => expect(screen.queryByRole("button", { name: t.setDue })).toBeNull());

  const done = button(`${t.done}: Order paper`);
  await waitFor(() => expect(done.getAttribute("aria-disabled")).toBeNull());
  fireEvent.click(done);
  fireEvent.click(done);
  expect(proposed).toHaveLength(2);
  finish();
  await waitFor(() => expect(done.getAttribute("aria-disabled")).toBeNull());
});
