package apps

import (
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"

	"showhow/bench/corpus/ledger"
)

// Categories that a document can have.
var Categories = []string{"Contract", "Invoice", "Minutes", "Report"}

// Months as the statements' form names them.
var Months = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
	"December"}

var paperWords = [2][]string{{"budget", "lease", "visit", "audit", "safety", "supplier", "training", "garden"},
	{"draft", "notes", "plan", "summary", "offer", "check"}}

func papers(seed uint64) *App {
	a := newApp("papers", "Papers", "/documents", seed, fillPapers)
	m := a.mux()
	m.HandleFunc("GET /documents", func(w http.ResponseWriter, r *http.Request) {
		rows := found(a.Ledger.Rows("documents"), r.URL.Query().Get("q"), "name", "category", "about")
		a.show(w, r, http.StatusOK, "documents.html", page{Title: "Documents", Data: pages(r, rows, 40)})
	})
	m.HandleFunc("GET /documents/new", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "upload.html", page{Title: "Upload a document", Data: Categories})
	})
	m.HandleFunc("POST /documents/new", a.upload)
	m.HandleFunc("POST /documents/{id}/name", a.rename)
	m.HandleFunc("GET /statements", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "statements.html", page{Title: "Statements", Data: Months})
	})
	m.HandleFunc("GET /statements/download", a.statement)
	return a
}

func fillPapers(r *rand.Rand) ledger.Tables {
	t := ledger.Tables{}
	perm := r.Perm(len(paperWords[0]) * len(paperWords[1]))
	for i, n := range perm[:14] {
		t["documents"] = append(t["documents"], ledger.Row{
			"id": fmt.Sprintf("D-%d", 41+i), "name": paperWords[0][n%8] + "-" + paperWords[1][n/8] + ".txt",
			"category": pick(r, Categories), "about": "", "size": strconv.Itoa(200 + r.IntN(4000))})
	}
	return t
}

func (a *App) upload(w http.ResponseWriter, r *http.Request) {
	p := page{Title: "Upload a document", Data: Categories}
	file, head, err := r.FormFile("file")
	if err != nil {
		p.Problem, p.Form = "Choose a file.", fields(r)
		a.show(w, r, http.StatusUnprocessableEntity, "upload.html", p)
		return
	}
	defer file.Close()
	size, err := io.Copy(io.Discard, file)
	if err == nil {
		_, err = a.Ledger.Apply(r.Context(), ledger.Effect{Verb: "add", Table: "documents", Fields: map[string]string{"name": head.Filename,
			"category": r.FormValue("category"), "about": strings.TrimSpace(r.FormValue("about")), "size": strconv.FormatInt(size, 10)}})
	}
	if err != nil {
		a.failed(w, r, err, "upload.html", p)
		return
	}
	a.to(w, r, "/documents", "The document was uploaded.")
}

func (a *App) rename(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimSpace(r.FormValue("name"))
	if name == "" {
		a.to(w, r, "/documents", "A document needs a name.")
		return
	}
	if _, err := a.Ledger.Apply(r.Context(), ledger.Effect{Verb: "set", Table: "documents", ID: r.PathValue("id"),
		Fields: map[string]string{"name": name}}); err != nil {
		a.failed(w, r, err, "", page{})
		return
	}
	a.to(w, r, "/documents", "The document was renamed.")
}

// statement is a file with lines of its own for every month: date, text, amount.
func (a *App) statement(w http.ResponseWriter, r *http.Request) {
	f := fields(r)
	month := 0
	for i, m := range Months {
		if m == f["month"] {
			month = i + 1
		}
	}
	year, err := strconv.Atoi(f["year"])
	if month == 0 || err != nil {
		a.show(w, r, http.StatusUnprocessableEntity, "statements.html",
			page{Title: "Statements", Data: Months, Form: f, Problem: "Choose a month and a year."})
		return
	}
	fault := a.Ledger.Fault()
	if fault == ledger.EmptyFile {
		a.Ledger.Fail(ledger.Claim)
		defer a.Ledger.Fail(fault)
	}
	if _, err := a.Ledger.Apply(r.Context(), ledger.Effect{
		Verb: "send", Table: "statements", ID: fmt.Sprintf("%d-%02d", year, month)}); err != nil {
		a.failed(w, r, err, "statements.html", page{Title: "Statements", Data: Months})
		return
	}
	w.Header().Set("Content-Type", "text/csv")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="statement-%d-%02d.csv"`, year, month))
	if fault != ledger.EmptyFile {
		writeStatement(w, year, month)
	}
}

func writeStatement(w io.Writer, year, month int) {
	out := csv.NewWriter(w)
	r := rand.New(rand.NewPCG(uint64(year), uint64(month)))
	_ = out.Write([]string{"date", "kind", "text", "amount"})
	for d := 1; d <= 28; d += 1 + r.IntN(3) {
		_ = out.Write([]string{fmt.Sprintf("%d-%02d-%02d", year, month, d), pick(r, []string{"fee", "rent", "sale", "refund"}),
			pick(r, occasions), fmt.Sprintf("%d.%02d", 5+r.IntN(400), r.IntN(100))})
	}
	out.Flush()
}
