import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { api } from "../../api/client";
import { families as t } from "../../text/families";
import { Acting } from "../../ui/act";
import { FamiliesPage } from "./FamiliesPage";
import { capabilitiesOf } from "./queries";

vi.mock("@tanstack/react-router", async (real) => ({
  ...(await real<object>()),
  Link: ({ to, children }: { to: string; children: ReactNode }) => <a href={to}>{children}</a>,
}));

const coded = (v: unknown) => btoa(JSON.stringify(v));
const manifest = (path: string, id: string, title: string, asks = false) => ({
  path,
  executable: false,
  content: coded({ capability_id: id, title, requires_supervision: asks }),
});

const family = (name: string, more: object = {}) => ({
  ability_id: `built-in-showhow-${name}`,
  title: `All about ${name}`,
  family: name,
  built_in: true,
  enabled: true,
  usable_now: true,
  ...more,
});

/** The daemon's answers, by path. */
function answers(by: Record<string, unknown>) {
  const get = vi.spyOn(api, "GET").mockImplementation(((
    path: string,
    given?: { params?: { path?: { abilityId?: string }; query?: object } },
  ) => {
    const a = by[path];
    const data = typeof a === "function" ? (a as (g: typeof given) => unknown)(given) : a;
    if (data === undefined) throw new Error(`nobody answers ${path}`);
    return Promise.resolve(data).then((d) => ({ data: d, response: new Response("{}") }));
  }) as never);
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Acting>
        <FamiliesPage />
      </Acting>
    </QueryClientProvider>,
  );
  return get;
}

const receipt = (n: number) => ({
  receipt_id: `r${n}`,
  kind: "document.read",
  summary: `A PDF document was read: number ${n}.`,
  created_at: `2026-11-27T10:0${n}:00.000Z`,
});

it("shows what comes with Showhow, what is missing, and what was done with it", async () => {
  answers({
    "/api/abilities/availability": {
      abilities: [
        family("pdf"),
        family("m365", { usable_now: false, reason_unusable: "no connector: `showhow m365 connect` makes one" }),
        { ...family("pdf"), ability_id: "theirs", title: "A skill of somebody's", built_in: false },
      ],
    },
    "/api/abilities/catalog": { items: [{ ability_id: "built-in-showhow-pdf", description: "Reads PDF documents." }] },
    "/api/adapters/acrobat/health": {
      supported_capabilities: ["extract_text", "extract_tables"],
      missing_programs: ["tesseract"],
      install_command: "sudo apt-get install tesseract-ocr",
    },
    "/api/abilities/{abilityId}/files": (g: { params: { path: { abilityId: string } } }) => ({
      files: g.params.path.abilityId.endsWith("pdf")
        ? [
            manifest("capabilities/text.json", "pdf.extract_text", "Read the text"),
            manifest("capabilities/r.json", "pdf.redact", "Mark", true),
          ]
        : [manifest("capabilities/send.json", "m365.teams_post_message", "Post a message", true)],
    }),
    "/api/mcp/m365/operations": { operations: [{ operation_family: "teams_post_message", sends: "the message" }] },
    "/api/mcp/servers": { servers: [{ registry: { server_id: "work", provider: "m365", display_name: "Work" } }] },
    "/api/learn/receipts": (g: { params: { query: { page_size: number } } }) => ({
      receipts: [7, 6, 5, 4, 3, 2].map(receipt).slice(0, g.params.query.page_size),
      total: 6,
    }),
    "/api/mcp/receipts": (g: { params: { query: { server_id?: string } } }) => ({
      receipts: (g.params.query.server_id === "work" ? ["teams_post_message"] : ["mark_pdf_redactions", "edit_word_document"]).map(
        (tool_name, i) => ({
          receipt_id: `c-${tool_name}`,
          server_id: g.params.query.server_id,
          created_at: `2026-11-27T1${i + 1}:00:00.000Z`,
          call: { agent: "scribe", tool_name, result: "ok" },
        }),
      ),
    }),
  });
  const pdf = await screen.findByRole("region", { name: "All about pdf" });
  expect(screen.queryByText("A skill of somebody's")).toBeNull();
  expect(await within(pdf).findByText(t.partly)).toBeTruthy();
  expect(within(pdf).getByText("sudo apt-get install tesseract-ocr")).toBeTruthy();
  expect(within(pdf).getByText(/Works here: text and tables\. Not installed: tesseract\./)).toBeTruthy();
  expect(await within(pdf).findByText("Reads PDF documents.")).toBeTruthy();

  // The call at the door is the newest; that of another family's tool is not here.
  const lately = async () =>
    (await within(pdf).findAllByRole("listitem")).map((l) => l.textContent ?? "").filter((l) => /read|called/.test(l));
  await within(pdf).findByText(/scribe called mark_pdf_redactions/);
  await within(pdf).findByText(/number 7/);
  expect((await lately())[0]).toContain("mark_pdf_redactions");
  expect(within(pdf).queryByText(/edit_word_document/)).toBeNull();
  expect(within(pdf).queryByText(/number 2/)).toBeNull();
  fireEvent.click(within(pdf).getByRole("button", { name: t.older(2) }));
  expect(await within(pdf).findByText(/number 2/)).toBeTruthy();

  fireEvent.click(await within(pdf).findByRole("button", { name: t.can(2) }));
  const marks = within(pdf).getByText("Mark").closest("li")!;
  expect(within(marks).getByText(t.asks)).toBeTruthy();
  expect(within(within(pdf).getByText("Read the text").closest("li")!).queryByText(t.asks)).toBeNull();

  const m365 = screen.getByRole("region", { name: "All about m365" });
  expect(within(m365).getByText(t.notReady)).toBeTruthy();
  expect(within(m365).queryByText(/Works here/)).toBeNull();
  expect(within(m365).getByText("showhow m365 connect").tagName).toBe("CODE");
  expect(await within(m365).findByText("Sends the message")).toBeTruthy();
  expect(await within(m365).findByText(/Work/)).toBeTruthy();
  expect(await within(m365).findByText(/scribe called teams_post_message/)).toBeTruthy();
  expect(within(m365).queryByText(/edit_word_document/)).toBeNull();
});

