package write

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// inputSpecs returns the inputs as a skill documents them: those that are asked for, in order of use.
func inputSpecs(d *Understanding) []workflow.InputSpec {
	out := []workflow.InputSpec{}
	for _, p := range d.params {
		if p.Derived != "" || p.Role == workflow.RoleConstant || p.Role == workflow.RoleDropped {
			continue
		}
		if len(p.UsedIn) == 0 {
			continue
		}
		spec := workflow.InputSpec{List: p.List, Name: p.Name, Label: p.Label, Kind: p.Kind, Description: cmp.Or(p.Description, d.describe(p)),
			Options:  p.Options,
			Required: p.Required && p.Default == "", Default: p.Default, Example: cmp.Or(p.Example, inventedExample(p, d.Names.Params[p.ParamID]))}
		out = append(out, spec)
	}
	return out
}

// describe says what an input is, judged by where it is used.
func (d *Understanding) describe(p workflow.Param) string {
	q := d.Names.Params[p.ParamID]
	what := d.purpose(p, q)
	if f := form(q); f != "" {
		what += ", written like " + f
	}
	if p.List && q.Source != "chosen" && !p.Loop {
		what += ", one or more"
	}
	if p.Loop {
		what += ". One or more; the work is repeated for each"
	}
	return what
}

func (d *Understanding) purpose(p workflow.Param, q *values.Param) string {
	words := strings.ReplaceAll(p.Name, "_", " ")
	switch q.Source {
	case "ticked":
		return fmt.Sprintf(`Whether "%s" is ticked`, p.Label)
	case "picked":
		return "Which " + words
	case "argument", "file":
		for _, st := range d.Steps {
			if slices.Contains(p.UsedIn, st.StepID) && st.Act.Command != nil && (d.WholeIn(p.ParamID) == st || d.WholeIn(p.ParamID) == nil) {
				if p.List {
					if program := shell.Read(st.Act.Command).DisplayName(st.Program); !shell.ControlWords[program] {
						return fmt.Sprintf("The files that `%s` works on", program)
					}
					return "The files that the command works on"
				}
				if p.Kind == capture.KindFile {
					return fileFor(st, p)
				}
				which := map[bool]string{true: "The", false: "Which"}[p.Kind == capture.KindNumber]
				return fmt.Sprintf("%s %s to use in the command `%s`", which, plain.LowerFirst(p.Label),
					shell.Read(st.Act.Command).DisplayName(st.Program))
			}
		}
	}
	for _, st := range d.Steps {
		if st.ParamID == p.ParamID && d.nextSearches(st) {
			return "What to search for"
		}
	}
	if q.Source == "chosen" && p.List {
		if group, ok := strings.CutSuffix(p.Label, values.ToUntick); ok {
			return fmt.Sprintf(`What to untick under "%s", one or more`, group)
		}
		return fmt.Sprintf(`What to tick under "%s", one or more`, p.Label)
	}
	if q.Source == "chosen" {
		return fmt.Sprintf(`What to choose for "%s"`, p.Label)
	}
	return fmt.Sprintf(`What goes into "%s"`, p.Label)
}

// WholeIn returns the first command that uses a value as it is, rather than a form of it.
func (d *Understanding) WholeIn(param string) *flow.Step {
	for _, st := range d.Steps {
		if st.Act.Command != nil && strings.Contains(st.CommandTemplate, page.Ref(param)) {
			return st
		}
	}
	return nil
}

// fileFor says what a command does with a file: it writes the target of a redirection and works on any other file.
func fileFor(st *flow.Step, p workflow.Param) string {
	l := shell.Read(st.Act.Command)
	for _, made := range l.Makes() {
		if strings.HasSuffix(st.Command, "> {"+p.Name+"}") || p.LinkID != "" && strings.Contains(made, p.LinkID) {
			return fmt.Sprintf("The file to write the output of `%s` to", st.Program)
		}
	}
	return fmt.Sprintf("The file that `%s` works on", l.DisplayName(st.Program))
}

// form returns the pattern of an identifier, with letters as X and digits as 0: X-0000. It reveals nothing else.
func form(q *values.Param) string {
	if q.Kind != capture.KindID {
		return ""
	}
	out := ""
	for _, text := range append(slices.Clone(q.Texts), q.Rounds...) {
		shape := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsDigit(r):
				return '0'
			case unicode.IsLetter(r):
				return 'X'
			case r < 0x80 && unicode.IsPunct(r):
				return r
			}
			return -1
		}, text)
		if text == "" {
			continue
		}
		if len(text) > 16 || out != "" && shape != out || strings.EqualFold(shape, text) {
			return ""
		}
		out = shape
	}
	return out
}

func (d *Understanding) nextSearches(st *flow.Step) bool {
	i := slices.Index(d.Steps, st)
	return i+1 < len(d.Steps) && d.Steps[i+1].Verb == capture.Submit && flow.Searches(d.Steps[i+1])
}

// inventedExample returns an example of the value's kind that is unrelated to the demonstrated value.
func inventedExample(p workflow.Param, q *values.Param) string {
	var tries []string
	switch p.Kind {
	case capture.KindDate:
		if len(q.Texts) > 0 {
			_, example := workflow.DateForm(q.Texts[0])
			tries = []string{example}
		}
	case capture.KindEmail:
		tries = []string{"name@example.com", "someone@example.org"}
	case capture.KindURL:
		tries = []string{"https://example.com/", "https://example.org/"}
	case capture.KindNumber:
		tries = []string{"3", "25"}
	}
	for _, t := range tries {
		if t != "" && !slices.ContainsFunc(q.Texts, func(s string) bool { return strings.EqualFold(s, t) }) {
			return t
		}
	}
	return ""
}
