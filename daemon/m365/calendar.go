package m365

import (
	"cmp"
	"context"
	"slices"
	"time"

	"showhow/internal/fault"
)

// Bounds of what is asked for about free and busy times, as Graph has them.
const (
	mostDays     = 62
	mostAtOnce   = 20 // calendars in one request
	stepMinutes  = 15
	scheduleTime = "2006-01-02T15:04:05"
)

// States, the freest first. What Graph calls away and working elsewhere is busy and free.
var states = []string{"free", "unknown", "tentative", "busy"}

func worse(a, b string) string {
	if slices.Index(states, b) > slices.Index(states, a) {
		return b
	}
	return a
}

func (j *job) availability(ctx context.Context) (any, error) {
	from, _ := time.Parse(time.RFC3339, j.q.TimeMin) // parse has checked them
	to, _ := time.Parse(time.RFC3339, j.q.TimeMax)
	if to.Sub(from) > mostDays*24*time.Hour {
		return nil, fault.New(fault.InvalidRequest, "the time is longer than Microsoft looks at").WithHint("62 days at most")
	}
	from, to = from.UTC(), to.UTC()
	const step = stepMinutes * time.Minute
	grid := make([]string, int((to.Sub(from)+step-1)/step))
	for i := range grid {
		grid[i] = "free"
	}
	var err error
	if who := j.q.AttendeeEmails; who != nil && len(*who) > 0 {
		for group := range slices.Chunk(*who, mostAtOnce) {
			if err = j.schedules(ctx, group, from, to, grid); err != nil {
				return nil, err
			}
		}
	} else if err = j.ownCalendar(ctx, from, to, grid); err != nil {
		return nil, err
	}
	out := slotsResult{OperationFamily: Availability, Slots: []slot{}}
	for i := 0; i < len(grid); {
		n := i
		for n < len(grid) && grid[n] == grid[i] {
			n++
		}
		a, b := from.Add(time.Duration(i)*step), from.Add(time.Duration(n)*step)
		if b.After(to) {
			b = to
		}
		if grid[i] != "free" || b.Sub(a) >= time.Duration(j.q.DurationMinutes)*time.Minute {
			out.Slots = append(out.Slots, slot{a.Format(time.RFC3339), b.Format(time.RFC3339), grid[i]})
		}
		i = n
	}
	return out, nil
}

func zoned(t time.Time) map[string]any {
	return map[string]any{"dateTime": t.UTC().Format(scheduleTime), "timeZone": "UTC"}
}

// schedules marks when anybody of a group is not free.
func (j *job) schedules(ctx context.Context, who []string, from, to time.Time, grid []string) error {
	var a struct {
		Value []struct {
			View  string         `json:"availabilityView"`
			Error map[string]any `json:"error"`
		} `json:"value"`
	}
	body := map[string]any{"schedules": who, "startTime": zoned(from), "endTime": zoned(to), "availabilityViewInterval": stepMinutes}
	if err := j.g.query(ctx, "/me/calendar/getSchedule", body, &a); err != nil {
		return err
	}
	marks := map[byte]string{'0': "free", '1': "tentative", '2': "busy", '3': "busy", '4': "free"}
	for n := range who {
		for i := range grid {
			state := "unknown" // of a calendar that cannot be seen
			if n < len(a.Value) && a.Value[n].Error == nil && i < len(a.Value[n].View) {
				state = cmp.Or(marks[a.Value[n].View[i]], "unknown")
			}
			grid[i] = worse(grid[i], state)
		}
	}
	return nil
}

// ownCalendar marks when the person is not free.
func (j *job) ownCalendar(ctx context.Context, from, to time.Time, grid []string) error {
	type event struct {
		ShowAs     string `json:"showAs"`
		Start, End struct {
			DateTime string `json:"dateTime"`
		}
	}
	query := selecting("showAs,start,end", 100)
	query.Set("startDateTime", from.Format(time.RFC3339))
	query.Set("endDateTime", to.Format(time.RFC3339))
	events, err := all(ctx, j.g, at("me", "calendarView"), query, 2000, func(event) bool { return true })
	for _, e := range events {
		state := map[string]string{"free": "free", "workingElsewhere": "free", "tentative": "tentative", "busy": "busy", "oof": "busy"}[e.ShowAs]
		a, badA := time.Parse("2006-01-02T15:04:05.9999999", e.Start.DateTime)
		b, badB := time.Parse("2006-01-02T15:04:05.9999999", e.End.DateTime)
		if badA != nil || badB != nil {
			return unusable("unreadable", "Microsoft Graph answered with an event without times")
		}
		const step = stepMinutes * time.Minute
		for i := range grid {
			if at := from.Add(time.Duration(i) * step); a.Before(at.Add(step)) && at.Before(b) {
				grid[i] = worse(grid[i], cmp.Or(state, "unknown"))
			}
		}
	}
	return err
}

// event is what is sent of an event: what is given, and nothing else.
func (q request) event() map[string]any {
	out := map[string]any{}
	if q.Title != nil {
		out["subject"] = *q.Title
	}
	for key, at := range map[string]string{"start": q.StartTime, "end": q.EndTime} {
		if t, err := time.Parse(time.RFC3339, at); err == nil {
			out[key] = zoned(t)
		}
	}
	if q.Location != nil {
		out["location"] = map[string]any{"displayName": *q.Location}
	}
	if q.BodyMarkdown != nil {
		out["body"] = text(*q.BodyMarkdown)
	}
	if q.AttendeeEmails != nil {
		who := []any{}
		for _, a := range *q.AttendeeEmails {
			who = append(who, map[string]any{"type": "required", "emailAddress": map[string]any{"address": a}})
		}
		out["attendees"] = who
	}
	return out
}

// made is what a write answers with.
type made struct {
	ID           string `json:"id"`
	Conversation string `json:"conversationId"`
}

func (j *job) createEvent(ctx context.Context) (any, error) {
	body := j.q.event()
	body["transactionId"] = j.id // a repeat after a lost answer makes no second event
	x, err := j.g.write(ctx, "POST", at("me", "events"), body, true)
	return eventResult{CreateEvent, x.ID, "created"}, err
}

func (j *job) updateEvent(ctx context.Context) (any, error) {
	id, err := segment(j.q.EventID, "the event")
	if err != nil {
		return nil, err
	}
	body := j.q.event()
	if len(body) == 0 {
		return nil, fault.New(fault.InvalidRequest, "nothing of the event is to change").WithHint("give at least one of its fields")
	}
	x, err := j.g.write(ctx, "PATCH", at("me", "events", id), body, false)
	return eventResult{UpdateEvent, x.ID, "updated"}, err
}
