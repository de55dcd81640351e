// Showhow's hook for OpenClaw. After each tool call it hands tool, parameters and outcome to Showhow's hook on this computer,
// which ends within 50 ms and keeps nothing unless you allowed it. It never waits, never throws, changes nothing.
import { spawn } from "node:child_process";
import { access } from "node:fs";

const program = "@program@";
const args = ["@arguments@"];
const mark = "@mark@"; // exists while you let Showhow learn from OpenClaw

function report(payload) {
  access(mark, (absent) => {
    if (absent) return;
    try {
      const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] });
      child.on("error", () => {});
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(payload));
      child.unref();
    } catch {
      // a report that cannot be made is not made
    }
  });
}

export default {
  id: "showhow",
  name: "Showhow",
  description: "Reports finished tool calls to Showhow on this computer, when you let it learn from them.",
  register(api) {
    api.on("after_tool_call", (event, ctx) => {
      const details = event.result?.details;
      report({
        event: "after_tool_call",
        toolName: event.toolName,
        params: event.params,
        runId: event.runId ?? ctx?.runId,
        toolCallId: event.toolCallId ?? ctx?.toolCallId,
        sessionId: ctx?.sessionId,
        sessionKey: ctx?.sessionKey,
        durationMs: event.durationMs,
        failed: event.error !== undefined && event.error !== null ? true : event.result === undefined ? undefined : false,
        exitCode: Number.isInteger(details?.exitCode) ? details.exitCode : undefined,
        cwd: typeof details?.cwd === "string" ? details.cwd : undefined,
      });
    });
    api.on("session_end", (event, ctx) => {
      report({ event: "session_end", sessionId: event.sessionId ?? ctx?.sessionId });
    });
  },
};
