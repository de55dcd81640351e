package flow

import (
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
	"showhow/internal/lazyre"
)

// inputRef is a reference to an input.
var inputRef = lazyre.New(string(page.RefOpen) + `([A-Za-z0-9_-]+)` + string(page.RefClose))

// readsDocument makes a command that only showed a document read the values that were taken from it: an agent that sees
// the whole document would have to find them again.
func (st *Step) readsDocument(s *values.Study, n renderer) {
	// Reading a line takes references for masks only, so those of the template are masks for the moment.
	file, ok := values.DocumentOf(inputRef.ReplaceAllString(st.CommandTemplate, "[[text 1 $1]]"))
	if !ok {
		return
	}
	file = strings.ReplaceAll(file, string(page.RefOpen)+"@", string(page.RefOpen))
	st.Document = n.Machine(file)
	var lines []string
	for _, p := range s.Params {
		if p.ReadBy == st.Col.ID+1 && p.Read != nil && p.Role != workflow.RoleConstant && p.Role != workflow.RoleDropped {
			p.Read.Document.File = st.Document
			lines = append(lines, ValueLine(oneWord(file), p.Read.Document))
		}
	}
	if len(lines) > 0 {
		st.CommandTemplate = strings.Join(lines, " && ")
	}
}

// ValueLine is the command that reads a value from a document.
func ValueLine(file string, in *capture.InDocument) string {
	line := "showhow pdf value " + file
	for _, f := range []struct{ flag, words string }{{"--beside", in.Place.Beside}, {"--under", in.Place.Under}, {"--as", in.Place.As}} {
		if f.words != "" {
			line += " " + f.flag + " " + oneWord(f.words)
		}
	}
	return line
}

// oneWord quotes a text where a shell would take it apart.
func oneWord(text string) string {
	mark := quotesFor(page.RefForm.ReplaceAllString(text, ""))
	if mark == "" && page.RefForm.ReplaceAllString(text, "") != text {
		return text // quoted when its value is known
	}
	if mark == "" && strings.ContainsAny(text, "\"'$`\\ ") {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return mark + text + mark
}
