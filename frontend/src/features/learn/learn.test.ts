import { describe, expect, it } from "vitest";
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { pendingState } from "./Lists";
import { needed } from "./SetUpPage";
import { modeOf, nothing, offered, scopeOf, summary, tidy, wrong } from "./scope";

const setUp = { picked: nothing, mine: true, agents: false, literal: false, literalApps: [] };

describe("the set-up's summary", () => {
  it("says plainly that nothing is recorded before something is allowed", () => {
    expect(summary(setUp)[0]).toBe(text.setup.willNothing);
  });
  it("names every place, and always what is not recorded", () => {
    const said = summary({ ...setUp, picked: { ...nothing, site: ["a.example"], shell: ["pts/1"] } });
    expect(said[0]).toContain("a.example and pts/1");
    expect(said).toContain(text.setup.wont);
    expect(said).toContain(text.setup.sealedWill);
  });
  it("says that text stays readable only where it was named", () => {
    expect(summary({ ...setUp, literal: true, literalApps: ["calc"] }).join(" ")).toContain("calc stays readable");
    expect(summary({ ...setUp, literal: true })).toContain(text.setup.sealedWill);
  });
});

it("follows whom the switches say", () => {
  expect(modeOf(setUp)).toBe("outside_agent");
  expect(modeOf({ ...setUp, agents: true })).toBe("mixed");
  expect(modeOf({ ...setUp, mine: false, agents: true })).toBe("inside_agent");
});

it("takes the site from a pasted address, and leaves all else as typed", () => {
  expect(tidy("site", " https://orders.example.com:8443/orders/7?x=1 ")).toBe("orders.example.com:8443");
  expect(tidy("site", "*.example.com")).toBe("*.example.com");
  expect(tidy("folder", "/home/ada/My Files")).toBe("/home/ada/My Files");
});

it("makes a scope of what was picked, and of nothing else", () => {
  expect(scopeOf({ ...nothing, folder: ["/d"] })).toEqual({ sites: [], apps: [], shells: [], folders: ["/d"], devices: [] });
});

it("shows drafts as pending until they are accepted or closed (0C.6)", () => {
  const p = (proposal_state: string, validation = "none") => pendingState({ proposal_state, validation } as Schemas["SkillBundleProposal"]);
  expect([
    p("awaiting_questions"),
    p("draft"),
    p("draft", "failed"),
    p("testing"),
    p("ready_for_review"),
    p("installed_private"),
    p("quarantined"),
  ]).toEqual(["awaiting_input", "drafting", "revision_required", "testing", "ready_for_review", "private_active", "revision_required"]);
  expect([p("approved"), p("rejected"), p("cancelled")]).toEqual([undefined, undefined, undefined]);
});

it("names only the adapters that have something to see in what was picked", () => {
  const picked = { ...nothing, site: ["a.example"], folder: ["/d"] };
  expect(["browser_dom", "terminal_command", "midi", "files", "process_launch"].filter((k) => needed(k, picked))).toEqual([
    "browser_dom",
    "files",
  ]);
  expect(needed("midi", nothing)).toBe(true);
  expect(needed("browser_dom", { ...nothing, app: ["firefox"] })).toBe(true);
});

it("offers the sites of a skill that is shown again, and takes nothing from what was picked", () => {
  expect(offered(nothing, ["shop.example"]).site).toEqual(["shop.example"]);
  const mine = { ...nothing, shell: ["pts/1"] };
  expect(offered(mine, ["shop.example"])).toBe(mine);
});

it("a place that cannot be one is told where it is typed", () => {
  for (const site of ["orders.example.com", "*.example.com", "localhost:8080", "127.0.0.1:41234", "shop", "bücher.example", "[::1]:8080"])
    expect(wrong("site", site), site).toBeUndefined();
  for (const site of ["my order desk", "!!!", "-desk.example", "a..b", "localhost", "user@desk.example", "*"])
    expect(wrong("site", site), site).toBeTruthy();
  expect(wrong("folder", "Downloads")).toBeTruthy();
  expect(wrong("folder", "/home/me/Downloads")).toBeUndefined();
  expect(wrong("shell", "bash")).toBeTruthy();
  expect(wrong("shell", "/dev/pts/3")).toBeUndefined();
  expect(wrong("app", "/usr/bin/calc")).toBeTruthy();
  expect(wrong("device", "Launchpad")).toBeUndefined();
});
