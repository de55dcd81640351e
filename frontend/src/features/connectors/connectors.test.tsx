import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { readFileSync } from "node:fs";
import type { ReactNode } from "react";
import { describe, expect, it, vi } from "vitest";
import { api, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Acting } from "../../ui/act";
import { AsksBack } from "./AsksBack";
import { Decide } from "./AskFirst";
import { Badges } from "./Badges";
import { FromAgents } from "./FromAgents";
import { type Connector, type Dispatch, q, type Tool } from "./queries";
import { empty, filled, pairs, registration, summary, usualName, wrong } from "./request";
import { shown, visible } from "./shown";
import { Tools } from "./Tools";

vi.mock("@tanstack/react-router", async (real) => ({ ...(await real<object>()), useNavigate: () => () => {} }));

const inside = (what: ReactNode) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Acting>{what}</Acting>
    </QueryClientProvider>,
  );
const answer = (data: unknown) => ({ data, response: new Response("{}") }) as never;

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  door_name: `notes__${name}`,
  action_class: "write",
  why: "its name says that it writes",
  tool_schema_hash: "h",
  state: "usable",
  mode: "ask_first",
  inherited_from: "none",
  decided_by: "default",
  precedence_trace: ["tool: nothing decided", "default: a tool that does this (write) is ask_first"],
  ...more,
});

const connector = (tools: Tool[], more: Partial<Connector> = {}): Connector => ({
  registry: {
    server_id: "notes",
    provider: "custom_remote",
    display_name: "Notes",
    transport: "remote_http",
    interaction_mode: "interactive_user",
    rate_limit_profile: "unknown",
    data_classes: [],
    supported_tools: [],
    enabled: true,
    active_build_surface: true,
    supports_smoke_test: true,
    created_at: "2026-11-25T10:00:00.000Z",
    updated_at: "2026-11-25T10:00:00.000Z",
    schema_version: 1,
  },
  health: {
    server_id: "notes",
    health_status: "healthy",
    failure_count_rolling: 0,
    throttle_state: { state: "none", schema_version: 1 },
    auth_state: "unknown",
    interactive_capable: true,
    tool_health: {},
    schema_version: 1,
  },
  effective_policy: {
    target: { target_kind: "server", server_id: "notes" },
    decision: {
      mode: "ask_first",
      reason_code: "default",
      updated_by: "system",
      updated_at: "2026-11-25T10:00:00.000Z",
      schema_version: 1,
    },
    inherited_from: "none",
    schema_version: 1,
  },
  badge_states: ["connected", "approval_required"],
  linked_abilities: [],
  available_actions: ["edit", "delete", "smoke_test", "policy_update"],
  deferred_design_only: false,
  tools,
  revision: 7,
  schema_version: 1,
  ...more,
});

const call: Dispatch = {
  dispatch_id: "01980000-0000-7000-8000-000000000000",
  correlation_id: "01980000-0000-7000-8000-000000000001",
  server_id: "notes",
  tool_name: "write_note",
  request_summary: "codex wants to call write_note of notes",
  status: "pending",
  paused_dispatch_ref: "call:1",
  effective_policy_target: { target_kind: "tool", server_id: "notes", tool_name: "write_note" },
  expires_at: "2026-11-25T10:10:00.000Z",
  created_at: "2026-11-25T10:00:00.000Z",
  updated_at: "2026-11-25T10:00:00.000Z",
  provider: "custom_remote",
  agent: "codex",
  action_class: "write",
  data_classes: ["mail"],
  arguments: { title: "Plan", body: "one\ntwo", count: 1 },
  changed: ["body is another"],
  caller_waits: true,
  schema_version: 1,
};

