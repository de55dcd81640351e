package apps

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"showhow/bench/corpus/ledger"
)

// Reasons to cancel a booking.
var Reasons = []string{"Moved to another day", "Held online", "Not needed any more"}

var roomNames = []string{"Aspen", "Birch", "Cedar", "Elm", "Hazel", "Juniper", "Linden", "Maple"}

var occasions = []string{"Team meeting", "Interview", "Workshop", "Budget talk", "Reading group", "Demo", "First aid course"}

// rooms is a wizard; the list of free rooms comes from a service that sometimes fails, and the page retries.
func rooms(seed uint64) *App {
	a := newApp("rooms", "Roomfinder", "/bookings", seed, fillRooms)
	m := a.mux()
	m.HandleFunc("GET /bookings", func(w http.ResponseWriter, r *http.Request) {
		rows := found(a.Ledger.Rows("bookings"), r.URL.Query().Get("q"), "id", "purpose", "room")
		a.show(w, r, http.StatusOK, "bookings.html", page{Title: "Bookings", Data: pages(r, rows, 30)})
	})
	m.HandleFunc("GET /bookings/{id}", a.row("bookings", func(w http.ResponseWriter, r *http.Request, b ledger.Row) {
		a.show(w, r, http.StatusOK, "booking.html", page{Title: "Booking " + b["id"], Data: map[string]any{"B": b, "Reasons": Reasons}})
	}))
	m.HandleFunc("POST /bookings/{id}/cancel", a.cancelBooking)
	for i, next := range map[int]string{1: "/book/room", 2: "/book/details", 3: "/book/check"} {
		name := []string{"", "when", "room", "details"}[i]
		m.HandleFunc("GET /book/"+name, func(w http.ResponseWriter, r *http.Request) {
			a.show(w, r, http.StatusOK, name+".html", page{Title: "Book a room", Form: a.draft(w, r, nil)})
		})
		m.HandleFunc("POST /book/"+name, func(w http.ResponseWriter, r *http.Request) { a.wizard(w, r, name, next) })
	}
	m.HandleFunc("GET /book/check", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "check.html", page{Title: "Check your booking", Form: a.draft(w, r, nil)})
	})
	m.HandleFunc("POST /book/check", a.book)
	m.HandleFunc("GET /api/free", a.freeRooms)
	return a
}

func fillRooms(r *rand.Rand) ledger.Tables {
	t := ledger.Tables{}
	for i, n := range roomNames {
		t["rooms"] = append(t["rooms"], ledger.Row{"id": fmt.Sprintf("R-%d", i+1), "name": n, "seats": strconv.Itoa(4 + 2*r.IntN(8))})
	}
	for i := range 14 {
		t["bookings"] = append(t["bookings"], ledger.Row{"id": fmt.Sprintf("K-%d", 501+i), "room": pick(r, roomNames), "date": day(r.IntN(40)),
			"from": fmt.Sprintf("%02d:00", 8+r.IntN(9)), "hours": strconv.Itoa(1 + r.IntN(3)), "purpose": pick(r, occasions),
			"people": strconv.Itoa(2 + r.IntN(9))})
	}
	return t
}

// freeRooms fails on every third request, beginning with the first.
func (a *App) freeRooms(w http.ResponseWriter, _ *http.Request) {
	a.mu.Lock()
	a.calls++
	fails := a.calls%3 == 1
	a.mu.Unlock()
	if fails {
		complain(w, http.StatusServiceUnavailable, "The service is busy.")
		return
	}
	reply(w, a.Ledger.Rows("rooms"))
}

func (a *App) wizard(w http.ResponseWriter, r *http.Request, name, next string) {
	f := fields(r)
	problem := ""
	switch name {
	case "when":
		if _, err := time.Parse(time.DateOnly, f["date"]); err != nil {
			problem = "Choose a date."
		}
	case "room":
		if f["room"] == "" {
			problem = "Choose a room."
		}
	case "details":
		if f["purpose"] == "" {
			problem = "Say what the room is for."
		}
	}
	if problem != "" {
		a.show(w, r, http.StatusUnprocessableEntity, name+".html", page{Title: "Book a room", Form: f, Problem: problem})
		return
	}
	a.draft(w, r, f)
	a.to(w, r, next, "")
}

func (a *App) book(w http.ResponseWriter, r *http.Request) {
	d := a.draft(w, r, nil)
	want := map[string]string{}
	for _, k := range []string{"date", "from", "hours", "room", "purpose", "people"} {
		want[k] = d[k]
	}
	b, err := a.Ledger.Apply(r.Context(), ledger.Effect{Verb: "add", Table: "bookings", Fields: want})
	if err != nil {
		a.failed(w, r, err, "check.html", page{Title: "Check your booking", Form: d})
		return
	}
	if _, ok := a.Ledger.Row("bookings", b["id"]); !ok {
		a.to(w, r, "/bookings", "Your room is booked.")
		return
	}
	a.to(w, r, "/bookings/"+b["id"], "Your room is booked.")
}

func (a *App) cancelBooking(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	_, err := a.Ledger.Apply(r.Context(), ledger.Effect{
		Verb: "remove", Table: "bookings", ID: id, Fields: map[string]string{"reason": strings.TrimSpace(r.FormValue("reason"))}})
	if err != nil {
		a.failed(w, r, err, "", page{})
		return
	}
	a.to(w, r, "/bookings", "Booking "+id+" was cancelled.")
}
