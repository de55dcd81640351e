package outlook

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/internal/fault"
)

// R9 2.3: what an event is given is what Outlook is asked for; times are those of this computer unless they say otherwise.
func TestCreate(t *testing.T) {
	o := newOffice(t, usual())
	for _, x := range []struct {
		a          CreateArgs
		start, end string
		allDay     bool
	}{
		{CreateArgs{Start: "2026-03-02T09:00"}, "2026-03-02T09:00:00-05:00", "2026-03-02T10:00:00-05:00", false},
		{CreateArgs{Start: "2026-03-02T09:00:00+01:00", End: "2026-03-02T09:30:00+01:00"}, "2026-03-02T03:00:00-05:00",
			"2026-03-02T03:30:00-05:00", false},
		{CreateArgs{Start: "2026-03-15"}, "2026-03-15T00:00:00-04:00", "2026-03-16T00:00:00-04:00", true},
		{CreateArgs{Start: "2026-03-15", End: "2026-03-15"}, "2026-03-15T00:00:00-04:00", "2026-03-16T00:00:00-04:00", true},
		{CreateArgs{Start: "2026-03-07", End: "2026-03-08", AllDay: true}, "2026-03-07T00:00:00-05:00", "2026-03-09T00:00:00-04:00", true},
		{CreateArgs{Start: "2026-03-15T12:00:00-04:00", AllDay: true}, "2026-03-15T00:00:00-04:00", "2026-03-16T00:00:00-04:00", true},
	} {
		x.a.Account, x.a.Title = "work", "x"
		p, err := o.Create(t.Context(), x.a)
		made := done(t, p, err)
		all := o.world().Events
		e := all[len(all)-1]
		if e.Start != at(x.start) || e.End != at(x.end) || e.AllDay != x.allDay || made.Calendar != "Calendar" || e.Reminder != nil {
			t.Errorf("%+v: %+v", x.a, e)
		}
	}
	p, err := o.Create(t.Context(), CreateArgs{Account: "will@example.com", Title: "Call", Start: "2026-03-02T09:00", Location: "Room 5",
		Categories: []string{"Court", "Unknown"}, Reminders: []Reminder{{Minutes: 15, Title: "Go"}, {Minutes: 60}},
		Attendees: []string{"tom@example.com", "eve@example.com"}, Notes: "a <b>\nc", Recurrence: &Recurrence{Pattern: "weekly", Interval: 2,
			Days: []string{"Monday", "friday"}, EndDate: "2026-06-30"}})
	for _, want := range []string{"Makes the event “Call”", "will@example.com",
		"sends an invitation to 2 people: “tom@example.com”, “eve@example.com”",
		"repeats weekly", "one reminder, 60 minutes", "no title"} {
		if !has(p.About, want) {
			t.Errorf("no %q in %q", want, p.About)
		}
	}
	made := done(t, p, err)
	w := o.world()
	e := w.Events[len(w.Events)-1]
	if e.Location != "Room 5" || e.Notes != "<div>a &lt;b&gt;<br>c</div>" || *e.Reminder != 60 || len(e.Attendees) != 2 ||
		e.Account != "personal" ||
		len(w.Sent) != 1 || !reflect.DeepEqual(e.Rule, &rule{Kind: "weekly", Interval: 2, Days: []int{1, 5}, Day: 2, Month: 3,
		Start: at("2026-03-02T09:00:00-05:00"), Until: at("2026-06-30T00:00:00-04:00")}) {
		t.Errorf("%+v %+v", e, e.Rule)
	}
	if len(made.Left) != 3 || !has(made.Left, `no category "Unknown"`) {
		t.Errorf("%q", made.Left)
	}
	good := CreateArgs{Account: "work", Title: "x", Start: "2026-03-02T09:00"}
	for name, bad := range map[string]func(*CreateArgs){
		"no title":               func(a *CreateArgs) { a.Title = "" },
		"no time":                func(a *CreateArgs) { a.Start = "tomorrow" },
		"a time that is not":     func(a *CreateArgs) { a.Start = "2026-03-08T02:30" }, // the clocks are put forward
		"a day that is not":      func(a *CreateArgs) { a.Start = "2026-02-30" },
		"an odd year":            func(a *CreateArgs) { a.Start = "0026-03-02T09:00" },
		"the end first":          func(a *CreateArgs) { a.End = "2026-03-02T08:00" },
		"a day at the end":       func(a *CreateArgs) { a.End = "2026-03-03" },
		"no pattern":             func(a *CreateArgs) { a.Recurrence = &Recurrence{Pattern: "hourly"} },
		"no weekday":             func(a *CreateArgs) { a.Recurrence = &Recurrence{Pattern: "weekly", Days: []string{"Mo"}} },
		"other weekdays":         func(a *CreateArgs) { a.Recurrence = &Recurrence{Pattern: "weekly", Days: []string{"tuesday"}} },
		"weekdays of a month":    func(a *CreateArgs) { a.Recurrence = &Recurrence{Pattern: "monthly", Days: []string{"monday"}} },
		"an end before":          func(a *CreateArgs) { a.Recurrence = &Recurrence{Pattern: "daily", EndDate: "2026-03-01"} },
		"another beginning":      func(a *CreateArgs) { a.Recurrence = &Recurrence{Pattern: "daily", StartDate: "2026-03-03"} },
		"a reminder afterwards":  func(a *CreateArgs) { a.Reminders = []Reminder{{Minutes: -5}} },
		"a reminder years ahead": func(a *CreateArgs) { a.Reminders = []Reminder{{Minutes: 1 << 30}} },
		"a place of two lines":   func(a *CreateArgs) { a.Location = "a\nb" },
		"no attendee":            func(a *CreateArgs) { a.Attendees = []string{"everybody"} },
	} {
		a := good
		bad(&a)
		_, err := o.Create(t.Context(), a)
		if !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good.Calendar = "Nowhere"
	_, err = o.Create(t.Context(), good)
	refused(t, err, fault.OutlookNoCalendar)
	good.Calendar, good.Account = "", "nobody"
	_, err = o.Create(t.Context(), good)
	refused(t, err, fault.OutlookNoAccount)
}

// R9 2.3: an update changes what it names, and nothing if the event is another one by then; so does a deletion.
func TestUpdateAndDelete(t *testing.T) {
	const id = "outlook_evt_12345"
	was := conference()
	for _, x := range []struct {
		a    UpdateArgs
		want func(*event)
	}{
		{UpdateArgs{Title: new("New")}, func(e *event) { e.Title = "New" }},
		{UpdateArgs{Start: new("2026-02-27T14:00")}, func(e *event) {
			e.Start, e.End = at("2026-02-27T14:00:00-05:00"), at("2026-02-27T15:00:00-05:00")
		}},
		{UpdateArgs{End: new("2026-02-26T12:30")}, func(e *event) { e.End = at("2026-02-26T12:30:00-05:00") }},
		{UpdateArgs{AllDay: new(true), Start: new("2026-02-27")}, func(e *event) {
			e.AllDay, e.Start, e.End = true, at("2026-02-27T00:00:00-05:00"), at("2026-02-28T00:00:00-05:00")
		}},
		{UpdateArgs{Location: new(""), Notes: new("n")}, func(e *event) { e.Location, e.Notes = "", "<div>n</div>" }},
		{UpdateArgs{Reminders: &[]Reminder{}}, func(e *event) { e.Reminder = nil }},
		{UpdateArgs{Categories: &[]string{}}, func(e *event) { e.Categories = nil }},
		{UpdateArgs{Attendees: &[]string{"new@example.com"}}, func(e *event) { e.Attendees = []string{"new@example.com"} }},
	} {
		o := newOffice(t, usual())
		x.a.ID = id
		p, err := o.Update(t.Context(), x.a)
		if !has(p.About, "Changes the event “Henderson status conference”, from 2026-02-26T10:00:00-05:00") || !has(p.About, "“work”") {
			t.Errorf("%q", p.About)
		}
		done(t, p, err)
		want := was
		x.want(&want)
		if got := o.world().Events[0]; !reflect.DeepEqual(got, want) {
			t.Errorf("%+v:\n%+v\n%+v", x.a, got, want)
		}
	}
	o := newOffice(t, usual())
	for _, a := range []UpdateArgs{{ID: id}, {ID: id, Title: new("")}, {ID: id, AllDay: new(true)}, {ID: id, End: new("2026-02-26T09:00")},
		{ID: "12345", Title: new("x")}, {ID: "outlook_evt_-1", Title: new("x")}, {ID: "outlook_evt_1e3", Title: new("x")}} {
		_, err := o.Update(t.Context(), a)
		refused(t, err, fault.InvalidRequest)
	}
	_, err := o.Update(t.Context(), UpdateArgs{ID: "outlook_evt_1", Title: new("x")})
	refused(t, err, fault.OutlookNoEvent)
	p, err := o.Delete(t.Context(), EventArgs{id})
	u, err2 := o.Update(t.Context(), UpdateArgs{ID: id, Title: new("x")})
	if err != nil || err2 != nil || !has(p.About, "Deletes the event") || !has(p.About, "cocounsel@partnerfirm.com") {
		t.Fatal(p.About, err, err2)
	}
	o.change(func(w *world) { w.Events[0].Start += 3600 })
	_, err = p.Do(t.Context())
	refused(t, err, fault.OutlookNotAsAllowed)
	_, err = u.Do(t.Context())
	refused(t, err, fault.OutlookNotAsAllowed)
	p, err = o.Delete(t.Context(), EventArgs{id})
	if gone := done(t, p, err); gone.Title != was.Title || gone.ID != id || len(o.world().Events) != 0 {
		t.Errorf("%+v", gone)
	}
}

// A series is given as its occurrences, in order, but for those that were changed; whole days have no time.
func TestEventsAreExpanded(t *testing.T) {
	w := usual()
	w.Events = append(w.Events,
		event{ID: 1, Title: "Standup", Start: at("2026-02-02T09:00:00-05:00"), End: at("2026-02-02T09:15:00-05:00"), Account: "work",
			Calendar: "Calendar", Rule: &rule{Kind: "weekly", Interval: 1, Days: []int{1, 3}, Start: at("2026-02-02T00:00:00-05:00")}},
		event{ID: 2, Title: "Standup, moved", Start: at("2026-03-05T16:00:00-05:00"), End: at("2026-03-05T16:15:00-05:00"), Account: "work",
			Calendar: "Calendar", Master: 1, Original: at("2026-03-04T09:00:00-05:00")},
		event{ID: 3, Title: "Trip", Start: at("2026-03-07T00:00:00-05:00"), End: at("2026-03-09T00:00:00-04:00"), AllDay: true,
			Account: "personal", Calendar: "Home"})
	o := newOffice(t, w)
	read, err := o.Events(t.Context(), EventsArgs{DateFrom: "2026-03-01", DateTo: "2026-03-09"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range read.Events {
		got = append(got, e.ID+" "+e.Start+" "+e.End)
	}
	want := []string{"outlook_evt_1 2026-03-02T09:00:00-05:00 2026-03-02T09:15:00-05:00",
		"outlook_evt_2 2026-03-05T16:00:00-05:00 2026-03-05T16:15:00-05:00",
		"outlook_evt_3 2026-03-07 2026-03-08", "outlook_evt_1 2026-03-09T09:00:00-04:00 2026-03-09T09:15:00-04:00"}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	if e := read.Events[0]; !e.Recurring || !reflect.DeepEqual(e.Pattern, &Recurrence{Pattern: "weekly", Interval: 1,
		Days: []string{"monday", "wednesday"}, StartDate: "2026-02-02"}) || read.Events[2].Minutes != 2*24*60 {
		t.Errorf("%+v", read.Events)
	}
	only, err := o.Events(t.Context(), EventsArgs{Account: "personal", DateFrom: "2026-03-01", DateTo: "2026-03-09"})
	if err != nil || len(only.Events) != 1 {
		t.Errorf("%+v %v", only, err)
	}
	_, err = o.Events(t.Context(), EventsArgs{DateFrom: "2024-01-01", DateTo: "2026-01-01"})
	refused(t, err, fault.OutlookTooBroad)
	_, err = o.Events(t.Context(), EventsArgs{DateFrom: "2026-03-02", DateTo: "2026-03-01"})
	refused(t, err, fault.InvalidRequest)
}

// Occurrences of random series are those that going through every day gives, across changes of the clock.
func TestOccurrencesAgreeWithDays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := []string{"daily", "weekly", "absolute_monthly", "relative_monthly", "absolute_yearly", "relative_yearly"}
	for range 3000 {
		first := time.Date(2020+r.IntN(6), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), 0, 0, 0, newYork)
		x := rule{Kind: kinds[r.IntN(len(kinds))], Interval: 1 + r.IntN(3), Day: first.Day(), Month: int(first.Month()),
			Days: []int{int(first.Weekday())}, Ordinal: (first.Day()-1)/7 + 1}
		if r.IntN(2) == 0 && x.Kind == "weekly" {
			x.Days = append(x.Days, (x.Days[0]+1+r.IntN(6))%7)
		}
		if r.IntN(3) == 0 {
			x.Until = float64(first.AddDate(0, 0, r.IntN(900)).Unix())
		} else if r.IntN(3) == 0 {
			x.Count = 1 + r.IntN(30)
		}
		from := dayOf(first.AddDate(0, 0, r.IntN(1500)-200))
		to := from.AddDate(0, 0, 1+r.IntN(400))
		got := x.occurrences(first, time.Hour, from, to)
		var want []time.Time
		count := 0
		for d := dayOf(first); d.Before(to); d = after(d, 1) {
			on := time.Date(d.Year(), d.Month(), d.Day(), first.Hour(), 0, 0, 0, newYork)
			if !x.happens(first, d) {
				continue
			}
			count++
			if x.Until > 0 && d.After(dayOf(time.Unix(int64(x.Until), 0).In(newYork))) || x.Count > 0 && count > x.Count {
				break
			}
			if on.Before(to) && on.Add(time.Hour).After(from) {
				want = append(want, on)
			}
		}
		if !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Fatalf("%+v from %v, %v to %v:\n%v\n%v", x, first, from, to, got, want)
		}
	}
}

// happens says the same of one day, in another way than step.
func (r rule) happens(first, d time.Time) bool {
	months := (d.Year()-first.Year())*12 + int(d.Month()) - int(first.Month())
	last := after(time.Date(d.Year(), d.Month()+1, 1, 0, 0, 0, 0, newYork), -1).Day()
	nth := slices.Contains(r.Days, int(d.Weekday())) && ((d.Day()-1)/7+1 == r.Ordinal || r.Ordinal > 4 && d.Day()+7 > last)
	switch r.Kind {
	case "daily":
		return daysBetween(first, d)%r.Interval == 0
	case "weekly":
		sunday := after(dayOf(first), -int(first.Weekday()))
		return daysBetween(sunday, d)/7%r.Interval == 0 && slices.Contains(r.Days, int(d.Weekday())) && !d.Before(dayOf(first))
	case "absolute_monthly":
		return months%r.Interval == 0 && d.Day() == min(r.Day, last)
	case "relative_monthly":
		return months%r.Interval == 0 && nth
	case "absolute_yearly":
		return months%(12*r.Interval) == 0 && d.Day() == min(r.Day, last)
	}
	return months%(12*r.Interval) == 0 && nth
}
