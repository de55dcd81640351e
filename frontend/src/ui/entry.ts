// A field whose text is sent.
import { useState } from "react";

/** The field is empty as soon as its text is sent, for the next; a text that was refused comes back unless another was begun. */
export function useEntry() {
  const [typed, type] = useState("");
  const send = async <T>(deed: (said: string) => Promise<T | undefined>): Promise<T | undefined> => {
    if (!typed.trim()) return undefined;
    type("");
    const r = await deed(typed.trim());
    if (!r) type((now) => now || typed);
    return r;
  };
  return { typed, type, send };
}
