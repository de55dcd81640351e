import { cleanup, render } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Ticks } from "./Ticks";

it("greys what nobody here decides, says why, and leaves the agents to choose", () => {
  const may = { tools: ["Read"], domains: ["paper.example"], credentials: [] };
  const boxes = (fixed?: string) => {
    cleanup();
    const view = render(<Ticks offered={may} value={may} onChange={vi.fn()} agents={["codex", "openclaw"]} addable fixed={fixed} />);
    return { text: view.container.textContent, off: [...view.container.querySelectorAll("input")].map((x) => x.disabled) };
  };
  expect(boxes("Only a new version changes it.").text).toContain("Only a new version changes it.");
  expect(boxes("Only a new version changes it.").off).toEqual([true, true, false, false]);
  expect(boxes().off.filter((x) => x)).toEqual([]);
});
