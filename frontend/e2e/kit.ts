import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Locator, type Page } from "@playwright/test";
import { mkdirSync } from "node:fs";

const dir = process.env.SHOWHOW_SCREENSHOTS;

/** The widths that a page must fit without scrolling sideways: a small phone, and 1280 pixels at 400 %. */
const narrow = [360, 320];

async function fits(page: Page, name: string) {
  const size = page.viewportSize()!;
  for (const width of narrow) {
    await page.setViewportSize({ width, height: size.height });
    // The layout follows within a frame or two; what is still too wide then stays too wide.
    await expect.soft
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: `${name}, ${width} pixels wide`, timeout: 5_000 })
      .toBeLessThanOrEqual(width);
    if (dir && width === narrow[0]) await page.screenshot({ path: `${dir}/${name}-narrow.png`, fullPage: true });
  }
  await page.setViewportSize(size);
}

/** Checks a screen with axe, light and dark, at the widths it must fit, and takes pictures if requested. */
export async function look(page: Page, name: string) {
  await page.evaluate(() => document.fonts.ready);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(() =>
      document.getAnimations().forEach((a) => Number.isFinite(a.effect?.getComputedTiming().endTime) && a.finish()),
    ); // begun before
    // Our pages have no frames of others, for which axe would open a page of its own each time.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
    // Structural findings are the same in both themes.
    const found = await (
      colorScheme === "light"
        ? axe.withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"])
        : axe.withRules(["color-contrast"])
    ).analyze();
    const said = found.violations.map(
      (v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(" ")} ${n.any[0]?.message ?? ""}`).join(" | ")}`,
    );
    expect.soft(said, `${name}, ${colorScheme}`).toEqual([]);
    if (dir) {
      mkdirSync(dir, { recursive: true });
      await page.screenshot({ path: `${dir}/${name}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  if (dir) {
    await page.emulateMedia({ forcedColors: "active" });
    await page.screenshot({ path: `${dir}/${name}-contrast.png`, fullPage: true });
    await page.emulateMedia({ forcedColors: null });
  }
  await fits(page, name);
}

/** The accessible name of the focused element, as far as the page names it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const e = document.activeElement as HTMLElement | null;
    if (!e || e === document.body) return "";
    const label = e.getAttribute("aria-label") ?? (e as HTMLInputElement).labels?.[0]?.textContent ?? e.textContent ?? "";
    return label.trim();
  });

/** Presses Tab until the element of this name has the focus. Nothing else moves the focus. */
export async function tabTo(page: Page, name: string | RegExp) {
  for (let i = 0; i < 160; i++) {
    await page.keyboard.press("Tab");
    const at = await focused(page);
    if (typeof name === "string" ? at === name || at.startsWith(name) : name.test(at)) return;
  }
  throw new Error(`no way to ${name} by keyboard; at ${await focused(page)}`);
}

export async function pressOn(page: Page, name: string | RegExp, key = "Enter") {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/**
 * Presses Enter on a control once it is enabled, as a button that waits for the daemon keeps the focus and does nothing, and once it takes
 * the focus, as nothing behind a dialog does.
 */
export async function press(control: Locator) {
  await expect(control).toBeEnabled();
  await expect(async () => {
    await control.focus();
    await expect(control).toBeFocused({ timeout: 500 });
  }).toPass();
  await control.page().keyboard.press("Enter");
}

/** Opens the address that `showhow open` prints, and stays until its one-time code is exchanged: navigating away earlier wastes it. */
export async function enter(page: Page, url: string) {
  await page.goto(url);
  await page.waitForFunction(() => sessionStorage.getItem("showhow.bearer"));
}
