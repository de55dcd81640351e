package stage

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/daemon/rehearse"
)

// kitchen shows a dish beside the list of dishes, and what a cook may do behind a tab, all at one address.
type kitchen struct {
	mu      sync.Mutex
	holds   map[string]string // by dish or cook
	wrote   []string
	forgets string // "": nothing; "all", or the dish that is changed instead
}

func (k *kitchen) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r.Method == http.MethodPost {
		var got struct{ Of, Is string }
		_ = json.NewDecoder(r.Body).Decode(&got)
		k.wrote = append(k.wrote, got.Of+": "+got.Is)
		switch k.forgets {
		case "":
			k.holds[got.Of] = got.Is
		case "all":
		default:
			k.holds[k.forgets] = got.Is
		}
		return
	}
	held, _ := json.Marshal(k.holds)
	fmt.Fprintf(w,
		`<!doctype html><title>Kitchen</title><h1>Kitchen</h1><button role=tab id=t1>Dishes</button> <button role=tab id=t2>Rights</button>
<div id=d><ul aria-label=Dishes><li><button>Barley soup</button><li><button>Bean stew</button><li><button>Fish pie</button></ul>
<section id=it hidden><h2></h2><form><fieldset><legend>Contains</legend><label><input type=checkbox>Celery</label><label>`+
			`<input type=checkbox>Mustard</label></fieldset>
<fieldset><legend>Cook</legend><label><input type=radio name=c>Harbour</label><label><input type=radio name=c>Old mill</label><label>`+
			`<input type=radio name=c>Tower</label></fieldset><button>Keep</button> <span role=status></span></form></section></div>
<div id=r hidden><h2>Rights</h2><h3>Offered</h3><ul id=left></ul><button id=grant>Grant</button><h3>Granted</h3><ul id=right></ul>`+
			`<button id=save>Save rights</button> <span role=status></span></div>
<script>
const held = %s, $ = (s) => document.querySelector(s), all = (s) => [...document.querySelectorAll(s)];
const post = (of, is) => fetch("/", { method: "POST", body: JSON.stringify({ of, is }) });
let now;
for (const b of all("#d li button")) b.onclick = () => {
  now = b.textContent; $("#it").hidden = false; $("#it h2").textContent = now; $("#it span").textContent = "";
  const has = (held[now] || "").split(", ");
  for (const i of all("#it input")) i.checked = has.includes(i.parentNode.textContent);
};
$("form").onsubmit = async (e) => {
  e.preventDefault();
  held[now] = all("#it input:checked").map((i) => i.parentNode.textContent).join(", ");
  await post(now, held[now]);
  $("#it span").textContent = "Kept.";
};
$("#t1").onclick = () => { $("#d").hidden = false; $("#r").hidden = true; };
$("#t2").onclick = () => { $("#d").hidden = true; $("#r").hidden = false; };
let picked;
const item = (n) => { const li = document.createElement("li"), b = document.createElement("button"); b.textContent = n; b.onclick = () `+
			`=> { picked = li; }; li.append(b); return li; };
$("#right").append(...held.rights.split(", ").map(item));
$("#left").append(...["Read", "Write", "Approve", "Invoice"].filter((n) => !held.rights.split(", ").includes(n)).map(item));
$("#grant").onclick = () => $("#right").append(picked);
$("#save").onclick = async () => { await post("rights", all("#right button").map((b) => b.textContent).join(", ")); $("#r `+
			`span").textContent = "The rights are saved"; };
</script>`, held)
}

func (k *kitchen) begin(forgets string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.holds = map[string]string{"Barley soup": "Mustard, Harbour", "Bean stew": "Harbour", "Fish pie": "Old mill", "rights": "Read"}
	k.wrote, k.forgets = nil, forgets
}

func (k *kitchen) did() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.wrote)
}

func said(name string) func(seen []adaptertest.Seen) bool {
	return func(seen []adaptertest.Seen) bool {
		return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
			return o.Target != nil && o.Target.Name == name && o.After != nil && len(o.After.Alerts) > 0
		})
	}
}

