//go:build unix

package browserdom

import (
	"encoding/json"
	"strings"
	"testing"

	"showhow/capture"
)

// A page that repeats a secret in its title, a heading, an alert or its address reveals nothing: the value stays in
// the page. A secret of digits alone does not damage the numbers of a message.
func TestAPageThatRepeatsASecretTellsNobody(t *testing.T) {
	for _, secret := range []string{"Ocelot&C99x y", "176372"} {
		t.Run(secret, func(t *testing.T) {
			srv, host := site(t, map[string]string{
				"/": `<h1>Try</h1><label>Password <input id=p type=password></label><button id=go onclick="document.title='Wrong: '+p.value;
			h.textContent='bad '+p.value;a.textContent=p.value+' is not it';history.pushState(0,'','/?y='+encodeURIComponent(p.value))">` +
					`Try</button><h2 id=h></h2><div role=alert id=a></div><button id=end>End</button>`})
			w := observe(t, Options{}, host)
			p := shared.hand.open(t, srv.URL+"/")
			w.find(capture.NewTab, 1)
			p.write("#p", secret)
			p.click("#go")
			p.until("document.title.startsWith('Wrong')")
			p.click("#end")
			w.find(capture.Click, 2)
			b, err := json.Marshal(w.verbs(capture.NewTab, capture.Click, capture.Click))
			if err != nil {
				t.Fatal(err)
			}
			if s := string(b); strings.Contains(s, strings.ReplaceAll(secret, "&", `\u0026`)) || strings.Contains(s, "Ocelot") ||
				secret == "176372" && strings.Contains(s, "bad 1") {
				t.Errorf("%s", s)
			} else if !strings.Contains(s, "[[secret password]]") {
				t.Error("nothing was repeated: the test proves nothing")
			}
		})
	}
}
