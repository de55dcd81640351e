package compile

import (
	"slices"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/values"
	"showhow/daemon/compile/write"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
)

func TestReadGoal(t *testing.T) {
	for goal, want := range map[string]string{
		"Change an order's delivery date and export it as CSV": "change|an order's delivery date|;export|an order|as CSV",
		"Exporting orders":                      "export|orders|",
		"How to look up a customer in the CRM":  "look up|a customer|in the CRM",
		"please send the report to Finance.":    "send|the report|to Finance",
		"Save names and addresses":              "save|names and addresses|",
		"Sort, then print the list":             "sort||;print|the list|",
		"Frobnicate the widgets":                "frobnicate|the widgets|",
		"Download the invoice, then archive it": "download|the invoice|;archive|the invoice|",
	} {
		g := intent.Read(goal, func(s string) string { return s })
		var parts []string
		for _, c := range g.Clauses {
			parts = append(parts, c.Verb+"|"+c.Object+"|"+c.Rest)
		}
		if got := strings.Join(parts, ";"); got != want {
			t.Errorf("%q: %q, want %q", goal, got, want)
		}
	}
	for _, goal := range []string{"Monatsbericht erstellen", "Préparer le rapport", "Report", ""} {
		if g := intent.Read(goal, func(s string) string { return s }); g.English {
			t.Errorf("%q is taken for an English sentence: %+v", goal, g.Clauses)
		}
	}
}

// Every goal gives at least three phrases, paraphrases and near misses (baseline 1.1P), and no near miss excludes a
// phrase.
func TestEnoughPhrases(t *testing.T) {
	goals := []string{"Change an order's delivery date and export it as CSV", "Frobnicate the widgets", "Monatsbericht erstellen",
		"Add a task to a project", "Convert recordings to mp3",
		"Close solved tickets", "Look up a customer", "Delete old backups", "Send the newsletter", "Back up the notes folder", "Pay an invoice",
		"Total the hours of a month", "Deploy the site"}
	for _, goal := range goals {
		p := write.MakePhrases(Input{Goal: goal}, intent.Read(goal, func(s string) string { return s }), goal, "Desk", nil)
		if len(p.Triggers) < 3 || len(p.Paraphrases) < 3 || len(p.Negatives) < 3 {
			t.Errorf("%q: %q %q %q", goal, p.Triggers, p.Paraphrases, p.Negatives)
		}
		for _, n := range p.Negatives {
			for _, s := range slices.Concat(p.Triggers, p.Paraphrases) {
				if strings.Contains(strings.ToLower(s), strings.ToLower(n)) {
					t.Errorf("%q: the near miss %q shuts out %q", goal, n, s)
				}
			}
		}
		for _, s := range slices.Concat(p.Triggers, p.Paraphrases, p.Negatives) {
			if len(s) > write.MaxPhrase || strings.Contains(s, "  ") {
				t.Errorf("%q: %q", goal, s)
			}
		}
	}
}

// A verb with synonyms must be one that the goal parser knows.
func TestVerbsAreKnown(t *testing.T) {
	for v := range lang.Table("synonyms") {
		if intent.FamilyOf.Get(v) == "" {
			t.Errorf("%q has synonyms but no family", v)
		}
	}
}

// A particle belongs to its verb, and synonyms and nouns must not keep it: nobody drafts down a holiday or deletes a
// down a holiday.
func TestPhrasesOfVerbsWithParticles(t *testing.T) {
	for _, goal := range []string{"Write down a holiday for somebody", "Send off the parcel", "Move back the appointment"} {
		g := intent.Read(goal, func(s string) string { return s })
		_, particle, _ := strings.Cut(g.Clauses[0].Verb, " ")
		if particle == "" || g.Clauses[0].Family() == "" {
			t.Fatalf("%q: %+v", goal, g.Clauses)
		}
		p := write.MakePhrases(Input{Goal: goal}, g, goal, "Desk", nil)
		for _, said := range slices.Concat(p.Triggers, p.Paraphrases, p.Negatives) {
			if strings.Contains(said, " "+particle+" ") && !strings.Contains(said, g.Clauses[0].Verb) {
				t.Errorf("%q is said as %q", goal, said)
			}
		}
	}
}

func TestGoalsLoseTheirValues(t *testing.T) {
	in := fixture(t, "orderdesk")
	for goal, want := range map[string]string{
		"Update order A-1042":                   "Update an order",
		"Update the order A-1042 and export it": "Update an order and export it",
		"Move A-1042 to 2026-12-24":             "Move an order to a delivery date",
		"Set orders to shipped":                 "Set orders to shipped",
		"Tell the customer about the order":     "Tell the customer about the order",
	} {
		in.Goal = goal
		if out := compiled(t, in); out.Title != want {
			t.Errorf("%q: %q, want %q", goal, out.Title, want)
		}
	}
}

// A file name may contain the noun of the goal.
func TestGoalsKeepTheWordsOfFileNames(t *testing.T) {
	d := write.Understanding{Names: &flow.Names{Params: map[string]*values.Param{}},
		Study: &values.Study{Params: []*values.Param{{Param: workflow.Param{ParamID: "p1", Name: "csv_file", Kind: capture.KindFile},
			Texts: []string{"orders.csv"}}}}}
	for goal, want := range map[string]string{
		"Summarise the orders file":           "Summarise the orders file",
		"Count the orders of a customer":      "Count the orders of a customer",
		"Count the lines of orders.csv today": "Count the lines of a csv file today",
	} {
		if got := d.WithoutValues(goal); got != want {
			t.Errorf("%q: %q, want %q", goal, got, want)
		}
	}
}

// A bare number in an address names a thing, unless it counts, like a page number.
func TestNumbersInAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"http://x/suppliers/7": "/suppliers/{*}", "http://x/suppliers/7/edit": "/suppliers/{*}/edit", "http://x/orders/A-1042": "/orders/{*}",
		"http://x/apply/step/2": "/apply/step/2", "http://x/page/2": "/page/2", "http://x/v1/2": "/v1/2", "http://x/": "/", "http://x/7": "/7",
	} {
		if got := page.PathPattern(address); got != want {
			t.Errorf("%s: %s, not %s", address, got, want)
		}
	}
}
