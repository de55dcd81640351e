// Lists that a view needs completely, for example to count or filter them in the page, are fetched page by page.
export const pageSize = 100;

/** All items of all pages; the last page is not full. */
export async function every<T>(get: (page: number) => Promise<T[]>): Promise<T[]> {
  const out: T[] = [];
  for (let page = 1; ; page++) {
    const some = await get(page);
    out.push(...some);
    if (some.length < pageSize) return out;
  }
}
