//go:build unix

package find

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"showhow/browser/page"
)

// reads opens a page, evaluates an expression in it that uses the parts of page.Reader, and returns its value. The parts' clock stands
// still, so that what they keep for a moment is kept. Two counters tell what was done: laid, how often an element was asked whether it is
// rendered, and normal, how many characters were normalised.
func (r *rig) reads(html, expr string, out any) {
	r.t.Helper()
	r.open(html)
	s := r.frames(1)[0]
	own := fstest.MapFS{"99-test.js": {Data: []byte("Object.assign(api, { entryHead, name, shorten, standsNow });\n")}}
	r.eval(s, `performance.now = () => 1; laid = normal = 0;
{ const asked = Element.prototype.checkVisibility;
  Element.prototype.checkVisibility = function (...o) { laid++; return asked.apply(this, o); };
  const made = String.prototype.replace;
  String.prototype.replace = function (...o) { normal += this.length; return made.apply(this, o); }; }`)
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

// However long a list is, each of its entries is read once to say which of them begin alike.
func TestEntriesThatBeginAlikeAreToldInOneReading(t *testing.T) {
	r := newRig(t)
	laid := func(n int) int {
		var got struct {
			Laid  int
			Heads []string
		}
		r.reads("<!doctype html><title>Shed</title><div id=list></div><script>list.innerHTML = Array.from({ length: "+fmt.Sprint(n)+
			" }, (_, i) => '<div><b>Spade no ' + i + '</b><i> 4</i></div>').join('')</script>",
			"{ heads: Array.from(list.children, showhow.entryHead), laid }", &got)
		if len(got.Heads) != n || got.Heads[n-1] != fmt.Sprint("Spade no ", n-1) {
			t.Errorf("%d heads of %d entries, %q", len(got.Heads), n, got.Heads[len(got.Heads)-1])
		}
		return got.Laid
	}
	if small, large := laid(200), laid(800); small == 0 || large > 5*small {
		t.Errorf("elements asked for their layout: %d for 200 entries, %d for 800", small, large)
	}
	var heads []string
	r.reads("<!doctype html><title>Shed</title><div id=list></div><script>list.innerHTML = Array.from({ length: 200 }, "+
		"(_, i) => '<div><b>Spade no ' + i % 199 + '</b><i> 4</i></div>').join('')</script>",
		"[0, 1, 199].map((i) => showhow.entryHead(list.children[i]))", &heads)
	if got := strings.Join(heads, ","); got != ",Spade no 1," {
		t.Errorf("the first, the second and the last are called %q", got)
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

// What stands beside a field is read to an end, without scripts, styles and secrets.
func TestWhatStandsBesideAFieldIsBounded(t *testing.T) {
	r := newRig(t)
	var got struct {
		All, Late string
		Normal    int
	}
	r.reads("<!doctype html><title>Orders</title><input id=f><p>Code: KX-4471</p><textarea>Hedge Lane</textarea>"+
		"<input name=pin autocomplete=one-time-code value=778812><style>.unseen{}</style><div id=all></div><script>"+
		"all.innerHTML = '<p>' + 'long '.repeat(60000) + '</p>' + "+
		"Array.from({ length: 6000 }, (_, i) => '<p>Row ' + i + '</p>').join('')</script>",
		"{ late: showhow.standsNow(f, 0), all: (normal = 0, showhow.standsNow(f, 2)), normal }", &got)
	for _, want := range []string{"Code: KX-4471", "Hedge Lane", "Row 4000"} {
		if !strings.Contains(got.All, want) {
			t.Errorf("%q does not stand there", want)
		}
	}
	if !strings.Contains(got.Late, "Row 1000") || strings.Contains(got.Late, "Row 2000") {
		t.Errorf("when the time is over, %d characters stand there, to %q", len(got.Late), got.Late[len(got.Late)-20:])
	}
	for _, never := range []string{"778812", "unseen", "innerHTML", "Row 5500"} {
		if strings.Contains(got.All, never) {
			t.Errorf("%q stands there", never)
		}
	}
	if len(got.All) > 200000 || got.Normal > 400000 {
		t.Errorf("%d characters are kept, %d were normalised", len(got.All), got.Normal)
	}
}
