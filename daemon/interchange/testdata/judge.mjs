// The real consumers of the two formats: @puppeteer/replay parses and plays a DevTools recording; playwright-core finds what
// each line of a JSONL recording names with the line's own selector and does what it says, in order.
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { chromium } from 'playwright-core';
import { parse, createRunner, PuppeteerRunnerExtension } from '@puppeteer/replay';

const [format, file, executablePath] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const args = ['--no-sandbox'];

const devtools = async () => {
  const flow = parse(JSON.parse(text));
  const userDataDir = mkdtempSync(join(tmpdir(), 'judge-'));
  const browser = await puppeteer.launch({ executablePath, args, headless: true, userDataDir });
  try {
    const page = await browser.newPage();
    await (await createRunner(flow, new PuppeteerRunnerExtension(browser, page, { timeout: 20000 }))).run();
  } finally {
    await browser.close();
    rmSync(userDataDir, { recursive: true, force: true });
  }
};

const playwright = async () => {
  const browser = await chromium.launch({ executablePath, args, headless: true });
  try {
    const page = await browser.newPage();
    for (const line of text.trim().split('\n').map((l) => JSON.parse(l))) {
      const target = line.selector && page.locator(line.selector);
      const left = (line.signals || []).find((s) => s.name === 'navigation');
      const wait = left ? page.waitForURL(left.url) : undefined;
      if (line.name === 'navigate' || line.name === 'openPage') await page.goto(line.url);
      else if (line.name === 'click') await target.click({ button: line.button, clickCount: line.clickCount });
      else if (line.name === 'fill') await target.fill(line.text);
      else if (line.name === 'select') await target.selectOption(line.options);
      else if (line.name === 'check') await target.check();
      else if (line.name === 'uncheck') await target.uncheck();
      else if (line.name === 'press') await target.press(line.key);
      else if (line.name) throw new Error('no such action: ' + line.name);
      await wait;
    }
  } finally {
    await browser.close();
  }
};

await (format === 'devtools' ? devtools() : playwright());
