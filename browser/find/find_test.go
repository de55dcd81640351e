//go:build unix

package find

import (
	"strings"
	"testing"

	"showhow/capture"
)

const shop = `<!doctype html><title>Orders</title><nav aria-label="Main"><a href="/orders">Orders</a> <a href="/customers">Customers</a></nav>
<main><h1>Orders</h1><form aria-label="Billing address"><label>Street <input name=street></label><label>E-mail <input type=email></label>
<label>Country <select><option>Austria</option><option>Belgium</option><option>Chile</option></select></label><button id=save>Save</button> <button>Cancel</button></form>
<form aria-label="Shipping address"><label>Street <input name=s2></label><button>Save</button></form>
<table><tr><th>Order<th>Customer<th></tr><tr><td>A-1<td>Ann<td><button>Edit</button><tr><td>A-2<td>Bob<td><button>Edit</button><tr><td>A-3<td>A-1<td><button>Edit</button></table></main>`

func TestFindsWhatWasMeantOnTheSamePage(t *testing.T) {
	r := newRig(t)
	r.open(shop)
	for _, s := range []string{"nav a:nth-of-type(2)", "[name=street]", "[type=email]", "select", "#save", "form:nth-of-type(2) input", "form:nth-of-type(2) button",
		"tr:nth-of-type(2) button", "tr:nth-of-type(4) button"} {
		f := r.finds(Want{Target: r.shown(s)}, "document.querySelector("+quote(s)+")")
		if f != nil && len(f.Drift) > 0 {
			t.Errorf("%s: %q", s, f.Drift)
		}
	}
}

func TestChangedPages(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct {
		name, was, change, is, drift string
		verb                         capture.Verb
	}{
		{"another word for it, same place", "#save", "save.id='x';x.textContent='Store changes'", "x", `called "Store changes" now`, capture.Click},
		{"another language", "[type=email]", "document.querySelector('[type=email]').previousSibling.data='Correo electrónico '", "document.querySelector('[type=email]')", "Correo", capture.Type},
		{"another tag", "#save", "save.outerHTML='<div role=button tabindex=0 id=y>Save</div>'", "y", "", capture.Click},
		{"a link for a button", "#save", "save.outerHTML='<a href=\"#s\" id=y>Save</a>'", "y", "it is a link now", capture.Click},
		{"a look-alike elsewhere", "#save", "save.id='z';document.body.insertAdjacentHTML('afterbegin','<form aria-label=Other><button>Save</button></form>')", "z", "", capture.Click},
		{"rows in another order", "tr:nth-of-type(2) button", "const r=document.querySelector('tr:nth-of-type(2)');r.parentElement.append(r);r.id='r'", "r.querySelector('button')", "", capture.Click},
		{"a wrapped label becomes a name", "[name=street]", "const i=document.querySelector('[name=street]');i.setAttribute('aria-label','Street');i.closest('label').replaceWith(i);i.id='n'", "n", "", capture.Type},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.t = t
			r.open(shop)
			w := Want{Target: r.shown(c.was), Verb: c.verb}
			r.eval(r.frames(1)[0], "{"+c.change+"}")
			if f := r.finds(w, c.is); f != nil && (c.drift == "") != (len(f.Drift) == 0) || f != nil && !strings.Contains(strings.Join(f.Drift, "; "), c.drift) {
				t.Errorf("drift %q, want %q", f.Drift, c.drift)
			}
		})
	}
	for _, c := range []struct{ name, was, change, reason string }{
		{"gone", "#save", "save.remove()", Missing},
		{"another deed in its place", "#save", "save.textContent='Delete'", Missing},
		{"twice in the same place", "#save", "save.insertAdjacentHTML('beforebegin','<button>Save</button>');save.id='q'", Ambiguous},
		{"the row is gone", "tr:nth-of-type(3) button", "document.querySelector('tr:nth-of-type(3)').remove()", Missing},
		{"not what it was", "[type=email]", "const e=document.querySelector('[type=email]');e.type='checkbox'", Missing},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.t = t
			r.open(shop)
			w := Want{Target: r.shown(c.was)}
			r.eval(r.frames(1)[0], "{"+c.change+"}")
			r.refuses(w, c.reason)
		})
	}
}

// What a step says of another row, filled in by its values, is found in that row.
func TestTheRowOfAValue(t *testing.T) {
	r := newRig(t)
	r.open(shop)
	w := Want{Target: r.shown("tr:nth-of-type(2) button"), Verb: capture.Click}
	w.Target.Landmark.Name = "A-2"
	r.finds(w, "document.querySelectorAll('tr')[2].querySelector('button')")
	w.Target.Landmark.Name = "A-9"
	r.refuses(w, Missing)
	w.Target.Landmark.Name = "{*}"
	r.refuses(w, Ambiguous)
}

func TestFramesAndShadowRoots(t *testing.T) {
	r := newRig(t)
	r.pages["/inner"] = `<form aria-label="Card"><button>Pay now</button></form>`
	r.open(`<h1>Checkout</h1><button>Cancel</button><iframe src="/inner"></iframe><iframe src="` + strings.Replace(r.srv.URL, "127.0.0.1", "localhost", 1) + `/other"></iframe>
		<x-open></x-open><x-closed></x-closed><script>
		document.querySelector('x-open').attachShadow({mode:'open'}).innerHTML='<button>Open one</button>';
		window.inside=document.querySelector('x-closed').attachShadow({mode:'closed'});inside.innerHTML='<button>Closed one</button>'</script>`)
	w := func(name string) Want {
		return Want{Target: capture.Target{Role: "button", Name: name}, Verb: capture.Click}
	}
	r.finds(w("Open one"), "document.querySelector('x-open').shadowRoot.querySelector('button')")
	r.finds(w("Closed one"), "inside.querySelector('button')")
	pay := w("Pay now")
	pay.Target.Frame = "/inner"
	r.finds(pay, "frames[0].document.querySelector('button')")

	r.pages["/other"] = `<form aria-label="Far"><button>Far away</button></form>`
	r.open(r.pages["/"])
	frames := r.frames(2)
	far := w("Far away")
	far.Target.Frame = "/other"
	f, err := Find(t.Context(), frames, far)
	if err != nil || f.Session == frames[0] {
		t.Errorf("in a frame of another site: %+v, %v", f, err)
	}
}

// A page of many thousands of things is searched in well under a second, and what cannot be told apart there is not guessed.
func TestLargePages(t *testing.T) {
	r := newRig(t)
	r.open(`<h1>Large</h1><button id=one>Publish</button><table><tbody id=b></tbody></table><script>let h='';for(let i=0;i<6000;i++)h+='<tr><td>K-'+i+'<td><a href=#x>Open</a><td><button>Edit</button>';b.innerHTML=h</script>`)
	edit := r.shown("tr:nth-child(9) button")
	edit.Landmark.Name = "K-5990"
	r.finds(Want{Target: edit, Verb: capture.Click}, "document.querySelectorAll('tr')[5990].querySelector('button')")
	r.finds(Want{Target: r.shown("#one"), Verb: capture.Click}, "one")
	edit.Landmark = nil
	r.refuses(Want{Target: edit}, Ambiguous)
}

// A shortcut that was pressed while nothing had the focus is pressed in the document.
func TestTheDocumentItself(t *testing.T) {
	r := newRig(t)
	r.open(shop)
	r.finds(Want{Target: r.shown("body"), Verb: capture.Press}, "document.body")
}
