// Figures and their spread, the table for people and the file for programs.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { gzipSync } from "node:zlib";

export const quantile = (all: number[], p: number) =>
  [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.ceil(all.length * p) - 1)]!;

const root = new URL("../../", import.meta.url).pathname;
const metrics: Record<string, number> = {};
const notes: Record<string, string> = {};

/** A figure of several runs: their median (or another quantile), number and spread. */
export function figure(key: string, all: number[], note: string, p = 0.5) {
  if (!all.length) return; // what could not be measured is absent
  metrics[key] = round(quantile(all, p));
  notes[key] = note;
  if (all.length > 1) {
    metrics[`${key}_n`] = all.length;
    metrics[`${key}_iqr`] = round(quantile(all, 0.75) - quantile(all, 0.25));
  }
}

const round = (n: number) => Math.round(n * 10) / 10;

const dist = `${root}app/web/dist/`;
const zipped = (files: string[]) => files.reduce((n, f) => n + gzipSync(readFileSync(dist + f), { level: 9 }).length, 0) / 1000;

/** The scripts that the first view loads, compressed as they would be sent. */
export const shipped = () =>
  zipped([...readFileSync(`${dist}index.html`, "utf8").matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map((m) => m[1]!));

/** All scripts, also of the views that are fetched when they are opened. */
export const shippedInAll = () =>
  zipped(
    readdirSync(`${dist}assets/`)
      .filter((f) => f.endsWith(".js"))
      .map((f) => `assets/${f}`),
  );

export function write() {
  mkdirSync(`${root}bench/out`, { recursive: true });
  const machine = `linux/${process.arch}, ${cpus().length} cores, ${execFileSync(process.env.SHOWHOW_BROWSER ?? "/usr/bin/chromium", [
    "--version",
  ])
    .toString()
    .trim()}`;
  writeFileSync(
    `${root}bench/out/bench-ui.json`,
    JSON.stringify({ name: "bench-ui", at: new Date().toISOString(), machine, metrics, notes }, null, 2),
  );
  console.log(`\n${machine}`);
  for (const [k, note] of Object.entries(notes)) {
    const n = metrics[`${k}_n`];
    console.log(`${k.padEnd(18)} ${String(metrics[k]).padStart(9)}  ${note}${n ? ` (n ${n}, iqr ${metrics[`${k}_iqr`]})` : ""}`);
  }
}
