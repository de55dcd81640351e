import { defineConfig } from "@playwright/test";

// Debian's Chromium, which the product itself uses; as root (CI, containers) it runs only without its own sandbox.
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
    launchOptions: { executablePath: process.env.SHOWHOW_BROWSER ?? "/usr/bin/chromium", args: root ? ["--no-sandbox"] : [] },
    actionTimeout: 60_000,
    trace: "off",
  },
});
