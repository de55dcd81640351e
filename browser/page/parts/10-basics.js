// What the scripts that read a page share: the recorder's, the finder's and the player's. The Go side (page.go) puts these parts and
// those of the user into one function, in the order of their names. They read and never write the page, and keep nothing but
// caches. A user supplies what the parts ask of it: badgeHost, an element of its own to overlook, or null; half, what the frames of
// one origin use of each other; blot(text, kind), told of secrets; count(ways, shown), which counts what locators find.

'use strict';

const MAX_TEXT = 160; // characters of any one name or text

const isTop = window.top === window;
const now = () => performance.now();

// guarded: whatever goes wrong in here stays in here.
const guarded =
  (f) =>
  (...args) => {
    try {
      return f(...args);
    } catch {
      return undefined;
    }
  };

// hashOf is a text as a short number, which tells texts apart and says nothing of them (FNV-1a).
const hashOf = (text) => {
  let n = 2166136261;
  for (const c of text) n = Math.imul(n ^ c.codePointAt(0), 16777619) >>> 0;
  return n.toString(36);
};

// shorten: one line, bounded.
const shorten = (text, max = MAX_TEXT) => {
  text = (text || '').replace(/\s+/g, ' ').trim();
  return text.length > max ? text.slice(0, max - 1) + '…' : text;
};
