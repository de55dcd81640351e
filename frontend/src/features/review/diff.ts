export interface Line {
  mark: " " | "+" | "-";
  text: string;
}

/** The lines of two texts with what came and went, by their longest common subsequence. */
export function diff(before: string, after: string): Line[] {
  const a = before.split("\n");
  const b = after.split("\n");
  const w = b.length + 1;
  const length = new Uint32Array((a.length + 1) * w);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      length[i * w + j] = a[i] === b[j] ? length[(i + 1) * w + j + 1]! + 1 : Math.max(length[(i + 1) * w + j]!, length[i * w + j + 1]!);
  const out: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ mark: " ", text: a[i]! });
      i++;
      j++;
    } else if (i < a.length && (j === b.length || length[(i + 1) * w + j]! >= length[i * w + j + 1]!))
      out.push({ mark: "-", text: a[i++]! });
    else out.push({ mark: "+", text: b[j++]! });
  }
  return out;
}

/** Only what changed, with some lines around it; a gap is a line of its own with an empty mark. */
export function around(lines: Line[], context = 2): (Line | null)[] {
  const near = lines.map((_, i) => lines.slice(Math.max(0, i - context), i + context + 1).some((l) => l.mark !== " "));
  const out: (Line | null)[] = [];
  lines.forEach((l, i) => {
    if (near[i]) out.push(l);
    else if (out.at(-1) !== null) out.push(null);
  });
  return out;
}
