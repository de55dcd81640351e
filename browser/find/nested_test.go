//go:build unix

package find

import (
	"strings"
	"testing"

	"showhow/capture"
)

// mails are boxes that are pressed as a whole, and have icons to be pressed alone.
func mails(from ...string) string {
	out := `<!doctype html><style>.i{display:inline-block;width:14px;height:14px;background:linear-gradient(#aaa,#333)}</style>` +
		`<p>Find the mail by Cosima</p><div id=all>`
	for _, who := range from {
		out += `<div class=mail style="cursor:pointer;display:flex"><div><div>` + who + `</div><div>Sed 1.</div><div>Odio ut</div></div>` +
			`<div><span class=i></span><span class="i star"></span></div></div>`
	}
	return out + `</div>`
}

// A box of several parts is called by its first words, which are no other thing; each of its icons belongs to it.
func TestBoxByItsFirstWords(t *testing.T) {
	r := newRig(t)
	r.open(mails("Ahmed", "Xaver", "Emil", "Otto"))
	box := Want{Verb: capture.Click, Target: r.shown(".mail:nth-child(2)")}
	star := Want{Verb: capture.Click, Target: r.shown(".mail:nth-child(2) .star")}
	if box.Target.Text != "Xaver" || star.Target.Located("spot") != "2/2" || star.Target.Landmark == nil {
		t.Errorf("shown as %+v and %+v", box.Target, star.Target)
	}
	box.Target.Text, box.Target.Locators[0].Value, star.Target.Landmark.Name = "Cosima", "Cosima", "Cosima"
	r.open(mails("Vera", "Emil", "Cosima", "Rosa"))
	r.finds(box, `document.querySelector(".mail:nth-child(3)")`)
	r.finds(star, `document.querySelector(".mail:nth-child(3) .star")`)
}

// submenus holds menus of the same entries, one of them open.
func submenus(open string, called ...string) string {
	out := `<!doctype html><ul>`
	for _, c := range called {
		hidden := map[bool]string{false: " hidden"}[c == open]
		out += `<li class=top><div tabindex=-1 style="cursor:pointer">` + c + `<span>&#9656;</span></div><ul` + hidden + `><li>` +
			`<div tabindex=-1 style="cursor:pointer">Copy</div></li><li><div tabindex=-1 style="cursor:pointer">Print</div></li></ul></li>`
	}
	return out + `</ul>`
}

// An entry that holds a list is called by the words before it, and what no key reaches may be an entry.
func TestEntryThatHoldsEntries(t *testing.T) {
	r := newRig(t)
	r.open(submenus("Plans", "Files", "Plans", "Notes"))
	top, leaf := r.shown(".top:nth-child(2) > div"), r.shown(".top:nth-child(2) li:nth-child(2) > div")
	if top.Landmark == nil || top.Landmark.Name != "Plans" || leaf.Landmark == nil || leaf.Landmark.Name != "Print" {
		t.Errorf("shown in %+v and %+v", top.Landmark, leaf.Landmark)
	}
	other := func(target capture.Target, was, is string) Want {
		target.Name, target.Landmark = strings.Replace(target.Name, was, is, 1), &capture.Landmark{Role: "listitem", Name: is}
		return Want{Verb: capture.Click, Target: target}
	}
	r.open(submenus("Tasks", "Tasks", "Rooms", "Guests"))
	r.finds(other(top, "Plans", "Rooms"), `document.querySelector(".top:nth-child(2) > div")`)
	r.finds(other(leaf, "Print", "Copy"), `document.querySelector(".top:nth-child(1) li > div")`)
}
