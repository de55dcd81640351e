//go:build unix

package browserdom

import (
	"fmt"
	"testing"

	"showhow/capture"
)

// The texts of a row or a card are recorded with their paths, except those that its siblings have as well, and those of controls.
func TestItemTexts(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Mail</h1><div class=list>
		<div class=mail><div class=from>Nora Beck</div><p>Quote</p><time>Mon</time><button>Open</button></div>
		<div class=mail><div class=from>Emil Saar</div><i>new</i><p>Minutes of May</p><time>Mon</time><button id=card>Open</button></div>
		<div class=mail><div class=from>Lotte Brun</div><p>Lost umbrella</p><time>Mon</time><button>Open</button></div></div>
		<table><thead><tr><th>Day<th>What<th></tr></thead><tbody>
		<tr><td>4<td>19:00 Choir<td><button>Move</button></tr><tr><td>9<td>14:00 Chess club<td><button id=row>Move</button></tr></tbody></table>
		<ul><li><b>Alone</b> <button id=one>Go</button></li></ul>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	for i, c := range []struct{ click, want string }{
		{"#card", "[{div.from Emil Saar} {:scope > i:nth-of-type(1) new} {:scope > p:nth-of-type(1) Minutes of May}]"},
		{"#row", "[{:scope > td:nth-of-type(1) 9} {:scope > td:nth-of-type(2) 14:00 Chess club} {:scope > td:nth-of-type(2) ~words Chess club}]"},
		{"#one", "[]"},
	} {
		p.click(c.click)
		if got := fmt.Sprint(w.find(capture.Click, i+1).Target.ItemTexts); got != c.want {
			t.Errorf("%s: %s", c.click, got)
		}
	}
}