describe("a call that waits", () => {
  const post = () =>
    vi.spyOn(api, "POST").mockResolvedValue(answer({ dispatch: { ...call, status: "resumed" }, resumed: true, schema_version: 1 }));
  const sent = (spy: ReturnType<typeof post>) =>
    [spy.mock.calls[0]![0], (spy.mock.calls[0]![1] as unknown as { body: Schemas["MCPAskFirstDecisionRequest"] }).body] as const;

  it("is shown with who, what, why and exactly what would be sent", () => {
    inside(<Decide d={call} c={connector([tool("write_note")])} close={() => {}} />);
    const box = screen.getByRole("dialog", { hidden: true }).textContent ?? "";
    for (const said of ["codex", "Notes", "write_note", "Changes something", "mail", text.connectors.source("default"), "body is another"])
      expect(box).toContain(said);
    const args = screen.getByRole("group", { name: text.askFirst.sent, hidden: true });
    expect(within(args).getByText(/one\s+two/, { normalizer: (s) => s })).toBeTruthy();
    expect(args.textContent).toContain('"Plan"');
  });

  it("of Showhow's own says in which document it would do what, and leads to no connector", () => {
    const own = {
      ...call,
      server_id: "showhow",
      tool_name: "edit_word_document",
      about: ["The document is “contract.docx”.", "1. replace"],
    };
    inside(<Decide d={own} close={() => {}} />);
    const box = screen.getByRole("dialog", { hidden: true }).textContent ?? "";
    for (const said of [text.connectors.self, text.askFirst.ownReason, "edit_word_document"]) expect(box).toContain(said);
    const found = screen.getByRole("list", { name: text.askFirst.found, hidden: true });
    expect(within(found).getAllByRole("listitem", { hidden: true })).toHaveLength(2);
    expect(found.textContent).toContain("contract.docx");
  });

  it("is allowed once unless the person chooses more", async () => {
    const spy = post();
    const close = vi.fn();
    inside(<Decide d={call} c={connector([])} close={close} />);
    expect(screen.queryByRole("checkbox", { hidden: true })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: text.askFirst.allow, hidden: true }));
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
    const [path, body] = sent(spy);
    expect(path).toMatch(/approve$/);
    expect(body.decision).toBe("approve_once");
    expect(body).not.toHaveProperty("any_arguments");
  });

  it("takes other arguments along only where that was ticked, and never once", async () => {
    const spy = post();
    inside(<Decide d={call} c={connector([])} close={() => {}} />);
    const scope = (of: string) => screen.getByRole("radio", { name: new RegExp(`^${text.askFirst.scopes[of]![0]}`), hidden: true });
    fireEvent.click(scope("approve_for_session"));
    fireEvent.click(screen.getByRole("checkbox", { hidden: true }));
    fireEvent.click(screen.getByRole("button", { name: text.askFirst.allow, hidden: true }));
    await waitFor(() => expect(spy).toHaveBeenCalledOnce());
    expect(sent(spy)[1]).toMatchObject({ decision: "approve_for_session", any_arguments: true });
    spy.mockClear();
    fireEvent.click(scope("approve_once"));
    fireEvent.click(screen.getByRole("button", { name: text.askFirst.allow, hidden: true }));
    await waitFor(() => expect(spy).toHaveBeenCalledOnce());
    expect(sent(spy)[1]).not.toHaveProperty("any_arguments");
  });

  it("is allowed for a project only where the agent works for one", async () => {
    const project = { selector: `[value="approve_for_project"]` };
    const { unmount } = inside(<Decide d={call} c={connector([])} close={() => {}} />);
    expect(document.querySelector(project.selector)).toBeNull();
    unmount();
    const spy = post();
    inside(<Decide d={{ ...call, project_id: "acme" }} c={connector([])} close={() => {}} />);
    expect(screen.getByText("acme")).toBeTruthy();
    fireEvent.click(document.querySelector(project.selector)!);
    expect(screen.queryByRole("checkbox", { hidden: true })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: text.askFirst.allow, hidden: true }));
    await waitFor(() => expect(spy).toHaveBeenCalledOnce());
    expect(sent(spy)[1].decision).toBe("approve_for_project");
  });

  it("is refused on its own route", async () => {
    const spy = post();
    inside(<Decide d={call} c={connector([])} close={() => {}} />);
    fireEvent.click(screen.getByRole("button", { name: text.askFirst.refuse, hidden: true }));
    await waitFor(() => expect(spy).toHaveBeenCalledOnce());
    expect(sent(spy)[0]).toMatch(/deny$/);
    expect(sent(spy)[1].decision).toBe("deny");
  });
});

