//go:build unix

package browserdom

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

const buttons = `<h1>Buttons</h1><p role=status id=s></p><button onclick="s.textContent+='0'">Do 0</button>` +
	`<button onclick="s.textContent+='1'">Do 1</button>
<button onclick="s.textContent+='2'">Do 2</button><button onclick="s.textContent+='3'">Do 3</button>` +
	`<button onclick="s.textContent+='4'">Do 4</button>`

// TestConformance holds the adapter to the contract of package adapters, on the shared browser.
func TestConformance(t *testing.T) {
	startShared(t)
	adaptertest.Run(t, adaptertest.Harness{Quiet: 200 * time.Millisecond, Shared: func(p string) bool {
		return strings.HasPrefix(p, "chrom")
	}, Start: func(t *testing.T) adaptertest.World {
		in, inside := site(t, map[string]string{"/": buttons})
		off, outside := site(t, map[string]string{"": `<h1>canaryq7fz2v9</h1><label>canaryq7fz2v9 <input></label>` +
			`<button id=b onclick="document.title='canaryq7fz2v9'">canaryq7fz2v9</button>`})
		p := shared.hand.open(t, in.URL+"/")
		a := New(Options{Browser: shared.m})
		return adaptertest.World{
			Adapter: a,
			Told:    func() { heardBy(a) },
			Scope:   capture.Scope{Sites: []string{inside}}, OffScope: capture.Scope{Sites: []string{outside}},
			In: func(t testing.TB, i int) { p.click(fmt.Sprintf("button:nth-of-type(%d)", i%5+1)) },
			Is: func(o capture.Observation, i int) bool {
				return o.Verb == capture.Click && o.Target.Name == fmt.Sprintf("Do %d", i%5)
			},
			Off: func(t testing.TB, canary string) { actOutside(t, off, canary) },
		}
	}})
}

func actOutside(t testing.TB, off *httptest.Server, canary string) {
	p := shared.hand.open(t, off.URL+"/"+canary)
	p.write("input", canary)
	p.click("#b")
	p.until("document.title.length")
}
