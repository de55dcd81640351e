// The cost of the pages: measured in a real browser against a real daemon (make bench-ui).
import { expect, type Page, test } from "@playwright/test";
import { open, type Stage } from "../e2e/stage";
import { frames, parts } from "./made";
import { figure, shipped, shippedInAll, write } from "./measure";

let stage: Stage;
test.beforeAll(async () => {
  stage = await open();
});
test.afterAll(() => stage?.end());

/** Asks the daemon as the page would. */
const ask = <T>(page: Page, path: string, body: object) =>
  page.evaluate(
    async ([path, body]) => {
      const r = await fetch(path, {
        method: "POST",
        body,
        headers: {
          "Content-Type": "application/json",
          "X-Showhow-Source": "user_click",
          Authorization: `Bearer ${sessionStorage.getItem("showhow.bearer")}`,
        },
      });
      if (!r.ok) throw new Error(await r.text());
      return (await r.json()) as T;
    },
    [path, JSON.stringify(body)] as const,
  );

test("bench", async ({ page }) => {
  await page.goto(stage.url);
  await expect(page.getByRole("heading", { name: "Create new ability by:" })).toBeVisible();
  figure("js_gz_kb", [shipped()], "JavaScript that the first view loads, gzip -9, in 1,000 bytes; aim under 250");
  figure("js_all_gz_kb", [shippedInAll()], "of all views together");

  const learn = new URL("/learn/new", stage.url).href;
  await page.addInitScript(() => {
    const look = new MutationObserver(() => {
      if (!document.querySelector(".NewPage_cards .NewPage_card")) return;
      look.disconnect();
      requestAnimationFrame(() => requestAnimationFrame((t) => Object.assign(window, { shownAt: t })));
    });
    look.observe(document, { childList: true, subtree: true });
  });
  const paints: number[] = [];
  for (let i = 0; i < 9; i++) {
    await page.goto(learn);
    await page.waitForFunction(() => "shownAt" in window);
    paints.push(await page.evaluate(() => (window as unknown as { shownAt: number }).shownAt));
  }
  figure("first_paint_ms", paints.slice(2), "navigation to the frame that shows the five ways of Learn, warm daemon; aim 500");

  const made = await ask<{ session: { learn_session_id: string } }>(page, "/api/learn/sessions", {
    entry_mode: "demonstrating_skill",
    observation_mode: "mixed",
    goal: "Measure",
    scope: { apps: ["bench"] },
  });
  const id = made.session.learn_session_id;
  await ask(page, "/api/learn/indicators/renew", { indicator: "window" });
  await ask(page, `/api/learn/sessions/${id}/start`, {});
  const timeline = new URL(`/sessions/${id}`, stage.url).href;
  await page.goto(timeline);
  await expect(page.getByText("Nothing yet")).toBeVisible();
  const lags = await page.evaluate(async () => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${sessionStorage.getItem("showhow.bearer")}` };
    const out: number[] = [];
    for (let i = 0; i < 120; i++) {
      const word = `n${i}n`;
      const seen = new Promise<number>((done) => {
        const look = new MutationObserver(() => {
          if (!document.querySelector(".Timeline_timeline")?.textContent?.includes(word)) return;
          look.disconnect();
          requestAnimationFrame((t) => done(t));
        });
        look.observe(document.body, { childList: true, subtree: true, characterData: true });
      });
      const from = performance.now();
      const r = await fetch("/api/observe/receipts", {
        method: "POST",
        headers,
        body: JSON.stringify({
          receipts: [
            { kind: "wrapper_receipt", agent: "bench", tool: "shell", command: `echo ${word}`, cwd: "/work", outcome: "ok", exit_code: 0 },
          ],
        }),
      });
      if (!r.ok) throw new Error(await r.text());
      out.push((await seen) - from);
    }
    return out;
  });
  figure(
    "timeline_p95_ms",
    lags.slice(20),
    "an agent's command handed in to its row in the timeline: scope, redaction, store, stream, page; p95; aim 100",
    0.95,
  );
  figure("timeline_p50_ms", lags.slice(20), "the same, median");

  // The rest is the page's own work: the stream is generated here, as long as it takes.
  const cdp = await page.context().newCDPSession(page);
  const show = async (n: number) => {
    let asked = 0;
    const url = `**/api/learn/sessions/${id}/observations/stream`;
    await page.unroute(url).catch(() => {});
    await page.route(url, async (r) =>
      asked++ === 0 ? r.fulfill({ contentType: "text/event-stream", body: frames(n) }) : new Promise<void>(() => {}),
    );
    await page.unroute("**/told?*").catch(() => {});
    await page.route("**/told?*", (r) => r.fulfill({ json: { parts: parts(n), after: 0, schema_version: 1 } }));
    await page.goto(timeline);
    await expect(page.locator(".Timeline_timeline .Timeline_step").first()).toBeVisible();
    await page.getByRole("button", { name: "Show every observation" }).click();
    await expect
      .poll(() => page.locator(".Timeline_timeline li").first().getAttribute("aria-setsize").then(Number))
      .toBeGreaterThanOrEqual(n);
  };
  const heap = async () => {
    await cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await cdp.send("Performance.getMetrics");
    return metrics.find((m) => m.name === "JSHeapUsedSize")!.value / 1e6;
  };
  await cdp.send("Performance.enable");
  await show(3600);
  figure("page_memory_mb", [await heap()], "JavaScript heap after garbage collection, with an observation for every second of an hour");
  await show(10_000);
  figure("page_memory_10k_mb", [await heap()], "the same with 10,000 observations");
  const tasks: number[] = [];
  cdp.on("Tracing.dataCollected", ({ value }) => {
    for (const e of value as unknown as { name: string; dur?: number }[])
      if (e.name === "RunTask" || e.name === "ThreadControllerImpl::RunTask") tasks.push((e.dur ?? 0) / 1000);
  });
  await page.locator(".Timeline_timeline").hover();
  await cdp.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["disabled-by-default-devtools.timeline", "devtools.timeline", "toplevel"] },
  });
  for (let i = 0; i < 120; i++) await page.mouse.wheel(0, i % 2 ? 3000 : 400);
  await expect.poll(() => page.locator(".Timeline_timeline").evaluate((e) => e.scrollTop)).toBeGreaterThan(150_000);
  const done = new Promise<void>((ok) => cdp.once("Tracing.tracingComplete", () => ok()));
  await cdp.send("Tracing.end");
  await done;
  if (tasks.length)
    figure(
      "longest_task_ms",
      [Math.max(...tasks)],
      `longest of ${tasks.length} tasks while 10,000 observations are scrolled by the wheel; aim 50`,
    );

  write();
});
