// Notes and tasks: a task is added and done, and the last change is undone. Then what comes with Showhow.
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
    await tasks.getByRole("textbox", { name: "What is to be done" }).fill(title);
    await page.keyboard.press("Enter");
    await expect(tasks.getByText(title)).toBeVisible();
  }
  await press(tasks.getByRole("button", { name: "Due date: Order paper" }));
  await tasks.getByLabel("Due date of Order paper").fill("2099-12-31");
  await look(page, "notes");
  await press(tasks.getByRole("button", { name: "Set" }));
  await expect(tasks.getByText("due 2099-12-31")).toBeVisible();
  await press(tasks.getByRole("button", { name: "Done: Order paper" }));
  await expect(tasks.getByText("Order paper")).toHaveCount(0);
  await press(page.getByRole("button", { name: "Undo the last change" }));
  await expect(tasks.getByText("Order paper")).toBeVisible();

  // The families: what each can do, what is missing, and the way to the form for Microsoft 365.
  await press(page.getByRole("link", { name: "Families" }));
  for (const name of ["Read PDF documents", "Read and edit Word documents", "Notes and tasks"])
    await expect(page.getByRole("region", { name })).toBeVisible();
  const m365 = page.getByRole("region", { name: "Microsoft 365: mail, calendar, files and Teams" });
  await expect(m365.getByText("Not ready")).toBeVisible();
  const notes = page.getByRole("region", { name: "Notes and tasks" });
  await press(notes.getByRole("button", { name: /^What it can do/ }));
  await expect(notes.getByText("Asks you first")).toBeVisible();
  await expect(notes.getByRole("time").first()).toBeVisible(); // of the tasks above
  await look(page, "families");
  await press(m365.getByRole("link", { name: "Connect Microsoft 365" }));
  await press(page.getByRole("switch", { name: "Calendar" }));
  await expect(page.getByText(/will ask Microsoft for .*Calendars\.ReadWrite/)).toBeVisible();
  await look(page, "connect-m365");
});
