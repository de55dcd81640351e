package outlook

import (
	"context"
	"fmt"
	"time"

	"showhow/internal/plain"
)

// fields are what is written into an event, as a script takes it, and what Outlook cannot keep of it.
type fields struct {
	asked   map[string]any
	left    []string
	invites bool
}

func (f *fields) text(name, s string, most int) error {
	if err := line(name, s, most); err != nil {
		return err
	}
	f.asked[name] = s
	return nil
}

func (f *fields) notes(s string) error {
	if err := prose("notes", s); err != nil {
		return err
	}
	f.asked["content"] = asHTML(s)
	return nil
}

func (f *fields) categories(all []string) error {
	if len(all) > 20 {
		return invalid("there are more than 20 categories", "choose")
	}
	for _, c := range all {
		if err := line("a category", c, maxName); err != nil || c == "" {
			return invalid("a category is no name", "")
		}
	}
	f.asked["categories"] = orEmpty(all)
	return nil
}

// mostMinutes is how long before an event a reminder may be: four weeks.
const mostMinutes = 4 * 7 * 24 * 60

// reminders keeps the earliest: Outlook has one for each event, without a title.
func (f *fields) reminders(all []Reminder) error {
	earliest := -1
	titled := false
	for _, r := range all {
		if r.Minutes < 0 || r.Minutes > mostMinutes {
			return invalid(fmt.Sprintf("minutes_before of a reminder is from 0 to %d", mostMinutes), "")
		}
		earliest = max(earliest, r.Minutes)
		titled = titled || r.Title != ""
	}
	if len(all) > 1 {
		f.left = append(f.left, fmt.Sprintf("Outlook keeps one reminder, %d minutes before", earliest))
	}
	if titled {
		f.left = append(f.left, "Outlook's reminders have no title")
	}
	f.asked["reminder"] = earliest
	return nil
}

func (f *fields) attendees(all []string) error {
	if err := addresses("attendees", all); err != nil {
		return err
	}
	f.asked["attendees"] = orEmpty(all)
	f.invites = f.invites || len(all) > 0
	return nil
}

// span checks when an event is. end "" is an hour after the start, or the same day.
func (w when) span(start, end string, allDay bool) (from, to time.Time, err error) {
	from, day, err := w.moment("start_time", start)
	if err != nil {
		return from, to, err
	}
	switch {
	case allDay && !day:
		from = dayOf(from)
	case day && !allDay:
		return from, to, invalid("start_time is a day, and the event is none of whole days", "give a time, or all_day")
	}
	if end == "" {
		if allDay {
			return from, after(from, 1), nil
		}
		return from, from.Add(time.Hour), nil
	}
	to, day, err = w.moment("end_time", end)
	switch {
	case err != nil:
		return from, to, err
	case allDay:
		to = after(dayOf(to), 1)
	case day:
		return from, to, invalid("end_time is a day, and the event is none of whole days", "give a time, or all_day")
	}
	if to.Before(from) || allDay && !from.Before(to) {
		return from, to, invalid("end_time is before start_time", "check both")
	}
	return from, to, nil
}

// Create plans a new event (calendar_create).
func (s *Service) Create(ctx context.Context, a CreateArgs) (p Planned[Written], err error) {
	const operation = "calendar_create"
	defer failing(operation, &err)
	f := &fields{asked: map[string]any{}}
	if a.Title == "" {
		return p, invalid("title is missing", "")
	}
	// A day alone as the start is an event of whole days (R9 2.3).
	_, whole, err := s.moment("start_time", a.Start)
	if err != nil {
		return p, err
	}
	a.AllDay = a.AllDay || whole && a.End == "" || whole && isDay(a.End)
	from, to, err := s.span(a.Start, a.End, a.AllDay)
	if err != nil {
		return p, err
	}
	f.asked["start"], f.asked["end"], f.asked["all_day"] = from.Unix(), to.Unix(), a.AllDay
	if err := first(f.text("title", a.Title, maxLine), f.text("location", a.Location, maxLine), f.notes(a.Notes),
		f.categories(a.Categories), f.attendees(a.Attendees), line("calendar", a.Calendar, maxName)); err != nil {
		return p, err
	}
	if a.Reminders != nil {
		if err := f.reminders(a.Reminders); err != nil {
			return p, err
		}
	}
	if a.Recurrence != nil {
		if f.asked["rule"], err = s.rule(*a.Recurrence, from); err != nil {
			return p, err
		}
	}
	if a.Calendar != "" {
		f.asked["calendar"] = a.Calendar
	}
	of, err := s.account(ctx, a.Account)
	if err != nil {
		return p, err
	}
	if err := s.may(of, needs(f.invites)...); err != nil {
		return p, err
	}
	if err := s.hasCalendar(ctx, of, a.Calendar); err != nil {
		return p, err
	}
	e := event{Title: a.Title, Start: float64(from.Unix()), End: float64(to.Unix()), AllDay: a.AllDay, Calendar: a.Calendar}
	p.About = append(s.about("Makes", e, of), s.besides(f, a.Recurrence)...)
	p.Do = func(ctx context.Context) (Written, error) { return s.fill(ctx, operation, of, f.asked, f) }
	return p, nil
}

func isDay(s string) bool {
	_, err := time.Parse(day, s)
	return err == nil
}

