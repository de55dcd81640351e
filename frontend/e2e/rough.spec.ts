// Connectors where it is rough: addresses where nothing is, names longer than a line, a narrow window, the keyboard alone.
import { expect, test } from "@playwright/test";
import { enter, look, press, tabTo } from "./kit";
import { type Door, open, type Stage } from "./stage";

let stage: Stage;
let agent: Door;
test.beforeAll(async () => {
  stage = await open();
  agent = await stage.door();
});
test.afterAll(async () => {
  await agent?.end();
  await stage?.end();
});

const long = "Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung";

test("connectors hold where it is rough", async ({ page }) => {
  const at = (path: string) => page.goto(new URL(path, stage.url).href);
  const wordy = new URL("/wordy", stage.notes).href;
  const confirm = async () => {
    await page.getByLabel("Code from the terminal").fill(await stage.code());
    await page.keyboard.press("Enter");
  };
  await enter(page, stage.url);

  await test.step("where nothing answers, and where no service is, it says so", async () => {
    for (const [address, name] of [
      ["http://127.0.0.1:9/mcp", "rough-unreachable"],
      [new URL("/nothing-here", stage.notes).href, "rough-no-service"],
      [`${wordy}?${"und-noch-ein-langes-wort-".repeat(12)}`, "rough-long-address"],
    ] as const) {
      await at("/connect");
      await page.getByLabel("Address").fill(address);
      await press(page.getByRole("button", { name: "Connect and look" }));
      await confirm();
      await expect(page.getByRole("heading", { name: "127.0.0.1", level: 1 })).toBeVisible();
      if (name !== "rough-long-address") await expect(page.getByText("It is kept here. It cannot be reached").first()).toBeVisible();
      await look(page, name);
    }
  });

  await test.step("long names are whole, and nothing runs out of the page", async () => {
    await at("/connect");
    await page.getByLabel("Address").fill(wordy);
    await page.getByLabel("What you call it").fill(long);
    await press(page.getByRole("button", { name: "Connect and look" }));
    await confirm();
    await expect(page.getByRole("heading", { name: long, level: 1 })).toBeVisible();
    await look(page, "rough-connector");
    await at("/connectors");
    await look(page, "rough-connectors");
    const name = (await agent.tools()).filter((n) => n.startsWith("grund")).at(-1)!;
    const call = agent.call(name, { begruendung: "Donaudampfschifffahrtsgesellschaftskapitänspatentverlängerung".repeat(8) });
    await look(page, "rough-waits");
    await press(page.getByRole("region", { name: "Calls that wait for you" }).getByRole("button", { name: "Look and decide" }));
    await look(page, "rough-decide");
    await press(page.getByRole("dialog").getByRole("button", { name: "Refuse" }));
    expect((await call).isError).toBe(true);
  });

  await test.step("what was refused was not sent, nor allowed", async () => {
    await press(page.getByRole("link", { name: long }));
    const receipts = page.getByRole("region", { name: "Receipts" });
    const refused = receipts.getByRole("listitem").filter({ hasText: /^terminal called/ });
    await expect(refused).toContainText("you were asked, and it stayed here");
    await expect(refused).not.toContainText("allowed");
    await look(page, "rough-refused");
  });

  await test.step("in a narrow window it is turned off by keyboard, before the receipts", async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.getByRole("heading", { level: 1 }).focus();
    const off = page.getByRole("button", { name: "Turn off", exact: true });
    const receipts = page.getByRole("region", { name: "Receipts" });
    expect((await off.boundingBox())!.y).toBeLessThan((await receipts.boundingBox())!.y);
    await tabTo(page, "Turn off");
    await expect(off).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Enter");
    await expect(page.getByText("Turned off: agents do not see it.")).toBeVisible();
  });
});
