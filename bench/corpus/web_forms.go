package corpus

import (
	"fmt"
	"time"

	"showhow/bench/corpus/apps"
	"showhow/bench/corpus/ledger"
	"showhow/bench/corpus/person"
	"showhow/capture"
)

// with returns the rows whose field has the value, in order.
func with(a *apps.App, table, field, value string) []ledger.Row {
	var out []ledger.Row
	for _, r := range a.Ledger.Rows(table) {
		if r[field] == value {
			out = append(out, r)
		}
	}
	return out
}

// id returns the id of the row whose field has the value.
func id(a *apps.App, table, field, value string) string {
	r, _ := a.Ledger.Where(table, field, value)
	return r["id"]
}

func set(table, id string, fields map[string]string) []ledger.Effect {
	return []ledger.Effect{{Verb: "set", Table: table, ID: id, Fields: fields}}
}

func add(table string, fields map[string]string) []ledger.Effect {
	return []ledger.Effect{{Verb: "add", Table: table, Fields: fields}}
}

func libraryWork() []*Workflow {
	return []*Workflow{{
		Name: "lend-book", Goal: "Lend a book to a member", App: "library",
		Values: func(a *apps.App, n int) Values {
			free := with(a, "books", "status", "available")
			return Values{"title": free[(3+5*n)%len(free)]["title"], "member": fmt.Sprintf("M-%d", 305+4*n),
				"due": fmt.Sprintf("2027-03-%02d", 4+6*n)}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/books")
			p.Enter("Find a book", v["title"])
			p.Click("button", "Find")
			p.Click("link", v["title"])
			p.Click("link", "Lend this book")
			p.Enter("Member number", v["member"])
			p.Date("Due back", v["due"])
			p.Click("button", "Lend")
			p.See("The book was lent to " + v["member"])
		},
		Effects: func(a *apps.App, v Values) []ledger.Effect {
			return set("books", id(a, "books", "title", v["title"]), map[string]string{"status": "on loan", "member": v["member"], "due": v["due"]})
		},
		Inputs: []Input{
			{Key: "title", Names: []string{"title", "book", "book_title", "find_a_book", "find_book"}, Kinds: text},
			{Key: "member", Names: []string{"member_number", "member", "member_id"}, Kinds: text},
			{Key: "due", Names: []string{"due_back", "due_date", "due", "due_back_date"}, Kinds: date},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.Partial, ledger.Broken, ledger.Invalid},
	}, {
		Name: "add-member", Goal: "Register a new member of the library", App: "library",
		Values: func(_ *apps.App, n int) Values {
			return Values{"name": some(n, "Ada Winther", "Boris Calder", "Chloe Marsh", "Dmitri Sand"),
				"branch": some(n, "Harbour", "Hillside", "Mill Lane", "Harbour"),
				"email":  some(n, "ada.winther@example.net", "b.calder@example.net", "chloe@marsh.example", "sand@example.net")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/members")
			p.Click("link", "New member")
			p.Enter("Full name", v["name"])
			p.Enter("Email", v["email"])
			p.Choose("Branch", v["branch"])
			p.Click("label", "Send letters by post")
			p.Click("button", "Add member")
			p.See("was added.")
			p.See(v["email"])
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return add("members", map[string]string{"name": v["name"], "email": v["email"], "branch": v["branch"], "letters": "yes"})
		},
		Inputs: []Input{
			{Key: "name", Names: []string{"full_name", "name", "member", "member_name"}, Kinds: text},
			{Key: "email", Names: []string{"email", "email_address"}, Kinds: []capture.ValueKind{capture.KindEmail}},
			{Key: "branch", Names: []string{"branch"}, Kinds: choice},
		},
		Constants: []string{"Send letters by post"},
		Faults:    []ledger.Fault{ledger.Claim, ledger.WrongValue, ledger.Partial, ledger.Broken, ledger.Invalid, ledger.Hang},
	}, {
		Name: "renew-loan", Goal: "Renew a loan that is due", App: "library",
		Values: func(a *apps.App, n int) Values {
			return Values{"title": byDue(a)[1+2*n]["title"]}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/books")
			p.Click("link", "Loans")
			p.See("loans")
			p.Click("link", "Due back")
			p.ClickIn(v["title"], "button", "Renew")
			p.See("The loan was renewed.")
		},
		Effects: func(a *apps.App, v Values) []ledger.Effect {
			b, _ := a.Ledger.Where("books", "title", v["title"])
			due, _ := time.Parse(time.DateOnly, b["due"])
			return set("books", b["id"], map[string]string{"due": due.AddDate(0, 0, 21).Format(time.DateOnly)})
		},
		Inputs: []Input{{Key: "title", Names: []string{"title", "book", "book_title", "loan", "row", "due_back"}, Kinds: text}},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.Broken},
	}}
}

