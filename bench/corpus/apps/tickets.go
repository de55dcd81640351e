package apps

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"showhow/bench/corpus/ledger"
)

// Desks that a ticket can be given to.
var Desks = []string{"Billing", "Network", "Printers", "Telephones"}

var troubles = []string{"The scanner jams", "No dial tone", "Slow network upstairs", "Wrong invoice address", "Badge does not open",
	"Screen flickers", "Mail comes late",
	"Password letter missing", "Noise on the line", "Toner is empty", "Cable torn", "Old logo on forms"}

func tickets(seed uint64) *App {
	a := newApp("tickets", "Helpline", "/tickets", seed, fillTickets)
	m := a.mux()
	m.HandleFunc("GET /tickets", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "tickets.html",
			page{Title: "Tickets", Data: map[string]any{"Open": found(a.Ledger.Rows("tickets"), "open", "state"), "Desks": Desks}})
	})
	m.HandleFunc("POST /tickets", a.report)
	m.HandleFunc("POST /tickets/give", a.give)
	m.HandleFunc("POST /tickets/solve", a.solve)
	m.HandleFunc("GET /tickets/{id}", a.row("tickets", func(w http.ResponseWriter, r *http.Request, t ledger.Row) {
		a.show(w, r, http.StatusOK, "ticket.html", page{Title: t["trouble"], Data: t})
	}))
	m.HandleFunc("POST /tickets/{id}/time", a.logTime)
	return a
}

func fillTickets(r *rand.Rand) ledger.Tables {
	t := ledger.Tables{}
	for i, n := range r.Perm(len(troubles)) {
		t["tickets"] = append(t["tickets"], ledger.Row{"id": fmt.Sprintf("H%d", 2201+7*i), "trouble": troubles[n], "desk": pick(r, Desks),
			"urgency": "normal", "state": "open", "minutes": "0"})
	}
	return t
}

func (a *App) report(w http.ResponseWriter, r *http.Request) {
	f := fields(r)
	if f["trouble"] == "" {
		a.to(w, r, "/tickets", "Say what happened.")
		return
	}
	t, err := a.Ledger.Apply(r.Context(), ledger.Effect{
		Verb: "add", Table: "tickets", ID: fmt.Sprintf("H%d", 3000+len(a.Ledger.Rows("tickets"))),
		Fields: map[string]string{"trouble": f["trouble"], "more": f["more"], "urgency": f["urgency"], "desk": f["desk"], "state": "open"}})
	if err != nil {
		a.failed(w, r, err, "", page{})
		return
	}
	a.to(w, r, "/tickets", "Thank you. Your ticket has the number "+t["id"]+".")
}

func (a *App) give(w http.ResponseWriter, r *http.Request) {
	f := fields(r)
	if _, err := a.Ledger.Apply(r.Context(), ledger.Effect{
		Verb: "set", Table: "tickets", ID: f["id"], Fields: map[string]string{"desk": f["desk"]}}); err != nil {
		a.failed(w, r, err, "", page{})
		return
	}
	a.to(w, r, "/tickets", "The ticket was given to "+f["desk"]+".")
}

// solve closes every ticket that is ticked.
func (a *App) solve(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	for _, id := range r.Form["id"] {
		if _, err := a.Ledger.Apply(r.Context(), ledger.Effect{
			Verb: "set", Table: "tickets", ID: id, Fields: map[string]string{"state": "solved"}}); err != nil {
			a.failed(w, r, err, "", page{})
			return
		}
	}
	a.to(w, r, "/tickets", fmt.Sprintf("%d tickets were solved.", len(r.Form["id"])))
}

func (a *App) logTime(w http.ResponseWriter, r *http.Request) {
	id, minutes := r.PathValue("id"), strings.TrimSpace(r.FormValue("minutes"))
	if _, err := a.Ledger.Apply(r.Context(), ledger.Effect{
		Verb: "set", Table: "tickets", ID: id, Fields: map[string]string{
			"minutes": minutes, "on": strings.TrimSpace(r.FormValue("on"))}}); err != nil {
		a.failed(w, r, err, "", page{})
		return
	}
	a.to(w, r, "/tickets/"+id, "Your time was noted.")
}
