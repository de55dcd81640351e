// Texts of the history.
export const history = {
  empty: "No history yet",
  emptyMore: "Every demonstration is listed here with what was watched, decided and installed.",
  page: (n: number, of: number) => `Page ${n} of ${of}`,
  newer: "Newer",
  older: "Older",
  story: "Story",
  untitled: "Untitled",
  search: "Search the history",
  noStory: "Nothing has happened yet.",
};
