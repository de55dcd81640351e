package cases

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"showhow/bench/corpus/ledger"
)

// Load is the case as one run meets it.
type Load struct {
	Case   *Case
	N      int
	Spec   Spec   // with the words and rows of this load
	Values Values // to do it with
	Path   []string
	Asides Values // what else a person could tell who is asked for it
}

// Truth is an input that a person would expect.
type Truth struct {
	Key   string
	Label string // what the page calls it
	Noun  string // what the goal calls it
}

// data is the random source for what differs between loads, or is the same in all.
func (c *Case) data(what string, n int) *rand.Rand {
	h := uint64(14695981039346656037)
	for _, b := range []byte(what) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return rand.New(rand.NewPCG(c.Seed^h, uint64(n)))
}

// Load draws what run n meets and does.
func (c *Case) Load(n int) *Load {
	l := &Load{Case: c, N: n, Spec: c.Spec, Values: Values{}, Asides: Values{}}
	shown := 0
	if c.Spec.Shift {
		shown = n + 1
	}
	r := c.data("shown", shown)
	w := wordsOf(c.Spec.Lang, r)
	s := &l.Spec
	switch s.Kind {
	case Form, Dialog, Wizard, Upload:
		for _, f := range s.Fields {
			if f.Type == "file" {
				l.Values[f.Key] = fmt.Sprintf("%s-%d.txt", invented(c.data("file", n)), n)
			} else {
				l.Values[f.Key] = valueOf(c.data(f.Key, 0), f, n)
			}
		}
		l.Spec.Rows = others(r, s.Fields)
	case Picker:
		if c.Spec.Shift {
			s.Options = some(r, len(s.Options), slices.Concat(w.Options, w.Items))
		}
		l.Values["picked"] = s.Options[l.unlike(len(s.Options), func(i int) string { return s.Options[i] })]
		l.Spec.Rows = ledgerRows{{"id": "S-1", "picked": ""}}
	case Tree:
		if c.Spec.Shift {
			s.Tree = tree(r, w)
		}
		leaves := Leaves(s.Tree, nil)
		l.Path = leaves[l.unlike(len(leaves), func(i int) string { return leaves[i][len(leaves[i])-1] })]
		l.Values["picked"] = l.Path[len(l.Path)-1]
		for i, folder := range l.Path[:len(l.Path)-1] {
			l.Asides[fmt.Sprint("folder", i)] = folder
		}
		l.Spec.Rows = ledgerRows{{"id": "S-1", "picked": ""}}
	default:
		l.records(r, w)
	}
	return l
}

// records draws rows and picks the target row.
func (l *Load) records(r *rand.Rand, w words) {
	c, s := l.Case, &l.Spec
	count := 5 + r.IntN(5)
	switch {
	case s.Virtual:
		count = 60 + r.IntN(60)
	case s.Kind == Pager:
		count = 13 + r.IntN(10)
	}
	used := map[string]bool{}
	for len(s.Rows) < count {
		name := capital(pick(r, w.Items)) + " " + capital(invented(r))
		if used[name] {
			continue
		}
		used[name] = true
		row := ledger.Row{"id": fmt.Sprintf("K-%d", 101+len(s.Rows)), "name": name, "kind": pick(r, s.Columns[1].Options),
			"amount": fmt.Sprint(2 + r.IntN(90)), "state": ""}
		if s.Kind == Inline {
			row["note"] = invented(r) + " " + invented(r)
		}
		s.Rows = append(s.Rows, row)
	}
	row := s.Rows[turn(c, len(s.Rows), l.N)]
	l.Values["row"] = row["name"]
	l.Asides["kind"], l.Asides["amount"], l.Asides["note"] = row["kind"], row["amount"], row["note"]
	if s.PerPage > 0 {
		l.Asides["page"] = fmt.Sprint(l.Page() + 1)
	}
	if c.Spec.Kind == Inline {
		v := c.data("value", l.N)
		l.Values["value"] = invented(v) + " " + invented(v)
	} else if c.Target == "kind" {
		other := slices.DeleteFunc(slices.Clone(s.Columns[1].Options), func(o string) bool { return o == row["kind"] })
		l.Values["value"] = other[turn(c, len(other), l.N)]
	}
}

// turn gives each run a different one of n things, as long as there are enough.
func turn(c *Case, n, run int) int { return c.data("turn", 0).Perm(n)[run%n] }

