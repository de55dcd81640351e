import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Button } from "../../ui/Button";
import { Phrase } from "../../ui/Phrase";
import { edits } from "./Conditions";
import { checkEdits, kindsOf, offeredKinds } from "./EditCheck";
import { CheckpointProgress } from "./Checkpoints";
import { Beside, installBlocked } from "./Decide";
import { Markdown, split } from "./Markdown";
import { Source } from "./Findings";
import { byLine } from "./lint";
import { next } from "./ReviewPage";
import { marks } from "./Saga";
import { offered } from "./policy";
import { missingIn } from "./Tests";
import { inLoops, postOf } from "./Workflow";

type Detail = Schemas["ProposalDetailResponse"];
const detail = (proposal: object, questions: object[] = []) =>
  ({ proposal: { proposal_state: "draft", validation: "none", ...proposal }, questions }) as unknown as Detail;

describe("Markdown", () => {
  it("shows a skill, and never makes an element of what is in it", () => {
    const { container } = render(
      <Markdown
        source={
          '---\nname: x\ndescription: "Does: y"\n---\n# Title\n\n<img src=x ' +
          "onerror=alert(1)>\n\n[go](javascript:alert(1)) and `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
        }
      />,
    );
    expect(screen.getByRole("heading", { name: "Title", level: 2 })).toBeTruthy();
    expect(screen.getByText("Does: y")).toBeTruthy();
    expect(container.querySelectorAll("img, a, script").length).toBe(0);
    expect(container.textContent).toContain("onerror=alert(1)");
    expect(container.querySelectorAll("td").length).toBe(2);
  });
  it("reads a frontmatter, and a file without one", () => {
    expect(split("no front").front).toEqual([]);
    expect(split("---\nname: a\n---\nrest").rest).toBe("rest");
  });
});

describe("the workflow", () => {
  const steps = ["s1", "s2", "s3"].map((step_id) => ({ step_id, checkpoint_id: step_id === "s3" ? "cp2" : "cp1" })) as Schemas["Step"][];
  it("keeps the steps of a loop together", () => {
    const loop = { over: "order", rounds: 3, steps: ["s2", "s3"] };
    expect(inLoops(steps, [loop]).map((r) => [r.loop?.over, r.steps.length])).toEqual([
      [undefined, 1],
      ["order", 2],
    ]);
  });
  it("puts a checkpoint after the last step that leads to it, once", () => {
    expect(postOf({ checkpoint_id: "cp1" } as Schemas["Checkpoint"], steps)).toBe("s2");
  });
});

describe("Checkpoint progress (0C.9B)", () => {
  it("is in order, with the latest word on each and the rest not yet reached", () => {
    const c = (checkpoint_id: string, order_hint: number) => ({
      checkpoint_id,
      order_hint,
      goal: `goal ${checkpoint_id}`,
      success_condition: "",
    });
    const r = (checkpoint_id: string, status: "reached" | "failed", created_at: string) => ({
      checkpoint_id,
      status,
      created_at,
      evidence: `seen ${status}`,
      reason: status === "failed" ? "gone" : undefined,
    });
    render(
      <CheckpointProgress
        checkpoints={[c("b", 2), c("a", 1), c("c", 3)]}
        receipts={[r("a", "failed", "1"), r("a", "reached", "2"), r("b", "failed", "3")]}
      />,
    );
    const items = screen.getAllByRole("listitem").map((i) => i.textContent);
    expect(items[0]).toMatch(/goal a.*Reached.*seen reached/);
    expect(items[1]).toMatch(/goal b.*Failed.*gone/);
    expect(items[2]).toContain(text.tests.notYet);
  });
});

describe("what is next", () => {
  it("leads from questions over tests to the decision", () => {
    const open = [{ answered: false, required: true }];
    expect(next(detail({}, open)).go).toBe("questions");
    expect(next(detail({})).go).toBe("tests");
    expect(next(detail({ validation: "failed" })).go).toBe("tests");
    expect(next(detail({ validation: "passed", proposal_state: "ready_for_review" })).go).toBe("decide");
    expect(next(detail({ proposal_state: "installed_private" })).go).toBeUndefined();
    expect(installBlocked(detail({}))).toBe(text.decide.untested);
    expect(installBlocked(detail({ validation: "passed" }, open))).toBe(text.decide.openFirst);
    expect(installBlocked(detail({ validation: "passed" }))).toBeUndefined();
  });
});

it("offers only the rehearsals that can be enforced for the steps", () => {
  expect(offered([{ surface: "browser" }])).toEqual(["read_only", "live_read_safe_write", "controlled_live_test"]);
  expect(offered([{ surface: "shell" }])).toEqual(["copy_artifact", "live_read_safe_write", "controlled_live_test"]);
  expect(offered([{ surface: "browser" }, { surface: "shell" }])).toEqual(["live_read_safe_write", "controlled_live_test"]);
  expect(offered([{ surface: "mcp_connector" }])).toEqual(["read_only", "live_read_safe_write", "controlled_live_test"]);
});

it("a disabled button says why, can be reached, and does nothing", () => {
  let done = 0;
  render(
    <Button disabledReason="because" onClick={() => done++}>
      Do it
    </Button>,
  );
  const b = screen.getByRole("button", { name: "Do it", description: "because" });
  b.focus();
  b.click();
  expect(done).toBe(0);
  expect(document.activeElement).toBe(b);
});

