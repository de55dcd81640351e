package outlook

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// event is an event as the scripts tell of it.
type event struct {
	ID         int      `json:"id"`
	Title      string   `json:"title"`
	Start      float64  `json:"start"`
	End        float64  `json:"end"`
	AllDay     bool     `json:"all_day"`
	Location   string   `json:"location"`
	Notes      string   `json:"notes"`
	Account    string   `json:"account"`
	Address    string   `json:"address"`
	Calendar   string   `json:"calendar"`
	Categories []string `json:"categories"`
	Reminder   *int     `json:"reminder"` // minutes before
	Attendees  []string `json:"attendees"`
	Organizer  string   `json:"organizer"`
	Rule       *rule    `json:"rule"`
	Master     int      `json:"master"`   // of an occurrence that was changed: the series
	Original   float64  `json:"original"` // and when it would have been

	Lacking []string `json:"lacking"` // categories that Outlook does not have
}

// Calendars lists the calendars (calendar_list_calendars).
func (s *Service) Calendars(ctx context.Context) (out Calendars, err error) {
	defer failing("calendar_list", &err)
	var all struct {
		Calendars []struct {
			Name    string `json:"name"`
			Account string `json:"account"`
			Default bool   `json:"default"`
		} `json:"calendars"`
	}
	err = s.run.run(ctx, "calendar_list", map[string]any{}, false, &all)
	out.Calendars = []Calendar{}
	for _, c := range all.Calendars {
		out.Calendars = append(out.Calendars, Calendar{c.Name, c.Account, c.Default})
	}
	return out, err
}

// Bounds of what is read of calendars at once.
const (
	usualDays  = 7
	mostEvents = 500
)

// Events reads the events of some days (calendar_read): of those that repeat, each occurrence.
func (s *Service) Events(ctx context.Context, a EventsArgs) (out Events, err error) {
	defer failing("calendar_read", &err)
	from, to, err := s.days(a)
	if err != nil {
		return out, err
	}
	asked := map[string]any{"from": from.Unix(), "to": to.Unix(), "most": mostEvents, "patience": s.o.Patience.Seconds()}
	if err := line("calendar", a.Calendar, maxName); err != nil {
		return out, err
	}
	if a.Calendar != "" {
		asked["calendar"] = a.Calendar
	}
	if a.Account != "" {
		of, err := s.account(ctx, a.Account)
		if err != nil {
			return out, err
		}
		asked = of.in(asked)
	}
	var read struct {
		Events   []event `json:"events"`
		Complete bool    `json:"complete"`
	}
	if err := s.run.run(ctx, "calendar_read", asked, false, &read); err != nil {
		return out, err
	}
	out = Events{Range: Range{from.Format(day), after(to, -1).Format(day)}}
	if to != dayOf(to) {
		out.Range.To = to.Format(day)
	}
	all := s.expand(read.Events, from, to)
	if !read.Complete || len(all) > mostEvents {
		out.Note = "There are more events. Narrow the dates, or name a calendar."
		all = all[:min(len(all), mostEvents)]
	}
	out.Events = []Event{}
	var texts []string
	for _, e := range all {
		out.Events = append(out.Events, s.shown(e))
		texts = append(texts, e.Title, e.Location, e.Notes, e.Organizer)
	}
	out.Marked = s.marked(texts...)
	return out, nil
}

// days are the days that are read: the end is not among them.
func (w when) days(a EventsArgs) (from, to time.Time, err error) {
	from = dayOf(w.now())
	to = after(from, usualDays+1)
	if a.DateFrom != "" {
		if from, _, err = w.moment("date_from", a.DateFrom); err != nil {
			return from, to, err
		}
		to = after(from, usualDays+1)
	}
	if a.DateTo != "" {
		t, whole, err := w.moment("date_to", a.DateTo)
		if err != nil {
			return from, to, err
		}
		if to = t; whole {
			to = after(t, 1)
		}
	}
	switch {
	case !from.Before(to):
		return from, to, invalid("date_from is not before date_to", "swap them")
	case to.Sub(from) > (mostDays+1)*24*time.Hour:
		return from, to, tooBroad("more than a year of a calendar is too much to read at once")
	}
	return from, to, nil
}

