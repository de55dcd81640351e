// The part of the recorder that lives in a page: an isolated world of every document, out of reach of the page's own scripts.
// It reads and never writes the page (its badge apart), adds no listener to any element, and swallows its own errors: a page must
// behave the same with and without it. The Go side (page.go) concatenates these files in order into one function
//   (config, send, global) => {...}
// where config = {epoch, sites: [[host, port]...], paused, badge}, send(text) reaches Go, and global is the world's global object.

'use strict';

const MAX_TEXT = 160;        // characters of any one name or text
const DIGEST_BUDGET = 8;     // ms that a look at the page may take while the page waits; a large page loses detail, not time
const SETTLED_BUDGET = 30;   // ... and one when nothing is going on
const DIGEST_SHARE = 0.1;    // ... and the share of all time that looking may take
const STALE = 50;            // ms that a look may be old
const QUIET = 100;           // ms without a change after which an act's outcome is what is there
const NO_EFFECT = 600;       // ms to wait for a first change
const MAX_SETTLE = 1500;     // ms after which the outcome is what is there, settled or not
const TICK = 40;             // ms between looks while an outcome settles

const newID = () => Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join('');
let docID = newID();
const isTop = window.top === window;

let config = CONFIG;
let counter = 0;

const nextID = () => docID + '.' + (++counter);

// clock: the page's own moment of an event, in microseconds of wall time.
const micros = (ms) => Math.round((performance.timeOrigin + ms) * 1000);
const now = () => performance.now();

// guarded: whatever goes wrong in the recorder stays in the recorder.
const guarded = (f) => (...args) => {
  try {
    return f(...args);
  } catch {
    return undefined;
  }
};

const post = (message) => {
  message.doc = docID;
  send(JSON.stringify(message, blotter()));
};

// scope: the origin decides, the same way as in Go, which judges again.
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
  return config.sites.some(([host, port]) =>
    bare(port) === bare(at[1]) && (host.startsWith('*.') ? at[0].endsWith(host.slice(1)) : at[0] === host));
};
const siteName = () => {
  const at = site();
  return at ? (bare(at[1]) ? at[0] + ':' + at[1] : at[0]) : '';
};

// shorten: one line, bounded.
const shorten = (text, max = MAX_TEXT) => {
  text = (text || '').replace(/\s+/g, ' ').trim();
  return text.length > max ? text.slice(0, max - 1) + '…' : text;
};
