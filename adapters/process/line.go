package process

import (
	"net/url"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"showhow/capture"
	"showhow/capture/scope"
	"showhow/internal/lazyre"
)

// maxLine bounds a line: whole arguments up to here. The pipeline cuts what is stored further.
const maxLine = 16 << 10

// more replaces arguments that were left out or could not be read.
const more = "..."

// line writes the arguments as a person would at a prompt, so that the same rules remove the secrets. A script is
// written without its interpreter.
func line(argv []string, cut bool) string {
	var b strings.Builder
	for _, a := range argv {
		q := quote(a)
		if b.Len()+len(q) > maxLine {
			cut = true
			break
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(q)
	}
	if cut {
		b.WriteString(" " + more)
	}
	return b.String()
}

var namedRE = lazyre.New(`^(?:--?[A-Za-z][\w-]*|[A-Za-z_]\w*)=`)

// quote quotes one argument. Of --name=value only the value is quoted, as a person would; text that would need
// escapes is quoted unchanged, so that a known value is still found in it.
func quote(arg string) string {
	name := namedRE.FindString(arg)
	value := strings.ToValidUTF8(arg[len(name):], "\uFFFD")
	if name != "" && value == "" {
		return name
	}
	q, err := syntax.Quote(value, syntax.LangBash)
	if err != nil || strings.HasPrefix(q, "$'") {
		q = "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	}
	return name + q
}

// privateFlags open a private window, whose content is never observed.
var privateFlags = []string{"--incognito", "-incognito", "--private-window", "-private-window", "--private", "-private", "--inprivate",
	"-inprivate", "--private-browsing", "--tor"}

// browsing returns a browser's arguments without the addresses that the scope does not name; private is true if they
// open a private window.
func browsing(scope capture.Scope, app string, argv []string) (kept []string, private bool) {
	for n, a := range argv {
		flag, value, valued := strings.Cut(a, "=")
		switch {
		case n == 0:
			kept = append(kept, a)
		case slices.Contains(privateFlags, strings.ToLower(flag)):
			return nil, true
		case strings.HasPrefix(a, "-"):
			if valued && strings.Contains(value, ":") && !allowed(scope, app, value) {
				a = flag
			}
			kept = append(kept, a)
		case allowed(scope, app, a):
			kept = append(kept, a)
		}
	}
	return kept, false
}

// allowed reports whether an operand of a browser may be read: a site of the scope. Files appear in what is opened
// with them.
func allowed(within capture.Scope, app, operand string) bool {
	if !strings.Contains(operand, "://") {
		operand = "https://" + operand
	}
	u, err := url.Parse(operand)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ok, _ := scope.Allows(within, capture.Origin{App: app, Site: u.Host})
	return ok
}
