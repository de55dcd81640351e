import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { api, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Acting } from "../../ui/act";
import { TrustPanel } from "./TrustPanel";

it("approves a change only when what the scan finds in it was ticked", async () => {
  const at = (rule_id: string, line: number) => ({
    rule_id,
    file: "SKILL.md",
    line,
    title: `T ${rule_id}`,
    excerpt: `words of ${rule_id}`,
  });
  const found = [at("send", 9), at("tell", 4)];
  const d = {
    where: "bundle",
    files: [],
    findings: found,
    findings_to_read: ["tell SKILL.md:4"],
    blocked: true,
    revision: 3,
    approved_hash: "a",
  };
  vi.spyOn(api, "GET").mockImplementation(((path: string) =>
    Promise.resolve({ data: path.endsWith("/diff") ? d : { targets: [] }, response: new Response() })) as never);
  const post = vi.spyOn(api, "POST").mockResolvedValue({ data: {}, response: new Response() } as never);
  const a = { ability_id: "x", trust: "needs_reapproval", content_hash: "b", permissions: {}, revision: 3 };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Acting>
        <TrustPanel a={a as unknown as Schemas["AbilityAvailabilityEntry"]} />
      </Acting>
    </QueryClientProvider>,
  );
  const approve = await screen.findByRole("button", { name: text.skills.approve });
  const list = screen.getByRole("region", { name: text.skills.newFindings });
  expect(list.textContent).toContain("words of send");
  expect(list.textContent).not.toContain("words of tell");
  fireEvent.click(approve);
  fireEvent.click(screen.getByRole("checkbox", { name: new RegExp("words of tell") }));
  fireEvent.click(approve);
  expect(post).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("checkbox", { name: text.imports.acceptFindings }));
  fireEvent.click(approve);
  await waitFor(() => expect(post).toHaveBeenCalledOnce());
  expect(post.mock.calls[0]![1]).toMatchObject({
    body: { content_hash: "b", accept_findings: true, findings_read: ["tell SKILL.md:4"] },
  });
});
