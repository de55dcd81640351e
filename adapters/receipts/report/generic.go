package report

import "slices"

// GenericForm documents the JSON that `showhow hook generic` reads; every member but tool (or command) is optional.
const GenericForm = `{
  "event": "call",            // or "run_end": the run is over
  "run_id": "run-17",         // your own id of the run; calls with the same one belong together
  "call_id": "call-3",        // your own id of the call; the same one twice is one call
  "tool": "create_issue",
  "args": {"title": "..."},   // nested objects and lists are fine
  "command": "make test",     // the command line, when the call ran one
  "cwd": "/home/me/project",
  "files": [{"path": "out.csv", "change": "created"}],   // created, changed, moved or removed
  "ok": true,                 // left out: unknown
  "exit_code": 0,
  "duration_ms": 1200
}`

// fromGeneric reads GenericForm.
func fromGeneric(m members) (Receipt, bool) {
	r := Receipt{Event: m.text("event"), RunID: m.text("run_id"), CallID: m.text("call_id"), Tool: m.text("tool"), Cwd: m.text("cwd"),
		Command: m.text("command"), DurationMS: m.duration("duration_ms"), ExitCode: m.whole("exit_code"), Outcome: Unknown}
	if a := m.text("agent"); ValidAgent(a) {
		r.Agent = a
	}
	if r.Event == EventRunEnd {
		return r, r.RunID != ""
	}
	switch {
	case m["ok"].Kind() == 'f', r.ExitCode != nil && *r.ExitCode != 0:
		r.Outcome = Failed
	case m["ok"].Kind() == 't', r.ExitCode != nil:
		r.Outcome = OK
	}
	r.Args = m.object("args").flat(nil)
	for _, f := range listOf(m["files"]) {
		file := File{Path: f.text("path"), Change: f.text("change")}
		if !slices.Contains([]string{"created", "changed", "moved", "removed"}, file.Change) {
			file.Change = "changed"
		}
		if file.Path != "" {
			r.Files = append(r.Files, look(r.Cwd, file))
		}
	}
	return r, r.Tool != "" || r.Command != ""
}

// listOf are the objects of an array.
func listOf(v []byte) []members {
	if len(v) == 0 || v[0] != '[' {
		return nil
	}
	d := decoder(v)
	d.ReadToken()
	var out []members
	for len(out) < maxFiles {
		item, err := d.ReadValue()
		if err != nil {
			return out
		}
		if in, _, ok := object(item); ok {
			out = append(out, in)
		}
	}
	return out
}
