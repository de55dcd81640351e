package policy

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/danger"
	"showhow/daemon/rehearse/port"
	"showhow/internal/lazyre"
)

// socket judges the opening of a WebSocket: a message has no method, so that none can be known to change nothing, and a
// socket is opened only where the policy allows changes. Each message is judged by itself.
func (g *Guard) socket(u *url.URL) string {
	switch {
	case !g.rule.writes:
		return fmt.Sprintf("what goes through a socket may change something, and the mode is %s", g.policy.Mode)
	case g.policy.Mode == SafeTargetOnly && !Allows(g.Safe, u.Host):
		return "its site is not one of the safe targets"
	}
	return ""
}

// message judges a message through a WebSocket as a request with a changing method is judged. A second look sends none but those
// with which pages asked for what they show.
func (g *Guard) message(r port.Outgoing, u *url.URL) string {
	if why := g.socket(u); why != "" {
		return why
	}
	readable := utf8.Valid(r.Body) || r.Cut
	if r.Aside && !g.onlyShows(r) {
		return "a second look changes nothing"
	}
	if g.forbids(danger.Destroys) || g.forbids(danger.Sends) {
		if !readable {
			return "what goes through the socket cannot be read"
		}
	}
	g.learn(r)
	g.mu.Lock()
	wording := g.wording
	g.mu.Unlock()
	if len(wording) == 0 {
		wording = []string{""}
	}
	for _, w := range wording {
		if why := g.judged(saysOf(r, w), r); why != "" {
			return why
		}
	}
	return ""
}

// BeginWork says that from now on steps do more than open pages: what pages send through sockets is no longer only to be shown.
func (g *Guard) BeginWork() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.worked = true
}

// learn remembers what pages send through sockets while they are only opened.
func (g *Guard) learn(r port.Outgoing) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.worked || r.Aside {
		return
	}
	if g.loading == nil {
		g.loading = map[string]bool{}
	}
	if len(g.loading) < maxShapes {
		g.loading[shapeOf(r.Body)] = true
	}
}

const maxShapes = 200

// onlyShows reports whether a message asks for what a page shows: it says so, or pages sent one of its shape when they were only opened.
func (g *Guard) onlyShows(r port.Outgoing) bool {
	if saysOf(r, "").Class == danger.Reads {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.loading[shapeOf(r.Body)]
}

// names are texts that a program compares with its own: words joined by a program's signs. A text that a person
// enters may look like one, and then the message has a shape of its own.
var names = lazyre.New(`^[A-Za-z]+(?:[_.:/-]+[A-Za-z]+)*$`)

// shapeOf is what messages of one kind have in common: the keys and the names in a JSON message, the whole of any other.
func shapeOf(body []byte) string {
	text := string(body)
	start := strings.IndexAny(text, "{[")
	if start < 0 || start > 12 { // many a protocol puts a number before its JSON
		return text
	}
	var v any
	if json.Unmarshal([]byte(text[start:]), &v) != nil {
		return text
	}
	var b strings.Builder
	b.WriteString(text[:start])
	shape(&b, v, 0)
	return b.String()
}

func shape(b *strings.Builder, v any, depth int) {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			fmt.Fprintf(b, "%q:", k)
			shape(b, v[k], depth+1)
		}
		b.WriteByte(';')
	case []any:
		for _, e := range v[:min(len(v), 20)] {
			shape(b, e, depth+1)
		}
		b.WriteByte(';')
	case string:
		if len(v) <= 40 && names.MatchString(v) {
			b.WriteString(v)
		}
		b.WriteByte(',')
	default:
		b.WriteByte(',')
	}
}
