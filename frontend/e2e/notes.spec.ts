// Notes and tasks: a task is added and done, and the last change is undone.
import { expect, test } from "@playwright/test";
import { enter, look, press } from "./kit";
import { open, type Stage } from "./stage";

let stage: Stage;
test.beforeAll(async () => {
  stage = await open();
});
test.afterAll(async () => {
  await stage?.end();
});

test("a task is added, found and done, and the last change is undone", async ({ page }) => {
  await enter(page, stage.url);
  await press(page.getByRole("link", { name: "Notes" }));
  const tasks = page.getByRole("region", { name: "Tasks" });
  await expect(tasks.getByText("No task is open")).toBeVisible();
  for (const title of ["Order paper", "准备会议"]) {
    await tasks.getByRole("textbox").fill(title);
    await page.keyboard.press("Enter");
    await expect(tasks.getByText(title)).toBeVisible();
  }
  await look(page, "notes");
  await press(tasks.getByRole("button", { name: "Done: Order paper" }));
  await expect(tasks.getByText("Order paper")).toHaveCount(0);
  await press(page.getByRole("button", { name: "Undo the last change" }));
  await expect(tasks.getByText("Order paper")).toBeVisible();
});
