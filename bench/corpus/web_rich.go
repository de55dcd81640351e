package corpus

import (
	"strings"

	"showhow/bench/corpus/apps"
	"showhow/bench/corpus/ledger"
	"showhow/bench/corpus/person"
	"showhow/capture"
)

func boardWork() []*Workflow {
	return []*Workflow{{
		Name: "create-card", Goal: "Create a card on the task board", App: "board",
		Values: func(_ *apps.App, n int) Values {
			return Values{"title": some(n, "Order new badges", "Clean the test data", "Write the release notes", "Call the printer"),
				"assignee": some(n, "Greta", "Mira", "Dario", "Jonas"), "priority": some(n, "High", "Low", "High", "Low")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/board")
			p.Click("button", "New card")
			p.Enter("Title", v["title"])
			p.Choose("Assignee", v["assignee"])
			p.Click("label", v["priority"])
			p.Click("button", "Create card")
			p.See("The card was created.")
			p.See(v["title"])
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return add("cards", map[string]string{"title": v["title"], "assignee": v["assignee"], "priority": v["priority"], "column": "Backlog"})
		},
		Inputs: []Input{
			{Key: "title", Names: []string{"title", "card_title", "card"}, Kinds: text},
			{Key: "assignee", Names: []string{"assignee"}, Kinds: choice},
			{Key: "priority", Names: []string{"priority"}, Kinds: choice},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongValue, ledger.Partial, ledger.Broken, ledger.Invalid},
	}, {
		Name: "move-card", Goal: "Move a card to review", App: "board",
		Values: func(a *apps.App, n int) Values {
			return Values{"card": with(a, "cards", "column", "Backlog")[n%4]["title"]}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/board")
			p.See(v["card"])
			p.Drag(v["card"], "Review")
			p.See("Moved to Review.")
		},
		Effects: func(a *apps.App, v Values) []ledger.Effect {
			return set("cards", id(a, "cards", "title", v["card"]), map[string]string{"column": "Review"})
		},
		Inputs:    []Input{{Key: "card", Names: []string{"card", "title", "card_title", "item", "task", "backlog"}, Kinds: text}},
		Constants: []string{"Review"},
		Faults:    []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.Broken},
	}, {
		Name: "close-card", Goal: "Close a card with a comment", App: "board",
		Values: func(a *apps.App, n int) Values {
			return Values{"card": a.Ledger.Rows("cards")[1+3*n]["title"],
				"comment": some(n, "Done on Monday.", "Nobody needs it any more.", "Delivered with the update.", "Moved to next year.")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/board")
			p.Enter("Filter cards", v["card"])
			p.Click("link", v["card"])
			p.Enter("Write a comment", v["comment"])
			p.Click("button", "Add comment")
			p.See("The comment was added.")
			p.Click("button", "Close card")
			p.See("The card was closed.")
		},
		Effects: func(a *apps.App, v Values) []ledger.Effect {
			card := id(a, "cards", "title", v["card"])
			return append(add("comments", map[string]string{"card": card, "text": v["comment"]}),
				set("cards", card, map[string]string{"state": "closed"})...)
		},
		Inputs: []Input{
			{Key: "card", Names: []string{"card", "title", "card_title", "filter_cards", "cards"}, Kinds: text},
			{Key: "comment", Names: []string{"comment", "write_a_comment"}, Kinds: text},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.Broken},
	}}
}

func peopleWork() []*Workflow {
	return []*Workflow{{
		Name: "set-manager", Goal: "Change somebody's manager", App: "people",
		Values: func(a *apps.App, n int) Values {
			p := a.Ledger.Rows("people")
			return Values{"person": p[4+3*n]["name"], "manager": p[20+4*n]["name"]}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/people")
			p.Enter("Filter by name or department", v["person"])
			p.Click("link", v["person"])
			p.Click("button", "Change manager")
			p.Enter("Manager", v["manager"][:4])
			p.Click("option", v["manager"])
			p.ClickIn("Change manager", "button", "Save")
			p.See("Saved.")
		},
		Effects: func(a *apps.App, v Values) []ledger.Effect {
			return set("people", id(a, "people", "name", v["person"]), map[string]string{"manager": v["manager"]})
		},
		Inputs: []Input{
			{Key: "person", Names: []string{"person", "name", "filter_by_name_or_department", "name_or_department", "employee"}, Kinds: text},
			{Key: "manager", Names: []string{"manager"}, Kinds: append([]capture.ValueKind{capture.KindChoice}, text...)},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.WrongValue, ledger.Broken},
	}, {
		Name: "edit-contact", Goal: "Update the phone number and department of a colleague", App: "people",
		Values: func(a *apps.App, n int) Values {
			p := a.Ledger.Rows("people")[5+4*n]
			department := apps.Departments[n%len(apps.Departments)]
			if department == p["department"] {
				department = apps.Departments[(n+3)%len(apps.Departments)]
			}
			return Values{"person": p["name"], "phone": some(n, "+49 40 811234", "+49 40 734410", "+49 40 655021", "+49 40 900877"),
				"department": department}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/people")
			p.Enter("Filter by name or department", v["person"])
			p.Click("link", v["person"])
			p.Click("button", "Edit contact")
			p.Enter("Phone", v["phone"])
			p.Choose("Department", v["department"])
			p.ClickIn("Edit contact", "button", "Save")
			p.See("Saved.")
		},
		Effects: func(a *apps.App, v Values) []ledger.Effect {
			return set("people", id(a, "people", "name", v["person"]), map[string]string{"phone": v["phone"], "department": v["department"]})
		},
		Inputs: []Input{
			{Key: "person", Names: []string{"person", "name", "colleague", "filter_by_name_or_department", "name_or_department"}, Kinds: text},
			{Key: "phone", Names: []string{"phone", "phone_number"}, Kinds: append([]capture.ValueKind{capture.KindNumber}, text...)},
			{Key: "department", Names: []string{"department"}, Kinds: choice},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.Partial, ledger.Invalid},
	}, {
		Name: "fill-team", Goal: "Add people to the team Atlas", App: "people",
		Values: func(a *apps.App, n int) Values {
			p := a.Ledger.Rows("people")
			list := []string{p[2+5*n]["name"], p[9+3*n]["name"], p[25+2*n]["name"]}
			return Values{"member": strings.Join(list[:3-n%2], "\n")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/people")
			p.Click("link", "Teams")
			p.Click("link", "Atlas")
			p.See("Team Atlas")
			for _, name := range v.List("member") {
				p.Enter("Name of the new member", name)
				p.Click("button", "Add to team")
				p.See(name)
			}
		},
		Effects: func(a *apps.App, v Values) (out []ledger.Effect) {
			for _, name := range v.List("member") {
				out = append(out, set("people", id(a, "people", "name", name), map[string]string{"team": "Atlas"})...)
			}
			return out
		},
		Inputs: []Input{{Key: "member", Names: []string{"name", "member", "new_member", "name_of_the_new_member", "name_new_member",
			"member_name", "person"},
			Kinds: text, Each: true}},
		Constants: []string{"Atlas"},
		Faults:    []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.Broken},
	}}
}

func lettersWork() []*Workflow {
	return []*Workflow{{
		Name: "schedule-letter", Goal: "Write a letter and schedule it", App: "letters",
		Values: func(_ *apps.App, n int) Values {
			return Values{"subject": some(n, "Summer hours", "A new price list", "We are moving", "Open day"),
				"audience": some(n, "Customers", "Partners", "Staff", "Partners"),
				"text": some(n, "We close at four in July.", "The new prices hold from May.", "From June you find us in Mill Lane.",
					"Come and see us on Saturday."),
				"day": some(n, "2027-06-14", "2027-04-20", "2027-05-03", "2027-08-09")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/letters")
			p.Click("link", "Write a letter")
			p.Enter("Subject", v["subject"])
			p.Choose("Audience", v["audience"])
			p.Enter("Text", v["text"])
			p.Date("Goes out on", v["day"])
			p.Click("switch", "Count who opens it")
			p.Click("button", "Schedule letter")
			p.See(v["subject"])
			p.See("Letters")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return add("letters", map[string]string{"subject": v["subject"], "audience": v["audience"], "text": v["text"], "day": v["day"],
				"count": "on"})
		},
		Inputs: []Input{
			{Key: "subject", Names: []string{"subject"}, Kinds: text},
			{Key: "audience", Names: []string{"audience"}, Kinds: choice},
			{Key: "text", Names: []string{"text"}, Kinds: text},
			{Key: "day", Names: []string{"goes_out_on", "date", "day", "goes_out"}, Kinds: date},
		},
		Constants: []string{"Count who opens it"},
		Faults:    []ledger.Fault{ledger.Claim, ledger.Broken, ledger.Invalid},
	}, {
		Name: "change-sender", Goal: "Change the sender of the letters", App: "letters",
		Values: func(_ *apps.App, n int) Values {
			return Values{"name": some(n, "Harbour Tools", "Northern Print", "Mill Lane Press", "Office Brandt"),
				"reply": some(n, "post@harbour.example", "hello@northern.example", "desk@milllane.example", "mail@brandt.example")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/letters")
			p.Click("link", "Settings")
			p.Enter("Sender name", v["name"])
			p.Enter("Reply address", v["reply"])
			p.Click("button", "Save settings")
			p.See("Settings saved.")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return set("settings", "sender", map[string]string{"name": v["name"], "reply": v["reply"]})
		},
		Inputs: []Input{
			{Key: "name", Names: []string{"sender_name", "sender", "name"}, Kinds: text},
			{Key: "reply", Names: []string{"reply_address", "reply", "reply_email"}, Kinds: []capture.ValueKind{capture.KindEmail}},
		},
		Faults: []ledger.Fault{ledger.Broken, ledger.Invalid},
	}}
}

func stockWork() []*Workflow {
	return []*Workflow{{
		Name: "set-level", Goal: "Set the reorder level of an item", App: "stock",
		Values: func(a *apps.App, n int) Values {
			return Values{"item": a.Ledger.Rows("items")[6+5*n]["id"], "level": some(n, "35", "60", "25", "80")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/items")
			p.Enter("Search items", v["item"])
			p.Click("button", "Search")
			p.See("of 1 items")
			p.EnterIn(v["item"], "Reorder level", v["level"])
			p.ClickIn(v["item"], "button", "Save")
			p.See("The reorder level of " + v["item"] + " was saved.")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return set("items", v["item"], map[string]string{"level": v["level"]})
		},
		Inputs: []Input{
			{Key: "item", Names: []string{"item", "item_number", "number", "search_items", "items", "item_id"}, Kinds: text},
			{Key: "level", Names: []string{"reorder_level", "level"}, Kinds: number},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.WrongValue, ledger.Broken},
	}, {
		Name: "receive-delivery", Goal: "Book a delivery into the stock", App: "stock",
		Values: func(a *apps.App, n int) Values {
			x := a.Ledger.Rows("items")
			return Values{"note": some(n, "DN-8841", "DN-9120", "DN-9377", "DN-9502"),
				"item":     x[3+n]["name"] + "\n" + x[11+2*n]["name"] + "\n" + x[17+n]["name"],
				"quantity": some(n, "12\n40\n5", "7\n25\n90", "30\n8\n16", "11\n22\n33")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/items")
			p.Click("link", "Book a delivery in")
			p.Enter("Delivery note", v["note"])
			for i, item := range v.List("item") {
				p.Choose("Item", item)
				p.Enter("Quantity", v.List("quantity")[i])
				p.Click("button", "Add line")
				p.See(v.List("quantity")[i] + " of " + item + " were booked in.")
			}
		},
		Effects: func(a *apps.App, v Values) (out []ledger.Effect) {
			for i, item := range v.List("item") {
				out = append(out, add("deliveries", map[string]string{"note": v["note"], "item": id(a, "items", "name", item),
					"quantity": v.List("quantity")[i]})...)
			}
			return out
		},
		Inputs: []Input{
			{Key: "note", Names: []string{"delivery_note", "note", "delivery"}, Kinds: text},
			{Key: "item", Names: []string{"item"}, Kinds: choice, Each: true},
			{Key: "quantity", Names: []string{"quantity"}, Kinds: number, Each: true},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongValue, ledger.Broken, ledger.Invalid},
	}}
}
