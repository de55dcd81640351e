// Saves to the person's downloads without a server: the page has the bytes already.

/** Saves bytes as a file of this name. */
export function save(name: string, content: BlobPart, type = "application/octet-stream") {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([content], { type }));
  a.download = name;
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(a.href), 60_000); // the browser reads it after this call
}

export const unbase64 = (s: string) => Uint8Array.from(atob(s), (c) => c.charCodeAt(0));

export interface Packed {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
  executable?: boolean;
}

const table = Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});

const crc32 = (b: Uint8Array) => (b.reduce((c, x) => table[(c ^ x) & 0xff]! ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

/** A .zip of these files, uncompressed: skills are small. */
export function zip(files: Packed[]): Blob {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let at = 0;
  let listed = 0;
  const numbers = (...all: [bytes: 2 | 4, value: number][]) => {
    const v = new DataView(new ArrayBuffer(all.reduce((n, [bytes]) => n + bytes, 0)));
    let o = 0;
    for (const [bytes, value] of all) {
      if (bytes === 2) v.setUint16(o, value, true);
      else v.setUint32(o, value, true);
      o += bytes;
    }
    return v.buffer;
  };
  for (const f of files) {
    const name = new TextEncoder().encode(f.path);
    const size = f.bytes.length;
    // version, UTF-8 names, stored, time, the format's first date, checksum, lengths
    const common: [2 | 4, number][] = [
      [2, 20],
      [2, 0x800],
      [2, 0],
      [2, 0],
      [2, 0x21],
      [4, crc32(f.bytes)],
      [4, size],
      [4, size],
      [2, name.length],
      [2, 0],
    ];
    parts.push(numbers([4, 0x04034b50], ...common), name, f.bytes);
    const mode = (f.executable ? 0o100755 : 0o100644) * 0x10000;
    directory.push(numbers([4, 0x02014b50], [2, 0x0314], ...common, [2, 0], [2, 0], [2, 0], [4, mode], [4, at]), name);
    at += 30 + name.length + size;
    listed += 46 + name.length;
  }
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, listed], [4, at], [2, 0]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
