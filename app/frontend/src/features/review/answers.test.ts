import { expect, test } from "vitest";
import { spread } from "./Questions";

test("an answer about several values says of each what becomes of it", () => {
  expect(spread("input", ["p1", "p3"])).toEqual({ p1: "input", p3: "input" });
  expect(spread("p3: constant", ["p1", "p3"])).toEqual({ p1: "input", p3: "constant" });
  expect(spread("p1: constant: 17:30; p3: input", ["p1", "p3"])).toEqual({ p1: "constant: 17:30", p3: "input" });
  expect(spread("", ["p1"])).toEqual({ p1: "" });
});
