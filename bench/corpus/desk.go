package corpus

import (
	"os"
	"path/filepath"

	"showhow/bench/corpus/apps"
	"showhow/bench/corpus/ledger"
	"showhow/bench/corpus/person"
)

// deskWork came from somebody's first day with Showhow: the application generates a number, and a choice is left at
// its default.
func deskWork() []*Workflow {
	return []*Workflow{{
		Name: "report-fault", Goal: "Report a fault to the house desk and assign it", App: "desk", Shell: true,
		Values: func(_ *apps.App, n int) Values {
			return Values{"by": some(n, "Nadia Holm", "Piet Albers", "Ravi Menon", "Lena Costa"),
				"topic": some(n, "Heating is cold", "Shelf fell", "Window rattles", "Socket is loose"),
				"room":  some(n, "D21", "E17", "F09", "B12"), "priority": some(n, "high", apps.Priorities[0], "normal", "high")}
		},
		Demo: func(p *person.Person, v Values) {
			_ = os.Remove(filepath.Join(p.Downloads, "faults.csv")) // of the demonstration before
			p.Open("/faults")
			p.Click("link", "New fault")
			p.Enter("Reported by", v["by"])
			p.Enter("Topic", v["topic"])
			p.Enter("Room", v["room"])
			p.Choose("Priority", v["priority"])
			p.Click("button", "Send report")
			p.Choose("Set status", "assigned")
			p.Click("button", "Save status")
			p.See("Saved")
			p.Click("link", "House Desk")
			p.Click("link", "Export")
			p.Downloaded("faults.csv")
			p.Run("cd ~/Downloads")
			p.Run("grep " + v["room"] + " faults.csv > room-" + v["room"] + ".csv")
			p.Run("wc -l room-" + v["room"] + ".csv")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return append(add("faults", map[string]string{"by": v["by"], "topic": v["topic"], "room": v["room"], "priority": v["priority"]}),
				ledger.Effect{Verb: "set", Table: "faults", Fields: map[string]string{"state": "assigned"}})
		},
		Made: func(v Values) map[string]string { return map[string]string{"Downloads/room-" + v["room"] + ".csv": ""} },
		Inputs: []Input{
			{Key: "by", Names: []string{"reported_by", "by", "reporter"}, Kinds: text},
			{Key: "topic", Names: []string{"topic", "fault"}, Kinds: text},
			{Key: "room", Names: []string{"room"}, Kinds: text, Linked: []string{"room-{}.csv"}},
			{Key: "priority", Names: []string{"priority"}, Kinds: choice},
		},
		Constants: []string{"assigned"},
		Faults:    []ledger.Fault{ledger.Claim, ledger.WrongValue, ledger.Broken},
	}}
}
