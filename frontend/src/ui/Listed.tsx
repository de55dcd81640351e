/** Names, exactly as they are, one below the other; nothing when there is none. */
export function Listed({ title, all }: { title: string; all?: string[] | null }) {
  if (!all?.length) return null;
  return (
    <details className="small" open={all.length < 8}>
      <summary>{title}</summary>
      <ul className="stack tight">
        {all.map((n) => (
          <li key={n} className="break">
            <bdi>{n}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}
