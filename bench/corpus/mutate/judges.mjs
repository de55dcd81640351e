// The other players, driving the tab that the measurement has open: the locators that Playwright's code generator would write, and
// @puppeteer/replay with the selectors that the DevTools recorder would write. One question a line, one answer a line.
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { createRunner, PuppeteerRunnerExtension } from '@puppeteer/replay';

const [ws, patience] = process.argv.slice(2);
const REFUSED_AFTER = Number(patience); // ms
const pw = await chromium.connectOverCDP(ws.replace(/^ws:\/\/([^/]+)\/.*$/, 'http://$1'));
const pp = await puppeteer.connect({ browserWSEndpoint: ws, defaultViewport: null });
const real = (pages) => pages.find((p) => p.url().startsWith('http')) || pages[0];
const pwPage = () => real(pw.contexts()[0].pages());
const ppPage = async () => real(await pp.pages());

let locators = [];
let recorded = [];

// devtools computes, in the page, the css, xpath, pierce and text selectors as the DevTools recorder does: test attributes first, then ids,
// then the shortest path that is unique.
const devtools = (i) => {
  const el = __truths[i];
  const TEST = ['data-testid', 'data-test', 'data-qa', 'data-cy', 'data-test-id', 'data-qa-id', 'data-testing'];
  const unique = (s, e) => { try { const f = document.querySelectorAll(s); return f.length === 1 && f[0] === e; } catch { return false; } };
  const one = (e) => {
    for (const a of TEST) if (e.getAttribute(a)) return { s: '[' + a + '="' + CSS.escape(e.getAttribute(a)) + '"]', x: '//*[@' + a + '="' + e.getAttribute(a) + '"]', stop: true };
    if (e.id) return { s: '#' + CSS.escape(e.id), x: '//*[@id="' + e.id + '"]', stop: true };
    const tag = e.tagName.toLowerCase();
    const same = e.parentElement ? Array.from(e.parentElement.children).filter((c) => c.tagName === e.tagName) : [e];
    const x = tag + (same.length > 1 ? '[' + (same.indexOf(e) + 1) + ']' : '');
    const byClass = Array.from(e.classList, (c) => tag + '.' + CSS.escape(c)).find((s) => same.filter((o) => o.matches(s)).length === 1);
    return { s: same.length === 1 ? tag : byClass || tag + ':nth-of-type(' + (same.indexOf(e) + 1) + ')', x, stop: false };
  };
  let css = '';
  for (let e = el; e && e.nodeType === 1; e = e.parentElement) {
    const p = one(e);
    css = p.s + (css ? ' > ' + css : '');
    if (unique(css, el) || p.stop) break;
  }
  let xpath = '';
  for (let e = el; e && e.nodeType === 1; e = e.parentElement) {
    const p = one(e);
    xpath = p.x + (xpath ? '/' + xpath : '');
    if (p.stop) break;
    if (!e.parentElement) xpath = '/' + xpath;
  }
  const said = (el.textContent || '').trim();
  const text = said && said.length <= 64 && !['INPUT', 'SELECT', 'TEXTAREA'].includes(el.tagName) ? said : '';
  return { css, xpath, text };
};

// arrived waits until a player knows the document that the measurement has open: it hears of it later than the measurement does.
const arrived = async (page, at) => {
  for (const end = Date.now() + 60000; Date.now() < end;) {
    try {
      if ((await page.evaluate(() => (typeof __truths === 'undefined' ? '' : location.href))) === at) return page;
    } catch { /* between two documents */ }
    await new Promise((go) => setTimeout(go, 5));
  }
  throw new Error('the page did not arrive: ' + at);
};

const record = async ({ targets, at }) => {
  const page = await arrived(pwPage(), at);
  const other = await arrived(await ppPage(), at);
  await page.evaluate(() => __truths.forEach((t, i) => t.setAttribute('measured', i)));
  locators = await Promise.all(targets.map((_, i) => page.locator('[measured="' + i + '"]').normalize().catch(() => null)));
  await page.evaluate(() => __truths.forEach((t) => t.removeAttribute('measured')));
  recorded = await Promise.all(targets.map(async ({ name, role }, i) => {
    const { css, xpath, text } = await other.evaluate(devtools, i);
    const selectors = [];
    if (name) {
      for (const s of ['aria/' + name, 'aria/' + name + '[role="' + role + '"]']) {
        if ((await other.$$(s)).length === 1) { selectors.push([s]); break; }
      }
    }
    selectors.push([css], ['xpath/' + xpath], ['pierce/' + css]);
    if (text && (await other.$$('text/' + text)).length === 1) selectors.push(['text/' + text]);
    return { type: 'click', target: 'main', selectors, offsetX: 2, offsetY: 2, timeout: REFUSED_AFTER };
  }));
};

const locate = async ({ n, replay, at }) => {
  const page = await arrived(pwPage(), at);
  const playwright = await Promise.all(Array.from({ length: n }, async (_, i) => {
    const l = locators[i];
    const found = l ? await l.count() : 0;
    return found !== 1 ? 'refused' : l.evaluate((el, i) => (__isTruth(i)(el) ? 'right' : 'wrong'), i);
  }));
  const replayed = [];
  if (replay && replay.length) {
    const other = await arrived(await ppPage(), at);
    for (const i of replay) {
      await other.evaluate(() => { __hit = null; });
      try {
        const runner = await createRunner({ title: 'one step', steps: [recorded[i]] }, new PuppeteerRunnerExtension(pp, other, { timeout: REFUSED_AFTER }));
        await runner.run();
      } catch { /* it refused */ }
      replayed.push(await other.evaluate((i) => __outcome(i), i));
    }
  }
  return { playwright, replay: replayed };
};

const todo = { hello: async () => ({}), record, locate };
for await (const line of createInterface({ input: process.stdin })) {
  const q = JSON.parse(line);
  let answer;
  try {
    answer = { value: (await todo[q.do](q)) ?? null };
  } catch (e) {
    answer = { error: String(e && e.stack ? e.stack : e) };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
await pp.disconnect();
process.exit(0);
