package stage

import (
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/gorilla/websocket"

	"showhow/bench/corpus/person"
)

// live answers what a page says through a socket: it lists the things when it is asked, and does deeds as the lie says.
func live(d *workshop, w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path != "/live" {
		return false
	}
	c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		return true
	}
	ops := map[string]string{"ADD_THING": "add", "REMOVE_THING": "delete", "SWITCH_THING": "flip"}
	go func() {
		defer c.Close()
		for {
			var m struct {
				Type, V string
				ID      int
			}
			if c.ReadJSON(&m) != nil {
				return
			}
			d.mu.Lock()
			d.expire()
			answer := any(map[string]any{"type": "done"})
			if op := ops[m.Type]; op != "" {
				d.do(op, strconv.Itoa(m.ID), m.V)
			} else if m.Type == "LIST_THINGS" {
				answer = map[string]any{"type": "things", "things": slices.Clone(d.things)}
			}
			d.mu.Unlock()
			if c.WriteJSON(answer) != nil {
				return
			}
		}
	}()
	return true
}

// talk is a page that has nothing but what comes through its socket.
const talk = `things = []; let then = null;
const live = new WebSocket(location.origin.replace("http", "ws") + "/live");
const tells = (o) => live.send(JSON.stringify(o));
live.onopen = () => tells({type: "LIST_THINGS"});
live.onmessage = (e) => { const m = JSON.parse(e.data);
  if (m.type === "things") { things = m.things; draw(); return; }
  if (then) then(); then = null; };
function over(type, op, i, v, s) { const shows = () => { local[op](i, v); draw(); say(s); };
  if (draws === "before") shows();
  then = () => { if (draws === "after") shows(); if (draws === "again") { tells({type: "LIST_THINGS"}); say(s); } };
  tells({type, id: i, v}); }
`

// talking are pages that have nothing but a socket.
var talking = []kind{
	{name: "a list through a socket", open: []lie{forgets, another}, last: "Remove", goal: "Remove a thing", script: true, serve: live,
		shows: true, page: func(*workshop) string {
			return talk + tableOf + `function draw() { all.innerHTML = table((x, i) => cells(x, i,
"<button onclick='over(\"REMOVE_THING\", \"delete\", " + i + ", \"\", \"The thing was removed\")'>Remove</button>")); }`
		}, show: func(p *person.Person, d *workshop) {
			p.Open("/")
			p.ClickIn("Pine", "button", "Remove")
			p.See("Willow")
		}, values: map[string]string{"": "Birch"}, did: only(func(t []thing) []thing { return slices.Delete(t, 3, 4) })},
	{name: "an entry through a socket", open: []lie{forgets, echoes}, last: "Add", goal: "Add a thing", script: true, serve: live, shows: true,
		page: func(*workshop) string {
			return talk + tableOf + `all.insertAdjacentHTML("beforebegin",
"<form id=f><label>Name <input name=v></label> <button>Add</button></form>");
f.onsubmit = (e) => { e.preventDefault(); over("ADD_THING", "add", 0, f.elements.v.value, "The thing was added"); f.reset(); };
function draw() { all.innerHTML = table((x, i) => cells(x, i, "")); }`
		}, show: func(p *person.Person, d *workshop) {
			p.Open("/")
			p.See("Willow")
			p.Enter("Name", "Cedar wood")
			p.Click("button", "Add")
			p.See("Cedar wood")
		}, values: map[string]string{"": "Maple wood"}, did: only(mapleAdded)},
}

// A page that does its work through a socket is rehearsed as any other, and one that only claims success through it never passes.
func TestADeedThroughASocket(t *testing.T) {
	t.Parallel()
	tellLies(t, talking, `^(a list through a socket, shown again|an entry through a socket, shown before), mute$`)
}
