import { expect, it } from "vitest";
import { between, unified } from "./Difference";

it("keeps what stayed and marks what came and went", () => {
  expect(between("a\nb\nc\n", "a\nx\nc\n")).toEqual([" a", "-b", "+x", " c"]);
  expect(between("", "")).toEqual([]);
  expect(between("a", "a\nb")).toEqual(["-a", "+a", "+b"]);
});

it("leaves out what is far from a change", () => {
  const many = Array.from({ length: 20 }, (_, i) => `l${i}`);
  const changed = ["new", ...many, "new"];
  expect(between(many.join("\n") + "\n", changed.join("\n") + "\n")).toEqual(["+new", " l0", " l1", null, " l18", " l19", "+new"]);
});

const change = "--- approved/SKILL.md\n+++ now/SKILL.md\n@@ -1,3 +1,3 @@\n a\n--- old\n+++ new\n c\n";

it("reads a unified difference, also of lines that look like its own headings", () => {
  expect(unified(change)).toEqual([" a", "--- old", "+++ new", " c"]);
});

it("reads one that was cut off as far as it goes", () => {
  expect(unified(change.slice(0, -3))).toEqual([" a", "--- old", "+++ new"]);
});
