//go:build unix

package find

import (
	"testing"

	"showhow/capture"
)

// otherMarkup are drawings that the rules for panels were not made on. They were written before any of them was looked up.
var otherMarkup = map[string]func(all []thing) string{
	"fieldsets with menus": each("<form>", `<fieldset class=x><legend><span class=t>%s</span></legend><table><tr><td>%s</td></tr></table>`+
		`<menu><li>%s</li></menu></fieldset>`, "</form>"),
	"folds in folds": each("<main>", `<details open><summary><h3>%s</h3></summary><div><p>%s</p><details><summary>More</summary><p>None.</p>`+
		`</details><div class=tools>%s</div></div></details>`, "</main>"),
	"bold terms": each("<dl>", `<dt><b>%s</b></dt><dd>%s</dd><dd class=act>%s</dd>`, "</dl>"),
	"groups of terms": each("<dl>", `<div class=g><dt>%s</dt><dd><ul><li>%s</li></ul></dd><dd>%s</dd></div>`,
		"</dl>"),
	"cards with header and footer": each("<div class=deck>", `<article class=card><header><h5>%s</h5><small>3 min ago</small></header>`+
		`<div class=body>%s</div><footer>%s</footer></article>`, "</div>"),
	"tiles": each("<div class=grid>", `<div class=tile><div class=top><span class=name>%s</span><span class=badge>New</span></div>`+
		`<div class=main><p>%s</p></div><div class=acts>%s</div></div>`, "</div>"),
	"accordion without boxes": eachNumbered(`<h3><button aria-expanded=true aria-controls=p%[1]d id=b%[1]d>%[2]s</button></h3>` +
		`<div id=p%[1]d role=region aria-labelledby=b%[1]d><p>%[3]s</p>%[4]s</div>`),
	"accordion of links": eachNumbered(`<div class=item><h2 class=hd><a href="#c%[1]d" data-toggle=collapse>%[2]s</a></h2>` +
		`<div id=c%[1]d class="collapse show"><div class=body><p>%[3]s</p>%[4]s</div></div></div>`),
	"labelled sections": each("", `<section aria-label="%[1]s"><p class=t>%[1]s</p><p>%[2]s</p>%[3]s</section>`, ""),
	"captions with feet": each("", `<table><caption><h4>%s</h4></caption><thead><tr><th>Word<th>Sense</tr></thead><tbody><tr><td>Says`+
		`<td>%s</tr></tbody><tfoot><tr><td colspan=2>%s</tr></tfoot></table>`, ""),
	"parts with parts": each("<main><h2>House</h2>", `<section><h3>%s</h3><section><h4>Details</h4><p>%s</p></section>`+
		`<section><h4>Deeds</h4>%s</section></section>`, "</main>"),
	"figures": each("", `<figure><p>%[2]s</p><figcaption>%[1]s</figcaption><div>%[3]s</div></figure>`, ""),
	"groups beside their labels": eachNumbered(`<div><span id=g%[1]d>%[2]s</span><div role=group aria-labelledby=g%[1]d><p>%[3]s</p>` +
		`<p>%[4]s</p></div></div>`),
	"bodies of a table": each("<table>", `<tbody><tr><th colspan=2>%s</th></tr><tr><td>%s</td><td>%s</td></tr></tbody>`, "</table>"),
	"bold lines":        each("<div>", `<p><strong>%s</strong></p><p>%s</p><p>%s</p><hr>`, "</div>"),
	"own elements": each("<my-panels>", `<my-panel><my-title>%s</my-title><my-body>%s</my-body><my-tools>%s</my-tools></my-panel>`,
		"</my-panels>"),
	"deeds first":    each("<main>", `<section class=p><div class=bar>%[3]s</div><h3>%[1]s</h3><p>%[2]s</p></section>`, "</main>"),
	"lists in lists": each("<ul>", `<li><h4>%s</h4><ul><li>%s</li><li>%s</li></ul></li>`, "</ul>"),
}

// In markup that the rules were not made on, no other thing is meant either.
// Lists within lists are refused: nothing is told apart there yet.
func TestAnotherThingIsNotMeantInOtherMarkup(t *testing.T) {
	lookUpThings(t, newRig(t), otherMarkup, func(drawn string) bool { return drawn != "lists in lists" })
}

// An entry of a menu or of a folder is called by itself, and its place is no panel, however what opens it is marked up.
func TestMenusAreNoPanels(t *testing.T) {
	r := newRig(t)
	for name, html := range map[string]string{
		"under the pointer": `<style>nav ul ul{display:none}</style><nav><ul><li><a href="/p">Goods</a><ul><li><a href="/q">Pricing</a></ul>` +
			`<li><a href="/s">Services</a><ul style="display:block"><li><a href="/t" id=it>Pricing</a></ul></ul></nav>`,
		"no navigation": `<ul class=side><li><button aria-expanded=false>Goods</button><ul hidden><li><a href="/q">Carts</a></ul>` +
			`<li><button aria-expanded=true>Services</button><ul><li><a href="/t" id=it>Pricing</a></ul></ul>`,
		"a bar": `<div role=menubar><div role=menuitem aria-expanded=false>File<div role=menu hidden><div role=menuitem>Close</div></div></div>` +
			`<div role=menuitem aria-expanded=true>View<div role=menu><div role=menuitem id=it>Close</div></div></div></div>`,
		"a footer": `<footer><div><h3>Goods</h3><ul><li><a href="/q">Contact</a></ul></div><div><h3>Services</h3><ul>` +
			`<li><a href="/t" id=it>Contact</a></ul></div></footer>`,
		"folders": `<ul><li><span tabindex=0>Goods</span><ul hidden><li><a href="/q">Carts</a></ul><li><span tabindex=0>Services</span>` +
			`<ul><li><a href="/t" id=it>Pricing</a><li><a href="/u">Terms</a></ul></ul>`,
		"questions": `<details><summary>How much is it?</summary><p>Not much.</p><a href="/q">Prices</a></details>` +
			`<details open><summary>When do I get it?</summary><p>Soon.</p><a href="/t" id=it>Delivery</a></details>`,
		"parts of a form": `<form><fieldset><legend>Bill</legend><label>Street <input></label><button>Look up</button></fieldset>` +
			`<fieldset><legend>Goods</legend><label>Street <input></label><button id=it>Look up</button></fieldset></form>`,
	} {
		r.open(`<!doctype html><title>Shop</title><h1>Shop</h1>` + html)
		got := r.shown("#it")
		if l := got.Landmark; l != nil && capture.IsRow(l.Role) || got.Name == "" {
			t.Errorf("%s: %q in %+v", name, got.Name, l)
		}
	}
}
