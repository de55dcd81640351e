import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Schemas } from "../../api/client";
import { Outcome } from "./Health";

it("says a changed copy as what it is, and a use with its step", () => {
  const of = (o: Partial<Schemas["AbilityOutcome"]>) =>
    render(<Outcome o={{ outcome_id: "o", at: "2026-11-26T10:00:00Z", result: "failed", ...o } as Schemas["AbilityOutcome"]} />).container
      .textContent;
  expect(of({ source: "drift", step_id: "codex", code: "drifted" })).toBe("The copy for codex was changed");
  expect(of({ source: "drift", step_id: "bundle", code: "drifted" })).toBe("Its files were changed");
  expect(of({ source: "rehearsal", step_id: "s3" })).toBe("a rehearsal: it failed at s3");
});
