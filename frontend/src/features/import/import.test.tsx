import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { api, ApiError, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { atFirst, none, same, Ticks } from "../permissions/Ticks";
import { Drop } from "./Drop";
import { Findings } from "./Findings";
import { FromConnector } from "./FromConnector";
import { bySeverity, isOver, progress, retryKind, warning } from "./states";
import { choices, pathKind, type Source } from "./upload";

const finding = (severity: string, file: string, line: number) =>
  ({
    rule_id: `r-${severity}-${line}`,
    severity,
    title: `T ${severity}`,
    meaning: "what",
    why: "because",
    file,
    line,
    excerpt: "x",
  }) as Schemas["Finding"];

it("brings in a connector's skill as it was listed, and not what cannot be", async () => {
  const registry = { server_id: "far", display_name: "Far", enabled: true, active_build_surface: true };
  const skill = { uri: "skill://count/SKILL.md", name: "count", description: "Counts.", files: 2, bytes: 90, digest: "sha256:aa" };
  vi.spyOn(api, "GET").mockImplementation(((path: string) =>
    Promise.resolve({
      data: path.endsWith("/skills")
        ? { server_id: "far", skills: [skill, { ...skill, uri: "skill://bad/SKILL.md", name: "bad", refused: "too many files" }] }
        : { servers: [{ registry }] },
      response: new Response(),
    })) as never);
  const post = vi.spyOn(api, "POST").mockResolvedValue({ data: { temp_artifact: {} }, response: new Response() } as never);
  const begin = vi.fn((s: Source) => void s.send(undefined, () => {}));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <FromConnector busy={false} begin={begin} />
    </QueryClientProvider>,
  );
  expect(await screen.findByText("too many files")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: text.imports.scanOf("count") }));
  expect(screen.queryByRole("button", { name: text.imports.scanOf("bad") })).toBeNull();
  await waitFor(() => expect(post).toHaveBeenCalledOnce());
  expect(post.mock.calls[0]![1]).toMatchObject({
    body: { kind: "connector", connector_id: "far", reference: "skill://count/SKILL.md", digest: "sha256:aa" },
  });
});

describe("the way of an import (0C.20)", () => {
  it("goes from upload to installation, and shows where it stumbled", () => {
    expect(progress("uploaded")).toEqual({ done: 1, failed: false });
    expect(progress("stage_failed")).toEqual({ done: 2, failed: true });
    expect(progress("approved")).toEqual({ done: 5, failed: false });
    expect([retryKind("scan_failed"), retryKind("install_failed"), retryKind("expired")]).toEqual(["scan", "install", undefined]);
  });
  it("is over when it is decided, or failed with nothing left to try", () => {
    expect(isOver({ stage_state: "ready_for_review", allowed_actions: ["approve"] })).toBe(false);
    expect(isOver({ stage_state: "scan_failed", allowed_actions: ["retry"] })).toBe(false);
    expect(isOver({ stage_state: "scan_failed", allowed_actions: [] })).toBe(true);
    expect(isOver({ stage_state: "expired", allowed_actions: [] })).toBe(true);
  });
  it("reads warnings with and without words", () => {
    expect(warning("upload_expiring_soon")).toEqual({ code: "upload_expiring_soon", words: "" });
    expect(warning("name_taken: it would be: x")).toEqual({ code: "name_taken", words: "it would be: x" });
  });
});