// The Go side's own list of what it spells: the confirmation, the command line and the tray's menu use that.
const table = readFileSync("../internal/plain/testdata/spelled.txt", "utf8")
  .split("\n")
  .filter((l) => l && !l.startsWith("#"))
  .map((l) => l.split(" "))
  .map(([from, to, kind]) => ({ from: parseInt(from!, 16), to: parseInt(to!, 16), kind }));

describe("what would be sent", () => {
  it("is shown with its type", () => {
    expect([shown(1), shown("1"), shown("a\nb"), shown(null)]).toEqual(["1", '"1"', "a\nb", "null"]);
    expect(visible("Grüße\tund\nmehr")).toBe("Grüße\tund\nmehr");
  });

  it("hides nothing: every code point is shown or spelled as elsewhere", () => {
    const wrong: string[] = [];
    let at = 0;
    for (let n = 0; n <= 0x10ffff; n++) {
      if (n >= 0xd800 && n <= 0xdfff) continue; // no part of a text
      while (at < table.length && table[at]!.to < n) at++;
      const kind = table[at] && table[at]!.from <= n ? table[at]!.kind : undefined;
      const c = String.fromCodePoint(n);
      if (kind === "new" && !/\p{Cn}/u.test(c)) continue; // this version of Unicode knows more
      const code = `\\u{${n.toString(16)}}`;
      const alone = kind === "blank" ? " " : kind ? code : c;
      const onLetter = kind === "mark" ? c : alone;
      if (visible(c) !== alone || visible(`a${c}`) !== `a${onLetter}`) wrong.push(`${n.toString(16)} ${kind ?? ""}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ["pay\u202E001\u200B", "pay\\u{202e}001\\u{200b}"],
    ["a\uFE01\u{E0101}\u034F", "a\\u{fe01}\\u{e0101}\\u{34f}"],
    ["\u3164\u115F\u1160\uFFA0\u2800", "\\u{3164}\\u{115f}\\u{1160}\\u{ffa0}\\u{2800}"],
    ["do n\u0336o\u0336t", "do n\\u{336}o\\u{336}t"],
    ["a\u0301\u0301\u0301\u0301", "a\u0301\u0301\u0301\\u{301}"],
    ["\u0301 \u0301\n\u0301", "\\u{301} \\u{301}\n\\u{301}"],
    ["a\u200B\u0301b\u0336\u0301", "a\\u{200b}\\u{301}b\\u{336}\\u{301}"],
    ["👍\uFE0F", "👍\\u{fe0f}"],
    ["Việt ngữ, हिन्दी, שָׁלוֹם, ไทยนี้", "Việt ngữ, हिन्दी, שָׁלוֹם, ไทยนี้"],
  ])("%j reads %j", (sent, reads) => expect(visible(sent)).toBe(reads));

  it("keeps an argument of any name when the list changes", async () => {
    const args = (json: string) => ({ ...call, arguments: JSON.parse(json) as Dispatch["arguments"] });
    const mail = '{"to":"ann","__proto__":{"bcc":"eve"}}';
    const lists = [[args('{"to":"bob"}'), args(mail)], [args(mail)]];
    vi.spyOn(api, "GET").mockImplementation(() => Promise.resolve(answer({ dispatches: lists.shift() })));
    const client = new QueryClient();
    for (let n = lists.length; n > 0; n--) await client.fetchQuery(q.dispatches());
    const [d] = client.getQueryData(q.dispatches().queryKey)!;
    inside(<Decide d={d!} close={() => {}} />);
    expect(screen.getByRole("group", { name: text.askFirst.sent, hidden: true }).textContent).toMatch(/__proto__.*bcc.*eve/s);
  });
});

describe("tools", () => {
  it("are decided one by one, and say where that comes from", async () => {
    const spy = vi.spyOn(api, "POST").mockResolvedValue(answer({}));
    inside(
      <Tools c={connector([tool("write_note"), tool("list_notes", { mode: "enabled", action_class: "read", decided_by: "server" })])} />,
    );
    expect(screen.getByText(new RegExp(text.connectors.source("server")))).toBeTruthy();
    fireEvent.change(screen.getByLabelText(text.connector.modeOf("write_note")), { target: { value: "disabled" } });
    await waitFor(() => expect(spy).toHaveBeenCalledOnce());
    expect(spy.mock.calls[0]![1]).toMatchObject({
      body: { target: { target_kind: "tool", server_id: "notes", tool_name: "write_note" }, decision: { mode: "disabled" } },
    });
  });

  it("say that their last call failed", () => {
    const c = connector([tool("read_note"), tool("read_all")]);
    c.health.tool_health = { read_note: { ok: false, last_error: "timeout" }, read_all: { ok: true } };
    inside(<Tools c={c} />);
    expect(screen.getAllByText(text.connector.toolFailed("timeout"))).toHaveLength(1);
  });

  it("that changed are shown with the difference, and taken at the revision that was seen", async () => {
    const spy = vi.spyOn(api, "PATCH").mockResolvedValue(answer({}));
    inside(<Tools c={connector([tool("write_note", { state: "changed", difference: ["- Writes.", "+ Writes and sends."] })])} />);
    expect(screen.getByRole("region", { name: text.connector.changed }).textContent).toContain("+ Writes and sends.");
    fireEvent.click(screen.getByRole("button", { name: text.connector.accept }));
    await waitFor(() => expect(spy).toHaveBeenCalledOnce());
    expect(spy.mock.calls[0]![1]).toMatchObject({ params: { header: { "If-Match": '"7"' } }, body: { accept_tools: true } });
  });

  it("that are refused cannot be allowed", () => {
    inside(<Tools c={connector([tool("find_tools", { state: "refused" })])} />);
    expect(screen.queryByLabelText(text.connector.modeOf("find_tools"))).toBeNull();
  });
});

it("shows the badges that the daemon gives, and no others", () => {
  const { container } = render(<Badges c={connector([], { badge_states: ["auth_required", "degraded"] })} />);
  expect([...container.children].map((e) => e.textContent)).toEqual([
    text.connectors.badge("auth_required"),
    text.connectors.badge("degraded"),
  ]);
});

it("lets a service ask in return only what is chosen, at the revision that was seen", async () => {
  const spy = vi.spyOn(api, "PATCH").mockResolvedValue(answer({}));
  inside(<AsksBack c={connector([])} />);
  const [person, model] = screen.getAllByRole("switch");
  expect([person, model].map((s) => s!.getAttribute("aria-checked"))).toEqual(["false", "false"]);
  fireEvent.click(person!);
  await waitFor(() => expect(spy).toHaveBeenCalledOnce());
  const sent = spy.mock.calls[0]![1] as unknown as { body: object; params: { header: object } };
  expect(sent.body).toEqual({ allow_elicitation: true, schema_version: 1 });
  expect(sent.params.header).toMatchObject({ "If-Match": '"7"' });
});

describe("connecting", () => {
  const program = { ...empty, at: "program" as const, command: 'node /opt/server-notes/index.js "/home/ada/My Notes"' };

  it("says what is missing", () => {
    const t = text.connectingService;
    expect(wrong(empty)).toBe(t.urlWrong);
    expect(wrong({ ...empty, url: "tools.example.com" })).toBe(t.urlWrong);
    expect(wrong({ ...empty, url: "file:///etc/passwd" })).toBe(t.urlWrong);
    expect(wrong({ ...empty, url: "https://tools.example.com/mcp" })).toBeUndefined();
    expect(wrong({ ...empty, url: "https://tools.example.com/mcp", headers: "X-Key" })).toBe(t.pairWrong);
    expect(wrong({ ...program, command: " " })).toBe(t.commandNone);
    expect(wrong({ ...program, folders: "Notes" })).toBe(t.pathWrong);
    expect(wrong({ ...program, folders: "/" })).toBe(t.pathWrong);
    expect(wrong({ ...program, env: "TOKEN=" })).toBe(t.pairWrong);
    expect(wrong(program)).toBeUndefined();
  });

  it("asks for what was typed and nothing else", () => {
    expect(registration({ ...empty, url: " https://tools.example.com/mcp ", data: "mail, notes" }, "p1")).toMatchObject({
      transport: "remote_http",
      endpoint_url: "https://tools.example.com/mcp",
      display_name: "tools.example.com",
      data_classes: ["mail", "notes"],
      auth_profile_id: "p1",
    });
    const r = registration({ ...program, url: "https://elsewhere.example", read: "/opt/server-notes\n", env: "TOKEN=notes_token" });
    expect(r).toMatchObject({
      transport: "local_bridge",
      local_bridge: {
        command: ["node", "/opt/server-notes/index.js", "/home/ada/My Notes"],
        read_folders: ["/opt/server-notes"],
        credentials: { TOKEN: "notes_token" },
      },
    });
    expect(r).not.toHaveProperty("endpoint_url");
    expect(pairs("A=b=c")).toEqual({ A: "b=c" });
    expect(usualName({ ...program, command: "/opt/server-memory" })).toBe("memory");
  });

  it("fills in what is known of a service", () => {
    const notion = {
      preset_id: "notion",
      title: "Notion",
      about: "Pages.",
      endpoint_url: "https://mcp.notion.com/mcp",
      data_classes: ["notes"],
    };
    const d = filled({ ...notion, sign_in: "oauth" });
    expect(registration(d)).toMatchObject({ endpoint_url: "https://mcp.notion.com/mcp", display_name: "notion", data_classes: ["notes"] });
    const keyed = filled({ ...notion, sign_in: "key", key_hint: "a token" });
    expect(wrong(keyed)).toBe(text.connectingService.keyNone);
    expect(summary({ ...keyed, key: "notion_key" }).join(" ")).toContain("notion_key");
    const files = filled({
      preset_id: "files",
      title: "",
      about: "",
      command: ["npx", "-y", "fs"],
      folder_arguments: true,
      sign_in: "none",
      data_classes: [],
    });
    expect(wrong(files)).toBe(text.connectingService.foldersNone);
    expect(registration({ ...files, folders: "/home/ada/Notes" })).toMatchObject({
      local_bridge: { command: ["npx", "-y", "fs", "/home/ada/Notes"], folders: ["/home/ada/Notes"] },
    });
    expect(filled()).toEqual(empty);
  });

  it("says beforehand what it is lent", () => {
    const said = summary({ ...program, folders: "/home/ada/Notes", hosts: "api.example.com", env: "TOKEN=notes_token" }).join(" ");
    for (const what of ["/home/ada/Notes", "api.example.com", "notes_token"]) expect(said).toContain(what);
    expect(summary(program).join(" ")).toContain(text.connectingService.getsNothing);
    expect(summary({ ...empty, url: "https://tools.example.com/mcp" })[0]).toContain("tools.example.com");
  });
});

it("takes over what an agent has set up, with its secrets by name only", async () => {
  const found = { name: "issues", agents: ["codex"], where: "https://issues.example/mcp", program: false, lent: [], state: "new" as const };
  const old = { ...found, name: "old", needs: [], state: "refused" as const, reason: "it is turned off there" };
  vi.spyOn(api, "GET").mockResolvedValue(
    answer({ servers: [{ ...found, needs: ["Authorization"] }, old], unreadable: ["vscode"], schema_version: 1 }),
  );
  const spy = vi.spyOn(api, "POST").mockResolvedValue({ error: {}, response: new Response("{}", { status: 500 }) } as never);
  inside(<FromAgents />);
  const t = text.fromAgents;
  fireEvent.click(await screen.findByRole("button", { name: `${t.take}: issues` }));
  expect(screen.getByText(t.needs(["Authorization"]))).toBeTruthy();
  expect(screen.queryByRole("button", { name: `${t.take}: old` })).toBeNull();
  expect(screen.getByText(t.unreadable(["vscode"]))).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: t.take, hidden: true }));
  await waitFor(() => expect(spy).toHaveBeenCalledOnce());
  expect((spy.mock.calls[0]![1] as unknown as { body: object }).body).toMatchObject({ agent: "codex", name: "issues" });
});
