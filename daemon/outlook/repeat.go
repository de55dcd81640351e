package outlook

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// rule says how an event repeats, as the scripts tell of it.
type rule struct {
	Kind     string  `json:"kind"` // daily, weekly, absolute_monthly, relative_monthly, absolute_yearly, relative_yearly
	Interval int     `json:"interval"`
	Start    float64 `json:"start"`
	Days     []int   `json:"days"` // 0 is Sunday
	Day      int     `json:"day"`  // of the month
	Month    int     `json:"month"`
	Ordinal  int     `json:"ordinal"` // of relative ones: 1 to 4, 5 is the last
	Until    float64 `json:"until"`   // the last day
	Count    int     `json:"count"`
}

// The pattern of R9 2.3 that a kind is.
func (r *rule) pattern() string {
	_, p, relative := strings.Cut(r.Kind, "_")
	if !relative {
		return r.Kind
	}
	return p
}

var weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// told is how an event repeats in R9 2.3's form.
func (w when) told(r *rule, first time.Time) *Recurrence {
	if r == nil || r.Kind == "" {
		return nil
	}
	out := &Recurrence{Pattern: r.pattern(), Interval: max(r.Interval, 1), StartDate: first.Format(day)}
	for _, d := range r.Days {
		if d >= 0 && d < 7 {
			out.Days = append(out.Days, weekdays[d])
		}
	}
	if r.Until > 0 {
		out.EndDate = w.at(r.Until).Format(day)
	}
	return out
}

// rule checks how an event is to repeat.
func (w when) rule(r Recurrence, first time.Time) (map[string]any, error) {
	kind, ok := map[string]string{"daily": "daily", "weekly": "weekly", "monthly": "absolute_monthly", "yearly": "absolute_yearly"}[r.Pattern]
	if !ok {
		return nil, invalid("pattern of recurrence is none", "daily, weekly, monthly or yearly")
	}
	if r.Interval < 0 || r.Interval > 999 {
		return nil, invalid("interval of recurrence is from 1 to 999", "1 is every day, week, month or year")
	}
	asked := map[string]any{"kind": kind, "interval": cmp.Or(r.Interval, 1), "start": first.Unix(), "day": first.Day(),
		"month": int(first.Month())}
	if r.StartDate != "" {
		t, _, err := w.moment("start_date of recurrence", r.StartDate)
		if err != nil {
			return nil, err
		}
		if !dayOf(t).Equal(dayOf(first)) {
			return nil, invalid("start_date of recurrence is another day than start_time", "leave it out")
		}
	}
	if r.EndDate != "" {
		t, _, err := w.moment("end_date of recurrence", r.EndDate)
		if err != nil {
			return nil, err
		}
		if dayOf(t).Before(dayOf(first)) {
			return nil, invalid("end_date of recurrence is before start_time", "name a later day")
		}
		asked["until"] = dayOf(t).Unix()
	}
	days := []int{}
	for _, name := range r.Days {
		d := slices.Index(weekdays, strings.ToLower(name))
		if d < 0 || kind != "weekly" {
			return nil, invalid("days_of_week of recurrence are for weekly events, monday to sunday", "")
		}
		if !slices.Contains(days, d) {
			days = append(days, d)
		}
	}
	if len(days) == 0 && kind == "weekly" {
		days = append(days, int(first.Weekday()))
	}
	slices.Sort(days)
	if kind == "weekly" && !slices.Contains(days, int(first.Weekday())) {
		return nil, invalid("days_of_week of recurrence leave out the day of start_time", "begin on one of these days")
	}
	asked["days"] = days
	return asked, nil
}

// mostSteps bounds how many days, weeks, months or years of a series are gone through.
const mostSteps = 40000

// occurrences are the beginnings of a series that an event of this length touches between two times: by the clock on the
// wall, as people keep appointments. first is the series' own beginning.
func (r *rule) occurrences(first time.Time, length time.Duration, from, to time.Time) (out []time.Time) {
	count := 0
	var until time.Time
	if r.Until > 0 {
		until = after(dayOf(time.Unix(int64(r.Until), 0).In(first.Location())), 1)
	}
	for step := 0; step < mostSteps; step++ {
		for _, t := range r.step(first, step*max(r.Interval, 1)) {
			if t.Before(first) {
				continue
			}
			count++
			if !t.Before(to) || !until.IsZero() && !t.Before(until) || r.Count > 0 && count > r.Count {
				return out
			}
			if t.Add(length).After(from) || length == 0 && !t.Before(from) {
				out = append(out, t)
			}
		}
	}
	return out
}

// step are the occurrences of the nth day, week, month or year, in order.
func (r *rule) step(first time.Time, n int) (out []time.Time) {
	y, m, d := first.Date()
	on := func(y int, m time.Month, d int) time.Time {
		return time.Date(y, m, d, first.Hour(), first.Minute(), first.Second(), 0, first.Location())
	}
	switch r.Kind {
	case "daily":
		return []time.Time{on(y, m, d+n)}
	case "weekly":
		sunday := d - int(first.Weekday())
		for _, wd := range r.weekly(first) {
			out = append(out, on(y, m, sunday+7*n+wd))
		}
	case "absolute_monthly":
		out = append(out, on(y, m+time.Month(n), inMonth(y, m+time.Month(n), cmp.Or(r.Day, d))))
	case "absolute_yearly":
		month := time.Month(cmp.Or(r.Month, int(m)))
		out = append(out, on(y+n, month, inMonth(y+n, month, cmp.Or(r.Day, d))))
	case "relative_monthly":
		out = r.relative(on, y, m+time.Month(n))
	case "relative_yearly":
		out = r.relative(on, y+n, time.Month(cmp.Or(r.Month, int(m))))
	default: // not known: the series' own beginning alone
		if n == 0 {
			return []time.Time{first}
		}
	}
	return out
}

func (r *rule) weekly(first time.Time) []int {
	if len(r.Days) == 0 {
		return []int{int(first.Weekday())}
	}
	days := slices.Clone(r.Days)
	slices.Sort(days)
	return days
}

// inMonth is a day of a month, or its last where it is shorter.
func inMonth(y int, m time.Month, d int) int {
	return min(d, time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day())
}

// relative is the nth of certain days of the week in a month, or the last.
func (r *rule) relative(on func(int, time.Month, int) time.Time, y int, m time.Month) []time.Time {
	var fits []int
	for d := 1; d <= inMonth(y, m, 31); d++ {
		if slices.Contains(r.Days, int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Weekday())) {
			fits = append(fits, d)
		}
	}
	switch n := cmp.Or(r.Ordinal, 1); {
	case len(fits) == 0:
		return nil
	case n > 4 || n > len(fits) || n < 0:
		return []time.Time{on(y, m, fits[len(fits)-1])}
	default:
		return []time.Time{on(y, m, fits[n-1])}
	}
}
