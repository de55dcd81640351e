// Settings of this computer and their limits, and more categories than allowed.
import { expect, test } from "@playwright/test";
import { readFileSync } from "node:fs";
import { enter, look, press } from "./kit";
import { open, type Stage } from "./stage";

let stage: Stage;
test.beforeEach(async () => {
  stage = await open();
});
test.afterEach(() => stage?.end());

test("settings are read, changed and confirmed", async ({ page }) => {
  await enter(page, stage.url);
  await press(page.getByRole("link", { name: "Settings" }));
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  const save = page.getByRole("button", { name: "Save" });
  await expect(save).toHaveAttribute("aria-disabled", "true");
  await look(page, "settings");

  await test.step("a name is in force at once", async () => {
    await page.getByLabel("What to call it").fill("Nell");
    await press(save);
    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    expect(stage.showhow(["settings"])).toContain("Nell");
  });

  await test.step("another program needs a person's word, and a restart is named", async () => {
    await page.getByLabel("The command that practises").fill('claude -p "do it"');
    await page.getByRole("switch", { name: "Without a window" }).press("Space");
    await press(save);
    await expect(page.getByRole("dialog")).toContainText("claude -p do it");
    await page.getByLabel("Code from the terminal").fill(await stage.code());
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main").getByRole("status")).toContainText("once Showhow is started again: the browser");
    expect(readFileSync(`${stage.home}/.config/showhow/config.toml`, "utf8")).toMatch(/agent_command = .*do it/);
    await look(page, "settings-restart");
  });

  await test.step("a file that was edited meanwhile is not overwritten", async () => {
    await page.getByLabel("Key that pauses and resumes").fill("ctrl+alt+p");
    stage.showhow(["settings", "set", "idle_exit_minutes", "7"]);
    await press(save);
    await expect(page.getByRole("dialog")).toContainText("The page is up to date again");
    await press(page.getByRole("dialog").getByRole("button", { name: "Close" }));
    await expect(page.getByLabel("Minutes without work until Showhow ends")).toHaveValue("7");
    await expect(page.getByLabel("Key that pauses and resumes")).toHaveValue("ctrl+alt+p"); // what was typed stays
    await press(save);
    await expect(save).toHaveAttribute("aria-disabled", "true");
  });
});

test("category_limit_reached_error_rendered", async ({ page }) => {
  const at = (path: string) => page.goto(new URL(path, stage.url).href);
  await enter(page, stage.url);
  await at("/import");
  await page.getByRole("tab", { name: "Pasted text" }).click();
  await page
    .getByLabel("SKILL.md")
    .fill("---\nname: tidy-notes\ndescription: Tidy notes. Use when somebody asks to tidy notes.\n---\nTidy them.\n");
  await press(page.getByRole("button", { name: "Scan it" }));
  await press(page.getByRole("button", { name: "Unpack for review" }));
  await expect(page.getByRole("button", { name: "Install for me" })).toBeVisible();
  const made = await page.evaluate(async () => {
    const out: number[] = [];
    for (let n = 1; n <= 100; n++) {
      const r = await fetch("/api/categories", {
        method: "POST",
        body: JSON.stringify({ title: `Shelf ${n}` }),
        headers: {
          "Content-Type": "application/json",
          "X-Showhow-Source": "user_click",
          Authorization: `Bearer ${sessionStorage.getItem("showhow.bearer")}`,
        },
      });
      out.push(r.status);
    }
    return out;
  });
  expect(made.every((s) => s < 300)).toBe(true);
  await at("/learn/pending");
  await page.getByRole("link", { name: "tidy-notes" }).press("ContextMenu");
  await press(page.getByRole("menuitem", { name: "Add to Category…" }));
  await page.getByLabel("New category").fill("Shelf 101");
  await page.keyboard.press("Enter");
  const refusal = page.getByRole("alert");
  await expect(refusal).toContainText("There are 100 categories, and no more are kept.");
  await expect(refusal).toContainText("Delete one that you no longer need.");
  await look(page, "category-limit");
});
