// The words of the history.
export const history = {
  empty: "No history yet",
  emptyMore: "Every demonstration leaves its story here: what was watched, decided and installed.",
  page: (n: number, of: number) => `Page ${n} of ${of}`,
  newer: "Newer",
  older: "Older",
  story: "Story",
  untitled: "Without a goal",
  search: "Search the history",
  noStory: "Nothing is written down yet.",
};