describe("what is brought in", () => {
  it("tells several skills from other refusals", () => {
    const several = new ApiError("SKILL_ARCHIVE_REFUSED", "m", "", { reason: "several_skills", folders: ["a", "b"] });
    expect(choices(several)).toEqual(["a", "b"]);
    expect(choices(new ApiError("SKILL_ARCHIVE_REFUSED", "m", "", { reason: "link" }))).toBeUndefined();
    expect(choices(new Error("x"))).toBeUndefined();
  });
  it("reads a path that ends like an archive as one", () => {
    expect(["/a/b.tar.gz", "/a/b.ZIP", "/a/skills", "/a/zip"].map(pathKind)).toEqual(["archive", "archive", "folder", "folder"]);
  });
  it("takes one zip and says why it takes nothing else", async () => {
    const take = vi.fn();
    render(<Drop busy={false} take={take} />);
    const input = screen.getByLabelText("Choose a file");
    await userEvent.upload(input, new File(["x"], "a.tar.gz"), { applyAccept: false });
    expect(screen.getByRole("alert").textContent).toContain("Only .zip");
    expect(take).not.toHaveBeenCalled();
    await userEvent.upload(input, new File(["x"], "a.zip"), { applyAccept: false });
    expect(take).toHaveBeenCalledOnce();
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

it("groups findings by severity, with place and reason", () => {
  const all = [finding("critical", "a.py", 3), finding("low", "SKILL.md", 0), finding("critical", "b.py", 9)];
  expect(bySeverity(all).map(([g, some]) => [g, some.length])).toEqual([
    ["critical", 2],
    ["low", 1],
  ]);
  render(
    <Findings
      report={{ verdict: "blocked", findings: all, files_scanned: 3, bytes: 2000, permissions: none } as unknown as Schemas["Report"]}
    />,
  );
  expect(screen.getByText("a.py, line 3")).toBeTruthy();
  expect(screen.getByText("SKILL.md")).toBeTruthy(); // about the whole file
  expect(screen.getAllByText(/Why it matters: because/)).toHaveLength(3);
});

describe("permissions", () => {
  const asked = { tools: ["Read"], domains: ["a.example", "b.example"], credentials: ["KEY"] };
  it("are at first the tools, and of sites and credentials only what was granted before", () => {
    expect(atFirst(asked)).toEqual({ tools: ["Read"], domains: [], credentials: [] });
    expect(atFirst(asked, { ...none, domains: ["b.example", "c.example"] }).domains).toEqual(["b.example"]);
    expect(same(asked, { ...asked, domains: ["b.example", "a.example"] })).toBe(true);
  });
  it("are ticked one by one, and added by name", async () => {
    function Kept() {
      const [value, setValue] = useState(atFirst(asked));
      return (
        <>
          <Ticks offered={asked} value={value} onChange={setValue} now={asked} addable />
          <output>{JSON.stringify(value)}</output>
        </>
      );
    }
    const { container } = render(<Kept />);
    await userEvent.click(screen.getByLabelText(/^a\.example/));
    await userEvent.type(screen.getByLabelText("Allow another credential"), " TOKEN {Enter}");
    expect(JSON.parse(container.querySelector("output")!.textContent!)).toEqual({
      tools: ["Read"],
      domains: ["a.example"],
      credentials: ["TOKEN"],
    });
    expect(screen.getByText("newly allowed")).toBeTruthy(); // TOKEN was not allowed before
  });
  it("are for every agent until some are chosen, and always for one at least", async () => {
    function Kept() {
      const [value, setValue] = useState(none);
      return (
        <>
          <Ticks offered={none} value={value} onChange={setValue} agents={["claude", "openclaw"]} />
          <output>{JSON.stringify(value.agents ?? "every")}</output>
        </>
      );
    }
    const { container } = render(<Kept />);
    const agents = () => JSON.parse(container.querySelector("output")!.textContent!);
    expect(agents()).toBe("every");
    await userEvent.click(screen.getByLabelText("openclaw"));
    expect(agents()).toEqual(["claude"]);
    expect((screen.getByLabelText("claude") as HTMLInputElement).disabled).toBe(true);
    expect(same(none, { ...none, agents: ["claude"] })).toBe(false);
    await userEvent.click(screen.getByLabelText("openclaw"));
    expect(agents()).toBe("every");
  });
  it("tell the agents of this computer from callers from elsewhere", async () => {
    function Opened() {
      const [value, setValue] = useState({ ...none, agents: ["remote/clerk"] });
      return (
        <>
          <Ticks offered={none} value={value} onChange={setValue as never} now={value} agents={["claude", "openclaw"]} />
          <output>{JSON.stringify(value.agents ?? "every")}</output>
        </>
      );
    }
    const { container } = render(<Opened />);
    const agents = () => JSON.parse(container.querySelector("output")!.textContent!);
    const ticked = (name: string) => (screen.getByLabelText(name) as HTMLInputElement).checked;
    expect(["claude", "openclaw", "remote/clerk"].map(ticked)).toEqual([true, true, true]);
    await userEvent.click(screen.getByLabelText("claude"));
    expect(agents()).toEqual(["openclaw", "remote/clerk"]);
    await userEvent.click(screen.getByLabelText("claude"));
    expect(agents()).toEqual(["remote/clerk"]);
    await userEvent.click(screen.getByLabelText("remote/clerk"));
    expect(agents()).toBe("every");
  });
});
