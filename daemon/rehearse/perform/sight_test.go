package perform

import (
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/proof"
	"showhow/daemon/rehearse/report"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// rowsOf makes rows of one list: "list: text" in each line.
func rowsOf(lines ...string) (out []port.Row) {
	for _, l := range lines {
		list, text, _ := strings.Cut(l, ": ")
		out = append(out, port.Row{List: list, Text: text})
	}
	return out
}

// What became of a thing is read from the list where it stands.
func TestFate(t *testing.T) {
	was := rowsOf("a: K-1 Birch 9:00", "a: K-2 Maple 10:00", "a: K-3 Linden 11:00", "news: K-2 was booked by Ada")
	renamed := []proof.Entry{{Label: "Room", Value: "Cedar"}}
	for _, c := range []struct {
		name    string
		now     []port.Row
		entered []proof.Entry
		want    proof.Fate
	}{
		{"nothing changed", was, nil, proof.Unseen},
		{"it is gone", rowsOf("a: K-1 Birch 9:00", "a: K-3 Linden 11:00", "news: K-2 was booked by Ada"), nil, proof.Altered},
		{"it is another now", rowsOf("a: K-1 Birch 9:00", "a: K-2 Cedar 10:00", "a: K-3 Linden 11:00", "news: K-2 was booked by Ada"), renamed,
			proof.Altered},
		{"it went to another list", rowsOf("a: K-1 Birch 9:00", "b: K-2 Maple 10:00", "a: K-3 Linden 11:00", "news: K-2 was booked by Ada"), nil,
			proof.Altered},
		{"another one is gone", rowsOf("a: K-1 Birch 9:00", "a: K-2 Maple 10:00", "news: K-2 was booked by Ada"), nil, proof.Spared},
		{"another one became what was entered", rowsOf("a: K-1 Birch 9:00", "a: K-2 Maple 10:00", "a: K-3 Cedar 11:00",
			"news: K-2 was booked by Ada"), renamed, proof.Spared},
		{"another one changed by itself", rowsOf("a: K-1 Birch 9:30", "a: K-2 Maple 10:00", "a: K-3 Linden 11:00", "news: K-2 was booked by Ada"),
			renamed, proof.Unseen},
		{"news come and go", rowsOf("a: K-1 Birch 9:00", "a: K-2 Maple 10:00", "a: K-3 Linden 11:00", "news: the canteen closes"), nil,
			proof.Altered},
		{"another view of the address", rowsOf("a: 1", "b: K-9 Oak", "news: K-2 was taken"), nil, proof.Altered},
		{"another view that does not name it", rowsOf("a: 1", "b: K-9 Oak"), nil, proof.Unseen},
		{"another list became shorter", append(rowsOf("a: K-1 Birch 9:00", "a: K-2 Maple 10:00", "a: K-3 Linden 11:00"),
			rowsOf("news: K-2 was booked by Ada")...), nil, proof.Unseen},
	} {
		p := performance(supply.Supply{})
		p.trail.remember("x", was)
		if got := p.trail.since("x", c.now, nil).FateOf(proof.Thing{Name: "booking", Value: "K-2", Address: "x"}, nil, c.entered); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// A row that changed in most of its cells is recognised by its leading name; and what another row shows is no proof,
// wherever it is read.
func TestNeighboursRow(t *testing.T) {
	row := func(cells ...string) port.Row {
		return port.Row{List: "|Name|Phone|City", Text: strings.Join(cells, " "), Columns: []string{"Name", "Phone", "City"}, Cells: cells}
	}
	was := []port.Row{row("Ada", "020 555 100", "Bern"), row("Boris", "021 555 107", "Chur")}
	now := []port.Row{row("Ada", "020 555 100", "Bern"), row("Boris", "081 313 717", "Bern")}
	entered := []proof.Entry{{Label: "Phone", Value: "081 313 717"}}
	p := performance(supply.Supply{})
	p.trail.things, p.trail.entered = []proof.Thing{{Name: "person", Value: "Ada", Address: "x"}}, entered
	p.trail.remember("x", was)
	if got := p.trail.since("x", now, nil).FateOf(p.trail.things[0], nil, entered); got != proof.Spared {
		t.Errorf("another row took it: %d", got)
	}
	r := p.reviewer.review(workflow.Step{})
	p.reviewer.reviewPage("x#other", port.Page{Rows: now, Text: "Ada 020 555 100 Bern Boris 081 313 717 Bern"}, r)
	if why := r.Proof(); why != "" {
		t.Errorf("an address that was never looked at: %s", why)
	}
}

// Each box of a group is an act of its own, found within the group.
func TestEachBox(t *testing.T) {
	p := performance(supply.Supply{Bindings: supply.Bindings{"contains": "soya, Nuts, roasted"}, Known: map[string]bool{"contains": true}})
	s := workflow.Step{Verb: capture.Uncheck, Value: "{contains}",
		Target: &capture.Target{Role: "group", Label: "Contains", Options: []string{"Nuts", "Nuts, roasted", "Soya"}}}
	acts := p.each(s, port.Act{Verb: s.Verb, Target: s.Target, Tab: "t1"})
	if len(acts) != 2 || acts[0].Target.Name != "Soya" || acts[1].Target.Name != "Nuts, roasted" || acts[0].Verb != capture.Uncheck ||
		acts[1].Target.Landmark.Name != "Contains" || acts[1].Tab != "t1" {
		t.Errorf("%+v", acts)
	}
	if once := p.each(workflow.Step{Verb: capture.Click, Times: 3}, port.Act{}); len(once) != 3 {
		t.Error(len(once))
	}
}

// A mark that only chose a row is no change of it.
func TestTicksAreNoChange(t *testing.T) {
	p := performance(supply.Supply{})
	p.trail.ticked = true
	p.trail.remember("x", rowsOf("a: [x] K-1 Birch", "a: [ ] K-2 Maple"))
	if got := p.trail.since("x", rowsOf("a: [ ] K-1 Birch"), nil).FateOf(proof.Thing{Name: "booking", Value: "K-1", Address: "x"}, nil,
		nil); got != proof.Spared {
		t.Error(got)
	}
	if got := p.trail.since("x", rowsOf("a: [ ] K-2 Maple"), nil).FateOf(proof.Thing{Name: "booking", Value: "K-1", Address: "x"}, nil,
		nil); got != proof.Altered {
		t.Error(got)
	}
}

func TestPlaces(t *testing.T) {
	rows := []port.Row{{Columns: []string{"Name", "About", "Due"}, Cells: []string{"offer.txt", "Pallets", "3 May 2027"}},
		{List: proof.Labelled, Columns: []string{"Minutes spent"}, Cells: []string{"45"}}}
	for label, want := range map[string]string{"New name": "offer.txt", "What it is about": "Pallets", "Due back": "3 May 2027",
		"Minutes": "45", "Colour": "", "The": ""} {
		got := ""
		for _, r := range proof.Places(rows, label) {
			got += r.Text
		}
		if got != want {
			t.Errorf("%s: %q, want %q", label, got, want)
		}
	}
	if len(proof.Showing(proof.Places(rows, "Due back"), "2027-05-03")) != 1 ||
		len(proof.Showing(proof.Places(rows, "Due back"), "2027-05-06")) != 0 {
		t.Error("a date is known by any of its forms, and no other date is")
	}
}

func TestSilent(t *testing.T) {
	for line, want := range map[string]bool{
		`curl -s -X POST -d '{"a":1}' https://x.example/api`: true, `curl -sf -X POST -d a=1 https://x.example/api`: false,
		"curl -s https://x.example/api":        false,
		"curl --fail -d a=1 https://x.example": false, "git push": false, "wc -l a.txt": false,
	} {
		if got := silent(line); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

func TestWhatIsHiddenIsReadable(t *testing.T) {
	for in, want := range map[string]string{
		`Click "Renew [[text 12 v3]]"`:           `Click "Renew …"`,
		`expected link "{*} of {order}"`:         `expected link "… of {order}"`,
		"the key [[secret api_key]] is not kept": "the key … is not kept",
		"if [[ -f x ]]; then ls; fi":             "if [[ -f x ]]; then ls; fi",
	} {
		if got := report.Readable(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
