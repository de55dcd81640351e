package report

import (
	"strconv"
	"strings"

	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// fromClaude reads the input of a Claude Code command hook: hook_event_name PostToolUse (the call succeeded),
// PostToolUseFailure (it did not) or SessionEnd, with session_id, cwd, tool_name, tool_input, tool_response and
// tool_use_id.
func fromClaude(m members) (Receipt, bool) {
	r := Receipt{RunID: m.text("session_id"), Cwd: m.text("cwd"), Tool: m.text("tool_name"), CallID: m.text("tool_use_id"),
		DurationMS: m.duration("duration_ms")}
	switch m.text("hook_event_name") {
	case "PostToolUse":
		r.Outcome = OK
	case "PostToolUseFailure":
		r.Outcome = Failed
		r.ExitCode = exitIn(m.text("error"))
	case "SessionEnd":
		r.Event = EventRunEnd
		return r, r.RunID != ""
	default:
		return r, false
	}
	return claudeTool(r, m)
}

// bookkeeping are tools with which an agent talks to itself or to the person, without any effect.
var bookkeeping = plain.Set(
	"TodoWrite TodoRead Task Agent TaskCreate TaskUpdate TaskGet TaskList TaskOutput TaskStop AskUserQuestion EnterPlanMode ExitPlanMode " +
		"ToolSearch SendMessage update_plan request_user_input")

// contents are arguments of tools that write files; what is written is never kept.
var contents = plain.Set("content old_string new_string new_source old_str new_str file_text insert_text edits patch input description")

// claudeTool reads the tool's own fields, which have the same names in Codex.
func claudeTool(r Receipt, m members) (Receipt, bool) {
	in, res := m.object("tool_input"), m.object("tool_response")
	if r.Tool == "" || bookkeeping[r.Tool] {
		return r, false
	}
	if res.truth("interrupted") {
		r.Outcome = Failed
	}
	switch r.Tool {
	case "Bash":
		r.Command = in.text("command")
		if in.truth("run_in_background") {
			r.Outcome = Unknown
		}
		return r, r.Command != ""
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		f := File{Path: in.first("file_path", "notebook_path"), Change: "changed"}
		if res.text("type") == "create" {
			f.Change = "created"
		}
		if f.Path != "" && r.Outcome == OK {
			r.Files = []File{look(r.Cwd, f)}
		}
		r.Args = in.flat(union(contents, plain.Set("file_path notebook_path")))
		return r, true
	case "Skill":
		r.Args = in.flat(plain.Set("args"))
		return r, true
	}
	r.Args = in.flat(nil)
	return r, true
}

func union(a, b map[string]bool) map[string]bool {
	out := map[string]bool{}
	for k := range a {
		out[k] = true
	}
	for k := range b {
		out[k] = true
	}
	return out
}

var exitForm = lazyre.New(`(?i)\b(?:exit|status) code:? (\d{1,5})\b`)

// exitIn finds the exit code that an agent prints before a failed command's output; it reads only the first line.
func exitIn(text string) *int {
	line, _, _ := strings.Cut(text, "\n")
	if len(line) > 200 {
		line = line[:200]
	}
	m := exitForm.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	n, _ := strconv.Atoi(m[1])
	return &n
}
