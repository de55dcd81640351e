//go:build unix

package find

import (
	"fmt"
	"strings"
	"testing"

	"showhow/capture"
)

// The entry of a menu that is drawn over the page is not the word that the page itself shows, as a list's head, for one.
func TestEntriesOfPopups(t *testing.T) {
	r := newRig(t)
	for _, tags := range [][2]string{{"div", "div"}, {"span", "div"}, {"button", "button"}, {"span", "button"}} {
		html := strings.NewReplacer("HEAD", tags[0], "ENTRY", tags[1]).Replace(`<!doctype html><title>Board</title><style>
			.lists{display:flex;gap:9px}.list{width:150px}.tile{position:relative}.more{position:absolute;right:0;top:0}
			.pop{position:absolute;left:90px;top:30px;background:#fff}.pop *,.tile,.head,.more{cursor:pointer}</style>
			<div class=lists id=lists></div><script>
			window.draw = (open, heads = true) => {
				document.querySelectorAll('.pop').forEach((p) => p.remove());
				lists.innerHTML = ['Soon', 'Now', 'Done'].map((l) => '<div class=list>' + (heads ? '<HEAD class=head>' + l + '</HEAD>' : '') +
					'<div class=tile>Tile of ' + l + '<span class=more>...</span></div></div>').join('');
				const entries = '<ENTRY>Soon</ENTRY><ENTRY>Now</ENTRY><ENTRY>Done</ENTRY>';
				if (open) document.body.insertAdjacentHTML('beforeend', '<div class=pop>' + entries + '</div>');
			}; draw(true)</script>`)
		r.open(html)
		told := func() Want {
			w := Want{Target: r.shown(".pop " + tags[1] + ":nth-of-type(2)"), Verb: capture.Click}
			for i := range w.Target.Locators {
				if l := &w.Target.Locators[i]; l.By == "css" {
					l.Value = "nowhere"
				}
			}
			return w
		}
		entry, head := told(), r.shown(".list:nth-of-type(2) .head")
		if !ofPopup(entry.Target) || ofPopup(head) {
			t.Errorf("%v: told as %+v and %+v", tags, entry.Target.Locators, head.Locators)
		}
		called := func(w Want, name string) Want {
			if w.Target.Name != "" {
				w.Target.Name = name
			}
			if w.Target.Text != "" {
				w.Target.Text = name
			}
			return w
		}
		asked := func(w Want) {
			for i, name := range []string{"Soon", "Now", "Done"} { // another one of them may be asked for
				r.finds(called(w, name), fmt.Sprintf("document.querySelectorAll('.pop *')[%d]", i))
			}
		}
		asked(entry)
		r.eval(r.frames(1)[0], "draw(true, false)")
		sole := told()
		asked(sole)
		r.eval(r.frames(1)[0], "draw(true)") // what had no namesake when it was recorded has one now
		asked(sole)
		r.eval(r.frames(1)[0], "draw(false)")
		for _, name := range []string{"Soon", "Now", "Done"} {
			r.refuses(called(entry, name), Missing)
		}
	}
}

// What is drawn over the page is told by what it hangs on, not by its size; and what nothing else is called like is found wherever it is.
func TestPopupsAndTheirSizes(t *testing.T) {
	r := newRig(t)
	r.open(`<!doctype html><title>Shop</title><style>body{margin:0;height:2000px}
		.mega{position:absolute;left:0;top:40px;width:100vw;height:45vh;background:#fff}
		.bar,.side,.panes,.left{position:fixed;left:0;top:0;background:#eee}.bar{right:0;height:30px}.side{bottom:0;width:150px}
		.panes{position:absolute;left:160px;top:40px;width:calc(100vw - 160px);height:calc(100vh - 40px)}
		.host{position:absolute;left:400px;top:100px;width:40px;height:20px}.left{position:absolute;left:auto;right:100%;height:20px;width:90px}
		[class]>div{cursor:pointer}</style><div class=bar><div>Home</div></div><div class=side><div>Orders</div></div>
		<div class=panes><div>Wood</div><p>All kinds of wood</p><div class=host><div class=left><div>Copy</div></div></div></div>
		<div class=mega><div>Tax forms</div><div>Letters</div></div>`)
	over := func(of string) bool {
		t := r.shown(of)
		return ofPopup(t)
	}
	entry := Want{Target: r.shown(".mega div"), Verb: capture.Click}
	for of, want := range map[string]bool{".mega div": true, ".left div": true, ".bar div": false, ".side div": false} {
		if over(of) != want {
			t.Errorf("%s: %v", of, !want)
		}
	}
	for _, style := range []string{"height:60vh", "height:90vh", "position:static"} {
		r.eval(r.frames(1)[0], "document.querySelector('.mega').style = "+quote(style))
		if got := over(".mega div"); got != (style != "position:static") {
			t.Errorf("%s: %v", style, got)
		}
		r.finds(entry, "document.querySelector('.mega div')")
	}
	r.eval(r.frames(1)[0], "document.querySelector('.mega').remove()")
	if over(".panes div") {
		t.Error("a part of the page counts as a popup")
	}
	r.refuses(entry, Missing)
}
