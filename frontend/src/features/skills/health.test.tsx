import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Schemas } from "../../api/client";
import { Outcome } from "./Health";

it("says what a use came to, and at which step", () => {
  const of = (o: Partial<Schemas["AbilityOutcome"]>) =>
    render(<Outcome o={{ outcome_id: "o", at: "2026-11-26T10:00:00Z", result: "failed", ...o } as Schemas["AbilityOutcome"]} />).container
      .textContent;
  expect(of({ source: "rehearsal", step_id: "s3" })).toBe("a rehearsal: it failed at s3");
});
