// Package script is the page half of the recorder: its JavaScript (*.js, with the parts of browser/page that read a
// page), its configuration and its messages.
//
// The script runs in an isolated world of every document; the binding exists only in that world. Trust a message no
// more than the page it describes: package browserdom checks each document's site again.
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

// Config is the configuration of the page half.
type Config struct {
	Epoch  int         `json:"epoch"`
	Sites  [][2]string `json:"sites"`
	Paused bool        `json:"paused"`
	Badge  bool        `json:"badge"`
	Acts   bool        `json:"acts"`            // acts are wanted
	States bool        `json:"states"`          // how the page looks is wanted
	Salt   []string    `json:"salt,omitempty"`  // the two halves of the key of blots, in hex
	Flush  bool        `json:"flush,omitempty"` // report unfinished input before the change takes effect
}

// Install is the expression that starts the page half in a document, or reconfigures a running one.
func Install(config string) string {
	return "(() => { const c = " + config + "; if (globalThis.showhow) { globalThis.showhow.again(c); return; }\n" +
		pageScript() + "(c, (text) => globalThis." + Binding + "(text), globalThis); })()"
}
