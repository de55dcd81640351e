import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Fix } from "./TrustPage";

afterEach(cleanup);

it("shows a command as it must be typed, and a sentence as one", () => {
  render(
    <>
      <Fix said="showhow agent hook install claude-code" />
      <Fix said="run Showhow as the user whose work it should learn" />
    </>,
  );
  expect(screen.getByText("showhow agent hook install claude-code").tagName).toBe("CODE");
  expect(screen.getByText("Run Showhow as the user whose work it should learn.")).toBeTruthy();
});
