package browserdom

import (
	"embed"
	"encoding/json"
	"net"
	"slices"
	"strings"
	"sync"

	"showhow/capture"
)

//go:embed page/*.js
var pageFiles embed.FS

const (
	world   = "showhow"     // the isolated world's name
	binding = "showhowSend" // how the page reaches this side; exists in that world only
)

// pageScript is the page half as one function expression; comments stay behind.
var pageScript = sync.OnceValue(func() string {
	entries, err := pageFiles.ReadDir("page")
	if err != nil {
		panic(err) // embedded: cannot fail
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("(function (CONFIG, send, global) {\n")
	for _, name := range names {
		text, _ := pageFiles.ReadFile("page/" + name)
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(strings.TrimSpace(line), "//") {
				b.WriteString(line)
			}
		}
	}
	b.WriteString("})")
	return b.String()
})

// pageConfig is what the page half is told.
type pageConfig struct {
	Epoch  int         `json:"epoch"`
	Sites  [][2]string `json:"sites"`
	Paused bool        `json:"paused"`
	Badge  bool        `json:"badge"`
	Flush  bool        `json:"flush,omitempty"` // tell what is half entered before the change takes effect
}

func (r *recorder) config(g gate) string {
	c := pageConfig{Epoch: g.epoch, Paused: g.paused, Badge: !r.a.o.NoBadge, Sites: [][2]string{}}
	for _, s := range g.scope.Sites {
		host, port, err := net.SplitHostPort(s)
		if err != nil {
			host, port = s, ""
		} else if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		if r.admits(g, s) || strings.HasPrefix(s, "*.") {
			c.Sites = append(c.Sites, [2]string{host, port})
		}
	}
	b, _ := json.Marshal(c) // strings and numbers: cannot fail
	return string(b)
}

// admits judges a site: in the scope and not Showhow's own.
func (r *recorder) admits(g gate, site string) bool {
	if site == "" || r.a.o.Own(site) {
		return false
	}
	ok, _ := g.scope.Allows(capture.Origin{App: r.b.Family(), Site: site})
	return ok
}

// install is the expression that starts the page half in a document, or tells the one there the new configuration.
func install(config string) string {
	return "(() => { const c = " + config + "; if (globalThis.showhow) { globalThis.showhow.again(c); return; }\n" +
		pageScript() + "(c, (text) => globalThis." + binding + "(text), globalThis); })()"
}
