package player

import (
	"testing"

	"showhow/capture"
)

// A dropdown and a switch whose fields are invisible are operated where they are drawn, not through
// their labels: a label opens nothing and may toggle a switch without its field noticing.
func TestFieldsThatAreDrawn(t *testing.T) {
	s := serve(t, map[string]any{"/": `<!doctype html><title>Room</title><h1>Room</h1><p id=did></p>
<div style="display:flex"><label for=room>Room</label><div style="width:160px;height:30px;position:relative" ` +
		`onmousedown="did.textContent += 'opened;'"><span style="position:absolute;inset:0">` +
		`<input id=room role=combobox readonly style="opacity:0;width:100%"></span><span style="position:absolute;inset:0">Attic</span></div>` +
		`</div>
<div style="display:flex"><label for=early>Early</label><div style="width:400px">` +
		`<div id=s style="width:40px;height:20px;background:#ccc"><input id=early type=checkbox role=switch ` +
		`style="position:absolute;width:0;height:0;opacity:0"><span></span></div></div></div>
<script>let on = false; s.onclick = (e) => { e.preventDefault(); on = !on; early.checked = on; did.textContent += on ? "on;" : "off;"; ` +
		`};</script>`})
	p := stage(t, Options{})
	open(t, p, s.URL+"/")
	do(t, p, Act{Verb: capture.Click, Target: on("combobox", "Room")})
	do(t, p, Act{Verb: capture.Check, Target: on("switch", "Early")})
	hold(t, "what was done", eval(t, p, "did.textContent"), "opened;on;")
}