// first is the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// hasCalendar reports an error if an account has no calendar of this name, before anybody is asked.
func (s *Service) hasCalendar(ctx context.Context, of account, name string) error {
	if name == "" {
		return nil
	}
	all, err := s.Calendars(ctx)
	if err != nil {
		return err
	}
	for _, c := range all.Calendars {
		if c.Name == name && c.Account == of.Name {
			return nil
		}
	}
	return explained(noCalendar)
}

// fill runs a script that writes into an event.
func (s *Service) fill(ctx context.Context, operation string, of account, asked map[string]any, f *fields) (out Written, err error) {
	defer failing(operation, &err)
	asked["invite"] = f.invites
	var made event
	if err := s.write(ctx, operation, of, needs(f.invites), of.in(asked), &made); err != nil {
		return out, err
	}
	return s.written(made, of, f.left)
}

// Update plans a change of an event (calendar_update).
func (s *Service) Update(ctx context.Context, a UpdateArgs) (p Planned[Written], err error) {
	const operation = "calendar_update"
	defer failing(operation, &err)
	e, of, err := s.event(ctx, a.ID)
	if err != nil {
		return p, err
	}
	f := &fields{asked: map[string]any{}, invites: len(e.Attendees) > 0}
	if err := s.changed(e, a, f); err != nil {
		return p, err
	}
	if len(f.asked) == 0 {
		return p, invalid("nothing is to be changed", "give at least one field besides event_id")
	}
	if err := s.may(of, needs(f.invites)...); err != nil {
		return p, err
	}
	p.About = append(s.about("Changes", e, of), s.besides(f, a.Recurrence)...)
	if a.Attendees == nil && f.invites {
		p.About = append(p.About, "Outlook tells those who are invited: "+listed200(e.Attendees)+".")
	}
	p.Do = func(ctx context.Context) (Written, error) { return s.fill(ctx, operation, of, e.asItWas(f.asked), f) }
	return p, nil
}

// changed are the fields that change of an event.
func (w when) changed(e event, a UpdateArgs, f *fields) (err error) {
	from := w.at(e.Start)
	if a.Start != nil || a.End != nil || a.AllDay != nil {
		if from, err = w.moved(e, a, f); err != nil {
			return err
		}
	}
	if a.Title != nil {
		if *a.Title == "" {
			return invalid("title is empty", "")
		}
		err = f.text("title", *a.Title, maxLine)
	}
	if a.Location != nil {
		err = first(err, f.text("location", *a.Location, maxLine))
	}
	if a.Notes != nil {
		err = first(err, f.notes(*a.Notes))
	}
	if a.Categories != nil {
		err = first(err, f.categories(*a.Categories))
	}
	if a.Reminders != nil {
		err = first(err, f.reminders(*a.Reminders))
	}
	if a.Attendees != nil {
		err = first(err, f.attendees(*a.Attendees))
	}
	if a.Recurrence != nil && err == nil {
		f.asked["rule"], err = w.rule(*a.Recurrence, from)
	}
	return err
}

// moved is when an event is after a change of its times: without an end it keeps its length.
func (w when) moved(e event, a UpdateArgs, f *fields) (time.Time, error) {
	start, end, _ := w.times(e)
	allDay := e.AllDay
	if a.AllDay != nil {
		allDay = *a.AllDay
	}
	if allDay != e.AllDay && a.Start == nil {
		return time.Time{}, invalid("all_day changes, and start_time does not say when the event is then", "give start_time")
	}
	if a.Start != nil {
		was := w.at(e.Start)
		length := w.at(e.End).Sub(was)
		start = *a.Start
		if a.End == nil && allDay == e.AllDay {
			from, _, err := w.span(start, "", allDay)
			if err != nil {
				return from, err
			}
			to := from.Add(length)
			if allDay {
				to = after(from, max(daysBetween(was, w.at(e.End)), 1))
			}
			f.asked["start"], f.asked["end"] = from.Unix(), to.Unix()
			return from, nil
		}
		end = ""
	}
	if a.End != nil {
		end = *a.End
	}
	from, to, err := w.span(start, end, allDay)
	if err != nil {
		return from, err
	}
	f.asked["start"], f.asked["end"] = from.Unix(), to.Unix()
	if a.AllDay != nil {
		f.asked["all_day"] = allDay
	}
	return from, nil
}

// about says of an event what a person has to know, whatever its id.
func (w when) about(does string, e event, of account) []string {
	start, end, _ := w.times(e)
	in := "the account's own calendar"
	if e.Calendar != "" {
		in = "the calendar " + plain.Quoted(e.Calendar, 80)
	}
	out := []string{fmt.Sprintf("%s the event %s, from %s to %s.", does, plain.Quoted(e.Title, 160), start, end),
		fmt.Sprintf("In %s of the account %s.", in, of.told())}
	if e.Rule != nil && e.Rule.Kind != "" {
		out = append(out, "The event repeats: all of the series is meant.")
	}
	return out
}

// besides says what follows from the fields.
func (w when) besides(f *fields, r *Recurrence) (out []string) {
	if r != nil {
		line := "It repeats " + r.Pattern
		if r.EndDate == "" {
			line += ", without an end"
		}
		out = append(out, line+".")
	}
	if all, ok := f.asked["attendees"].([]string); ok && len(all) > 0 {
		out = append(out, "Outlook sends an invitation to "+people(len(all))+": "+listed200(all)+".")
	}
	for _, l := range f.left {
		out = append(out, l+".")
	}
	return out
}

func listed200(all []string) string {
	q := make([]string, len(all))
	for i, a := range all {
		q[i] = plain.Quoted(a, 100)
	}
	return plain.Listed(q, 300)
}
