package page

import (
	"slices"

	"showhow/capture"
	"showhow/internal/plain"
)

// Fresh is what is in after and not in before.
func Fresh(before, after []string) []string {
	var out []string
	for _, s := range after {
		if !slices.Contains(before, s) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// FreshHeadings are the headings that are new, whatever they count: "Done (5)" is no other than "Done (4)".
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

// RowChange is a table whose number of rows changed.
type RowChange struct {
	Table  capture.Table
	Before int
	IsNew  bool
}

// RowChanges lists the tables that grew, shrank or came between two states.
func RowChanges(b, s *capture.State) []RowChange {
	var out []RowChange
	for _, t := range s.Tables {
		same := func(o capture.Table) bool { return SameTable(o, t) }
		if j := slices.IndexFunc(s.Tables, same); j >= 0 && slices.ContainsFunc(s.Tables[j+1:], same) {
			continue // which of them it is nobody could tell
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

// SameTable reports whether two tables are one: by their columns, else by a name that counts nothing ("1 to 10 of 64").
func SameTable(a, b capture.Table) bool {
	return slices.Equal(a.Columns, b.Columns) && (len(a.Columns) > 1 || TableName(a) == TableName(b))
}

// TableName is a table's name unless it is a count or somebody's data.
func TableName(t capture.Table) string {
	if plain.Digits(t.Name) > 0 {
		return ""
	}
	return plain.Squeeze(StripMasks(t.Name))
}

// DetailOf is what stands beside a label, nil where that is not one thing.
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

// StateTexts are the texts that say what a page is about.
func StateTexts(s *capture.State) []string {
	return append(append([]string{s.URL, s.Title}, s.Headings...), s.Dialogs...)
}

// ShownBy are the readable texts of a state that say what a page is about.
func ShownBy(st *capture.State) []string {
	return slices.Concat(st.Headings, st.Dialogs, st.Alerts, []string{st.Title})
}
