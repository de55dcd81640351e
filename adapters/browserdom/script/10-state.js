// The page half of the recorder: it runs in an isolated world of every document, out of reach of the page's own
// scripts. It reads and never writes the page (except for its badge), adds no listener to any element, and swallows
// its own errors: a page must behave the same with and without it. The Go side (page.go) joins these files and the
// shared parts (browser/page) into one function (config, send, global) => {...} where config = {epoch, sites: [[host,
// port]...], paused, badge, acts, states}, send(text) reaches Go, and global is the world's global object.

const QUIET = 100; // ms without a change after which an act's outcome is what is there
const NO_EFFECT = 600; // ms to wait for a first change
const MAX_SETTLE = 1500; // ms after which the outcome is what is there, settled or not
const TICK = 40; // ms between looks while an outcome settles

const newID = () => Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join('');
let docID = newID();

let config = CONFIG;
let counter = 0;

const nextID = () => docID + '.' + ++counter;

// clock: the page's own time of an event, in microseconds of wall time.
const micros = (ms) => Math.round((performance.timeOrigin + ms) * 1000);

const post = (message) => {
  guarded(blotSecrets)();
  message.doc = docID;
  // only page states are wanted
  if (!config.acts) for (const what of ['target', 'drop', 'value', 'file', 'keys']) delete message[what];
  send(JSON.stringify(message, blotter()));
};

// scope: the origin decides, by the same rule as in Go, which checks again.
const site = () => {
  let origin = self.origin;
  if (!origin || origin === 'null') return null;
  try {
    const u = new URL(origin);
    return u.protocol === 'http:' || u.protocol === 'https:' ? [u.hostname, u.port] : null;
  } catch {
    return null;
  }
};
const bare = (port) => (port === '80' || port === '443' ? '' : port);
const inScope = () => {
  const at = site();
  if (!at) return false;
  return config.sites.some(
    ([host, port]) => bare(port) === bare(at[1]) && (host.startsWith('*.') ? at[0].endsWith(host.slice(1)) : at[0] === host),
  );
};
const siteName = () => {
  const at = site();
  return at ? (bare(at[1]) ? at[0] + ':' + at[1] : at[0]) : '';
};
