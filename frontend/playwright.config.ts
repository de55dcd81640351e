import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

// Debian's headless shell of Chromium, which draws for less, or Chromium.
const shell = "/usr/bin/chromium-headless-shell";
const browser = process.env.SHOWHOW_BROWSER ?? (existsSync(shell) ? shell : "/usr/bin/chromium");
// As root (CI, containers) it runs only without its own sandbox.
const root = process.getuid?.() === 0;

export default defineConfig({
  testDir: "e2e",
  timeout: 480_000,
  expect: { timeout: 60_000 },
  workers: 1,
  reporter: [["list"]],
  outputDir: "test-results",
  use: {
    viewport: { width: 1280, height: 860 },
    launchOptions: { executablePath: browser, args: root ? ["--no-sandbox"] : [] },
    actionTimeout: 60_000,
    trace: "off",
  },
});
