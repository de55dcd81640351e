import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { settled, useKeptFocus } from "./focus";

function Part({ leaves }: { leaves: "message" | "nothing" | "all" }) {
  const [gone, setGone] = useState(false);
  useKeptFocus();
  return (
    <>
      <a className="skip" href="#main">
        Skip
      </a>
      <main>
        <h1>The view</h1>
        {!(gone && leaves === "all") && (
          <section>
            <h2>The part</h2>
            {gone && leaves === "message" && <p role="alert">It was refused.</p>}
            {!gone && (
              <button type="button" onClick={() => setGone(true)}>
                do
              </button>
            )}
          </section>
        )}
      </main>
    </>
  );
}

const work = async (leaves: "message" | "nothing" | "all") => {
  await act(async () => render(<Part leaves={leaves} />)); // and its effects have run
  screen.getByRole("button").focus();
  fireEvent.click(screen.getByRole("button"));
};
const stands = (at: Element) => waitFor(() => expect(document.activeElement).toBe(at));

describe("what had the focus left the page", () => {
  it("goes on at the message", async () => {
    await work("message");
    await stands(screen.getByRole("alert"));
  });
  it("goes on at the heading of what is left", async () => {
    await work("nothing");
    await stands(screen.getByText("The part"));
  });
  it("goes on there, too, when the engine began at the top of the page by itself", async () => {
    await work("nothing");
    screen.getByText("Skip").focus();
    await stands(screen.getByText("The part"));
  });
  it("is not led back from where Tab went", async () => {
    vi.useFakeTimers();
    await work("nothing");
    fireEvent.keyDown(document.body, { key: "Tab" });
    screen.getByText("Skip").focus();
    await vi.advanceTimersByTimeAsync(3 * settled);
    vi.useRealTimers();
    expect(document.activeElement).toBe(screen.getByText("Skip"));
  });
  it("goes on where the view begins", async () => {
    await work("all");
    await stands(screen.getByText("The view"));
  });
});
