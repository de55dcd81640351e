// Counts how many elements each locator matches, within a budget; what exceeds it is counted in idle time (decisions
// B9). A count is exact or not reported.

const COUNT_BUDGET = 2; // ms that counting may take while the page waits
const IDLE_BUDGET = 5; // ... and at a stretch when nothing else is to be done

// count counts now what fits, and the rest in idle time; then it reports to Go unless the description has not been
// sent yet.
const count = (ways, shown) => {
  const t = shown.target;
  const begin = now();
  const done = run(finding(ways), begin + allowance(COUNT_BUDGET));
  spend(now() - begin);
  if (done) {
    ways.forEach((w) => {
      w.l.matches = w.n;
    });
    t.counted_us = micros(now());
    return;
  }
  let tries = 3;
  let job = null;
  let stale = true;
  const watch = new MutationObserver(() => {
    stale = true;
  });
  const later = () => scheduler.postTask(go, { priority: 'background' });
  const go = guarded(() => {
    if (stale || watch.takeRecords().length) {
      // half before a change of the page and half after it is not a count
      watch.disconnect();
      if (mode !== 'watch' || --tries < 0) {
        tell([]);
        return;
      }
      job = finding(ways);
      stale = false;
      watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    }
    if (!run(job, now() + IDLE_BUDGET)) {
      later();
      return;
    }
    watch.disconnect();
    ways.forEach((w) => {
      w.l.matches = w.n;
    });
    t.counted_us = micros(now());
    tell(ways.map((w) => w.n));
  });
  const tell = (counts) => {
    t.counting = undefined;
    if (shown.id) post({ k: 'counts', id: shown.id, counts, counted_us: t.counted_us });
  };
  t.counting = true;
  later();
};
