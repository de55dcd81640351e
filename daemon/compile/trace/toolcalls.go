package trace

import (
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/internal/lang"
)

// How tool calls are read: one that ran a command is a command; one that wrote a file leaves that file; any other is a
// call, whose arguments are supplied values and whose only observation is that it answered without an error. For calls
// through Showhow's own door the connector and the door's class of the tool are known, not only reported.

// IsCall reports whether the act is a tool call that ran no command.
func (a *Act) IsCall() bool { return a.Call != nil && a.Command == nil }

// ToolName strips the server's prefix from a tool's name: mcp__tracker__create_issue becomes create_issue.
func ToolName(tool string) string {
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		if _, name, ok := strings.Cut(rest, "__"); ok {
			return name
		}
	}
	return tool
}

// OwnName strips the connector's prefix from a called tool's name: tracker__create_issue becomes create_issue.
func OwnName(c *capture.ToolCall) string {
	if c.Connector == "" {
		return ToolName(c.Tool)
	}
	return strings.TrimPrefix(c.Tool, c.Connector+"__")
}

// ToolWords splits a tool's name into words: create, issue.
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

var readVerbs = lang.English("tools.reading")

// OnlyReads reports whether a call changes nothing.
func (a *Act) OnlyReads() bool {
	if a.Call.Class != "" {
		return a.Call.Class == "read"
	}
	ws := ToolWords(OwnName(a.Call))
	return a.File == nil && len(ws) > 0 && readVerbs.Has(ws[0])
}

// toolCalls drops calls that failed and calls that only read, and joins edits of one file in a row. Reads through the
// door stay: they are repeated the same way, and a rehearsal can do them.
func (n *Trace) toolCalls() {
	lasting := slices.ContainsFunc(n.Acts, func(a *Act) bool { return !a.IsCall() || !a.OnlyReads() && !a.Call.Failed })
	if !lasting {
		return // the work is only reading
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

// sameCall reports whether a call through the door repeats the read just before it.
func sameCall(a, b *Act) bool {
	return a.IsCall() && a.OnlyReads() && a.Call.Tool == b.Call.Tool && !b.Call.ArgsCut && slices.EqualFunc(a.Call.Args, b.Call.Args,
		func(x, y capture.Arg) bool {
			return x.Name == y.Name && x.Form == y.Form && (x.Value == nil) == (y.Value == nil) &&
				(x.Value == nil || x.Value.LinkID == y.Value.LinkID && x.Value.Text == y.Value.Text)
		})
}

// callMeaning returns what calls of different runs have in common when they are the same step.
func callMeaning(a *Act) string {
	if a.File != nil {
		return "writes|" + page.ExtOf(a.File)
	}
	return "call|" + a.Call.Tool
}
