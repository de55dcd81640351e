package remote

import (
	"slices"
	"strings"
)

// Scopes that a person can grant. Reading under the contract is the default, as in its section 10.4.
const (
	ScopeRead       = "showhow"            // tier viewer_read
	ScopeWrite      = "showhow.write"      // tier write: report checkpoints
	ScopeMCP        = "showhow.mcp"        // Showhow's own tools at the door
	ScopeConnectors = "showhow.connectors" // the person's connected services too, under their policy
	ScopeA2A        = "showhow.a2a"        // look skills up in A2A
	ScopeRun        = "showhow.a2a.run"    // ask to have a skill run here; a person decides about each run
)

// Paths of the resources; a token is for one of them.
const (
	mcpPath      = "/mcp"
	contractPath = "/contract"
	a2aPath      = "/a2a"
)

// scopesOf lists a resource's scopes; the first is what its callers need at least.
func scopesOf(path string) []string {
	switch path {
	case mcpPath:
		return []string{ScopeMCP, ScopeConnectors}
	case a2aPath:
		return []string{ScopeA2A, ScopeRun}
	}
	return []string{ScopeRead, ScopeWrite}
}

// identity scopes are asked for by many clients out of habit. Nothing is granted for them.
var identity = []string{"openid", "profile", "email", "offline_access"}

// asked sorts out the scopes of a request: for which resource they are, and what is granted at most. named is the
// resource that the request names, "" if none.
func asked(scopes []string, named string) (path string, out []string, ok bool) {
	for _, s := range scopes {
		if s != "" && !slices.Contains(identity, s) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if path = named; path == "" {
		path = contractPath
		for _, p := range []string{mcpPath, a2aPath} {
			if slices.ContainsFunc(out, func(s string) bool { return slices.Contains(scopesOf(p), s) }) {
				path = p
			}
		}
	}
	all := scopesOf(path)
	if len(out) == 0 {
		out = all[:1:1]
	}
	return path, out, within(out, all) && slices.Contains(out, all[0])
}

// within reports whether all of some are in all.
func within(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// slug is a name for policies made of what a program calls itself.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	s := b.String()
	if s = strings.Trim(s[:min(len(s), 40)], "-"); s == "" {
		return "caller"
	}
	return s
}

// Opening says how a caller gets to see a skill: let in, it has none yet.
func Opening(name string) string { return "showhow skill permissions SKILL --agent " + name }

// About says what a scope lets a caller do; "" if there is no such scope.
func About(scope string) string {
	switch scope {
	case ScopeRead:
		return "ask what Showhow knows about the skills that you open to it, under the contract; nothing of what is yours alone"
	case ScopeWrite:
		return "report the checkpoints of skills that it follows"
	case ScopeMCP:
		return "find, read and follow the skills that you open to it, propose one and ask you questions"
	case ScopeConnectors:
		return "use your connected services, as far as their policy lets an agent"
	case ScopeA2A:
		return "ask which of the skills that you opened to it does what it says"
	case ScopeRun:
		return "ask to have such a skill run here by an agent in the sandbox; you decide about each run"
	}
	return ""
}
