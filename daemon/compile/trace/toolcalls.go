package trace

import (
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/internal/lang"
)

// A tool call that ran a command is treated as a command. One that wrote a file leaves that file. Any other is a call:
// its arguments are supplied values, and the only observation is that it answered without an error. Calls through
// Showhow's own door are known, not only reported: which connector's tool it was and the door's class for it.

// IsCall reports whether the act is a tool call that was no command.
func (a *Act) IsCall() bool { return a.Call != nil && a.Command == nil }

// ToolName is a tool's own name, without the server that an agent puts in front: mcp__tracker__create_issue is create_issue.
func ToolName(tool string) string {
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		if _, name, ok := strings.Cut(rest, "__"); ok {
			return name
		}
	}
	return tool
}

// OwnName is a called tool's own name: tracker__create_issue of the connector tracker is create_issue.
func OwnName(c *capture.ToolCall) string {
	if c.Connector == "" {
		return ToolName(c.Tool)
	}
	return strings.TrimPrefix(c.Tool, c.Connector+"__")
}

// ToolWords are the words of a tool's name: create, issue.
func ToolWords(tool string) []string {
	var b strings.Builder
	lower := false
	for _, r := range ToolName(tool) {
		if unicode.IsUpper(r) && lower {
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}

var reading = lang.English("tools.reading")

// OnlyReads reports whether a call leaves nothing behind.
func (a *Act) OnlyReads() bool {
	if a.Call.Class != "" {
		return a.Call.Class == "read"
	}
	ws := ToolWords(OwnName(a.Call))
	return a.File == nil && len(ws) > 0 && reading.Has(ws[0])
}

// toolCalls leaves out calls that failed and calls that only read, and joins edits of one file in a row. What was read through the door
// stays: another time it is read the same way, and a rehearsal can do it.
func (n *Trace) toolCalls() {
	lasting := slices.ContainsFunc(n.Acts, func(a *Act) bool { return !a.IsCall() || !a.OnlyReads() && !a.Call.Failed })
	if !lasting {
		return // reading is all there is
	}
	failed, read := false, false
	var out []*Act
	for _, a := range n.Acts {
		switch last := len(out) - 1; {
		case !a.IsCall():
			out = append(out, a)
		case a.Call.Failed:
			failed = true
		case a.Call.Connector != "":
			if last < 0 || !sameCall(out[last], a) {
				out = append(out, a)
			}
		case a.OnlyReads():
			read = true
		case last >= 0 && out[last].IsCall() && a.File != nil && out[last].File != nil && a.File.Path == out[last].File.Path:
			for _, r := range a.Recs {
				out[last].take(r)
			}
		default:
			out = append(out, a)
		}
	}
	n.Acts = out
	if failed {
		n.LeftOut = append(n.LeftOut, Note{Code: CallFailed})
	}
	if read {
		n.LeftOut = append(n.LeftOut, Note{Code: OnlyRead})
	}
}

// sameCall reports whether a call through the door only asked again what was asked just before.
func sameCall(a, b *Act) bool {
	return a.IsCall() && a.OnlyReads() && a.Call.Tool == b.Call.Tool && !b.Call.ArgsCut && slices.EqualFunc(a.Call.Args, b.Call.Args,
		func(x, y capture.Arg) bool {
			return x.Name == y.Name && x.Form == y.Form && (x.Value == nil) == (y.Value == nil) &&
				(x.Value == nil || x.Value.LinkID == y.Value.LinkID && x.Value.Text == y.Value.Text)
		})
}

// callMeaning is what calls of different runs have in common when they are the same step.
func callMeaning(a *Act) string {
	if a.File != nil {
		return "writes|" + page.ExtOf(a.File)
	}
	return "call|" + a.Call.Tool
}
