import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { text } from "../../text/en";
import { Fix } from "./TrustPage";

afterEach(cleanup);

it("shows a command as it must be typed, and a sentence as one", () => {
  render(
    <>
      <Fix said="showhow agent hook install claude-code" />
      <Fix said="run `echo hook >> ~/.bashrc` and open a new shell" />
      <Fix said="run Showhow as the user whose work it should learn" />
    </>,
  );
  expect(screen.getByText("showhow agent hook install claude-code").tagName).toBe("CODE");
  expect(screen.getByRole("button", { name: `${text.trust.copy}: echo hook >> ~/.bashrc` })).toBeTruthy(); // and nothing of the sentence
  expect(screen.getByText("Run Showhow as the user whose work it should learn.")).toBeTruthy();
});
