// What would be sent, for a person to read: no part of it may be hidden. The same as Spelled in internal/plain; a table
// of all code points (internal/plain/testdata/spelled.txt) proves it.

// Marks drawn across their letter. Their combining class is 1, which a pattern cannot name.
const over =
  "\\u{334}-\\u{338}\\u{1cd4}\\u{1ce2}-\\u{1ce8}\\u{20d2}\\u{20d3}\\u{20d8}-\\u{20da}\\u{20e5}\\u{20e6}\\u{20ea}\\u{20eb}" +
  "\\u{10a39}\\u{16af0}-\\u{16af4}\\u{1bc9e}\\u{1d167}-\\u{1d169}";

// What is not displayed, changes the direction, is drawn over other characters, or takes space and shows nothing.
const hidden = new RegExp(`[\\p{C}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Me}${over}\\u{2800}\\u{1d159}]`, "u");
const blank = /\p{Zs}/u;
const mark = /\p{M}/u;
const most = 3; // marks that a letter keeps: a pile of them covers other lines
const code = (c: string) => `\\u{${c.codePointAt(0)!.toString(16)}}`;

/** Characters that a person would not see are shown by their number; line breaks and tabs stay. */
export function visible(s: string) {
  let out = "";
  let marks = most; // there is nothing yet that a mark could be on
  for (const c of s) {
    const on = mark.test(c);
    if (c !== "\n" && c !== "\t" && (hidden.test(c) || (on && marks >= most))) {
      out += code(c);
      marks = most; // a code bears no marks, either
    } else if (on) {
      out += c;
      marks++;
    } else {
      out += blank.test(c) ? " " : c;
      marks = /\s/.test(c) ? most : 0;
    }
  }
  return out;
}

/** A text of several lines unchanged, everything else as JSON, so that 1 and "1" differ. */
export const shown = (v: unknown) => visible(typeof v === "string" && v.includes("\n") ? v : JSON.stringify(v, null, 2));
