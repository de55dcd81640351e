import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { api, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Acting } from "../../ui/act";
import { Manage } from "./Categories";

it("a category is deleted when the box is closed, once, and can be taken back until then", async () => {
  const gone: string[] = [];
  vi.spyOn(api, "DELETE").mockImplementation(((_: string, how: { params: { path: { categoryId: string } } }) => {
    gone.push(how.params.path.categoryId);
    return Promise.resolve({ data: {}, response: new Response("{}") });
  }) as unknown as typeof api.DELETE);
  const all = ["a", "b"].map((c) => ({
    category_id: c,
    title: c.toUpperCase(),
    color: "#000000",
    revision: 1,
    items: 1,
  })) as unknown as Schemas["Category"][];
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Acting>
        <Manage all={all} close={() => {}} />
      </Acting>
    </QueryClientProvider>,
  );
  const press = (name: string) => fireEvent.click(screen.getByRole("button", { name, hidden: true }));
  for (const c of ["A", "B"]) press(`${text.skills.deleteCategory}: ${c}`);
  press(`${text.act.undo}: A`);
  expect(gone).toEqual([]);
  await act(async () => {
    press(text.close);
    press(text.close);
  });
  expect(gone).toEqual(["b"]);
});
