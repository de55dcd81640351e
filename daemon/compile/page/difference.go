package page

import (
	"slices"

	"showhow/capture"
	"showhow/internal/plain"
)

// Fresh returns the texts that are in after but not in before, each once.
func Fresh(before, after []string) []string {
	var out []string
	for _, s := range after {
		if !slices.Contains(before, s) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// FreshHeadings returns the headings that are new, ignoring counts: "Done (5)" is the same as "Done (4)".
func FreshHeadings(before, after []string) []string {
	bareText := func(s string) string { return plain.Squeeze(CountForm.ReplaceAllString(s, "")) }
	var old []string
	for _, h := range before {
		old = append(old, bareText(h))
	}
	var out []string
	for _, h := range after {
		if p := bareText(h); p != "" && !slices.Contains(old, p) && !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// RowChange is a table that is new or whose number of rows changed.
type RowChange struct {
	Table  capture.Table
	Before int
	IsNew  bool
}

// RowChanges lists the tables that grew, shrank or appeared between two states.
func RowChanges(b, s *capture.State) []RowChange {
	var out []RowChange
	for _, t := range s.Tables {
		same := func(o capture.Table) bool { return SameTable(o, t) }
		if j := slices.IndexFunc(s.Tables, same); j >= 0 && slices.ContainsFunc(s.Tables[j+1:], same) {
			continue // ambiguous: another table looks the same
		}
		j := slices.IndexFunc(b.Tables, same)
		switch {
		case j < 0:
			out = append(out, RowChange{t, 0, true})
		case b.Tables[j].Rows != t.Rows:
			out = append(out, RowChange{t, b.Tables[j].Rows, false})
		}
	}
	return out
}

// SameTable reports whether two tables are the same one: by their columns, else by name, ignoring names with counts ("1
// to 10 of 64").
func SameTable(a, b capture.Table) bool {
	return slices.Equal(a.Columns, b.Columns) && (len(a.Columns) > 1 || TableName(a) == TableName(b))
}

// TableName returns a table's name, or "" when it contains a number; masks are removed.
func TableName(t capture.Table) string {
	if plain.Digits(t.Name) > 0 {
		return ""
	}
	return plain.Squeeze(StripMasks(t.Name))
}

// DetailOf returns the value beside a label, or nil when there is none or more than one.
func DetailOf(s *capture.State, label string) *capture.Value {
	var out *capture.Value
	for _, f := range s.Details {
		if f.Label != label {
			continue
		}
		if out != nil || f.Value == nil || f.Value.LinkID == "" && f.Value.Text == "" {
			return nil
		}
		out = f.Value
	}
	return out
}

// StateTexts returns the texts that identify a page.
func StateTexts(s *capture.State) []string {
	return append(append([]string{s.URL, s.Title}, s.Headings...), s.Dialogs...)
}

// ShownTexts returns the texts that a state shows: headings, dialogs, alerts and title.
func ShownTexts(st *capture.State) []string {
	return slices.Concat(st.Headings, st.Dialogs, st.Alerts, []string{st.Title})
}
