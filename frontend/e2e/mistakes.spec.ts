// People's mistakes, and what no other test covers: a recording instead of a demonstration, the same act twice, the
// same draft in two places, a daemon that crashes during review, a failing rehearsal, a split, an export, runs of an
// agent, deletion.
import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enter, look, press } from "./kit";
import { open, type Stage } from "./stage";

let stage: Stage;
test.beforeAll(async () => {
  stage = await open();
});
test.afterAll(() => stage?.end());

/** A recording of Chrome's own recorder: orders are searched, then the reports are looked at. */
const recording = (title: string, lastLink: string) =>
  JSON.stringify({
    title,
    steps: [
      {
        type: "navigate",
        url: `http://${stage.site}/orders`,
        assertedEvents: [{ type: "navigation", url: `http://${stage.site}/orders`, title: "Orders" }],
      },
      { type: "change", value: "Lisbon", selectors: [['aria/Search orders[role="searchbox"]'], ["#q"]], target: "main" },
      {
        type: "click",
        target: "main",
        selectors: [['aria/Search[role="button"]'], ["form.search button"]],
        offsetX: 9,
        offsetY: 9,
        assertedEvents: [{ type: "navigation", url: `http://${stage.site}/orders?q=Lisbon`, title: "Orders" }],
      },
      {
        type: "click",
        target: "main",
        selectors: [[`aria/${lastLink}[role="link"]`], ["nav a:nth-of-type(2)"]],
        offsetX: 9,
        offsetY: 9,
        assertedEvents: [{ type: "navigation", url: `http://${stage.site}/reports`, title: "Reports" }],
      },
    ],
  });

/** Performs an act at the daemon directly, as another window of the same person does, and returns the answer. */
const elsewhere = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([path, body]) => {
      const r = await fetch(path, {
        method: "POST",
        body,
        headers: {
          "Content-Type": "application/json",
          "X-Showhow-Source": "user_click",
          Authorization: `Bearer ${sessionStorage.getItem("showhow.bearer")}`,
        },
      });
      return r.status;
    },
    [path, JSON.stringify(body)] as const,
  );

/** Another tab of the same login. */
async function anotherTab(context: BrowserContext, page: Page): Promise<Page> {
  const login = await page.evaluate(() => ({ ...sessionStorage }));
  const tab = await context.newPage();
  await tab.addInitScript((all) => Object.entries(all).forEach(([k, v]) => sessionStorage.setItem(k, v as string)), login);
  await tab.goto(page.url());
  return tab;
}

