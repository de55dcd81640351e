package browserdom

import (
	"embed"
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"

	"showhow/browser/page"
	"showhow/capture"
	"showhow/capture/scope"
)

//go:embed page/*.js
var pageFiles embed.FS

const (
	world   = "showhow"     // the isolated world's name
	binding = "showhowSend" // how the page reaches this side; exists in that world only
)

// pageScript is the page half as one function expression.
var pageScript = sync.OnceValue(func() string {
	own, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(err) // embedded: cannot fail
	}
	return page.Compose("CONFIG, send, global", own)
})

// pageConfig is what the page half is told.
type pageConfig struct {
	Epoch  int         `json:"epoch"`
	Sites  [][2]string `json:"sites"`
	Paused bool        `json:"paused"`
	Badge  bool        `json:"badge"`
	Acts   bool        `json:"acts"`            // what is done is wanted
	States bool        `json:"states"`          // how the page looks is wanted
	Salt   []string    `json:"salt,omitempty"`  // the two halves of the key of blots, in hex
	Flush  bool        `json:"flush,omitempty"` // tell what is half entered before the change takes effect
}

func (r *recorder) config(g gate) string {
	c := pageConfig{Epoch: g.epoch, Paused: g.paused, Badge: !r.a.o.NoBadge, Acts: g.acts, States: g.states, Sites: [][2]string{}}
	if g.salt != (capture.Salt{}) {
		for half := range slices.Chunk(g.salt[:], 8) {
			c.Salt = append(c.Salt, strconv.FormatUint(binary.LittleEndian.Uint64(half), 16))
		}
	}
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
	ok, _ := scope.Allows(g.scope, capture.Origin{App: r.b.Family(), Site: site})
	return ok
}

// install is the expression that starts the page half in a document, or tells the one there the new configuration.
func install(config string) string {
	return "(() => { const c = " + config + "; if (globalThis.showhow) { globalThis.showhow.again(c); return; }\n" +
		pageScript() + "(c, (text) => globalThis." + binding + "(text), globalThis); })()"
}
