// Texts of the page of notes and tasks. They load with the page.
import { listed, plural } from "./say";

export const notes = {
  title: "Notes and tasks",
  lead:
    "Markdown files that you and your programs edit. Agents search, capture items and propose changes; a change of theirs is " +
    "written when you commit it.",
  folder: (path: string) => `They are in ${path}.`,
  proposals: "Proposed changes",
  proposed: (by: string, creates: number, updates: number) => {
    const what = [...(creates ? [`${creates} new`] : []), ...(updates ? [`${updates} changed`] : [])];
    return `${by === "user" ? "You propose" : `${by} proposes`} ${listed(what) || "nothing"}`;
  },
  twins: (n: number) => `${plural(n, "thing", "things")} may be there already.`,
  lines: "Every line that is written",
  commit: "Commit",
  committed: "Committed.",
  discard: "Discard",
  discarded: "Discarded.",
  undo: "Undo the last change",
  undone: (what: string) => `Undone: ${what}.`,
  undoReason: "undone on the page",
  tasks: "Tasks",
  noTasks: "No task is open",
  add: "Add a task",
  task: "What is to be done",
  added: "Added.",
  noTitle: "Say what is to be done",
  done: "Done",
  isDone: "Done.",
  dueLabel: "Due date",
  dueOf: (title: string) => `Due date of ${title}`,
  setDue: "Set",
  noDue: "No due date",
  noDay: "Choose a day",
  dueSet: (day: string) => `Due ${day}.`,
  dueGone: "It has no due date any more.",
  leave: "Cancel",
  due: (day: string) => `due ${day}`,
  overdue: (day: string) => `overdue since ${day}`,
  blocked: "blocked",
  found: "Notes and captured items",
  search: "Search",
  none: "Nothing fits",
  archive: "Archive",
  archived: "Archived.",
  kinds: { note: "Note", captured: "Captured", task: "Task" } as Record<string, string>,
  problem: (what: string) =>
    what === "id"
      ? "Another file has the same id. Give this one an id of its own, or delete the line with the id."
      : `Its ${what} cannot be read; look into the file.`,
};
