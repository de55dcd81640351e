// Package script is the page half of the recorder: its JavaScript (*.js, with the parts of browser/page that read a page), the
// configuration that it is given and the messages that it sends.
//
// The script runs in an isolated world of every document; the binding exists in that world only. What a message says of a page is
// not to be trusted further than the page itself: package browserdom judges each document's site again.
package script

import (
	"embed"
	"sync"

	"showhow/browser/page"
)

//go:embed *.js
var files embed.FS

const (
	World   = "showhow"     // the isolated world's name
	Binding = "showhowSend" // how the page reaches this side; exists in that world only
)

// pageScript is the page half as one function expression.
var pageScript = sync.OnceValue(func() string { return page.Compose("CONFIG, send, global", files) })

// Config is what the page half is told.
type Config struct {
	Epoch  int         `json:"epoch"`
	Sites  [][2]string `json:"sites"`
	Paused bool        `json:"paused"`
	Badge  bool        `json:"badge"`
	Acts   bool        `json:"acts"`            // what is done is wanted
	States bool        `json:"states"`          // how the page looks is wanted
	Salt   []string    `json:"salt,omitempty"`  // the two halves of the key of blots, in hex
	Flush  bool        `json:"flush,omitempty"` // tell what is half entered before the change takes effect
}

// Install is the expression that starts the page half in a document, or tells the one there the new configuration.
func Install(config string) string {
	return "(() => { const c = " + config + "; if (globalThis.showhow) { globalThis.showhow.again(c); return; }\n" +
		pageScript() + "(c, (text) => globalThis." + Binding + "(text), globalThis); })()"
}
