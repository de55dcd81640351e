import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { useEntry } from "./entry";

const calls: { said: string; finish: (r?: boolean) => void }[] = [];

function Field() {
  const { typed, type, send } = useEntry();
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        void send((said) => new Promise<boolean | undefined>((finish) => calls.push({ said, finish })));
      }}
    >
      <input aria-label="field" value={typed} onChange={(e) => type(e.target.value)} />
    </form>
  );
}

it("is free for the next text while the first is sent, and loses none of them", async () => {
  render(<Field />);
  const field = screen.getByLabelText<HTMLInputElement>("field");
  const enter = (value: string) => fireEvent.change(field, { target: { value } });
  const send = () => fireEvent.submit(field.form!);

  enter(" one ");
  send();
  send(); // pressed twice is sent once
  expect(calls.map((c) => c.said)).toEqual(["one"]);
  enter("two");
  await act(async () => calls[0]!.finish(true));
  expect(field.value).toBe("two");

  send();
  await act(async () => calls[1]!.finish());
  await waitFor(() => expect(field.value).toBe("two")); // refused: it is back

  send();
  enter("three");
  await act(async () => calls[2]!.finish());
  expect(field.value).toBe("three"); // the next was begun
});
