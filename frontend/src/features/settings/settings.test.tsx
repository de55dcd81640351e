import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { api, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Acting } from "../../ui/act";
import { draftOf, valuesOf, wrong } from "./change";
import { SettingsPage } from "./SettingsPage";

const saved: Schemas["Settings"] = {
  memory: "/home/ada/m",
  agent_display_name: "",
  targets: [{ name: "openclaw", dir: "/home/ada/.openclaw/skills" }],
  agent_command: ["claude", "-p", 'do "it"', ""],
  browser: { path: "", headless: false },
  model: { url: "", name: "", key_env: "", key_keychain: "" },
  overlay: { show: true, pause_key: "" },
  registries: { require_signature: true },
  outlook: [{ account: "work", email_send: false }],
  idle_exit_minutes: 10,
  file: "/home/ada/.config/showhow/config.toml",
  content_hash: "sha256:1",
  after_restart: [],
  schema_version: 1,
};
vi.mock("@tanstack/react-router", () => ({ Link: ({ children }: { children: string }) => children })); // there is no router here

const answer = (data: unknown) => ({ data, response: new Response("{}") }) as never;

const open = async (s: Schemas["Settings"]) => {
  // Other parts of the page make requests too; here nobody answers them.
  vi.spyOn(api, "GET").mockImplementation(((path: string) =>
    path === "/api/settings" ? Promise.resolve(answer(s)) : new Promise(() => {})) as never);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Acting>
        <SettingsPage />
      </Acting>
    </QueryClientProvider>,
  );
  await screen.findByLabelText(text.settings.displayName);
};

it("keeps every setting as it is where nothing is typed", () => {
  const { memory, agent_display_name, targets, agent_command, browser, model, overlay, registries, outlook, idle_exit_minutes } = saved;
  expect(valuesOf(draftOf(saved))).toEqual({
    memory,
    agent_display_name,
    targets,
    agent_command,
    browser,
    model,
    overlay,
    registries,
    outlook,
    idle_exit_minutes,
  });
});

it("says why something cannot be saved", () => {
  const t = text.settings;
  const d = draftOf(saved);
  expect(wrong(d, saved)).toBe(t.same);
  expect(wrong({ ...d, idle: "" }, saved)).toBe(t.idleWrong);
  expect(wrong({ ...d, idle: "1.5" }, saved)).toBe(t.idleWrong);
  expect(wrong({ ...d, memory: "m" }, saved)).toBe(t.memoryWrong);
  expect(wrong({ ...d, targets: [...d.targets, { name: "openclaw", dir: "~/x" }] }, saved)).toBe(t.targetWrong);
  expect(wrong({ ...d, targets: [...d.targets, { name: "claude", dir: "~/x" }] }, saved)).toBeUndefined();
});

it("sends all settings with the fingerprint of the file that was seen, and says what waits for a restart", async () => {
  const put = vi.spyOn(api, "PUT").mockResolvedValue(
    answer({
      ...saved,
      agent_display_name: "Nell",
      browser: { path: "", headless: true },
      content_hash: "sha256:2",
      after_restart: ["browser"],
    }),
  );
  await open(saved);
  expect(screen.getByRole("button", { name: text.save }).getAttribute("aria-disabled")).toBe("true");
  fireEvent.change(screen.getByLabelText(text.settings.displayName), { target: { value: "Nell" } });
  fireEvent.click(screen.getByLabelText(text.settings.headless));
  fireEvent.click(screen.getByRole("button", { name: text.save }));
  await waitFor(() => expect(put).toHaveBeenCalledOnce());
  expect(put.mock.calls[0]![1]).toMatchObject({
    body: { agent_display_name: "Nell", browser: { headless: true }, agent_command: saved.agent_command, content_hash: "sha256:1" },
  });
  expect(await screen.findByText(/once Showhow is started again: the browser/)).toBeTruthy();
  expect(screen.getByRole("button", { name: text.save }).title).toBe(text.settings.same);
});

it("saves nothing over a file that does not read", async () => {
  const put = vi.spyOn(api, "PUT");
  await open({ ...saved, mistake: "line 3: a value is missing" });
  expect(screen.getByRole("alert").textContent).toContain("Line 3");
  fireEvent.change(screen.getByLabelText(text.settings.displayName), { target: { value: "Nell" } });
  fireEvent.click(screen.getByRole("button", { name: text.save }));
  expect(put).not.toHaveBeenCalled();
});
