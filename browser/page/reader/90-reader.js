// A user of the parts that only reads, on request: the finder and the player. For the recorder's half see
// adapters/browserdom/script. The function's parameter is the world's global object.

const badgeHost = null;
const blot = () => {};

const half = { scopes, findRoots, halves: halvesHere, secretKind: (el) => secretKind(el), secrets: () => heldSecrets() };

// drain runs all steps of a look at once.
const drain = (steps) => {
  while (!steps.next().done);
};

const count = (ways, shown) => {
  drain(finding(ways));
  for (const w of ways) w.l.matches = w.n;
  shown.target.counted_at = new Date().toISOString();
};

const api = {
  half,
  // state: what a person could see now: the digest of adapters/browserdom, as capture.State in JSON. The fields'
  // values are in raw: {kind, text, ...}; of a secret, only whether it is filled.
  state() {
    const seen = {};
    rootsAt = -Infinity;
    drain(looking(seen, false));
    const state = { url: pageURL(), title: shorten(document.title) };
    for (const { key } of PARTS) if (seen[key] && seen[key].length) state[key] = seen[key];
    state.focus = seen.focus || focus();
    return JSON.stringify(state, blotter());
  },
  // describe: capture.Target of an element.
  describe(el) {
    return JSON.stringify(describe(el).target);
  },
};
global.showhow = api;
