import { text } from "../../text/en";
import { describe, expect, it } from "vitest";
import type { Schemas } from "../../api/client";
import { request, summary } from "./PracticeSetUp";
import { isAtWork } from "./queries";
import { list, words } from "./words";

it("reads a command line as a shell would", () => {
  expect(words(`claude -p "read .showhow/brief.md and do it"`)).toEqual(["claude", "-p", "read .showhow/brief.md and do it"]);
  expect(words(`  a 'b "c"' d\\ e "" f"g"h `)).toEqual(["a", 'b "c"', "d e", "", "fgh"]);
  expect(words("")).toEqual([]);
  expect(list(" a, b\n,c ")).toEqual(["a", "b", "c"]);
});

describe("a practice", () => {
  const wish = {
    goal: " make a report ",
    command: "",
    hints: "one\n\n two ",
    verify: "",
    attempts: "2",
    hosts: "a.example, b.example",
    read: "",
    most: "7",
  };
  it("asks for what was filled in and nothing else", () => {
    const r = request("coaching_agent", wish);
    expect(r).toMatchObject({
      goal: "make a report",
      attempts: 2,
      hints: ["one", "two"],
      test_policy: { allowed_domains: ["a.example", "b.example"], max_actions: 7, mode: "safe_target_only" },
    });
    expect(Object.keys(r)).not.toContain("command");
    expect(Object.keys(r)).not.toContain("verify");
  });
  it("says before the start what the agent can reach, read and is given", () => {
    const plan: Schemas["Plan"] = {
      agent: "claude",
      hosts: [],
      credentials: ["anthropic"],
      dependencies: [],
      read_only: ["/orders"],
      hash: "",
      schema_version: 1,
    };
    const said = summary(plan, 2).join(" ");
    expect(said).toMatch(/Claude tries up to 2 times/);
    expect(summary(plan, 1, "Nell")[0]).toMatch(/^Nell tries once/);
    expect(said).toMatch(/no network/);
    expect(said).toMatch(/may read \/orders/);
    expect(said).toMatch(/anthropic from your keychain/);
  });
});

it("knows which runs are at work", () => {
  expect(
    ["running", "waiting", "extracting", "succeeded", "failed", "cancelled"].map((state) => isAtWork({ state } as Schemas["Run"])),
  ).toEqual([true, true, true, false, false, false]);
});

it("says limits as a person does", () => {
  const bounds: Schemas["SandboxBound"][] = [
    { of: "time", amount: 1800, how: "ended" },
    { of: "disk", amount: 1073741824, how: "watched" },
    { of: "processes", amount: 256, how: "refused" },
    { of: "system_calls", how: "filtered" },
    { of: "time", amount: 5400, how: "ended" },
    { of: "network", how: "named_hosts" },
  ];
  expect(bounds.map(text.runs.bound)).toEqual([
    "Time: 30 minutes, then it is ended.",
    "Disk: 1.1 GB.",
    "Processes: at most 256.",
    "System calls: filtered.",
    "Time: 1 hour 30 minutes, then it is ended.",
    "Network: the named sites alone.",
  ]);
});