test("mistakes are caught, and what is behind a menu works", async ({ page, context }) => {
  const at = (path: string) => page.goto(new URL(path, stage.url).href);
  const confirm = async () => {
    await page.getByLabel("Code from the terminal").fill(await stage.code());
    await page.keyboard.press("Enter");
  };
  const bring = async (title: string, lastLink = "Reports") => {
    await at("/learn/new");
    await page
      .getByLabel("Choose a recording")
      .setInputFiles({ name: "recording.json", mimeType: "application/json", buffer: Buffer.from(recording(title, lastLink)) });
    const region = page.getByRole("region", { name: "From a recording" });
    await expect(region.getByText(title)).toBeVisible();
    await press(region.getByRole("link", { name: "Open it" }));
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  };
  /** Answers the open questions, with the first choice if there are any. */
  const answer = async () => {
    await page.getByRole("tab", { name: "Questions and inputs" }).click();
    const questions = page.getByRole("region", { name: "Questions" });
    await expect(questions.getByRole("button", { name: "Save answers" }).or(questions.getByText("No question is open."))).toBeVisible();
    if (await questions.getByText("No question is open.").isVisible()) return;
    for (const empty of await questions.locator("textarea").all()) if (!(await empty.inputValue())) await empty.fill("Only for this desk.");
    for (const group of await questions.getByRole("radiogroup").all())
      if ((await group.locator('[data-state="checked"]').count()) === 0) await group.getByRole("radio").first().press("Space");
    await press(questions.getByRole("button", { name: "Save answers" }));
    await expect(questions.getByText("No question is open.")).toBeVisible();
  };
  const id = () => new URL(page.url()).pathname.split("/").at(-1)!;
  let review = "";
  await enter(page, stage.url);

  await test.step("a place that cannot be one is told before the start", async () => {
    await press(page.getByRole("link", { name: /^Demonstrating Skill/ }));
    await page.getByLabel("Add: sites").fill("my order desk");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toContainText("This is not the name of a site");
    await expect(page.getByLabel("Add: sites")).toHaveValue("my order desk");
    await page.getByLabel("Add: sites").fill(stage.site);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  await test.step("a double click is one start, and Stop twice is one stop", async () => {
    await page.getByLabel("What will you show?").fill("Nothing at all");
    let begun = 0;
    page.on("request", (r) => r.method() === "POST" && new URL(r.url()).pathname === "/api/learn/sessions" && begun++);
    await page.getByRole("button", { name: "Start watching" }).dblclick();
    const banner = page.getByRole("region", { name: "What Showhow is watching" });
    await expect(banner).toContainText(/Watching since .*: Nothing at all/);
    await expect(page.getByRole("heading", { name: "Nothing at all", level: 1 })).toBeVisible();
    expect(begun).toBe(1);
    // A second window that begins another session is led to this one instead.
    const tab = await anotherTab(context, page);
    await tab.goto(new URL("/learn/new/demonstrating_skill", stage.url).href);
    await expect(tab.getByText("“Nothing at all” is not finished").first()).toBeVisible();
    await tab.getByLabel("What will you show?").fill("Something else");
    await tab.getByLabel("Add: sites").fill(stage.site);
    await tab.keyboard.press("Enter");
    await press(tab.getByRole("button", { name: "Start watching" }));
    await expect(tab.getByRole("dialog")).toContainText("“Nothing at all” is not finished");
    await tab.close();
    await page.bringToFront();
    // It is stopped elsewhere, and this page has not heard of it yet.
    await page.route("**/api/learn/sessions?*", (r) => r.abort());
    await page.route("**/detail", (r) => r.abort());
    expect(await elsewhere(page, `/api/learn/sessions/${id()}/stop`, {})).toBe(200);
    await press(banner.getByRole("button", { name: "Stop" }));
    await expect(page.getByText("It was stopped already. The page is up to date again.")).toBeVisible();
    await page.unrouteAll({ behavior: "wait" });
    await expect(banner).toBeHidden();
    // the strip is gone, and the keyboard focus is not lost with it
    await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
    await expect(
      page
        .getByRole("heading", { name: "Now see what was understood" })
        .or(page.getByRole("heading", { name: "There is nothing to make a skill from" })),
    ).toBeVisible();
  });

  await test.step("a demonstration is deleted for good", async () => {
    await page.getByRole("switch", { name: "Keep it longer" }).press("Space");
    await expect(page.getByText("Until you delete it.")).toBeVisible();
    await press(page.getByRole("button", { name: "Delete this demonstration" }));
    await expect(page.getByRole("dialog")).toContainText("Code from the terminal");
    await look(page, "delete-session");
    await confirm();
    await expect(page.getByText("Deleted completely.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Ability Learning" })).toBeVisible();
  });

  await test.step("an agent's runs show how far they came", async () => {
    await bring("See the reports");
    await press(page.getByRole("button", { name: "Draft the skill" }));
    await expect(page.getByRole("heading", { name: "Workflow" })).toBeVisible();
    const proposal = id();
    await answer();
    stage.showhow(["proposal", "validate", proposal]);
    await page.getByRole("tab", { name: "Decide" }).click();
    await expect(page.getByRole("link", { name: "Request more tests" })).toBeVisible();
    await press(page.getByRole("button", { name: "Approve", exact: true }));
    await confirm();
    await press(page.getByRole("link", { name: "Open the skill" }).first());
    await expect(page.getByText("Usable now")).toBeVisible();
    const skill = id();
    const runs = page.getByRole("region", { name: "Runs" });
    await expect(runs).toContainText("No agent has reported a run yet.");
    const checkpoints = JSON.parse(stage.showhow(["ability", "show", skill, "--json"])).checkpoint_ids as string[];
    stage.showhow([
      "checkpoint",
      "verify",
      checkpoints[0]!,
      "--ability",
      skill,
      "--dispatch",
      "order-of-may",
      "--evidence",
      "the list is shown",
    ]);
    await expect(runs.getByText("order-of-may")).toBeVisible(); // it is told, not asked for
    await expect(runs).toContainText(`1 of ${checkpoints.length} checkpoint`);
    stage.showhow([
      "checkpoint",
      "verify",
      checkpoints.at(-1)!,
      "--ability",
      skill,
      "--dispatch",
      "order-of-june",
      "--status",
      "failed",
      "--reason",
      "the page is not there",
    ]);
    await expect(runs).toContainText("1 failed");
    await runs.locator("summary", { hasText: "order-of-june" }).press("Enter");
    await expect(runs).toContainText("the page is not there");
    await look(page, "runs");
  });

  await test.step("the skill is taken elsewhere, and Showhow itself can read what came out", async () => {
    const coming = page.waitForEvent("download");
    await page.getByLabel("For").selectOption("claude");
    await press(page.getByRole("button", { name: "Save the files" }));
    const made = await coming;
    const file = join(mkdtempSync(join(tmpdir(), "export-")), made.suggestedFilename());
    await made.saveAs(file);
    await at("/import");
    await page.getByLabel("Choose a file").setInputFiles(file);
    await expect(page.getByRole("region", { name: "What is next" })).toBeVisible();
    await expect(page.getByText("Nothing suspicious")).toBeVisible();
  });

  await test.step("a skill is removed after one question", async () => {
    await at("/skills");
    await press(page.getByRole("link", { name: /reports/i }).first());
    await press(page.getByRole("button", { name: "Remove", exact: true }));
    await confirm();
    await expect(page.getByText("Removed.")).toBeVisible();
  });
  await test.step("a recording becomes a demonstration, and a draft", async () => {
    await bring("Look at the orders of a city", "Statistics");
    await press(page.getByRole("button", { name: "Draft the skill" }));
    await expect(page.getByRole("heading", { name: "Workflow" })).toBeVisible();
    review = new URL(page.url()).pathname;
    await answer();
  });

  await test.step("a rehearsal that fails shows how the page was", async () => {
    await at(`${review}?view=tests`);
    await page.getByRole("switch", { name: "Keep a picture where it fails" }).press("Space"); // off unless asked for
    for (const box of await page.getByRole("group", { name: "With other values than the ones that were shown" }).getByRole("textbox").all())
      await box.fill("Porto");
    await press(page.getByRole("button", { name: "Rehearse", exact: true }));
    const runs = page.getByRole("region", { name: "Runs" });
    await expect(runs.getByText("Failed").or(page.getByRole("dialog")).first()).toBeVisible({ timeout: 120_000 });
    if (await page.getByRole("dialog").isVisible()) {
      await confirm();
      await expect(runs.getByText("Failed").first()).toBeVisible({ timeout: 120_000 });
    }
    await runs.locator("summary", { hasText: "How the page was" }).first().press("Enter");
    await expect(runs.getByRole("img", { name: /^The page when this failed/ })).toBeVisible();
    await expect(runs.getByText("No picture was taken of it")).toHaveCount(0);
    await expect(page.getByText("It ran with the value that you gave for")).toBeVisible();
    await look(page, "rehearsal-failed");
  });

  await test.step("the same draft in two places: the later one is told, and nothing typed is lost", async () => {
    await at(`${review}?view=questions`);
    const tab = await anotherTab(context, page);
    const inputs = (p: Page) => p.getByRole("region", { name: "Inputs" });
    for (const p of [page, tab]) {
      await press(inputs(p).getByRole("button", { name: /^Edit/ }).first());
      await p.getByLabel("What it is").fill(p === page ? "The city, as the window says" : "The city, as the tab says");
    }
    // The tab hears of nothing until it has tried.
    let told = () => {};
    const hold = new Promise<void>((r) => (told = r));
    await tab.route("**/api/learn/proposals/*/detail", (r) => hold.then(() => r.continue()));
    await press(page.getByRole("button", { name: "Save", exact: true }));
    await expect(inputs(page).getByText("The city, as the window says")).toBeVisible();
    await tab.bringToFront();
    await press(tab.getByRole("button", { name: "Save", exact: true }));
    await expect(tab.getByRole("dialog")).toContainText("What you typed is still there");
    told();
    await expect(tab.getByRole("dialog")).toContainText("The page is up to date again");
    await press(tab.getByRole("button", { name: "Close" }));
    await expect(tab.getByLabel("What it is")).toHaveValue("The city, as the tab says");
    await press(tab.getByRole("button", { name: "Save", exact: true }));
    await expect(inputs(tab).getByText("The city, as the tab says")).toBeVisible();
    await tab.unrouteAll({ behavior: "wait" });
    await tab.close();
    await page.bringToFront();
    await expect(inputs(page).getByText("The city, as the tab says")).toBeVisible(); // the other one is told
  });

  await test.step("the daemon is killed in mid-review: what was typed is there when it is back", async () => {
    await at(review);
    await page.getByLabel("Change it with a sentence").fill("call the skill Look at a city");
    await stage.kill();
    await press(page.getByRole("button", { name: "Revise" }));
    await expect(page.getByRole("dialog")).toContainText("does not answer");
    await page.keyboard.press("Escape");
    await expect(page.getByText("Showhow does not answer at this address")).toBeVisible();
    await stage.start();
    await expect(page.getByText("Showhow does not answer at this address")).toBeHidden({ timeout: 30_000 });
    await expect(page.getByLabel("Change it with a sentence")).toHaveValue("call the skill Look at a city");
    await press(page.getByRole("button", { name: "Revise" }));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Look at a city");
  });

  await test.step("the draft is taken elsewhere, for Chrome's recorder", async () => {
    await at(`${review}?view=decide`);
    await page.locator("summary", { hasText: "Take it elsewhere" }).press("Enter");
    const coming = page.waitForEvent("download");
    await press(page.getByRole("button", { name: "Save the recording" }));
    const file = await (await coming).path();
    const steps = JSON.parse(readFileSync(file, "utf8")).steps as { type: string }[];
    expect(steps.some((s) => s.type === "navigate")).toBe(true);
    await look(page, "export-draft");
  });

  await test.step("what is refused leaves the keyboard where it was", async () => {
    const reading = ["GET", "HEAD"];
    const refuse = () =>
      page.route("**/api/**", (r) =>
        reading.includes(r.request().method()) || r.request().url().includes("/indicators/")
          ? r.fallback()
          : r.fulfill({
              status: 409,
              json: { error: { code: "REVISION_CONFLICT", message: "it was changed meanwhile", retryable: false, correlation_id: "none" } },
            }),
      );
    const refused = async (deed: Locator, key = "Enter") => {
      await deed.press(key);
      const no = page.getByRole("dialog").filter({ hasText: "This did not work" });
      await expect(no).toBeVisible();
      await expect(no.getByRole("button", { name: "Close" })).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(no).toHaveCount(0);
      await expect(deed).toBeFocused();
    };
    await at(review);
    await refuse();
    await page.getByLabel("Change it with a sentence").fill("drop the first step");
    await refused(page.getByRole("button", { name: "Revise" }));
    await page.getByRole("tab", { name: "Tests" }).press("Enter");
    await refused(page.getByRole("button", { name: /^Run the checks/ }));
    await refused(page.getByRole("button", { name: "Rehearse", exact: true }));
    await at("/learn/new");
    await press(page.getByRole("link", { name: /^Import Skill/ }));
    await page.getByRole("tab", { name: "Pasted text" }).press("Enter");
    await page.getByLabel("SKILL.md").fill("---\nname: a\ndescription: b\n---\n");
    const scan = page.getByRole("button", { name: "Scan it" });
    await press(scan);
    await expect(page.getByRole("alert")).toContainText("It was changed meanwhile");
    await expect(scan).toBeFocused();
    await at("/trust");
    await page.getByLabel("Name of the agent").fill("helper");
    await refused(page.getByLabel("Name of the agent"));
    for (const name of ["Purge now", "Export everything", "Connect"]) await refused(page.getByRole("button", { name, exact: true }));
    await at("/learn/pending");
    await press(page.getByRole("button", { name: "More for Look at a city" }));
    await press(page.getByRole("menuitem", { name: "Add to Category…" }));
    await page.getByLabel("New category").fill("Cities");
    await refused(page.getByLabel("New category"));
    await page.unrouteAll({ behavior: "wait" });
  });

  await test.step("a draft is split in two", async () => {
    await at(review);
    await press(page.getByRole("button", { name: "More for step 1" }));
    await press(page.getByRole("menuitem", { name: "Split after this step" }));
    await page.getByLabel("Goal of part 1").fill("Open the orders");
    await page.getByLabel("Goal of part 2").fill("Search a city");
    await look(page, "split");
    await press(page.getByRole("dialog").getByRole("button", { name: "Split", exact: true }));
    await expect(page.getByText("Split. The parts wait in Pending Abilities.")).toBeVisible();
    for (const part of ["Open the orders", "Search a city"]) await expect(page.getByRole("link", { name: part })).toBeVisible();
    await expect(page.getByRole("link", { name: "Look at a city" })).toBeVisible(); // it stays
  });
});
