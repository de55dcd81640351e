// The other players: each replays steps that a person showed, in a browser of its own, and says how long it took from the
// browser's start until nothing of it is left. One question a line, one answer a line.
import { createInterface } from 'node:readline';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { createRunner, PuppeteerRunnerExtension } from '@puppeteer/replay';

const [executablePath] = process.argv.slice(2);
const args = ['--no-sandbox', '--window-size=1280,900'];

// As the DevTools recorder writes it: the accessible name. It writes a text too where that is alone on its page, which nobody knows
// here, and whichever is found first is used.
const selectors = (s) => [['aria/' + s.name + (s.role ? `[role="${s.role}"]` : '')], ['aria/' + s.name]];
// A page that changes its address by itself makes no navigation that could be waited for; which flows are of that kind shows once.
const quiet = new Set();
const flow = (steps, waits) => ({
  title: 'shown', steps: steps.map((s) => {
    if (s.act === 'open') return { type: 'navigate', url: s.url, assertedEvents: [{ type: 'navigation', url: s.url }] };
    if (s.act === 'click') return { type: 'click', selectors: selectors(s), offsetX: 3, offsetY: 3, ...(s.leaves && waits ? { assertedEvents: [{ type: 'navigation' }] } : {}) };
    return { type: 'change', selectors: [['aria/' + s.name]], value: s.value }; // its text would be the label's
  }),
});

const replay = async (steps) => {
  const started = performance.now();
  const userDataDir = mkdtempSync(join(tmpdir(), 'player-'));
  const browser = await puppeteer.launch({ executablePath, args, headless: true, userDataDir });
  try {
    const page = await browser.newPage();
    const key = JSON.stringify(steps);
    const runner = await createRunner(flow(steps, !quiet.has(key)), new PuppeteerRunnerExtension(browser, page, { timeout: 5000 }));
    try {
      await runner.run();
    } catch (e) {
      quiet.add(key);
      throw e;
    }
    if (quiet.has(key)) await page.waitForNetworkIdle({ idleTime: 30, timeout: 5000 });
  } finally {
    await browser.close();
    rmSync(userDataDir, { recursive: true, force: true });
  }
  return performance.now() - started;
};

const playwright = async (steps) => {
  const started = performance.now();
  const browser = await chromium.launch({ executablePath, args, headless: true });
  try {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(5000);
    for (const s of steps) {
      if (s.act === 'open') { await page.goto(s.url); continue; }
      const role = s.role && page.getByRole(s.role, { name: s.name, exact: true }), label = page.getByLabel(s.name, { exact: true });
      const at = s.act === 'click' && role ? role : role ? label.or(role) : label; // a field without a label has its name from elsewhere
      if (s.act === 'click') await at.click();
      else if (s.act === 'choose') await at.selectOption(s.value);
      else await at.fill(s.value);
    }
    await page.waitForLoadState('load');
  } finally {
    await browser.close();
  }
  return performance.now() - started;
};

const players = { replay, playwright };
for await (const line of createInterface({ input: process.stdin })) {
  const q = JSON.parse(line);
  let answer;
  try {
    answer = { ms: await players[q.player](q.steps) };
  } catch (e) {
    answer = { error: String(e && e.message ? e.message : e) };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
process.exit(0);