it("sealed values, inputs and commands are shown as what they are", () => {
  const { container } = render(<Phrase>{"Order [[id 6 v_oq5pd]] of ‹choice›: run `wc {file}` with {order_id}"}</Phrase>);
  expect(container.querySelectorAll(".masked").length).toBe(2);
  expect(container.textContent).not.toContain("v_oq5pd");
  expect(container.querySelector("code .slot")?.textContent).toBe("file");
  expect(container.querySelector(":scope > .slot")?.textContent).toBe("order id");
});

describe("findings", () => {
  const f = (subject?: string) => ({ rule: "CKP-004", severity: "warn", message: "says an action", subject }) as Schemas["SkillFinding"];
  it("stand at the line that they concern", () => {
    const source = "# Title\n\nClick the button";
    expect([...byLine(source, [f("Click the button"), f("elsewhere"), f()])].map(([n, all]) => [n, all.length])).toEqual([
      [3, 1],
      [0, 2],
    ]);
    render(<Source source={source} findings={[f("Click the button")]} />);
    expect(screen.getAllByRole("listitem")[2]?.textContent).toContain("Says an action");
  });
});

describe("the installation", () => {
  it("tells each step, where it failed, and that what came before was taken back", () => {
    const at = (saga: object) =>
      Object.values(marks({ saga_id: "s", state: "running", step: "project", result: {}, ...saga } as Parameters<typeof marks>[0]));
    expect(Object.values(marks())).toEqual(["", "", "", ""]);
    expect(at({})).toEqual(["ok", "accent", "", ""]);
    expect(at({ state: "completed", step: "register" })).toEqual(["ok", "ok", "ok", "ok"]);
    expect(at({ state: "compensated", step: "verify", failed_step: "verify" })).toEqual(["warn", "warn", "bad", ""]);
  });
});

it("makes a revision of the lines that were changed, and of no others", () => {
  const d = {
    proposal: { trigger_phrases: ["a", "b"], negative_triggers: [] },
    interpretation: { use_conditions: ["u"], non_use_conditions: [], success_conditions: [] },
  } as unknown as Detail;
  const typed = { use_conditions: "u", non_use_conditions: "", success_conditions: "", trigger_phrases: "a\n\n c ", negative_triggers: "" };
  expect(edits(d, typed)).toEqual({ trigger_phrases: ["a", "c"] });
});

describe("a check of one's own", () => {
  const c = {
    checkpoint_id: "cp-02",
    check: { kind: "heading" },
    more_checks: [{ kind: "url" }, { kind: "url" }],
  } as unknown as Schemas["Checkpoint"];
  it("is one that the step can show and that is not there yet", () => {
    expect(kindsOf(c)).toEqual(["heading", "url"]);
    expect(offeredKinds({ surface: "browser" }, c)).toEqual(["text", "alert", "file", "manual"]);
    expect(offeredKinds({ surface: "shell" })).toEqual(["file", "manual"]);
  });
  it("stands in the place of what was checked, when it replaces it", () => {
    expect(checkEdits("s3", "text", "Saved")).toEqual({ add_checks: { s3: { kind: "text", expect: "Saved" } } });
    expect(checkEdits("s3", "text", "Saved", c).remove_checks).toEqual(["cp-02 heading", "cp-02 url"]);
  });
});

it("tells a person of fields on this page, not of options in a terminal", () => {
  const step = (more: object) => ({ run_kind: "rehearsal", result: "skipped", ...more }) as Schemas["ValidationStepResult"];
  const inputs = [{ name: "due_date", label: "Due date" }, { name: "order" }] as Schemas["InputSpec"][];
  const needs = step({ test_case_id: "rehearsal.input.due_date", code: "needs_value" });
  expect(missingIn([needs], inputs)).toEqual(["Due date"]);
  const row = step({ test_case_id: "rehearsal.s1", code: "needs_value", label: "Open the order" });
  expect(missingIn([needs, row], inputs)).toEqual(["Due date", "Open the order"]);
  expect(missingIn([needs, step({ test_case_id: "rehearsal.step.s1", result: "failed" })], inputs)).toEqual([]);
});

describe("beside the other skills", () => {
  const report = (c: object) =>
    ({ portability_grade: "direct", tool_shadowing_check: "clear", findings: [], ...c }) as unknown as Schemas["SkillCompatibilityReport"];
  it("says where it can run and that it collides with nothing", () => {
    const { container } = render(
      <dl>
        <Beside c={report({})} />
      </dl>,
    );
    expect(container.textContent).toContain(text.imports.grades.direct);
    expect(container.textContent).toContain(text.decide.noCollisions);
  });
  it("names what it collides with", () => {
    const { container } = render(
      <dl>
        <Beside
          c={report({
            tool_shadowing_check: "collision_detected",
            findings: [{ code: "SKILL-SLUG-TAKEN", severity: "error", message: "a skill named export-orders is installed" }],
          })}
        />
      </dl>,
    );
    expect(container.textContent).toContain("A skill named export-orders is installed.");
    expect(container.textContent).not.toContain(text.decide.noCollisions);
  });
});
