import { expect, test } from "vitest";
import type { Schemas } from "../../api/client";
import { asked, begun, given, missed } from "./Questions";

const q = (x: Partial<Schemas["LearningQuestion"]>) => ({ question_id: "q1", ...x }) as Schemas["LearningQuestion"];

test("a question about several values begins with what is suggested for each, and is answered for each", () => {
  const about = [
    { ref: "p1", label: "order" },
    { ref: "p3", label: "note" },
  ];
  const a = begun(q({ about, suggested: "input" }));
  expect(a.each).toEqual([
    { ref: "p1", answer: "input" },
    { ref: "p3", answer: "input" },
  ]);
  expect(given({ ...a, each: [{ ref: "p1", answer: "" }, ...a.each!.slice(1)] })).toEqual({
    question_id: "q1",
    each: [{ ref: "p3", answer: "input" }],
  });
  expect(given(begun(q({ about })))).toBeUndefined();
});

test("any other question is answered in words or not at all", () => {
  expect(given(begun(q({ suggested: "constant" })))).toEqual({ question_id: "q1", answer_text: "constant" });
  expect(given({ question_id: "q1", answer_text: "  " })).toBeUndefined();
});

test("a question whose answer is chosen is put without the words for answering in writing", () => {
  const x = { question_text: "Is it another (input), or always this (constant)?", asked: "Is it another, or always this?" };
  expect(asked({ ...x, choices: ["input", "constant"] })).toBe(x.asked);
  expect(asked({ ...x, choices: [] })).toBe(x.question_text);
  expect(asked({ question_text: x.question_text, choices: ["input"] })).toBe(x.question_text); // asked before there was another wording
});

test("a sentence that is not known yet can be added, one that is ruled out cannot", () => {
  const f = (matched: boolean, ...codes: string[]) => missed({ matched, because: codes.map((code) => ({ code, against: true })) });
  expect([
    f(false, "no_hit"),
    f(false, "below_threshold"),
    f(true),
    f(false, "negative_trigger_match"),
    f(false, "no_content_words"),
  ]).toEqual([true, true, false, false, false]);
});
