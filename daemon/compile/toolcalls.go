package compile

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// A tool call that ran a command is a command, and everything about commands holds. One that wrote a file leaves that file.
// Any other is a call: its arguments are values that were supplied, and that it answered without an error is all that was seen.

// isCall reports whether the act is a tool call that was no command.
func (a *act) isCall() bool { return a.call != nil && a.command == nil }

// toolName is a tool's own name, without the server that an agent puts in front: mcp__tracker__create_issue is create_issue.
func toolName(tool string) string {
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		if _, name, ok := strings.Cut(rest, "__"); ok {
			return name
		}
	}
	return tool
}

// toolWords are the words of a tool's name: create, issue.
func toolWords(tool string) []string {
	var b strings.Builder
	lower := false
	for _, r := range toolName(tool) {
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

var reading = set("read get list search find fetch view show describe grep glob ls query lookup status inspect skill web notebookread")

// onlyReads reports whether a call leaves nothing behind.
func (a *act) onlyReads() bool {
	ws := toolWords(a.call.Tool)
	return a.file == nil && len(ws) > 0 && reading[ws[0]]
}

// toolCalls leaves out calls that failed and calls that only read, and joins edits of one file in a row.
func (n *normalised) toolCalls() {
	lasting := slices.ContainsFunc(n.acts, func(a *act) bool { return !a.isCall() || !a.onlyReads() && !a.call.Failed })
	if !lasting {
		return // reading is all there is
	}
	failed, read := false, false
	var out []*act
	for _, a := range n.acts {
		switch last := len(out) - 1; {
		case !a.isCall():
			out = append(out, a)
		case a.call.Failed:
			failed = true
		case a.onlyReads():
			read = true
		case last >= 0 && out[last].isCall() && a.file != nil && out[last].file != nil && a.file.Path == out[last].file.Path:
			for _, r := range a.recs {
				out[last].take(r)
			}
		default:
			out = append(out, a)
		}
	}
	n.acts = out
	if failed {
		n.leftOut = append(n.leftOut, say("A tool call that failed."))
	}
	if read {
		n.leftOut = append(n.leftOut, say("Tool calls that only read."))
	}
}

// callMeaning is what calls of different runs have in common when they are the same step.
func callMeaning(a *act) string {
	if a.file != nil {
		return "writes|" + extOf(a.file)
	}
	return "call|" + a.call.Tool
}

// callArguments makes parameters of a call's arguments, and says which is which: "title {title}, due {due}".
func (s *study) callArguments(c *column, a *act) string {
	var out []string
	for i, arg := range a.call.Args {
		if arg.Value == nil || arg.Value.Kind.Secret() || arg.Value.LinkID == "" && arg.Value.Text == "" {
			continue
		}
		label := argLabel(arg.Name)
		p := &param{Param: workflow.Param{Label: label, Kind: arg.Value.Kind, LinkID: arg.Value.LinkID, Required: true}, source: "argument", where: arg.Name}
		p.literal = arg.Value.Policy == capture.Literal
		value := func(b *act) string {
			if b.call == nil || i >= len(b.call.Args) || b.call.Args[i].Name != arg.Name || b.call.Args[i].Value == nil {
				return ""
			}
			return s.open(b.call.Args[i].Value)
		}
		p.texts = s.each(c, value)
		s.inRounds(c, p, value)
		if _, base := c.base(); p.texts[base] == "" {
			continue
		}
		out = append(out, label+" "+s.settle(nil, p))
	}
	return strings.Join(out, ", ")
}

// argLabel is an argument's name as a person writes it: order_id is "order id", filter.since is "since".
func argLabel(name string) string {
	parts := strings.Split(name, ".")
	last := parts[len(parts)-1]
	if plain.Digits(last) == len(last) && len(parts) > 1 {
		last = parts[len(parts)-2] // an item of a list
	}
	return strings.Join(toolWords(last), " ")
}

// callPhrase is the step in words.
func callPhrase(st *step, n *names, past bool) string {
	if st.act.file != nil {
		return tense(past, "write the file ", "wrote the file ") + n.prose(st.file)
	}
	out := tense(past, "use the tool `", "used the tool `") + toolName(st.act.call.Tool) + "`"
	if st.value != "" {
		out += " with " + n.prose(st.value)
	}
	return out
}

// called is the goal after a tool call.
func (m *miner) called() string {
	a := m.st.act
	if a.file != nil {
		name := m.st.file
		m.add(fmt.Sprintf("the file %s exists and is not empty", m.n.prose(name)), workflow.Check{Kind: "file", Expect: m.n.machine(name), MinBytes: 1,
			Extra: map[string]string{"where": "cwd", "ext": path.Ext(m.n.machine(name))}}, name)
		return fmt.Sprintf("The file %s is written", m.n.prose(name))
	}
	tool := toolName(a.call.Tool)
	m.add(fmt.Sprintf("the tool `%s` answered without an error", tool), workflow.Check{Kind: "output", Name: tool, Expect: "no error"}, m.st.value)
	ws := append(toolWords(a.call.Tool), "")
	if d := deedOf[ws[0]]; d != "" {
		return strings.ReplaceAll(d, "%s", cmp.Or(strings.TrimSpace(strings.Join(ws[1:], " ")), "entry"))
	}
	return fmt.Sprintf("The tool `%s` has done its work", tool)
}
