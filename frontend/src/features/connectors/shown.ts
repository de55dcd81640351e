// What would be sent, for a person to read: no part of it may be hidden.

/** Invisible characters, and those that change the text direction, are shown by their number. */
export const visible = (s: string) =>
  s.replaceAll(/[\p{Cf}\p{Zl}\p{Zp}]|[^\P{Cc}\n\t]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16).padStart(4, "0")}}`);

/** A text of several lines unchanged, everything else as JSON, so that 1 and "1" differ. */
export const shown = (v: unknown) => visible(typeof v === "string" && v.includes("\n") ? v : JSON.stringify(v, null, 2));
