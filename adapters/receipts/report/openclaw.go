package report

import "showhow/internal/plain"

// fromOpenClaw reads what our plugin (openclaw.js) passes on of OpenClaw's after_tool_call: toolName, params, runId,
// toolCallId, sessionId, durationMs, failed, exitCode, cwd. An event with neither a failure nor an exit code proves
// nothing.
func fromOpenClaw(m members) (Receipt, bool) {
	r := Receipt{RunID: m.first("sessionId", "sessionKey", "runId"), CallID: m.text("toolCallId"), Tool: m.text("toolName"),
		Cwd: m.text("cwd"), DurationMS: m.duration("durationMs"), ExitCode: m.whole("exitCode"), Outcome: Unknown}
	if m.text("event") == "session_end" {
		r.Event = EventRunEnd
		return r, r.RunID != ""
	}
	switch {
	case m.truth("failed"), r.ExitCode != nil && *r.ExitCode != 0:
		r.Outcome = Failed
	case r.ExitCode != nil, m["failed"].Kind() == 'f':
		r.Outcome = OK
	}
	if r.Tool == "" || bookkeeping[r.Tool] {
		return r, false
	}
	in := m.object("params")
	switch r.Tool {
	case "exec", "bash":
		r.Command = in.first("command", "cmd")
		if dir := in.first("workdir", "cwd"); r.Cwd == "" {
			r.Cwd = dir
		}
		return r, r.Command != ""
	case "write", "edit":
		if p := in.first("path", "file_path"); p != "" && r.Outcome != Failed {
			r.Files = []File{look(r.Cwd, File{Path: p, Change: "changed"})}
		}
		r.Args = in.flat(union(contents, plain.Set("path file_path oldText newText")))
		return r, true
	case "apply_patch":
		r.Files = patched(r.Cwd, in.first("input", "patch"))
		return r, len(r.Files) > 0
	}
	r.Args = in.flat(nil)
	return r, true
}
