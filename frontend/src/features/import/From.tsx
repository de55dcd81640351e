import type { FormEvent, ReactNode } from "react";
import { text } from "../../text/en";
import { Button } from "../../ui/Button";
import type { Source } from "./upload";

export interface FromProps {
  busy: boolean;
  begin: (s: Source) => void;
}

/** A form for one kind of source; why says why it cannot be sent. */
export function From({
  busy,
  why,
  send,
  more,
  children,
}: {
  busy: boolean;
  why?: string;
  send: () => void;
  more?: ReactNode;
  children: ReactNode;
}) {
  const submit = (e: FormEvent) => {
    e.preventDefault();
    if (!why && !busy) send();
  };
  return (
    <form className="stack" onSubmit={submit}>
      {children}
      <div className="row">
        <Button look="primary" busy={busy} disabledReason={why} onClick={send}>
          {text.imports.scan}
        </Button>
        {more}
      </div>
    </form>
  );
}
