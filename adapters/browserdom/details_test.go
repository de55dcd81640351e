//go:build unix

package browserdom

import (
	"slices"
	"strings"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

// TestDetails: the labelled details of a thing are seen, however they are marked up, and no other text of the page.
func TestDetails(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Invoice</h1>
<dl><dt>Customer:<dd>Ada Lovelace <button>Change</button><dt>API key<dd>canaryk7Qz<dt>Card number<dd>4111111111111111<dt>` +
		`Note<dd>` + strings.Repeat("a long text ", 30) + `<dt>Both</dt></dl>
<table><tr><th>Status<td id=s>Open<th>Due<td>3 May 2027<tr><th>Method<td><select><option>Bank</select></table>
<table><tr><th>Item<th>Price<tr><td>Canarytea<td>3</table>
<table><thead><tr><th>Part<td>Canarysum</thead><tr><th>Row<td>Canarycell</table>
<p><label for=v>Owner</label> <span id=v>Grace</span></p><p><label>Total</label> <output>12</output></p><p><b id=l>Place</b>` +
		` <span aria-labelledby=l>Kyiv</span></p>
<label>Remark <input value=typed></label> <ul><li><dl><dt>Of<dd>Canarylist</dl><li>b</ul><p>Status: Canarybody</p><dl hidden><dt>Hid<dd>` +
		`Canaryhid</dl>
<form><dl><dt>User<dd>Canaryuser</dl><input type=password aria-label=Password></form>
<button id=b onclick="s.textContent='Paid'">Pay</button>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("#b")
	o := w.find(capture.Click, 1)
	tell := func(s *capture.State) (out []string) {
		for _, f := range s.Details {
			out = append(out, f.Label+"="+f.Raw.Text+map[bool]string{true: "!"}[f.Raw.Kind.Secret()])
		}
		return out
	}
	want := []string{"Customer=Ada Lovelace", "API key=!", "Card number=!", "Status=Open", "Due=3 May 2027", "Owner=Grace", "Total=12",
		"Place=Kyiv"}
	if got := tell(o.Before); !slices.Equal(got, want) {
		t.Errorf("before: %q", got)
	}
	want[3] = "Status=Paid"
	if got := tell(o.After); !slices.Equal(got, want) || !o.Changed {
		t.Errorf("after: %q", got)
	}
	if all := adaptertest.Everything(w.Seen()); strings.Contains(strings.ToLower(all), "canary") {
		t.Errorf("more than that is told: %s", all)
	}
}
