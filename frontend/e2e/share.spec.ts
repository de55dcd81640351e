// From an installed skill to a colleague's computer: what leaves is shown before it does, and is reviewed where it arrives.
import { expect, type Page, test } from "@playwright/test";
import { enter, look, press } from "./kit";
import { open, type Stage } from "./stage";
import { zip } from "./zip";

const skill = `---
name: sort-invoices
description: Sort invoices by month and vendor. Use when somebody asks to sort, file or tidy invoices.
---
# Sort invoices
Move each invoice to the folder of its month. Vendors are looked up at https://vendors.example.org/lookup.
How it was shown: [the demonstration](references/demonstration.md).
`;

let here: Stage;
let there: Stage | undefined;
test.beforeAll(async () => {
  here = await open("--keychain");
});
test.afterAll(async () => {
  await here?.end();
  await there?.end();
});

async function confirm(page: Page, stage: Stage) {
  await page.getByLabel("Code from the terminal").fill(await stage.code());
  await page.keyboard.press("Enter");
}

test("a skill goes from one person to another through a registry", async ({ page, browser }) => {
  const reference = `${here.registry}/team/sort-invoices:1.0`;
  await enter(page, here.url);

  await test.step("somebody has an approved skill", async () => {
    await page.goto(new URL("/import", here.url).href);
    await page.getByLabel("Choose a file").setInputFiles({
      name: "sort-invoices.zip",
      mimeType: "application/zip",
      buffer: zip({
        "SKILL.md": skill,
        "references/demonstration.md": "# The demonstration\nInvoice 4711 of Anna went to March.\n",
        "references/who.md": "The vendors are kept by anna@example.org.\n",
      }),
    });
    await press(page.getByRole("button", { name: "Unpack for review" }));
    await press(page.getByRole("button", { name: "Approve", exact: true }));
    await confirm(page, here);
    await press(page.getByRole("link", { name: "Open the skill" }));
    await expect(page.getByText("Usable now")).toBeVisible();
  });

  await test.step("everything that would leave is shown, and nothing has left", async () => {
    const share = page.getByRole("region", { name: "Share it through a registry" });
    await expect(share.getByRole("button", { name: "Show what would leave" })).toHaveAttribute("aria-disabled", "true");
    await share.getByLabel("Where to").fill(reference);
    await press(share.getByRole("button", { name: "Show what would leave" }));
    const leaves = share.getByRole("group", { name: "What leaves" });
    await expect(leaves).toContainText(reference);
    for (const file of ["SKILL.md", "references/demonstration.md", "references/who.md"])
      await expect(leaves.getByText(file, { exact: true })).toBeVisible();
    await expect(leaves).toContainText("references/demonstration.md: one line stands in its place"); // what was shown stays here
    await expect(leaves).toContainText("anna@example.org");
    await expect(leaves).toContainText("vendors.example.org");
    await look(page, "push-what-leaves");
    const list = await fetch(`http://${here.registry}/v2/team/sort-invoices/tags/list`);
    expect(list.ok).toBe(false);
    await press(leaves.getByRole("button", { name: "Push it" }));
    await expect(page.getByLabel("Code from the terminal")).toBeVisible();
    await look(page, "push-confirm");
    await confirm(page, here);
    await expect(page.getByText(`Pushed to ${reference}`)).toBeVisible();
  });

  const colleague = await open(); // not before: the code of a login is good for two minutes
  there = colleague;
  const other = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
  await enter(other, colleague.url);

  await test.step("a colleague checks it and brings it in", async () => {
    await other.goto(new URL("/import", colleague.url).href);
    await other.getByRole("tab", { name: "Registry" }).click();
    await other.getByLabel("Reference").fill(reference);
    await press(other.getByRole("button", { name: "Check it" }));
    await expect(other.getByText("It holds: every file is what its manifest says.")).toBeVisible();
    if (here.keychain) await expect(other.getByText("You have not accepted this key yet.")).toBeVisible();
    await look(other, "pull-checked");
    await other.getByRole("checkbox", { name: "This once also without a signature" }).setChecked(!here.keychain);
    await press(other.getByRole("button", { name: "Scan it" }));
    await press(other.getByRole("button", { name: "Unpack for review" }));
    await expect(other.getByText(reference).first()).toBeVisible();
    await look(other, "pull-review");
    await press(other.getByRole("button", { name: "Approve", exact: true }));
    await confirm(other, colleague);
    await press(other.getByRole("link", { name: "Open the skill" }));
    await expect(other.getByText("Usable now")).toBeVisible();
    expect(colleague.showhow(["skill", "show", "sort-invoices"])).not.toContain("4711");
  });
  await other.context().close();
});
