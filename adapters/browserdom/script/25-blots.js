// Blots: keyed hashes of what must stay unreadable wherever it appears: in another document, a title or a command.
// The text itself never leaves the page. They equal those of capture.BlotsOf; the key belongs to the session and
// stays in memory.

const BLOT_WORDS = 60,
  BLOT_GRAM = 3,
  BLOT_LEAST = 4,
  BLOT_FREE = 8,
  BLOT_SIZE = 256,
  BLOT_SINGLE = 3;
const U64 = (x) => BigInt.asUintN(64, x);
const rotl = (x, n) => U64((x << n) | (x >> (64n - n)));
const utf8 = new TextEncoder();

// sipHash is SipHash-2-4; it returns the hash as hex.
const sipHash = (key, bytes) => {
  let v0 = key[0] ^ 0x736f6d6570736575n,
    v1 = key[1] ^ 0x646f72616e646f6dn,
    v2 = key[0] ^ 0x6c7967656e657261n,
    v3 = key[1] ^ 0x7465646279746573n;
  const round = () => {
    v0 = U64(v0 + v1);
    v1 = rotl(v1, 13n) ^ v0;
    v0 = rotl(v0, 32n);
    v2 = U64(v2 + v3);
    v3 = rotl(v3, 16n) ^ v2;
    v0 = U64(v0 + v3);
    v3 = rotl(v3, 21n) ^ v0;
    v2 = U64(v2 + v1);
    v1 = rotl(v1, 17n) ^ v2;
    v2 = rotl(v2, 32n);
  };
  const block = (m) => {
    v3 ^= m;
    round();
    round();
    v0 ^= m;
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  for (; at + 8 <= bytes.length; at += 8) block(view.getBigUint64(at, true));
  let last = BigInt(bytes.length & 255) << 56n;
  for (let i = at; i < bytes.length; i++) last |= BigInt(bytes[i]) << BigInt(8 * (i - at));
  block(last);
  v2 ^= 0xffn;
  for (let i = 0; i < 4; i++) round();
  return (v0 ^ v1 ^ v2 ^ v3).toString(16);
};

// foldText lowercases each character whose lower case takes as many bytes.
const foldText = (text) =>
  Array.from(text.normalize('NFC').trim(), (c) => {
    const l = c.toLowerCase();
    return l !== c && [...l].length === 1 && utf8.encode(l).length === utf8.encode(c).length ? l : c;
  }).join('');

const blotsOf = (text, kind) => {
  const key = config.salt.map((h) => BigInt('0x' + h));
  const low = foldText(text);
  const ws = (low.match(/[\p{L}\p{Nd}]+/gu) || []).slice(0, BLOT_WORDS);
  const out = [];
  for (let i = 0; i < ws.length; i++) {
    for (let n = 1; n <= BLOT_GRAM && i + n <= ws.length; n++) {
      const gram = ws.slice(i, i + n).join(' ');
      if ([...gram].length < BLOT_LEAST || (n < BLOT_GRAM && ws.length > BLOT_SINGLE)) continue;
      out.push({ kind, size: 0, hash: sipHash(key, utf8.encode(gram)) });
    }
  }
  const all = utf8.encode(low);
  if (kind !== 'name' && [...low].length >= BLOT_FREE && all.length <= BLOT_SIZE)
    out.push({ kind, size: all.length, hash: sipHash(key, all) });
  return out;
};

// Account names that identify no person.
const ACCOUNTS = new Set([
  'admin',
  'administrator',
  'root',
  'user',
  'guest',
  'test',
  'demo',
  'info',
  'office',
  'sales',
  'support',
  'service',
  'shop',
  'mail',
  'team',
  'system',
  'manager',
  'staff',
]);
const blotted = new Set(); // what was told already
const blot = (text, kind) => {
  if (
    !config.salt ||
    !text ||
    blotted.size > 500 ||
    blotted.has(kind + text) ||
    (kind === 'name' && ACCOUNTS.has(text.trim().toLowerCase()))
  )
    return;
  blotted.add(kind + text);
  const blots = blotsOf(text.slice(0, 2000), kind);
  if (blots.length) send(JSON.stringify({ k: 'blots', doc: docID, blots }));
};

// blotSecrets sends hashes of what the secret fields hold, once the person has left them: a half-typed value is not a
// secret yet.
const blotSecrets = () => {
  if (!config.salt) return;
  for (const ref of secretFields) {
    const el = ref.deref();
    if (el && !isToggle(el) && el.tagName !== 'SELECT' && !(visit && visit.el === el)) blot(held(el), everSecret.get(el));
  }
};
