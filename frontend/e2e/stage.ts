// The stage (app/e2e/stage): a real daemon, an order desk and the demo's person, in a home of their own.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export interface Stage {
  url: string;
  site: string;
  shell: string;
  downloads: string;
  agent: string;
  home: string;
  notes: string; // the address of a service that anybody may use
  calendar: string; // and of one that wants a sign-in
  registry: string; // the host of a registry of skills
  keychain: boolean; // whether this person has one
  sh(command: string, input?: string): string; // what their shell, or an agent's, runs; what it printed
  showhow(args: string[], input?: string): string; // the program, as this person or their agent runs it; what it printed
  door(): Promise<Door>; // an agent at the door
  change(): Promise<void>; // the notes offer another tool from now on
  perform(): Promise<void>;
  code(): Promise<string>;
  kill(): Promise<void>; // the daemon, as a power cut would
  start(): Promise<string>; // it again; the address of a new login
  end(): Promise<void>;
}

/** An agent that speaks MCP through `showhow mcp`. */
export interface Door {
  tools(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>): Promise<{ isError?: boolean; content: { text?: string }[] }>;
  end(): Promise<void>;
}

async function atDoor(child: ChildProcess): Promise<Door> {
  const waiting = new Map<number, { give(v: unknown): void; refuse(e: Error): void }>();
  let last = 0;
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const m = JSON.parse(line) as { id?: number; result?: unknown; error?: { message: string } };
    const w = m.id === undefined ? undefined : waiting.get(m.id);
    if (m.error) w?.refuse(new Error(m.error.message));
    else w?.give(m.result);
  });
  const say = (m: object) => child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...m })}\n`);
  const ask = <T>(method: string, params: object) =>
    new Promise<T>((give, refuse) => {
      waiting.set(++last, { give: give as (v: unknown) => void, refuse });
      say({ id: last, method, params });
    });
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "agent", version: "1" } });
  say({ method: "notifications/initialized" });
  return {
    tools: async () => (await ask<{ tools: { name: string }[] }>("tools/list", {})).tools.map((t) => t.name),
    call: (name, args) => ask("tools/call", { name, arguments: args }),
    async end() {
      const gone = new Promise((r) => child.once("exit", r));
      child.stdin!.end();
      await gone;
    },
  };
}

export async function open(...how: "--keychain"[]): Promise<Stage> {
  const bin = new URL("../../bin/", import.meta.url).pathname;
  const child: ChildProcess = spawn(`${bin}stage`, [`${bin}showhow`, ...how], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the stage went away");
    return JSON.parse(value as string) as Record<string, string>;
  };
  const told = await next();
  const env = {
    HOME: told.home!,
    XDG_RUNTIME_DIR: told.run!,
    PATH: process.env.PATH,
    LANG: "C.UTF-8",
    ...(told.bus ? { DBUS_SESSION_BUS_ADDRESS: told.bus } : {}),
  };
  const run = (program: string, args: string[], input: string) =>
    execFileSync(program, args, { input, encoding: "utf8", cwd: told.home!, env });
  let used = 0;
  let codes = told.codes!;
  return {
    url: told.url!,
    site: told.site!,
    shell: told.shell!,
    downloads: told.downloads!,
    agent: told.agent!,
    home: told.home!,
    notes: told.notes!,
    calendar: told.calendar!,
    registry: told.registry!,
    keychain: Boolean(told.bus),
    door: () => atDoor(spawn(`${bin}showhow`, ["mcp"], { stdio: ["pipe", "pipe", "inherit"], cwd: told.home!, env })),
    async change() {
      child.stdin!.write("change\n");
      await next();
    },
    sh: (command, input = "") => run("sh", ["-c", command], input),
    showhow: (args, input = "") => run(`${bin}showhow`, args, input),
    async perform() {
      child.stdin!.write("perform\n");
      const r = await next();
      if (r.error) throw new Error(r.error);
    },
    // The next code that the daemon wrote to the terminal, where a person would read it.
    async code() {
      for (let i = 0; i < 600; i++) {
        const all = [...readFileSync(codes, "utf8").matchAll(/type this code: (\w+)/g)];
        if (all.length > used) return all[used++]![1]!;
        await new Promise((r) => setTimeout(r, 100));
      }
      throw new Error("no code came to the terminal");
    },
    async kill() {
      child.stdin!.write("kill\n");
      await next();
    },
    async start() {
      child.stdin!.write("start\n");
      const r = await next();
      codes = r.codes!;
      used = 0;
      return r.url!;
    },
    async end() {
      const gone = new Promise((r) => child.once("exit", r));
      child.stdin!.end();
      await gone;
    },
  };
}
