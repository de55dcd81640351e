// Plays the same steps with @puppeteer/replay: replay.mjs CHROMIUM FLOW RUNS. Prints the milliseconds of each run as JSON.
import { readFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { parse, createRunner, PuppeteerRunnerExtension } from '@puppeteer/replay';

const [executablePath, file, runs] = process.argv.slice(2);
const flow = parse(JSON.parse(readFileSync(file, 'utf8')));
const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--window-size=1280,900'], headless: true, defaultViewport: null });
const took = [];
try {
  const page = await browser.newPage();
  for (let n = 0; n < Number(runs); n++) {
    const runner = await createRunner(flow, new PuppeteerRunnerExtension(browser, page, { timeout: 20000 }));
    const begin = performance.now();
    await runner.run();
    took.push(performance.now() - begin);
  }
} finally {
  await browser.close();
}
console.log(JSON.stringify(took));
