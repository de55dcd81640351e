package shell

import (
	"path"
	"slices"
	"strings"

	"showhow/internal/plain"
)

// Branch reports whether a word names a git branch, which may contain slashes without being a path.
func (l Line) Branch(w Word) bool {
	if w.Program != "git" || w.First {
		return false
	}
	return slices.ContainsFunc(l.Calls, func(c Call) bool {
		if c.Program != "git" || len(c.Args) < 2 || !slices.Contains(c.Args, w.Text) {
			return false
		}
		switch c.Args[0] {
		case "switch", "branch", "merge", "rebase":
		case "checkout":
			if slices.Contains(c.Args, "--") {
				return false
			}
		default:
			return false
		}
		switch w.Flag {
		case "-c", "-C", "-b", "-B", "--create":
			return true
		}
		return w.Flag == "" && strings.Contains(w.Text, "/") && path.Ext(w.Text) == ""
	})
}

// Amount reports whether a word is a number given to a flag with a clear meaning: "--week 47", "-n 5".
func (w Word) Amount() bool {
	return (strings.HasPrefix(w.Flag, "--") || FlagNames[w.Flag] != "") && w.Text != "" && len(w.Text) <= 6 &&
		plain.Digits(w.Text) == len(w.Text) && !layoutNumbers[w.Program]
}

// layoutNumbers are programs whose numbers control layout or the way of working, and are hardly ever inputs.
var layoutNumbers = plain.Set("sort cut xargs uniq join paste column tar patch make tr awk sed fold nl parallel ssh scp chmod")

// FlagNames are one-letter flags that mean the same nearly everywhere.
var FlagNames = map[string]string{"-o": "output file", "-m": "message", "-u": "user", "-h": "host", "-p": "port", "-n": "count",
	"-d": "date", "-f": "file", "-e": "expression", "-t": "tag", "-b": "branch"}
