import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Box } from "./Box";
import { Page } from "./parts";

it("gives the focus to a view that a link opened, and leaves it where somebody is", () => {
  const { rerender } = render(<Page key="one" title="One" />);
  rerender(<Page key="two" title="Two" />);
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Two" }));
  rerender(
    <>
      <input aria-label="being written" />
      <Page key="two" title="Two" />
    </>,
  );
  const field = screen.getByLabelText("being written");
  field.focus();
  rerender(
    <>
      <input aria-label="being written" />
      <Page key="three" title="Three" />
    </>,
  );
  expect(document.activeElement).toBe(field);
});

it("gives the focus back when a box has gone, and to the view when what opened it has gone too", () => {
  const view = (button: boolean, box: boolean) => (
    <>
      <h1 tabIndex={-1}>View</h1>
      {button && <button>Open</button>}
      {box && (
        <Box key="box" title="Box" onClose={() => {}}>
          <button data-first="">Close</button>
        </Box>
      )}
    </>
  );
  const { rerender } = render(view(true, false));
  screen.getByText("Open").focus();
  rerender(view(true, true));
  expect(document.activeElement).toBe(screen.getByText("Close"));
  rerender(view(true, false));
  expect(document.activeElement).toBe(screen.getByText("Open"));
  rerender(view(true, true));
  rerender(view(false, false));
  expect(document.activeElement).toBe(screen.getByText("View"));
});
