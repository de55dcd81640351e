import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "../../api/client";

export type Family = Schemas["AbilityAvailabilityEntry"];
export type Receipt = Schemas["LearningReceipt"];

/** One thing that a family can do, by its manifest. */
export interface Capability {
  id: string;
  title: string;
  asks: boolean; // a person, every time
}

/** The kinds of receipts that the daemon keeps of a family's own work. */
export const kinds: Record<string, string> = {
  pdf: "document.read",
  notes: "notes.proposed,notes.committed,notes.discarded",
  outlook: "outlook.read",
};

/** The tools of Showhow's own that ask first, by the family that they are for (docs/mcp.md). */
export const asking: Record<string, string[]> = {
  pdf: ["mark_pdf_redactions"],
  word: ["edit_word_document", "decide_word_changes", "redline_word_documents", "fill_word_template"],
  outlook: [
    "outlook_email_draft",
    "outlook_email_send",
    "outlook_email_save_attachments",
    "outlook_calendar_create",
    "outlook_calendar_update",
    "outlook_calendar_delete",
  ],
};

export const q = {
  pdf: () => queryOptions({ queryKey: ["families", "pdf"], queryFn: () => body(api.GET("/api/adapters/acrobat/health")) }),
  kept: (kind: string, page_size: number) =>
    queryOptions({
      queryKey: ["history", "family", kind, page_size],
      queryFn: () => body(api.GET("/api/learn/receipts", { params: { query: { kind, page_size } } })),
    }),
};

/** The capabilities in a skill's files: manifests lie in the folder capabilities. What cannot be read is left out. */
export function capabilitiesOf(files: Schemas["SkillReading"]["files"]): Capability[] {
  return files.flatMap((f) => {
    if (!/^capabilities\/[^/]+\.json$/.test(f.path)) return [];
    try {
      const m = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(f.content), (c) => c.charCodeAt(0)))) as Record<string, unknown>;
      if (typeof m.capability_id !== "string" || typeof m.title !== "string") return [];
      return [{ id: m.capability_id, title: m.title, asks: m.requires_supervision === true }];
    } catch {
      return [];
    }
  });
}
