import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { api } from "../../api/client";
import { text } from "../../text/en";
import { connectingM365 as t } from "../../text/m365";
import { Acting } from "../../ui/act";
import { M365Page } from "./M365Page";
import type { Connector } from "./queries";
import { troubleOf } from "./trouble";

const went = vi.fn();
vi.mock("@tanstack/react-router", async (real) => ({
  ...(await real<object>()),
  useNavigate: () => went,
  Link: ({ to, children }: { to: string; children: ReactNode }) => <a href={to}>{children}</a>,
}));

const operation = (operation_family: string, group: string, action_class: string, scopes: string[]) => ({
  operation_family,
  data_classes: [group, "search"],
  action_class,
  minimum_delegated_scopes: scopes,
});

it("connects the groups that a person chose, with what they need and no more", async () => {
  const operations = [
    operation("outlook_mail_search", "mail", "read", ["Mail.Read"]),
    operation("outlook_draft_reply", "mail", "write", ["Mail.Read", "Mail.ReadWrite"]),
    operation("calendar_create_event", "calendar", "send", ["Calendars.ReadWrite"]),
  ];
  vi.spyOn(api, "GET").mockImplementation((() => Promise.resolve({ data: { operations }, response: new Response("{}") })) as never);
  const made = {
    registry: { server_id: "work", enabled: true, active_build_surface: true },
    health: {
      health_status: "unavailable",
      health_reason_code: "transport",
      throttle_state: { state: "none" },
      failure_count_rolling: 0,
    },
  };
  const post = vi
    .spyOn(api, "POST")
    .mockImplementation((() => Promise.resolve({ data: { server: made }, response: new Response("{}") })) as never);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Acting>
        <M365Page />
      </Acting>
    </QueryClientProvider>,
  );
  const connect = await screen.findByRole("button", { name: t.do });
  // Enter in a field presses the button of its form, which is beside the form.
  expect(connect.getAttribute("type")).toBe("submit");
  expect((connect as HTMLButtonElement).form).toBe(screen.getByLabelText(t.app).closest("form"));
  fireEvent.click(connect);
  expect(post).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("switch", { name: t.groups.mail }));
  expect(screen.getByText(t.asks(["Mail.Read", "Mail.ReadWrite"]))).toBeTruthy();
  expect(screen.getByText(t.waits(["outlook draft reply"]))).toBeTruthy();
  fireEvent.change(screen.getByLabelText(t.app), { target: { value: " 4a7d1c2e " } });
  fireEvent.change(screen.getByLabelText(t.tenant), { target: { value: "example.com" } });
  fireEvent.click(connect);
  await waitFor(() => expect(went).toHaveBeenCalledWith({ to: "/connectors/$id", params: { id: "work" } }));
  const trouble = troubleOf(made as unknown as Connector);
  expect(trouble).not.toBe("");
  expect(screen.getByText(text.connectingService.doneBut(trouble))).toBeTruthy();
  const sent = (post.mock.calls[0] as unknown as [string, { body: Record<string, unknown> }])[1].body;
  expect(sent).toMatchObject({
    provider: "m365",
    display_name: "m365",
    transport: "remote_http",
    operation_families: ["outlook_mail_search", "outlook_draft_reply"],
    requested_scopes: ["Mail.Read", "Mail.ReadWrite"],
    client_id: "4a7d1c2e",
    tenant_id: "example.com",
    redirect_uri: "http://localhost:47365/callback",
  });
  expect(sent).not.toHaveProperty("endpoint_url");
});
