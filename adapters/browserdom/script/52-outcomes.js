// The outcome of an act: the state once nothing has changed for a while, or after long enough; at the latest when the
// next act begins.

let ticking = 0;
let asking = false;
const settle = (act) => {
  unsettled.set(act.id, { t: now(), version: act.version, act });
  if (ticking || asking) return;
  outermost().quietFor(); // begins to listen
  ticking = setTimeout(tick, TICK);
};
const tick = guarded(() => {
  ticking = 0;
  if (!unsettled.size || asking) return;
  const at = now();
  const ages = Array.from(unsettled.values(), (u) => at - u.t);
  const oldest = Math.max(...ages);
  const base = outermost();
  const still = Math.min(...ages) >= QUIET && (!config.states || (base.quietFor() >= QUIET && !base.busy()));
  if (oldest < MAX_SETTLE && !still) {
    ticking = setTimeout(tick, TICK);
    return;
  }
  const ids = Array.from(unsettled.keys());
  asking = true;
  base.lookSoon(
    guarded((d) => {
      asking = false;
      if (!unsettled.size) return;
      const same = ids.every((id) => unsettled.has(id)) && ids.length === unsettled.size;
      const differs = Array.from(unsettled.values()).some((u) => u.version !== d.version);
      if (same && (differs || oldest >= NO_EFFECT || !config.states)) settleNow(d);
      else ticking = ticking || setTimeout(tick, TICK);
    }),
  );
});
const busy = () => !!document.querySelector('[aria-busy=true]');

// settleNow gives every waiting act the state d as its outcome. Except the click that may become the first half of a
// double click.
const settleNow = (d, except) => {
  unsettled.forEach((u, id) => {
    tellSaid(u.act, id !== except);
    tellPressed(u.act);
  });
  const ids = Array.from(unsettled.keys()).filter((id) => id !== except);
  if (!ids.length) return;
  const ended = ids.filter((id) => closed(unsettled.get(id).act));
  const marks = ids.filter((id) => guarded(marked)(unsettled.get(id).act));
  ids.forEach((id) => unsettled.delete(id));
  post({ k: 'after', ids, ended, marks, after: stateOf(d || digest()) });
};

// engaged: the person is in the middle of an act, whose outcome will include what changes meanwhile.
const engaged = () => unsettled.size > 0 || !!(visit && visit.edited);

const forgetOutcomes = () => {
  clearTimeout(ticking);
  ticking = 0;
  asking = false;
  unsettled.clear();
};
