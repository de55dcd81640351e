package corpus

import (
	"strings"

	"showhow/bench/corpus/apps"
	"showhow/bench/corpus/ledger"
	"showhow/bench/corpus/person"
)

// heldWork is excluded from the traces: how demonstrations are interpreted must not be tuned to it. It is measured
// with the rest and reported separately as well.
func heldWork() []*Workflow {
	out := []*Workflow{{
		Name: "report-trouble", Goal: "Report trouble to the helpline", App: "tickets",
		Values: func(_ *apps.App, n int) Values {
			return Values{"trouble": some(n, "The lamp hums", "Two keys stick", "The door squeaks", "A tile is loose"),
				"more":    some(n, "Since the move last week.", "The space bar and the return key.", "Every morning at eight.", "Beside the lift."),
				"urgency": some(n, "Today", "It can wait", "Today", "It can wait"), "desk": some(n, "Network", "Telephones", "Printers", "Network")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/tickets")
			p.Click("button", "Report trouble")
			p.Enter("What happened", v["trouble"])
			p.Enter("Tell us more", v["more"])
			p.Click("label", v["urgency"])
			p.Choose("Desk", v["desk"])
			p.Click("button", "Report")
			p.See("Thank you. Your ticket has the number")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			urgency := map[string]string{"Today": "high", "It can wait": "low"}[v["urgency"]]
			return add("tickets", map[string]string{"trouble": v["trouble"], "more": v["more"], "urgency": urgency, "desk": v["desk"]})
		},
		Inputs: []Input{
			{Key: "trouble", Names: []string{"what_happened", "trouble"}, Kinds: text},
			{Key: "more", Names: []string{"more", "tell_us_more", "details"}, Kinds: text},
			{Key: "urgency", Names: []string{"urgency"}, Kinds: choice},
			{Key: "desk", Names: []string{"desk"}, Kinds: choice},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.Broken},
	}, {
		Name: "give-ticket", Goal: "Give a ticket to another desk", App: "tickets",
		Values: func(a *apps.App, n int) Values {
			t := a.Ledger.Rows("tickets")[1+3*n]
			desk := apps.Desks[n%4]
			if desk == t["desk"] || desk == apps.Desks[0] {
				desk = apps.Desks[1+(n+1)%3]
			}
			return Values{"ticket": t["id"], "desk": desk}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/tickets")
			p.ClickIn(v["ticket"], "button", "Give to")
			p.Choose("Which desk", v["desk"])
			p.Click("button", "Hand over")
			p.See("The ticket was given to " + v["desk"])
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return set("tickets", v["ticket"], map[string]string{"desk": v["desk"]})
		},
		Inputs: []Input{
			{Key: "ticket", Names: []string{"ticket", "ticket_id", "ticket_number", "number"}, Kinds: text},
			{Key: "desk", Names: []string{"desk", "which_desk"}, Kinds: choice},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.Broken},
	}, {
		Name: "solve-tickets", Goal: "Mark tickets as solved", App: "tickets",
		Values: func(a *apps.App, n int) Values {
			t := a.Ledger.Rows("tickets")
			return Values{"ticket": strings.Join([]string{t[n]["id"], t[4+n]["id"], t[8+n]["id"]}[:3-n%2], "\n")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/tickets")
			for _, id := range v.List("ticket") {
				p.Click("field", "Select "+id)
			}
			p.Click("button", "Mark as solved")
			p.See("tickets were solved.")
		},
		Effects: func(_ *apps.App, v Values) (out []ledger.Effect) {
			for _, id := range v.List("ticket") {
				out = append(out, set("tickets", id, map[string]string{"state": "solved"})...)
			}
			return out
		},
		Inputs: []Input{{Key: "ticket", Names: []string{"ticket", "tickets", "ticket_id", "ticket_number", "number"}, Kinds: text, Each: true}},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.Broken},
	}, {
		Name: "note-time", Goal: "Note the time spent on a ticket", App: "tickets",
		Values: func(a *apps.App, n int) Values {
			return Values{"ticket": a.Ledger.Rows("tickets")[2+2*n]["trouble"], "minutes": some(n, "45", "20", "90", "15"),
				"day": some(n, "2027-02-03", "2027-02-11", "2027-03-02", "2027-03-15")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/tickets")
			p.Click("link", v["ticket"])
			p.Click("summary", "Note your time")
			p.Enter("Minutes", v["minutes"])
			p.Date("Day", v["day"])
			p.Click("button", "Note")
			p.See("Your time was noted.")
		},
		Effects: func(a *apps.App, v Values) []ledger.Effect {
			return set("tickets", id(a, "tickets", "trouble", v["ticket"]), map[string]string{"minutes": v["minutes"], "on": v["day"]})
		},
		Inputs: []Input{
			{Key: "ticket", Names: []string{"ticket", "trouble", "ticket_title"}, Kinds: text},
			{Key: "minutes", Names: []string{"minutes", "time", "time_spent"}, Kinds: number},
			{Key: "day", Names: []string{"day", "date"}, Kinds: date},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.WrongValue, ledger.Broken},
	}, {
		Name: "start-project", Goal: "Start a project from the template", Shell: true, Folder: "projects", Source: "template.md",
		Files: map[string]string{"template.md": "# NAME\n\nOwner: nobody\n"},
		Values: func(_ *apps.App, n int) Values {
			return Values{"project": some(n, "falcon", "heron", "osprey", "kestrel")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Run("cd ~/projects")
			p.Run("mkdir " + v["project"])
			p.Run("cp template.md " + v["project"] + "/README.md")
			p.Run("sed -i 's/NAME/" + v["project"] + "/' " + v["project"] + "/README.md")
		},
		Made: func(v Values) map[string]string {
			return map[string]string{"projects/" + v["project"] + "/README.md": "# " + v["project"] + "\n\nOwner: nobody"}
		},
		Inputs: []Input{{Key: "project", Names: []string{"project", "project_name", "name", "folder"}, Kinds: word,
			Linked: []string{"{}/README.md"}}},
		Faults: []ledger.Fault{Missing},
	}, {
		Name: "sample-readings", Goal: "Take a sample of the readings of a station", Shell: true, Folder: "readings",
		Source: "station-{station}.csv",
		Files: map[string]string{"station-12.csv": answersCSV(2), "station-17.csv": answersCSV(3), "station-23.csv": answersCSV(4),
			"station-31.csv": answersCSV(5)},
		Values: func(_ *apps.App, n int) Values {
			return Values{"station": some(n, "12", "17", "23", "31"), "lines": some(n, "5", "8", "6", "9")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Run("cd ~/readings")
			p.Run("shuf -n " + v["lines"] + " station-" + v["station"] + ".csv > sample-" + v["station"] + ".csv")
			p.Run("wc -l sample-" + v["station"] + ".csv")
		},
		Made: func(v Values) map[string]string {
			return map[string]string{"readings/sample-" + v["station"] + ".csv": ""}
		},
		Inputs: []Input{
			{Key: "station", Names: []string{"station", "readings", "station_number"}, Kinds: word,
				Linked: []string{"station-{}.csv", "sample-{}.csv"}},
			{Key: "lines", Names: []string{"lines", "n", "count", "number", "sample", "sample_size", "number_of_lines"}, Kinds: word},
		},
		Faults: []ledger.Fault{ledger.EmptyFile, Missing},
	}}
	for _, f := range out {
		f.Held = true
	}
	return out
}
