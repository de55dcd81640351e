package cmdline

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Programs returns the base names of the programs that a command line runs, in order, skipping sudo, env and the
// like; false if the line cannot be parsed.
func Programs(line string) ([]string, bool) {
	parsed, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, false
	}
	var names []string
	syntax.Walk(parsed, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			names = append(names, programOf(call.Args))
		}
		return true
	})
	return names, true
}

// programOf is "" if no word is a program's plain name.
func programOf(args []*syntax.Word) string {
	for _, w := range args {
		lit := w.Lit()
		switch name := path.Base(lit); {
		case slices.Contains([]string{"sudo", "env", "command", "exec", "nice", "time", "nohup"}, name),
			strings.Contains(lit, "="), strings.HasPrefix(lit, "-"):
		case lit == "":
			return ""
		default:
			return name
		}
	}
	return ""
}

// Own reports whether a program's base name is one of Showhow's.
func Own(name string) bool {
	return name == "showhow" || name == "showhow-desktop" || name == "showhow-hook"
}

// OwnCommand reports whether a line runs Showhow's own command line: a recorder never records itself. An unparsable
// line that names Showhow counts as well. A line that is nothing but the reading of one document is the person's work.
func OwnCommand(line string) bool {
	if !strings.Contains(line, "showhow") {
		return false
	}
	if _, reads := ReadingOf(line); reads {
		return false
	}
	names, ok := Programs(line)
	return !ok || slices.ContainsFunc(names, Own)
}