// unlike gives each run a different one of n things whose names change at each load: never one with a name that was
// picked before.
func (l *Load) unlike(n int, name func(i int) string) int {
	before := map[string]bool{}
	for earlier := range l.N {
		before[l.Case.Load(earlier).Values["picked"]] = true
	}
	at := turn(l.Case, n, l.N)
	for i := range n {
		if !before[name((at+i)%n)] {
			return (at + i) % n
		}
	}
	return at
}

// others are the pre-existing records.
func others(r *rand.Rand, fields []Field) (out ledgerRows) {
	for i := range 2 + r.IntN(4) {
		row := ledger.Row{"id": fmt.Sprintf("K-%d", 101+i)}
		for _, f := range fields {
			if row[f.Key] = valueOf(r, f, 10+i); f.Type == "file" {
				row[f.Key] = invented(r) + ".txt"
			}
		}
		out = append(out, row)
	}
	return out
}

// valueOf is what run n enters into a field: the same r gives each run a different value.
func valueOf(r *rand.Rand, f Field, n int) string {
	switch f.Type {
	case Number:
		return fmt.Sprint(r.Perm(80)[n%80] + 11)
	case Date:
		return fmt.Sprintf("2027-%02d-%02d", 1+(r.IntN(12)+n)%12, 1+(r.IntN(28)+5*n)%28)
	case Choice, Radio:
		return f.Options[r.Perm(len(f.Options))[n%len(f.Options)]]
	case Yes:
		return "yes"
	case Long:
		return several(r, n, 5)
	default:
		return capital(several(r, n, 1+r.IntN(2)))
	}
}

func several(r *rand.Rand, n, count int) string {
	own := rand.New(rand.NewPCG(r.Uint64(), uint64(n)))
	var out []string
	for range count {
		out = append(out, invented(own))
	}
	return strings.Join(out, " ")
}

// Truths are the inputs that a person would expect.
func (c *Case) Truths() (out []Truth) {
	switch c.Spec.Kind {
	case Form, Dialog, Wizard, Upload:
		for _, f := range c.Spec.Fields {
			if f.Type != Yes { // done the same way each time
				out = append(out, Truth{Key: f.Key, Label: f.Label})
			}
		}
	case Picker:
		out = append(out, Truth{Key: "picked", Label: c.Spec.Words.Picked})
	case Tree:
		out = append(out, Truth{Key: "picked"})
	default:
		out = append(out, Truth{Key: "row", Label: c.Spec.Columns[0].Label, Noun: c.Noun()})
		switch c.Target {
		case "kind":
			out = append(out, Truth{Key: "value", Label: c.Spec.Columns[1].Label})
		case "note":
			out = append(out, Truth{Key: "value", Label: c.Spec.Columns[len(c.Spec.Columns)-1].Label})
		}
	}
	return out
}

// Expected is what must have happened when the load's task is done.
func (l *Load) Expected() []ledger.Effect {
	c := l.Case
	e := ledger.Effect{Verb: c.Verb, Table: c.Table, Fields: map[string]string{}}
	switch l.Spec.Kind {
	case Form, Dialog, Wizard, Upload:
		for _, f := range l.Spec.Fields {
			e.Fields[f.Key] = l.Values[f.Key]
		}
		if c.Verb == "set" {
			e.ID = "S-1"
		}
	case Picker, Tree:
		e.ID, e.Fields["picked"] = "S-1", l.Values["picked"]
	default:
		e.ID = l.Row()["id"]
		switch {
		case c.Verb == "remove":
			e.Fields = nil
		case c.Fixed != "":
			e.Fields[c.Target] = c.Fixed
		default:
			e.Fields[c.Target] = l.Values["value"]
		}
	}
	return []ledger.Effect{e}
}

// Row is the target record of the load's task, nil if there is none.
func (l *Load) Row() ledger.Row {
	for _, r := range l.Spec.Rows {
		if r["name"] == l.Values["row"] {
			return r
		}
	}
	return nil
}

// Page is the page of the pager that contains it, from 0 on.
func (l *Load) Page() int {
	return slices.IndexFunc(l.Spec.Rows, func(r ledger.Row) bool { return r["name"] == l.Values["row"] }) / l.Spec.PerPage
}

// Tables are the ledger's records when the run begins.
func (l *Load) Tables() ledger.Tables {
	rows := l.Spec.Rows.clone()
	if l.Spec.Kind == Form && l.Spec.Variant == "settings" {
		row := ledger.Row{"id": "S-1"}
		for _, f := range l.Spec.Fields {
			row[f.Key] = f.Value
		}
		rows = []ledger.Row{row}
	}
	return ledger.Tables{tableName: rows, "other": {{"id": "O-1"}}}
}
