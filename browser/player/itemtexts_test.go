package player

import (
	"context"
	"fmt"
	"testing"

	"showhow/capture"
)

// Before a control is pressed, texts of the item that it belongs to are read; a path that leads to no element or to several gives none.
func TestItemTexts(t *testing.T) {
	s := serve(t, map[string]any{"/": `<!doctype html><title>Mail</title><h1>Mail</h1><p class=from>Not this one</p><div id=all>
		<div class=mail><div class=from>Nora Beck</div><p>09:30 Quote 7</p><button>Open</button></div>
		<div class=mail><div class=from>Emil Saar</div><p>10:00 Minutes of May</p><p>Signed</p><button>Open</button></div></div>
		<script>all.onclick = (e) => { if (e.target.matches("button")) all.innerHTML = "<h2>Opened</h2>" }</script>`})
	p := stage(t, Options{})
	open(t, p, s.URL+"/")
	var texts []string
	do(t, p, Act{Verb: capture.Click, Target: &capture.Target{Role: "button", Name: "Open",
		Landmark: &capture.Landmark{Role: "listitem", Name: "Emil Saar"}},
		ItemPaths: []string{"div.from", ":scope > p:nth-of-type(1)", ":scope > p:nth-of-type(1) ~words", "p",
			":scope > b:nth-of-type(1)", "(", ""},
		OnItem: func(_ context.Context, all []string) { texts = all }})
	if got := fmt.Sprintf("%q", texts); got != `["Emil Saar" "10:00 Minutes of May" "Minutes of May" "" "" "" ""]` {
		t.Errorf("its texts are %s", got)
	}
	hold(t, "it was pressed", eval(t, p, "document.querySelector('h2').textContent"), "Opened")
}
