// Texts of the page of families: the skills that come with Showhow. They load with the page.
import { listed, plural } from "./say";

const pdf: Record<string, string> = {
  extract_text: "text",
  extract_tables: "tables",
  ocr: "scanned pages",
  redaction_prep: "marking what is to be redacted",
};

export const families = {
  title: "Families",
  lead: "What comes with Showhow: skills for documents, mail, notes and tasks, what each can do, and whether it can do it here now.",
  none: "No family",
  noneMore: "This build of Showhow brings no skills of its own.",
  ready: "Ready",
  notReady: "Not ready",
  partly: "Partly ready",
  off: "Switched off",
  can: (n: number) => `What it can do (${n})`,
  asks: "Asks you first",
  sends: (what: string) => `Sends ${what}`,
  reads: (names: string[]) => (names.length ? `Works here: ${listed(names.map((n) => pdf[n] ?? n))}.` : "Nothing of it works here."),
  lacks: (names: string[]) => `Not installed: ${listed(names)}.`,
  noSandbox: "There is no sandbox here, and documents are opened nowhere else. The Trust page says what to do.",
  toNotes: "Open notes and tasks",
  toConnect: "Connect Microsoft 365",
  toConnector: "Open the connector",
  receipts: "Lately",
  noReceipts: "Nothing was done with it lately.",
  unread: "What was done with it could not be read.",
  unreadSome: "Not everything that was done with it could be read.",
  without: {
    word: "Only what agents ask for at the door has a receipt. `showhow word` works on your files without one.",
    outlook: "What agents read, write or send at the door has a receipt. `showhow outlook` has none.",
  } as Record<string, string>,
  older: (n: number) => `Show ${plural(n, "more receipt")}`,
};
