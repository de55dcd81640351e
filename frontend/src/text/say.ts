// How English puts numbers into words.
export const plural = (n: number, one: string, many = `${one}s`) => `${n.toLocaleString("en-GB")} ${n === 1 ? one : many}`;

export const capital = (s: string) => s.charAt(0).toUpperCase() + s.slice(1);

export const listed = (names: string[]) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? ""));

export const bytes = (n: number) =>
  n < 1000
    ? plural(n, "byte")
    : n < 1_000_000
      ? `${Math.round(n / 1000)} kB`
      : n < 1_000_000_000
        ? `${(n / 1_000_000).toFixed(1)} MB`
        : `${(n / 1_000_000_000).toFixed(1)} GB`;

/** So many seconds, as hours, minutes and seconds. */
export const lasting = (seconds: number) =>
  [
    [Math.floor(seconds / 3600), "hour"] as const,
    [Math.floor(seconds / 60) % 60, "minute"] as const,
    [Math.floor(seconds % 60), "second"] as const,
  ]
    .filter(([n, unit], _, all) => n > 0 || (unit === "second" && all.every(([m]) => m === 0)))
    .map(([n, unit]) => plural(n, unit))
    .join(" ");
