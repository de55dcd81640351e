package apps

import (
	"encoding/csv"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"net/http"

	"showhow/bench/corpus/ledger"
)

// Priorities of a fault; the first is the default.
var Priorities = []string{"low", "normal", "high"}

// States that a fault can be in.
var States = []string{"new", "assigned", "closed"}

var defects = []string{"Door squeaks", "Lamp flickers", "Blinds are stuck", "Tap drips"}

// desk numbers reports: nobody knows a fault's number before it is sent.
func desk(seed uint64) *App {
	a := newApp("desk", "House Desk", "/faults", seed, fillDesk)
	m := a.mux()
	m.HandleFunc("GET /faults", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "faults.html", page{Title: "Faults", Data: a.Ledger.Rows("faults")})
	})
	m.HandleFunc("GET /faults/new", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "newfault.html", page{Title: "New fault", Data: Priorities})
	})
	m.HandleFunc("POST /faults/new", a.reportFault)
	m.HandleFunc("GET /faults.csv", a.faultsCSV)
	m.HandleFunc("GET /faults/{id}", a.row("faults", func(w http.ResponseWriter, r *http.Request, f ledger.Row) {
		a.show(w, r, http.StatusOK, "fault.html", page{Title: "Fault " + f["id"], Data: map[string]any{"Fault": f, "States": States}})
	}))
	m.HandleFunc("POST /faults/{id}", a.setFault)
	return a
}

func fillDesk(r *rand.Rand) ledger.Tables {
	t := ledger.Tables{}
	for i, n := range r.Perm(len(defects)) {
		t["faults"] = append(t["faults"], ledger.Row{"id": fmt.Sprint(2 + i), "topic": defects[n],
			"by": pick(r, givenNames) + " " + pick(r, familyNames), "room": fmt.Sprintf("C%d", 11+i), "priority": "normal", "state": "new"})
	}
	return t
}

func (a *App) reportFault(w http.ResponseWriter, r *http.Request) {
	f := fields(r)
	if f["by"] == "" || f["topic"] == "" || f["room"] == "" {
		a.to(w, r, "/faults/new", "Say who reports what, and where.")
		return
	}
	number := fmt.Sprint(7 + crc32.ChecksumIEEE([]byte(f["topic"]))%80)
	if _, err := a.Ledger.Apply(r.Context(), ledger.Effect{Verb: "add", Table: "faults", ID: number,
		Fields: map[string]string{"by": f["by"], "topic": f["topic"], "room": f["room"], "priority": f["priority"],
			"state": "new"}}); err != nil {
		a.failed(w, r, err, "", page{})
		return
	}
	a.to(w, r, "/faults/"+number, "Saved")
}

func (a *App) setFault(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if _, err := a.Ledger.Apply(r.Context(), ledger.Effect{
		Verb: "set", Table: "faults", ID: id, Fields: map[string]string{"state": fields(r)["state"]}}); err != nil {
		a.failed(w, r, err, "", page{})
		return
	}
	a.to(w, r, "/faults/"+id, "Saved")
}

func (a *App) faultsCSV(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="faults.csv"`)
	out := csv.NewWriter(w)
	_ = out.Write([]string{"number", "topic", "by", "room", "priority", "state"})
	for _, f := range a.Ledger.Rows("faults") {
		_ = out.Write([]string{f["id"], f["topic"], f["by"], f["room"], f["priority"], f["state"]})
	}
	out.Flush()
}
