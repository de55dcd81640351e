/** A command line as arguments: words, "quoted" and 'quoted' ones, and \ before a character that counts as itself. */
export function words(line: string): string[] {
  const out: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const c = line[i]!;
    if (c === "\\" && quote !== "'" && i + 1 < line.length) word = (word ?? "") + line[++i]!;
    else if (quote) {
      if (c === quote) quote = "";
      else word = (word ?? "") + c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= "";
    } else if (/\s/.test(c)) {
      if (word !== undefined) out.push(word);
      word = undefined;
    } else word = (word ?? "") + c;
  }
  if (word !== undefined) out.push(word);
  return out;
}

/** The parts of a list that a person typed with commas or lines. */
export const list = (typed: string, at: RegExp = /[,\n]/) =>
  typed
    .split(at)
    .map((s) => s.trim())
    .filter(Boolean);
