package kit

import "showhow/adapters/receipts/report"

// AgentDirs are the agents' own folders as set in the environment.
func AgentDirs(e *Env) map[string]string {
	out := map[string]string{}
	for agent, name := range map[string]string{report.ClaudeCode: "CLAUDE_CONFIG_DIR", report.Codex: "CODEX_HOME",
		report.OpenClaw: "OPENCLAW_STATE_DIR"} {
		if d := e.Getenv(name); d != "" {
			out[agent] = d
		}
	}
	return out
}