const nothing = {
  "/api/abilities/catalog": { items: [] },
  "/api/abilities/{abilityId}/files": { files: [] },
  "/api/mcp/m365/operations": { operations: [] },
};

it("says that nothing was done only when all of it was read", async () => {
  let arrive: (v: unknown) => void = () => {};
  const late = new Promise((r) => (arrive = r));
  answers({
    ...nothing,
    "/api/abilities/availability": { abilities: [family("notes"), family("word")] },
    "/api/learn/receipts": () => {
      throw new Error("the daemon is not there");
    },
    "/api/mcp/receipts": () => late,
  });
  const notes = await screen.findByRole("region", { name: "All about notes" });
  const word = screen.getByRole("region", { name: "All about word" });
  expect(await within(notes).findByText(t.unread)).toBeTruthy();
  expect(within(notes).queryByText(t.noReceipts)).toBeNull();
  expect(within(word).queryByText(t.noReceipts)).toBeNull();
  arrive({ receipts: [] });
  expect(await within(word).findByText(t.noReceipts)).toBeTruthy();
});

it("asks for the calls of each Microsoft 365 connector", async () => {
  const get = answers({
    ...nothing,
    "/api/abilities/availability": { abilities: [family("m365")] },
    "/api/mcp/servers": {
      servers: ["work", "other", "school"].map((id) => ({
        registry: { server_id: id, provider: id === "other" ? "custom_remote" : "m365", display_name: id },
      })),
    },
    "/api/mcp/receipts": (g: { params: { query: { server_id?: string } } }) => {
      const id = g.params.query.server_id;
      if (id === "school") throw new Error("gone");
      const call = { agent: "scribe", tool_name: `call_of_${id ?? "all"}`, result: "ok" };
      return { receipts: [{ receipt_id: `c-${id}`, server_id: id, created_at: "2026-11-27T11:00:00.000Z", call }] };
    },
  });
  const m365 = await screen.findByRole("region", { name: "All about m365" });
  expect(await within(m365).findByText(/scribe called call_of_work/)).toBeTruthy();
  expect(await within(m365).findByText(t.unreadSome)).toBeTruthy();
  const asked = get.mock.calls as unknown as [string, { params: { query: { server_id?: string } } }][];
  const of = asked.filter(([path]) => path === "/api/mcp/receipts").map(([, given]) => given.params.query.server_id);
  expect(of).toContain("school");
  expect(of).not.toContain("other");
  expect(of).not.toContain(undefined);
});

it("leaves out what is no manifest", () => {
  const file = (path: string, content: string) => ({ path, executable: false, content });
  expect(
    capabilitiesOf([
      manifest("capabilities/a.json", "x.a", "A"),
      manifest("references/control-surface.json", "x.b", "B"),
      file("capabilities/broken.json", btoa("{")),
      file("capabilities/other.json", coded({ title: "no id" })),
    ]),
  ).toEqual([{ id: "x.a", title: "A", asks: false }]);
});
