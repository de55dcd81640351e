package report

import (
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// fromCodex reads the input of a Codex command hook (PostToolUse, SessionEnd; in snake case like Claude Code's) or
// the argument of its notify program (agent-turn-complete, which holds no tool call). PostToolUse also follows a
// failed command without saying so; an exit code is taken from the response if it has one.
func fromCodex(m members) (Receipt, bool) {
	r := Receipt{RunID: m.text("session_id"), Cwd: m.text("cwd"), Tool: m.text("tool_name"), CallID: m.text("tool_use_id"),
		DurationMS: m.duration("duration_ms"), Outcome: Unknown}
	switch m.text("hook_event_name") {
	case "PostToolUse":
	case "SessionEnd":
		r.Event = EventRunEnd
		return r, r.RunID != ""
	default:
		return r, false
	}
	in := m.object("tool_input")
	switch r.Tool {
	case "apply_patch":
		r.Files = patched(r.Cwd, in.first("command", "input", "patch"))
		r.Outcome = OK
		return r, len(r.Files) > 0
	case "Bash", "shell", "local_shell", "exec_command", "shell_command":
		r.Tool = "Bash"
		r.Command = in.first("command", "cmd")
		if words := argv(in["command"]); r.Command == "" && len(words) > 0 {
			r.Command = strings.Join(words, " ")
			if n := len(words); n >= 3 && strings.HasSuffix(words[0], "sh") && strings.HasPrefix(words[n-2], "-") {
				r.Command = words[n-1] // bash -lc LINE
			}
		}
		if dir := in.first("workdir", "cwd"); filepath.IsAbs(dir) {
			r.Cwd = dir
		}
		r.outcomeOf(m)
		return r, r.Command != ""
	}
	return claudeTool(r, m)
}

// outcomeOf takes the exit code from a response that has one.
func (r *Receipt) outcomeOf(m members) {
	res := m.object("tool_response")
	if text := m.text("tool_response"); text != "" {
		r.ExitCode = exitIn(text)
		res, _, _ = object([]byte(text))
	}
	for _, o := range []members{res, res.object("metadata")} {
		if n := o.whole("exit_code"); n != nil {
			r.ExitCode = n
		}
	}
	if r.ExitCode != nil {
		r.Outcome = OK
		if *r.ExitCode != 0 {
			r.Outcome = Failed
		}
	}
}

func argv(v jsontext.Value) []string {
	if v.Kind() != '[' {
		return nil
	}
	d := decoder(v)
	d.ReadToken()
	var out []string
	for len(out) < 1000 {
		t, err := d.ReadToken()
		if err != nil || t.Kind() != '"' {
			return out
		}
		out = append(out, t.String())
	}
	return out
}

// patched lists the files that a patch names, in the format shared by Codex and OpenClaw.
func patched(cwd, patch string) []File {
	var out []File
	for line := range strings.Lines(patch) {
		line = strings.TrimSpace(line)
		for _, head := range []struct{ prefix, change string }{
			{"*** Add File: ", "created"}, {"*** Update File: ", "changed"}, {"*** Delete File: ", "removed"}, {"*** Move to: ", "moved"},
		} {
			p, ok := strings.CutPrefix(line, head.prefix)
			if !ok || len(out) == maxFiles {
				continue
			}
			if !filepath.IsAbs(p) && cwd != "" {
				p = filepath.Join(cwd, p)
			}
			if head.change == "moved" && len(out) > 0 {
				out[len(out)-1].Change = "removed"
			}
			out = append(out, look(cwd, File{Path: p, Change: head.change}))
		}
	}
	return out
}
