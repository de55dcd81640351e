import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Compared } from "../import/Compared";
import { Holds } from "../import/FromRegistry";
import { Leaving } from "./PushSkill";

const preview = (more: Partial<Schemas["SkillPushPreview"]>) =>
  ({
    reference: "registry.example.com/team/order:1.0",
    version: "1.0",
    content_hash: "a".repeat(64),
    own_hash: "b".repeat(64),
    files: [{ path: "SKILL.md", bytes: 12, sha256: "c".repeat(64), executable: false }],
    left_out: [{ path: "references/demonstration.md", why: "demonstration" }],
    sites: ["shop.example.com"],
    sentences: ["change an order"],
    not_for: ["cancel an order"],
    asks: { tools: ["shell"], domains: ["shop.example.com"], credentials: ["SHOP_TOKEN"] },
    personal: [{ path: "SKILL.md", line: 3, kind: "email", secret: false, text: "anna@example.org" }],
    not_text: ["a.png"],
    findings: [],
    blocked: false,
    already_there: false,
    ...more,
  }) as Schemas["SkillPushPreview"];

describe("what a push sends", () => {
  it("is shown whole before the button sends it", async () => {
    const push = vi.fn();
    const { container } = render(<Leaving p={preview({})} push={push} />);
    for (const said of [
      "SKILL.md",
      "references/demonstration.md",
      "shop.example.com",
      "change an order",
      "cancel an order",
      "shell",
      "SHOP_TOKEN",
      "anna@example.org",
      "a.png",
    ])
      expect(container.textContent).toContain(said);
    await userEvent.click(screen.getByRole("button", { name: "Push it" }));
    expect(push).toHaveBeenCalledOnce();
  });
  it("says what stands in for a file that stays, and on which line something was found", () => {
    const left = [{ path: "references/shown.md", why: "demonstration" as const, replaced: true }];
    const found = { rule_id: "r", file: "SKILL.md", line: 14, title: "Sends a file" };
    const { container } = render(<Leaving p={preview({ left_out: left, findings: [found] as never })} push={() => {}} />);
    expect(container.textContent).toContain("references/shown.md: one line stands in its place");
    expect(container.textContent).toContain(text.imports.at("SKILL.md", 14));
  });
  it("is not sent while it holds a secret", async () => {
    const push = vi.fn();
    const secret = { path: "scripts/a.sh", line: 2, kind: "password", secret: true };
    const { container } = render(<Leaving p={preview({ blocked: true, personal: [secret] })} push={push} />);
    await userEvent.click(screen.getByRole("button", { name: "Push it" }));
    expect(push).not.toHaveBeenCalled();
    expect(container.textContent).toContain("scripts/a.sh:2");
  });
});

describe("who signs", () => {
  const key = "6f1e".repeat(16);
  it("is told before a push", () => {
    const said = (more: Partial<Schemas["SkillPushPreview"]>) => {
      const { container } = render(<Leaving p={preview(more)} push={() => {}} />);
      return container.textContent;
    };
    expect(said({ signed: true, signer: key })).toContain("Signed by your key 6f1e");
    expect(said({ signed: true })).toContain("made now");
    expect(said({ signed: true, signer: key })).not.toContain("another key");
    expect(said({ signed: true, signer: key, other_keys: ["7a".repeat(32)] })).toContain("signed by another key, 7a7a");
    expect(said({ signed: true, signer: key, keys_unread: true })).toContain("another key signed what is there is unknown");
    expect(said({ signed: false })).toContain("It will not be signed: there is no keychain here");
  });
  it("is not told of a keychain when the person does not sign", () => {
    const { container } = render(<Leaving p={preview({ signed: false })} sign={false} push={() => {}} />);
    expect(container.textContent).toContain("It will not be signed.");
  });
  it("is told by a check, and whether the installed one has the same signer", () => {
    const said = (more: Partial<Schemas["SkillVerified"]>) => {
      const v = { content_hash: "a".repeat(64), signatures: [], yours: false, ...more } as Schemas["SkillVerified"];
      return render(<Holds v={v} />).container.textContent;
    };
    expect(said({})).toContain("Nobody signed it.");
    expect(said({ signer: key, expected: key })).toContain("The installed one was signed by it too.");
    expect(said({ signer: key })).toContain("not accepted this key yet");
    expect(said({ signer: key, yours: true })).toContain("this computer's key");
  });
});

describe("a pulled skill beside the installed one", () => {
  it("says what differs and what it asks for beyond", () => {
    const c = {
      ability_id: "a",
      approved_hash: "d".repeat(64),
      skill_slug: "order",
      replaces: true,
      same: false,
      older: true,
      signer: "other",
      from: { kind: "registry" },
      files: [{ path: "SKILL.md", change: "changed", unified: "-old\n+new\n" }],
      wider: { tools: [], domains: ["new.example.com"], credentials: [] },
    } as Schemas["ImportComparison"];
    const { container } = render(<Compared c={c} />);
    for (const said of ["replaces the installed order", "pushed before the installed one", "new.example.com", "SKILL.md", "+new"])
      expect(container.textContent).toContain(said);
  });
});
