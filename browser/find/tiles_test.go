//go:build unix

package find

import (
	"strings"
	"testing"

	"showhow/capture"
)

// tiles are shown as a picture and a name each, and nothing marks them as controls.
var tiles = map[string]string{
	"boxes":      `<div class=tile><img src="/p" width=40 height=30 alt=""><span>NAME</span></div>`,
	"figures":    `<figure><div><svg width=40 height=30><path d="M2 28l12-20z"/></svg></div><figcaption><b>NAME</b></figcaption></figure>`,
	"backdrops":  `<div class="tile"><div style="width:40px;height:30px;background-image:url(/p)"></div><div><div>NAME</div></div></div>`,
	"name first": `<section class=tile><p>NAME</p><p><canvas width=40 height=30></canvas></p></section>`,
}

func grid(tile string, names ...string) string {
	out := "<!doctype html><title>Albums</title><h1>Albums</h1><div id=all>"
	for _, n := range names {
		out += strings.ReplaceAll(tile, "NAME", n)
	}
	return out + "</div><p>Kept here.</p>"
}

// The text of a tile says which tile it is, wherever that stands.
func TestTileByItsText(t *testing.T) {
	r := newRig(t)
	for name, tile := range tiles {
		t.Run(name, func(t *testing.T) {
			r.t = t
			r.open(grid(tile, "Alps", "Harbour", "Old town", "Garden"))
			w := Want{Verb: capture.Click, Target: r.shown(textOf(tile, 2))}
			if w.Target.Name != "Harbour" || w.Target.Landmark == nil || w.Target.Landmark.Role != "listitem" {
				t.Errorf("shown as %q in %+v", w.Target.Name, w.Target.Landmark)
			}
			r.open(grid(tile, "Garden", "Harbour view", "Alps", "Old town", "Harbour"))
			r.finds(w, `document.querySelector("`+textOf(tile, 5)+`")`)
			r.open(grid(tile, "Garden", "Alps", "Old town"))
			r.refuses(w, Missing)
		})
	}
}

// textOf is the selector of the text of the nth tile.
func textOf(tile string, nth int) string {
	at := "#all > :nth-child(" + string(rune('0'+nth)) + ") "
	switch {
	case strings.Contains(tile, "<b>"):
		return at + "b"
	case strings.Contains(tile, "<span>"):
		return at + "span"
	case strings.Contains(tile, "<p>"):
		return at + "p"
	}
	return at + "div > div"
}

// What only its position tells from its like is not looked for, wherever it was recorded.
func TestNothingByPositionAlone(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct{ name, tile, at string }{
		{"text", `<div><span>NAME</span></div>`, "> *"},
		{"long text", `<p>NAME, of which so much is to be said that nobody would take it for a name, or would call anything by all of it.</p>`,
			""},
		{"picture", `<div><img src="/p" width=40 height=30></div>`, "> *"},
		{"box", `<div><div style="width:40px;height:30px;background:#acd"></div></div>`, "> *"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.t = t
			r.open(grid(c.tile, "Alps", "Harbour", "Old town", "Garden"))
			w := Want{Verb: capture.Click, Target: r.shown("#all > :nth-child(2) " + c.at)}
			if called(w.Target) != "" || ofRow(w.Target) {
				t.Fatalf("it has a name: %+v", w.Target)
			}
			elsewhere := w
			elsewhere.Target.Landmark = nil
			elsewhere.Target.Locators = []capture.Locator{{By: "css", Value: w.Target.Located("css")}} // as other recorders have it
			for _, names := range [][]string{{"Harbour", "Garden", "Alps", "Old town"}, {"Garden", "Alps"}} {
				r.open(grid(c.tile, names...))
				for _, w := range []Want{w, elsewhere} {
					if f, err := Find(t.Context(), r.frames(1), w); err == nil {
						t.Errorf("found %s %q for %+v", f.Role, f.Name, w.Target)
					}
				}
			}
		})
	}
}
