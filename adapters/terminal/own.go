package terminal

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// own reports whether a line runs Showhow's own command line: the recorder never records itself.
func own(line string) bool {
	if !strings.Contains(line, "showhow") {
		return false
	}
	parsed, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return true // unreadable and names us: leave it out
	}
	found := false
	syntax.Walk(parsed, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && isOwn(call.Args) {
			found = true
		}
		return !found
	})
	return found
}

// isOwn looks at the program's name, past sudo, env and their like.
func isOwn(args []*syntax.Word) bool {
	for _, w := range args {
		switch name := path.Base(w.Lit()); {
		case name == "showhow" || name == "showhow-desktop":
			return true
		case name == "sudo" || name == "env" || name == "command" || name == "exec" || name == "nice" || name == "time" ||
			strings.Contains(name, "=") || strings.HasPrefix(name, "-"):
		default:
			return false
		}
	}
	return false
}
