package stage

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"showhow/bench/corpus/person"
)

// stores are pages that keep things in the browser, whatever their site does.
var stores = map[string]seeming{
	// What the site refused is still to be sent, and shown until then.
	"an entry to be sent later": {goal: "Add a guest", last: "Add", values: map[string]string{"": "Maple Grove"}, look: "Maple Grove",
		want: "yes", page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				if l.lies {
					w.WriteHeader(http.StatusInternalServerError)
				}
				l.keep(r.FormValue("v"), "yes")
				return
			}
			all := []string{"Oak Lane", "Pine Walk", "Birch Row"}
			for name := range l.kept {
				all = append(all, name)
			}
			head(w, "Guests", "")
			rows, _ := json.Marshal(all)
			fmt.Fprintf(w, `<form id=f><label>Guest <input name=v></label> <button>Add</button></form>
<p role=status id=said></p><ul id=all></ul>
<script>const kept = %s, mine = JSON.parse(localStorage.getItem("guests") || "[]");
const draw = () => { all.innerHTML = ""; for (const n of new Set([...kept, ...mine])) { const li = document.createElement("li");
	li.textContent = n; all.append(li) } };
f.onsubmit = async (e) => { e.preventDefault(); const v = f.v.value; mine.push(v); localStorage.setItem("guests", JSON.stringify(mine));
	await fetch("/", {method: "POST", body: new URLSearchParams({v})}); f.reset(); draw(); said.textContent = "The guest was added" };
draw()</script>`, rows)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Enter("Guest", "Cedar Court")
			p.Click("button", "Add")
			p.See("The guest was added")
		}},
	// The numbers of what was taken away are kept in a database of the browser, and the rows are drawn when the page has long settled.
	"what was taken away here": {goal: "Delete a thing", last: "Delete", values: map[string]string{"": "Birch"}, look: "gone 13", want: "yes",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodDelete {
				if l.lies {
					w.WriteHeader(http.StatusUnprocessableEntity)
				}
				l.keep("gone "+r.URL.Path[len("/things/"):], "yes")
				return
			}
			head(w, "Things", "")
			var all []string
			for i, n := range []string{"Oak", "Pine", "Larch", "Birch", "Willow"} {
				if l.kept[fmt.Sprint("gone ", 10+i)] == "" {
					all = append(all, fmt.Sprintf("[%d, %q]", 10+i, n))
				}
			}
			fmt.Fprintf(w, `<p role=status id=said></p><table><thead><tr><th>Thing<th>Deed</tr></thead><tbody id=all></tbody></table><script>
const db = () => new Promise((done) => { const r = indexedDB.open("things", 1); 
	r.onupgradeneeded = () => r.result.createObjectStore("gone"); r.onsuccess = () => done(r.result) });
const gone = async () => { const d = await db(); return new Promise((done) => {
	const r = d.transaction("gone").objectStore("gone").getAllKeys(); r.onsuccess = () => done(r.result) }) };
const take = async (id) => { const d = await db(); return new Promise((done) => { const t = d.transaction("gone", "readwrite");
	t.objectStore("gone").put(1, id); t.oncomplete = done }) };
const draw = async () => { const off = await gone(); all.innerHTML = ""; for (const [id, name] of [%s]) if (!off.includes(id)) {
	const tr = all.insertRow(); tr.insertCell().textContent = name; const b = document.createElement("button"); b.textContent = "Delete";
	tr.insertCell().append(b); b.onclick = async () => { await take(id); await fetch("/things/" + id, {method: "DELETE"}); await draw();
	said.textContent = "The thing was deleted" } } };
setTimeout(draw, 1500)</script>`, strings.Join(all, ", "))
		}, show: func(p *person.Person) {
			p.Open("/")
			p.ClickIn("Pine", "button", "Delete")
			p.See("The thing was deleted")
		}},
	// It has no site that keeps anything: the browser is the only place, and a count of visits is refused.
	"a list of one's own": {goal: "Add a chore", last: "Add", values: map[string]string{"": "Sweep the yard"}, true: true, look: "x", want: "",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			head(w, "Chores", "")
			fmt.Fprint(w, `<form id=f><label>Chore <input name=v></label> <button>Add</button></form><p role=status id=said></p><ul id=all></ul>
<script>const mine = JSON.parse(localStorage.getItem("chores") || '["Feed the hens", "Mend the gate"]');
const draw = () => { all.innerHTML = ""; for (const n of mine) { const li = document.createElement("li"); li.textContent = n;
	all.append(li) } };
f.onsubmit = (e) => { e.preventDefault(); mine.push(f.v.value); localStorage.setItem("chores", JSON.stringify(mine)); f.reset(); draw();
	navigator.sendBeacon("/seen"); said.textContent = "The chore was added" }; draw()</script>`)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Enter("Chore", "Wash the cart")
			p.Click("button", "Add")
			p.See("The chore was added")
		}},
	// Its site keeps all of it, at the second attempt, and refuses what is told beside it; the browser has a copy of the list.
	"a copy beside its site": {goal: "Add a guest", last: "Add", values: map[string]string{"": "Maple Grove"}, true: true, look: "Maple Grove",
		want: "yes", page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/used":
				w.WriteHeader(http.StatusBadGateway)
				return
			case r.Method == http.MethodPut && l.kept["tried"] == "":
				l.kept["tried"] = "yes"
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			case r.Method == http.MethodPut:
				l.keep(r.FormValue("v"), "yes")
				return
			}
			all := []string{"Oak Lane", "Pine Walk", "Birch Row"}
			for name := range l.kept {
				if name != "tried" {
					all = append(all, name)
				}
			}
			head(w, "Guests", "")
			rows, _ := json.Marshal(all)
			fmt.Fprintf(w, `<form id=f><label>Guest <input name=v></label> <button>Add</button></form>
<p role=status id=said></p><ul id=all></ul>
<script>let kept = %s; localStorage.setItem("copy", JSON.stringify(kept)); localStorage.setItem("last", Date.now());
const draw = () => { all.innerHTML = ""; for (const n of kept) { const li = document.createElement("li"); li.textContent = n;
	all.append(li) } };
const put = (v) => fetch("/", {method: "PUT", body: new URLSearchParams({v})});
f.onsubmit = async (e) => { e.preventDefault(); const v = f.v.value; fetch("/used", {method: "POST"});
	if (!(await put(v)).ok) await put(v); kept.push(v); localStorage.setItem("copy", JSON.stringify(kept)); f.reset(); draw();
	said.textContent = "The guest was added" };
draw()</script>`, rows)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Enter("Guest", "Cedar Court")
			p.Click("button", "Add")
			p.See("The guest was added")
		}},
	// The page that is open tells another one what it shows, and stores nothing.
	"what one page tells another": {goal: "Add a guest", last: "Add", values: map[string]string{"": "Maple Grove"}, look: "Maple Grove",
		want: "yes", page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				if l.lies {
					w.WriteHeader(http.StatusConflict)
				}
				l.keep(r.FormValue("v"), "yes")
				return
			}
			all := []string{"Oak Lane", "Pine Walk", "Birch Row"}
			for name := range l.kept {
				all = append(all, name)
			}
			head(w, "Guests", "")
			rows, _ := json.Marshal(all)
			fmt.Fprintf(w, `<form id=f><label>Guest <input name=v></label> <button>Add</button></form>
<p role=status id=said></p><ul id=all></ul><script>let kept = %s; const others = new BroadcastChannel("guests");
const draw = () => { all.innerHTML = ""; for (const n of kept) { const li = document.createElement("li"); li.textContent = n;
	all.append(li) } };
others.onmessage = (e) => { if (!e.data) return others.postMessage(kept); if (e.data.length > kept.length) { kept = e.data; draw() } };
f.onsubmit = async (e) => { e.preventDefault(); const v = f.v.value; await fetch("/", {method: "POST", body: new URLSearchParams({v})});
	kept.push(v); f.reset(); draw(); said.textContent = "The guest was added" };
draw(); others.postMessage("")</script>`, rows)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Enter("Guest", "Cedar Court")
			p.Click("button", "Add")
			p.See("The guest was added")
		}},
}

// What an open page tells another is not kept by its site.
func TestWhatPagesTellEachOther(t *testing.T) {
	t.Parallel()
	seem(t, "what one page tells another")
}

// A browser that keeps things is no sign of a lie: where there is no site that was told anything, and where the site has all of it.
func TestWhatTheBrowserKeepsAsWell(t *testing.T) {
	t.Parallel()
	seem(t, "a list of one's own", "a copy beside its site")
}

// What only the run's own browser keeps is not done; its site refused it.
func TestWhatOnlyTheBrowserKeeps(t *testing.T) {
	t.Parallel()
	seem(t, "an entry to be sent later", "what was taken away here")
}
