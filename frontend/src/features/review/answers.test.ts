import { expect, test } from "vitest";
import { missed, spread } from "./Questions";

test("an answer about several values says of each what becomes of it", () => {
  expect(spread("input", ["p1", "p3"])).toEqual({ p1: "input", p3: "input" });
  expect(spread("p3: constant", ["p1", "p3"])).toEqual({ p1: "input", p3: "constant" });
  expect(spread("p1: constant: 17:30; p3: input", ["p1", "p3"])).toEqual({ p1: "constant: 17:30", p3: "input" });
  expect(spread("", ["p1"])).toEqual({ p1: "" });
});

test("a sentence that is not known yet can be added, one that is ruled out cannot", () => {
  const f = (matched: boolean, ...rejection_reasons: string[]) => missed({ matched, rejection_reasons });
  expect([
    f(false, "no_hit: nothing"),
    f(false, "below_threshold: 0.2"),
    f(true),
    f(false, 'negative_trigger_match: "delete it"'),
    f(false, "no_content_words: please"),
  ]).toEqual([true, true, false, false, false]);
});