// expand makes a list of what happens between two times, in order: series become their occurrences, but for those that were
// changed, which are events of their own.
func (w when) expand(all []event, from, to time.Time) (out []event) {
	type slot struct {
		series int
		on     string
	}
	changed, seen := map[slot]bool{}, map[int]bool{}
	for _, e := range all {
		if e.Master != 0 && e.Original != 0 {
			changed[slot{e.Master, w.at(e.Original).Format(day)}] = true
		}
	}
	for _, e := range all {
		if seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		start, length := w.at(e.Start), time.Duration(max(e.End-e.Start, 0))*time.Second
		if e.Rule == nil || e.Rule.Kind == "" {
			if start.Before(to) && (start.Add(length).After(from) || length == 0 && !start.Before(from)) {
				out = append(out, e)
			}
			continue
		}
		for _, t := range e.Rule.occurrences(start, length, from, to) {
			if changed[slot{e.ID, t.Format(day)}] {
				continue
			}
			x := e
			x.Start = float64(t.Unix())
			x.End = x.Start + length.Seconds()
			if e.AllDay { // whole days are whole, also when the clocks are changed
				x.End = float64(after(t, max(daysBetween(start, start.Add(length)), 1)).Unix())
			}
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), strings.Compare(a.Title, b.Title))
	})
	return out
}

// daysBetween counts the midnights between two times, to the nearest.
func daysBetween(from, to time.Time) int {
	return int((dayOf(to).Sub(dayOf(from)) + 12*time.Hour) / (24 * time.Hour))
}

// times are an event's beginning and end as they are told: of whole days, the first and the last.
func (w when) times(e event) (start, end string, minutes int) {
	from, to := w.at(e.Start), w.at(e.End)
	if !e.AllDay {
		return from.Format(time.RFC3339), to.Format(time.RFC3339), int(to.Sub(from).Minutes())
	}
	n := max(daysBetween(from, to), 1)
	return from.Format(day), after(from, n-1).Format(day), n * 24 * 60
}

func (w when) shown(e event) Event {
	out := Event{ID: eventKey(e.ID), Title: e.Title, Location: e.Location, AllDay: e.AllDay, Account: e.Account, Calendar: e.Calendar,
		Categories: orEmpty(e.Categories), Reminder: e.Reminder, Attendees: orEmpty(e.Attendees), Organizer: e.Organizer,
		Recurring: e.Rule != nil && e.Rule.Kind != "" || e.Master != 0}
	out.Start, out.End, out.Minutes = w.times(e)
	if e.Rule != nil {
		first := w.at(e.Start)
		if e.Rule.Start > 0 {
			first = w.at(e.Rule.Start)
		}
		out.Pattern = w.told(e.Rule, first)
	}
	if e.Notes != "" {
		out.Notes = &e.Notes
	}
	return out
}

// event reads one event, and says whose account it is in.
func (s *Service) event(ctx context.Context, id string) (event, account, error) {
	number, err := parseEvent(id)
	if err != nil {
		return event{}, account{}, err
	}
	var read struct {
		Events []event `json:"events"`
	}
	if err := s.run.run(ctx, "calendar_read", map[string]any{"id": number}, false, &read); err != nil {
		return event{}, account{}, err
	}
	if len(read.Events) != 1 || read.Events[0].ID != number {
		return event{}, account{}, failed(0)
	}
	e := read.Events[0]
	return e, account{Name: e.Account, Address: e.Address}, nil
}

// written is the answer of a write.
func (s *Service) written(e event, a account, left []string) (Written, error) {
	if e.ID <= 0 {
		return Written{}, unknownAfter(failed(0), true)
	}
	start, _, _ := s.times(e)
	for _, name := range e.Lacking {
		left = append(left, fmt.Sprintf("Outlook has no category %q", name))
	}
	return Written{Success: true, ID: eventKey(e.ID), Title: e.Title, Start: start, Calendar: e.Calendar, Account: cmp.Or(e.Account, a.Name),
		Left: left}, nil
}

// Delete plans the deletion of an event (calendar_delete).
func (s *Service) Delete(ctx context.Context, a EventArgs) (p Planned[Written], err error) {
	const operation = "calendar_delete"
	defer failing(operation, &err)
	e, of, err := s.event(ctx, a.ID)
	if err != nil {
		return p, err
	}
	if err := s.may(of, calendarWrite); err != nil {
		return p, err
	}
	p.About = append(s.about("Deletes", e, of), "It is deleted at once.")
	if len(e.Attendees) > 0 {
		p.About = append(p.About, "Outlook may tell those who are invited: "+listed200(e.Attendees)+".")
	}
	p.Do = func(ctx context.Context) (out Written, err error) {
		defer failing(operation, &err)
		var gone event
		if err := s.write(ctx, operation, of, []string{calendarWrite}, e.asItWas(map[string]any{}), &gone); err != nil {
			return out, err
		}
		return s.written(gone, of, nil)
	}
	return p, nil
}

// asItWas makes a script act only on the event that was looked at.
func (e event) asItWas(asked map[string]any) map[string]any {
	asked["id"] = e.ID
	asked["was"] = map[string]any{"title": e.Title, "start": e.Start, "end": e.End}
	return asked
}

// needs are the switches that a change of a calendar needs: an invitation is mail to others.
func needs(invites bool) []string {
	if invites {
		return []string{calendarWrite, emailSend}
	}
	return []string{calendarWrite}
}
