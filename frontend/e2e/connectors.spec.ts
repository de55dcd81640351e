// Connectors: a service is connected, an agent reads, asks before it writes, a sign-in, switches, and removal.
import { expect, type Page, test } from "@playwright/test";
import { enter, look, press } from "./kit";
import { type Door, open, type Stage } from "./stage";

let stage: Stage;
let agent: Door;
test.beforeAll(async () => {
  stage = await open("--keychain");
  agent = await stage.door();
});
test.afterAll(async () => {
  await agent?.end();
  await stage?.end();
});

test("a service is connected, its calls are answered, and it is taken away again", async ({ page, context }) => {
  const at = (path: string) => page.goto(new URL(path, stage.url).href);
  const confirm = async (on: Page = page) => {
    await on.getByLabel("Code from the terminal").fill(await stage.code());
    await on.keyboard.press("Enter");
  };
  const offered = async () => (await agent.tools()).filter((tool) => tool.includes("__")); // by services, beside Showhow's own
  const strip = page.getByRole("region", { name: "Calls that wait for you" });
  await enter(page, stage.url);

  await test.step("nothing is connected yet", async () => {
    await press(page.getByRole("link", { name: "Connectors" }));
    await expect(page.getByRole("heading", { name: "No service is connected" })).toBeVisible();
    await look(page, "connectors-empty");
    expect(await offered()).toEqual([]);
  });

  await test.step("one is connected, after it was said what follows", async () => {
    await press(page.getByRole("link", { name: "Connect a service" }));
    const go = page.getByRole("button", { name: "Connect and look" });
    await expect(go).toHaveAttribute("aria-disabled", "true");
    await page.getByRole("radio", { name: /^A program on this computer/ }).press("Space");
    await page.getByLabel("Command").fill("bunx some-server");
    await look(page, "connect-program");
    await press(go);
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("Packages of bunx are not installed");
    await page.keyboard.press("Escape");
    await page.getByRole("radio", { name: /^At an address/ }).press("Space");
    await page.getByLabel("Address").fill(stage.notes);
    await page.getByLabel("What you call it").fill("Notes");
    await press(page.getByRole("button", { name: "Secrets, data and sign-in" }));
    await page.getByLabel("Kinds of data that it holds").fill("notes");
    await look(page, "connect");
    await press(go);
    await expect(page.getByRole("dialog")).toContainText(stage.notes);
    await confirm();
    await expect(page.getByRole("heading", { name: "Notes", level: 1 })).toBeVisible();
    await expect(page.getByText("4 tools: 2 allowed, 2 ask you first")).toBeVisible();
    await look(page, "connector");
  });

  await test.step("an agent reads without asking, and the receipt says who and how", async () => {
    expect((await agent.call("notes__read_note", { title: "Plan" })).content[0]!.text).toContain("Plan");
    const receipts = page.getByRole("region", { name: "Receipts" });
    await expect(receipts.getByRole("listitem").filter({ hasText: "called read_note" })).toContainText("allowed without asking");
  });

  await test.step("it is asked before it writes: wherever the person is, with exactly what would be sent", async () => {
    await at("/skills");
    const secret = "a line for the note\nand one more";
    const written = agent.call("notes__write_note", { title: "Plan", text: secret });
    await expect(strip).toContainText("wants to call write_note of Notes");
    await expect(page.getByRole("link", { name: /^Connectors ?, ?1 ?waiting for you/ })).toBeVisible();
    await look(page, "call-waits");
    await press(strip.getByRole("button", { name: "Look and decide" }));
    const box = page.getByRole("dialog");
    await expect(box).toContainText("Changes something");
    await expect(box.getByRole("group", { name: "What would be sent" })).toContainText("and one more");
    await look(page, "call-decide");
    await press(box.getByRole("button", { name: "Allow" }));
    await confirm();
    expect((await written).content[0]!.text).toContain("and one more");
    await expect(strip).toHaveCount(0);
  });

  await test.step("a no is a no, and two at once are both listed", async () => {
    const first = agent.call("notes__delete_note", { title: "Plan" });
    await expect(strip).toContainText("delete_note");
    const second = agent.call("notes__write_note", { title: "Other" });
    await expect(strip).toContainText("and 1 other call that waits");
    await press(strip.getByRole("link"));
    const waiting = page.getByRole("region", { name: "Waiting for you" });
    await expect(waiting.getByRole("listitem")).toHaveCount(2);
    await look(page, "connectors-waiting");
    await press(strip.getByRole("button", { name: "Refuse" }));
    expect((await first).isError).toBe(true);
    await expect(strip).toContainText("write_note");
    await press(strip.getByRole("button", { name: "Refuse" }));
    expect((await second).isError).toBe(true);
  });

  await test.step("for the session: the same again is not asked, another is", async () => {
    await expect(strip).toHaveCount(0); // what was answered is no longer asked
    const once = agent.call("notes__write_note", { title: "Again" });
    await press(strip.getByRole("button", { name: "Look and decide" }));
    await page.getByRole("radio", { name: /^Until its session ends/ }).press("Space");
    await expect(page.getByRole("checkbox", { name: /^With any other arguments/ })).not.toBeChecked();
    await press(page.getByRole("dialog").getByRole("button", { name: "Allow" }));
    await confirm();
    expect((await once).isError).toBeFalsy();
    expect((await agent.call("notes__write_note", { title: "Again" })).isError).toBeFalsy();
    await expect(strip).toHaveCount(0);
    const other = agent.call("notes__write_note", { title: "Else" });
    await press(strip.getByRole("button", { name: "Refuse" }));
    expect((await other).isError).toBe(true);
  });

  await test.step("a tool is turned off, and is not there for agents", async () => {
    await at("/connectors");
    await look(page, "connectors");
    await press(page.getByRole("main").getByRole("link", { name: "Notes" }));
    await page.getByLabel("What agents may do with delete_note").selectOption("may not");
    await expect(page.getByText("decided for this tool")).toBeVisible();
    await expect.poll(() => agent.tools()).not.toContain("notes__delete_note");
    await page.getByLabel("What agents may do with write_note").selectOption("may");
    await confirm(); // more needs a person's word
    await expect(page.getByText("4 tools: 3 allowed, 1 off")).toBeVisible();
  });

  await test.step("a tool that comes later is out of sight until the person has seen it", async () => {
    await stage.change();
    await press(page.getByRole("button", { name: "Test it" }));
    await expect(page.getByRole("dialog")).toContainText("It can be reached");
    await look(page, "connector-tested");
    await press(page.getByRole("dialog").getByRole("button", { name: "Close" }));
    const changed = page.getByRole("region", { name: "Some tools are not what you saw" });
    await expect(changed).toContainText("send_note");
    expect(await agent.tools()).not.toContain("notes__send_note");
    await look(page, "connector-changed");
    await press(changed.getByRole("button", { name: "Take the tools as they are now" }));
    await confirm();
    await expect(changed).toHaveCount(0);
    await expect.poll(() => agent.tools()).toContain("notes__send_note");
  });

  await test.step("a service that wants a sign-in gets one, in a tab of its own", async () => {
    if (!stage.keychain) return;
    await at("/connect");
    await page.getByLabel("Address").fill(stage.calendar);
    await page.getByLabel("What you call it").fill("Calendar");
    await press(page.getByRole("button", { name: "Connect and look" }));
    await confirm();
    await expect(page.getByText("It wants you to sign in.").first()).toBeVisible();
    await press(page.getByRole("button", { name: "Sign in" }));
    const box = page.getByRole("dialog");
    await expect(box).toContainText("Showhow never sees your password");
    await look(page, "connector-sign-in");
    const tab = context.waitForEvent("page");
    await box.getByRole("link", { name: /^Open / }).click();
    const there = await tab;
    await press(there.getByRole("link", { name: "Allow" }));
    await expect(box).toHaveCount(0);
    await expect(page.getByText("1 tool: 1 allowed")).toBeVisible();
    await expect(page.getByRole("region", { name: "Sign-in" })).toContainText("Signed in");
    await look(page, "connector-signed-in");
    expect((await agent.call("calendar__list_events", {})).isError).toBeFalsy();
    await expect(page.getByRole("region", { name: "Receipts" })).toContainText("with your sign-in");
    await there.close();
    await press(page.getByRole("button", { name: "Give it up" }));
    await press(page.getByRole("dialog").getByRole("button", { name: "Give it up" }));
    await expect(page.getByText("Given up, here and at the service.")).toBeVisible();
  });

  await test.step("in the settings: one agent, one kind, everything", async () => {
    await at("/settings");
    const part = page.getByRole("region", { name: "Connectors", exact: true });
    await expect(part.getByRole("switch", { name: "Let agents use connectors" })).toBeChecked();
    await part.getByRole("combobox", { name: "Agent" }).selectOption("codex");
    await press(part.getByRole("button", { name: "Deny" }));
    await expect(part).toContainText("codex may not use");
    await look(page, "settings-connectors");
    await part.getByRole("switch", { name: "Let agents use connectors" }).press("Space");
    await expect(part.getByRole("switch", { name: "Let agents use connectors" })).not.toBeChecked();
    await expect.poll(offered).toEqual([]);
    await at("/connectors");
    await expect(page.getByText("Everything is turned off")).toBeVisible();
    await press(page.getByRole("button", { name: "Turn everything on again" }));
    await confirm(); // to allow again needs a person's word
    await expect(page.getByText("Everything is turned off")).toHaveCount(0);
    await expect.poll(async () => (await offered()).length).toBeGreaterThan(0);
  });

  await test.step("what agents called while a task was shown is told beside it", async () => {
    const started = stage.showhow(["--json", "learn", "start", "Look at the notes", "--site", stage.site]);
    const id = /"learn_session_id":"([^"]+)"/.exec(started)![1]!;
    expect((await agent.call("notes__list_notes", {})).isError).toBeFalsy();
    await at(`/sessions/${id}`);
    await page.locator("summary", { hasText: "1 connector call" }).press("Enter");
    await expect(page.getByRole("listitem").filter({ hasText: "called list_notes" })).toBeVisible();
    await look(page, "session-connector-calls");
    stage.showhow(["learn", "stop"]);
    expect((await agent.call("notes__list_notes", {})).isError).toBeFalsy(); // afterwards: it does not count
    await at("/learn/history");
    await press(page.getByRole("button", { name: "Story" }));
    await expect(page.locator("summary", { hasText: "1 connector call" })).toBeVisible();
    await at("/connectors");
  });

  await test.step("it is turned off, on again, and removed", async () => {
    await press(page.getByRole("main").getByRole("link", { name: "Notes" }));
    await press(page.getByRole("button", { name: "Turn off", exact: true }));
    await expect(page.getByText("Turned off: agents do not see it.")).toBeVisible();
    await press(page.getByRole("button", { name: "Remove", exact: true }));
    const box = page.getByRole("dialog");
    await expect(box).toContainText("Remove Notes?");
    await look(page, "connector-remove");
    await press(box.getByRole("button", { name: "Remove" }));
    await expect(page.getByText("Removed.")).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: "Notes" })).toHaveCount(0);
    expect(await agent.tools()).not.toContain("notes__read_note");
  });
});