// What a page shows beside its list, under no address of its own, is opened again as the work opened it; nothing is done twice.
func TestAnObjectShownBesideItsList(t *testing.T) {
	t.Parallel()
	app := &kitchen{}
	app.begin("")
	s := newShowing(t, app)
	s.show(func(p *person.Person) {
		p.Open("/")
		p.Click("button", "Bean stew")
		p.Click("label", "Celery")
		p.Click("label", "Old mill")
		p.Click("button", "Keep")
		p.See("Kept.")
	}, said("Keep"))
	out := s.compiled()
	for _, c := range []struct {
		forgets string
		want    rehearse.Overall
	}{{"", rehearse.Passed}, {"all", rehearse.Partial}, {"Barley soup", rehearse.Partial}} {
		app.begin(c.forgets)
		res := s.rehearsed(out, map[string]string{"contains": "Mustard", "cook": "Tower"})
		if got := app.did(); res.Overall != c.want || !slices.Equal(got, []string{"Bean stew: Mustard, Tower"}) {
			t.Errorf("forgets %q: %s %s, %q", c.forgets, res.Overall, res.Reason, got)
		}
	}
}

// What was only moved about on the page and not kept is not shown again by moving it about again.
func TestASecondLookRepeatsNoWork(t *testing.T) {
	t.Parallel()
	app := &kitchen{}
	app.begin("")
	s := newShowing(t, app)
	s.show(func(p *person.Person) {
		p.Open("/")
		p.Click("button", "Rights")
		p.Click("button", "Invoice")
		p.Click("button", "Grant")
		p.Click("button", "Save rights")
		p.See("The rights are saved")
	}, said("Save rights"))
	out := s.compiled()
	app.begin("all")
	res := s.rehearsed(out, nil)
	if got := app.did(); res.Overall == rehearse.Passed || !slices.Equal(got, []string{"rights: Read, Invoice"}) {
		t.Errorf("%s %s, %q", res.Overall, res.Reason, got)
	}
}

// desk is searched as one types; what is opened there is edited in a dialog. Its rows come a while after the page.
type desk struct {
	mu      sync.Mutex
	status  map[string]string
	forgets bool
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r.Method == http.MethodPost {
		var got struct{ Of, Is string }
		_ = json.NewDecoder(r.Body).Decode(&got)
		if !d.forgets {
			d.status[got.Of] = got.Is
		}
		return
	}
	held, _ := json.Marshal(d.status)
	fmt.Fprintf(w, `<!doctype html><title>Desk</title><h1>Desk</h1><input type=search placeholder="Search guests" id=q><table><thead><tr>`+
		`<th>Guest<th>Status<th></tr></thead><tbody id=b></tbody></table>
<div role=dialog aria-label=Booking id=d hidden><h2></h2><label>Status <input id=s></label><button>Save</button></div>`+
		`<p role=status id=said></p>
<script>
const held = %s, $ = (s) => document.querySelector(s);
let of, timer;
const draw = () => { $("#b").replaceChildren(...Object.keys(held).sort().filter((n) => n.includes($("#q").value)).slice(0, 2).map((n) => {
  const tr = document.createElement("tr");
  tr.innerHTML = "<td>" + n + "<td>" + held[n] + "<td><button>Open</button>";
  tr.querySelector("button").onclick = () => { of = n; $("#d h2").textContent = n; $("#s").value = held[n]; $("#d").hidden = false; };
  return tr;
})); };
const soon = () => { clearTimeout(timer); timer = setTimeout(draw, 200); };
$("#q").oninput = soon;
soon();
$("#d button").onclick = async () => { held[of] = $("#s").value; await fetch("/", { method: "POST", body: JSON.stringify({ of, is: `+
		`held[of] }) }); $("#d").hidden = true; draw(); $("#said").textContent = "Status saved"; };
</script>`, held)
}

// What was searched for and is not on the page that is opened again is not gone for that: it is searched for once more.
func TestFilteredRowsAreNotGone(t *testing.T) {
	t.Parallel()
	app := &desk{status: map[string]string{"Ada": "new", "Alan": "new", "Grace": "new", "Tony": "new"}}
	s := newShowing(t, app)
	s.show(func(p *person.Person) {
		p.Open("/")
		p.See("Alan")
		p.Enter("Search guests", "Grace")
		p.ClickIn("Grace", "button", "Open")
		p.Enter("Status", "paid in full")
		p.Click("button", "Save")
		p.See("Status saved")
	}, said("Save"))
	out := s.compiled()
	values := map[string]string{"status": "called off"}
	for _, in := range out.Interpretation.Inputs {
		if in.Name != "status" {
			values[in.Name] = "Tony"
		}
	}
	for forgets, want := range map[bool]rehearse.Overall{false: rehearse.Passed, true: rehearse.Partial} {
		app.mu.Lock()
		app.forgets, app.status["Tony"] = forgets, "new"
		app.mu.Unlock()
		if res := s.rehearsed(out, values); res.Overall != want {
			t.Errorf("forgets %v: %s %s", forgets, res.Overall, res.Reason)
		}
	}
}
