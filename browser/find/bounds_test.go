//go:build unix

package find

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"showhow/browser/page"
)

// reads opens a page, evaluates an expression in it that uses the parts of page.Reader, and returns its value. A counter
// tells what was done: normal, how many characters were normalised.
func (r *rig) reads(html, expr string, out any) {
	r.t.Helper()
	r.open(html)
	s := r.frames(1)[0]
	own := fstest.MapFS{"99-test.js": {Data: []byte("Object.assign(api, { name, shorten });\n")}}
	r.eval(s, `normal = 0;
{ const made = String.prototype.replace; String.prototype.replace = function (...o) { normal += this.length; return made.apply(this, o); } }`)
	r.eval(s, page.Reader(own))
	got := r.eval(s, "JSON.stringify("+expr+")")
	var text string
	if err := json.Unmarshal(got.Value, &text); err != nil {
		r.t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), out); err != nil {
		r.t.Fatal(err)
	}
}

// Of a long text no more is read than its name has room for.
func TestALogIsNotReadForAName(t *testing.T) {
	r := newRig(t)
	var got struct {
		Name, Short string
		Normal      int
	}
	r.reads("<!doctype html><title>Log</title><button id=b style='height:2em;overflow:hidden'></button>"+
		"<script>text = ' \\n'.repeat(900) + 'A  line of a log. '.repeat(20000); b.textContent = text</script>",
		"{ name: showhow.name(b), short: showhow.shorten(text, 20), normal }", &got)
	if !strings.HasPrefix(got.Name, "A line of a log. A line") || !strings.HasSuffix(got.Name, "…") || got.Short != "A line of a log. A …" {
		t.Errorf("it is called %q, %q", got.Name, got.Short)
	}
	if got.Normal > 50000 {
		t.Errorf("%d characters were normalised for a name of %d", got.Normal, len(got.Name))
	}
}
