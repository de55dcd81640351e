// Shared by the scripts that read a page: the recorder's, the finder's and the player's. The Go side (page.go) joins
// these parts and the user's own into one function, ordered by file name. They read and never write the page, and
// keep nothing but caches. A user supplies what the parts need: badgeHost, its own element to ignore, or null; half,
// the interface between frames of one origin; blot(text, kind), called with secrets; count(ways, shown), which counts
// the matches of locators.

'use strict';

const MAX_TEXT = 160; // characters of any one name or text

const isTop = window.top === window;
const now = () => performance.now();

// guarded: no exception in here reaches the page.
const guarded =
  (f) =>
  (...args) => {
    try {
      return f(...args);
    } catch {
      return undefined;
    }
  };

// hashOf: a short number that tells texts apart without revealing them (FNV-1a).
const hashOf = (text) => {
  let n = 2166136261;
  for (const c of text) n = Math.imul(n ^ c.codePointAt(0), 16777619) >>> 0;
  return n.toString(36);
};

// oneLine: the beginning of a text with each run of blanks as one: more than max characters, if there are so many. A log or a script may
// be megabytes long: of what follows nothing is looked at.
const oneLine = (text, max) => {
  for (let n = 4 * max; ; n *= 4) {
    const line = text.slice(0, n).replace(/\s+/g, ' ');
    if (line.length > max || n >= text.length) return line;
  }
};
// shorten: one line of bounded length.
const shorten = (text, max = MAX_TEXT) => {
  text = oneLine(text || '', max + 2).trim(); // the two may be blanks
  return text.length > max ? text.slice(0, max - 1) + '…' : text;
};
