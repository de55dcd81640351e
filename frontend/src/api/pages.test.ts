import { expect, it } from "vitest";
import { every, pageSize } from "./pages";

it("reads on until a page is not full", async () => {
  const all = Array.from({ length: 2 * pageSize + 7 }, (_, i) => i);
  const asked: number[] = [];
  const got = await every(async (page) => {
    asked.push(page);
    return all.slice((page - 1) * pageSize, page * pageSize);
  });
  expect([got.length, asked]).toEqual([all.length, [1, 2, 3]]);
  expect(await every(async () => [])).toEqual([]);
});
