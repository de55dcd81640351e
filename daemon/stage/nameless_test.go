package stage

import (
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
)

// Which of several alike things without a name of its own was meant is told by what programmers call it only if it was the same one in
// every demonstration. Wordless ones are called by their place; of those that are all called the same none is pressed.
func TestAlikeAndNameless(t *testing.T) {
	t.Parallel()
	letters := strings.Fields("a b c d e")
	tell := `<script>for (const e of document.querySelectorAll(".k")) e.onclick = () => tell(e.dataset.k)</script>`
	for name, html := range map[string]string{
		"lamps with test ids": `<div class=panel>` + each(letters, `<i class=k data-k=%w data-testid=lamp-%w `+
			`style="display:inline-block;width:12px;height:12px;background:#aaa;cursor:pointer;margin:4px"></i>`) + `</div>`,
		"seats of one name": `<div class=hall>` + each(letters, `<div class=k data-k=%w id=seat-%w role=button tabindex=0 aria-label=Seat `+
			`style="display:inline-block;width:12px;height:12px;border:1px solid;margin:4px"></div>`) + `</div>`,
		"points of a drawing": `<svg width=200 height=60>` + each(letters, `<g class=k data-k=%w id=point-%w style="cursor:pointer">`+
			`<rect width=14 height=14 y=20 x=%i0 transform="translate(%i5)"></rect></g>`) + `</svg>`,
	} {
		t.Run(name, func(t *testing.T) {
			page := &small{silent: true, draw: func([]string, []string) string { return asked("Press one.", html+tell) }}
			s := newShowing(t, page)
			for _, c := range []struct{ first, second, did string }{{"b", "d", "e"}, {"c", "c", "c"}} {
				s.again(t)
				s.in.Goal = "Press one of them"
				for _, which := range []string{c.first, c.second} {
					page.turn()
					var last time.Time
					s.show(func(p *person.Person) {
						p.Open("/")
						p.Click("drawing", `.k[data-k="`+which+`"]`)
						last = p.Pressed
						p.See("Done so far: 1")
					}, func(seen []adaptertest.Seen) bool {
						return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool { return o.After != nil && !o.OccurredAt.Before(last) })
					})
				}
				page.turn()
				out, values := s.compiled(), map[string]string{}
				if c.first != c.second {
					for _, p := range out.Graph.Params {
						values[p.Name] = "5"
					}
					if name == "seats of one name" {
						c.did = ""
					}
				}
				s.rehearsed(out, values)
				if page.did() != c.did {
					t.Errorf("shown %s and %s, it pressed %q, not %q", c.first, c.second, page.did(), c.did)
				}
			}
		})
	}
}