// byDue are the loans on the first page of the list sorted by due date.
func byDue(a *apps.App) []ledger.Row {
	rows := with(a, "books", "status", "on loan")
	for i := range rows {
		for j := i; j > 0 && rows[j]["due"] < rows[j-1]["due"]; j-- {
			rows[j], rows[j-1] = rows[j-1], rows[j]
		}
	}
	return rows[:10]
}

func roomsWork() []*Workflow {
	return []*Workflow{{
		Name: "book-room", Goal: "Book a meeting room", App: "rooms",
		Values: func(_ *apps.App, n int) Values {
			return Values{"date": fmt.Sprintf("2027-04-%02d", 5+7*n), "from": some(n, "10:00", "14:00", "09:00", "15:00"),
				"room":    some(n, "Cedar", "Maple", "Birch", "Linden"),
				"purpose": some(n, "Planning the fair", "Talk with suppliers", "Review of the year", "Press call"),
				"people":  some(n, "6", "9", "4", "11")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/bookings")
			p.Click("link", "Book a room")
			p.Date("Date", v["date"])
			p.Choose("From", v["from"])
			p.Choose("Hours", "2")
			p.Click("button", "Continue")
			p.Click("label", v["room"])
			p.Click("button", "Continue")
			p.Enter("Purpose", v["purpose"])
			p.Enter("People", v["people"])
			p.Click("button", "Continue")
			p.See("Check your booking")
			p.Click("button", "Confirm booking")
			p.See("Your room is booked.")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return add("bookings", map[string]string{"date": v["date"], "from": v["from"], "hours": "2", "room": v["room"], "purpose": v["purpose"],
				"people": v["people"]})
		},
		Inputs: []Input{
			{Key: "date", Names: []string{"date"}, Kinds: date},
			{Key: "from", Names: []string{"from", "from_time", "start", "start_time"}, Kinds: choice},
			{Key: "room", Names: []string{"room"}, Kinds: choice},
			{Key: "purpose", Names: []string{"purpose"}, Kinds: text},
			{Key: "people", Names: []string{"people", "number_of_people"}, Kinds: number},
		},
		Constants: []string{"Hours"},
		Faults:    []ledger.Fault{ledger.Claim, ledger.Partial, ledger.WrongValue, ledger.Broken, ledger.Invalid},
	}, {
		Name: "cancel-booking", Goal: "Cancel a booking and say why", App: "rooms",
		Values: func(_ *apps.App, n int) Values {
			return Values{"booking": fmt.Sprintf("K-%d", 503+3*n),
				"reason": some(n, "Held online", "Not needed any more", "Held online", "Not needed any more")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/bookings")
			p.Click("link", v["booking"])
			p.See("Booking " + v["booking"])
			p.Choose("Why is it cancelled?", v["reason"])
			p.Click("button", "Cancel booking")
			p.See("Booking " + v["booking"] + " was cancelled.")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return []ledger.Effect{{Verb: "remove", Table: "bookings", ID: v["booking"], Fields: map[string]string{"reason": v["reason"]}}}
		},
		Inputs: []Input{
			{Key: "booking", Names: []string{"booking", "booking_id", "booking_number"}, Kinds: text},
			{Key: "reason", Names: []string{"reason", "why_is_it_cancelled", "why_cancelled"}, Kinds: choice},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.Broken},
	}}
}

func papersWork() []*Workflow {
	return []*Workflow{{
		Name: "upload-document", Goal: "Upload a document to Papers", App: "papers", Folder: "documents",
		Files: map[string]string{"offer-north.txt": "North: 12 pallets.\n", "offer-south.txt": "South: 7 pallets and a crate.\n",
			"minutes-june.txt": "Present: four.\n", "lease-2027.txt": "Twelve months.\n"},
		Values: func(_ *apps.App, n int) Values {
			return Values{"file": some(n, "offer-north.txt", "minutes-june.txt", "lease-2027.txt", "offer-south.txt"),
				"category": some(n, "Report", "Minutes", "Invoice", "Report"),
				"about":    some(n, "Pallets for the north", "The meeting in June", "New flat in town", "Pallets for the south")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/documents")
			p.Click("link", "Upload")
			p.Upload("File", p.Work+"/"+v["file"])
			p.Choose("Category", v["category"])
			p.Enter("What it is about", v["about"])
			p.Click("button", "Upload document")
			p.See("The document was uploaded.")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return add("documents", map[string]string{"name": v["file"], "category": v["category"], "about": v["about"]})
		},
		Inputs: []Input{
			{Key: "file", Names: []string{"file", "document"}, Kinds: file},
			{Key: "category", Names: []string{"category"}, Kinds: choice},
			{Key: "about", Names: []string{"about", "what_it_is_about", "what_about", "description"}, Kinds: text},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.Partial, ledger.WrongValue, ledger.Broken, ledger.Invalid},
	}, {
		Name: "rename-document", Goal: "Rename a document", App: "papers",
		Values: func(a *apps.App, n int) Values {
			return Values{"document": a.Ledger.Rows("documents")[2+3*n]["name"],
				"name": some(n, "fair-costs.txt", "old-lease.txt", "visit-june.txt", "park-plan.txt")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/documents")
			p.Click("button", "More for "+v["document"])
			p.Click("menuitem", "Rename")
			p.Enter("New name", v["name"])
			p.Click("button", "Rename")
			p.See("The document was renamed.")
		},
		Effects: func(a *apps.App, v Values) []ledger.Effect {
			return set("documents", id(a, "documents", "name", v["document"]), map[string]string{"name": v["name"]})
		},
		Inputs: []Input{
			{Key: "document", Names: []string{"document", "name", "file", "document_name", "old_name", "more_for"}, Kinds: file},
			{Key: "name", Names: []string{"new_name"}, Kinds: file},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.WrongValue, ledger.Broken},
	}, {
		Name: "download-statement", Goal: "Download the statement of a month", App: "papers",
		Values: func(_ *apps.App, n int) Values {
			return Values{"month": some(n, "March", "June", "October", "August"), "year": some(n, "2026", "2027", "2026", "2027"),
				"id": some(n, "2026-03", "2027-06", "2026-10", "2027-08")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/documents")
			p.Click("link", "Statements")
			p.Choose("Month", v["month"])
			p.Choose("Year", v["year"])
			p.Click("button", "Download statement")
			p.Downloaded("statement-" + v["id"] + ".csv")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return []ledger.Effect{{Verb: "send", Table: "statements", ID: v["id"]}}
		},
		Inputs: []Input{
			{Key: "month", Names: []string{"month"}, Kinds: choice},
			{Key: "year", Names: []string{"year"}, Kinds: choice, Linked: []string{"statement-{}-"}},
		},
		Faults: []ledger.Fault{ledger.EmptyFile, ledger.Broken, ledger.Invalid},
	}}
}
