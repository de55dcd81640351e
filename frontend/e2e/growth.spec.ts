// What grows: recurring work is noticed, offered, put off and learned; projects are named; automation health shows what there is.
import { expect, test } from "@playwright/test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { enter, look, press } from "./kit";
import { open, type Stage } from "./stage";

let stage: Stage;
test.beforeAll(async () => {
  stage = await open();
});
test.afterAll(async () => {
  await stage?.end();
});

test("recurring work is offered and learned, projects are picked, and health is told", async ({ page }) => {
  const at = (path: string) => page.goto(new URL(path, stage.url).href);
  const confirm = async () => {
    await page.getByLabel("Code from the terminal").fill(await stage.code());
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };
  await enter(page, stage.url);

  await test.step("nothing is looked at before it is allowed", async () => {
    await at("/learn");
    await press(page.getByRole("link", { name: "Done Again" }));
    await expect(page.getByText("It reads nothing before you allow it.")).toBeVisible();
    await look(page, "mined-off");
    for (const name of ["Runs of agents", "Remember outlines for 60 days"]) {
      await page.getByRole("switch", { name }).press("Space");
      await confirm();
      await expect(page.getByRole("switch", { name })).toBeChecked();
    }
  });

  await test.step("what an agent did three times is offered, with what varied", async () => {
    mkdirSync(`${stage.home}/.claude`, { recursive: true });
    writeFileSync(`${stage.home}/.claude/settings.json`, "{}");
    await at("/trust");
    const connect = page.getByRole("group", { name: "Connect an agent" });
    await connect.getByLabel("Agent").selectOption("claude-code");
    await press(connect.getByRole("button", { name: "Connect" }));
    await expect(page.getByRole("button", { name: "Disconnect: claude-code" })).toBeVisible();
    await page.getByRole("switch", { name: "claude-code" }).press("Space");
    await confirm();
    const groups = JSON.parse(readFileSync(`${stage.home}/.claude/settings.json`, "utf8")).hooks.PostToolUse as {
      hooks: { command: string }[];
    }[];
    const hook = groups.at(-1)!.hooks[0]!.command;
    const other = ["df -h", "uptime", "free"];
    for (let run = 0; run < 3; run++)
      for (const [i, command] of [
        other[run]!,
        "git pull",
        `cut -d, -f1,3 export-${run}.csv`,
        "sort summary.csv",
        "git commit -m done",
        "git push",
      ].entries())
        // A hook never makes its agent wait: on a busy machine it drops a report; the same report again is one report.
        for (let again = 0; again < 3; again++)
          stage.sh(
            hook,
            JSON.stringify({
              hook_event_name: "PostToolUse",
              session_id: `run-${run}`,
              tool_use_id: `call-${run}-${i}`,
              cwd: stage.home,
              tool_name: "Bash",
              tool_input: { command },
              tool_response: { stdout: "", stderr: "", interrupted: false },
            }),
          );
    await at("/learn/mined");
    const offered = page.getByRole("region", { name: "Offered to learn" });
    await expect(async () => {
      await press(page.getByRole("button", { name: "Look now" }));
      await expect(offered).toContainText("did this 3 times", { timeout: 5_000 });
    }).toPass({ timeout: 90_000 });
    await offered.getByText(/^\d+ steps$/).click();
    await expect(offered.getByText(/^Ran git p/).first()).toBeVisible();
    await look(page, "mined");
    await at("/inbox");
    await press(page.getByRole("listitem").filter({ hasText: "did this 3 times" }).getByRole("link"));
    await expect(offered).toBeVisible();
  });

  await test.step("a project is named", async () => {
    await at("/settings");
    await press(page.getByRole("link", { name: "Names and places of projects" }));
    await expect(page.getByRole("heading", { name: "No projects yet" })).toBeVisible();
    await press(page.getByRole("button", { name: "Add a project" }));
    await page.getByLabel("Project", { exact: true }).fill("henderson-2026");
    await page.getByLabel("Also called").fill("Henderson\nThe big one");
    await page.getByLabel("In OneDrive").fill("Clients/Henderson");
    await look(page, "project-form");
    await press(page.getByRole("button", { name: "Save the project" }));
    await expect(page.getByRole("listitem").filter({ hasText: "henderson-2026" })).toContainText("Henderson, The big one");
    expect(stage.showhow(["project", "list"])).toContain("Clients/Henderson");
    await look(page, "projects");
  });

  await test.step("not now is not now, and then it is learned", async () => {
    await at("/learn/mined");
    await press(page.getByRole("button", { name: "Not now" }));
    const later = page.getByRole("region", { name: "Not now" });
    await expect(later).toContainText("did this 3 times");
    await press(later.getByRole("button", { name: "Learn it" }));
    const form = later.locator("form");
    await expect(form.or(page.getByRole("heading", { name: "Workflow" }))).toBeVisible();
    if (await form.isVisible()) {
      await look(page, "mined-questions");
      await form.getByRole("textbox").first().fill("Publish the summary");
      for (const name of ["Everywhere", "Not needed"]) {
        const option = form.getByRole("radio", { name });
        if (await option.count()) await option.press("Space");
      }
      await press(form.getByRole("button", { name: "Learn it" }));
    }
    await expect(page.getByRole("heading", { name: "Workflow" })).toBeVisible();
  });

  await test.step("the review picks the project that it is for", async () => {
    const part = page.getByRole("region", { name: "For which projects" });
    await expect(part).toContainText("For all of them.");
    await press(part.getByRole("button", { name: /^Edit/ }));
    await part.getByRole("checkbox", { name: /^henderson-2026/ }).press("Space");
    await look(page, "review-projects");
    await press(part.getByRole("button", { name: "Save" }));
    await expect(part).toContainText("Only for henderson-2026.");
  });

  await test.step("a draft is at work in Active, and health tells what there is", async () => {
    await at("/active");
    await expect(page.getByRole("link", { name: /Publish|git|summary/i }).first()).toBeVisible();
    await press(page.getByRole("link", { name: /^Health/ }));
    for (const name of ["What can I do here?", "Needs attention", "Integration", "Automatic checks", "Learning timeline"])
      await expect(page.getByRole("heading", { name })).toBeVisible();
    await expect(page.getByRole("region", { name: "Learning timeline" }).getByRole("listitem").first()).toBeVisible();
    await expect(page.getByRole("region", { name: "Integration" })).toContainText("Up to date");
    await look(page, "health");
  });

  await test.step("a project is forgotten", async () => {
    await at("/projects");
    await press(page.getByRole("button", { name: "Forget: henderson-2026" }));
    await expect(page.getByRole("heading", { name: "No projects yet" })).toBeVisible();
  });
});
