package outlook

import (
	"math"
	"time"
)

// when reads and tells times, in the time zone of this computer.
type when struct {
	zone  *time.Location
	clock func() time.Time
}

const day = "2006-01-02"

// moments are the forms of a time without an offset.
var moments = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"}

// moment reads a time (ISO 8601); whole says that it is a day. Without an offset it is one of this computer's time zone.
func (w when) moment(what, text string) (t time.Time, whole bool, err error) {
	if t, err = time.ParseInLocation(day, text, w.zone); err == nil {
		return t, true, w.sane(what, t)
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04Z07:00"} {
		if t, err = time.Parse(form, text); err == nil {
			return t.In(w.zone), false, w.sane(what, t)
		}
	}
	for _, form := range moments {
		if t, err = time.ParseInLocation(form, text, w.zone); err != nil {
			continue
		}
		if t.Format(form) != text {
			return t, false, invalid(what+" does not exist: the clocks are put forward then", "give the time with its offset")
		}
		return t, false, w.sane(what, t)
	}
	return t, false, invalid(what+" is no time", "such as 2026-03-15, or 2026-03-15T09:00:00-05:00")
}

// sane refuses years that no calendar has.
func (w when) sane(what string, t time.Time) error {
	if t.Year() < 1970 || t.Year() > 2200 {
		return invalid(what+" is out of the years that Outlook has", "check the year")
	}
	return nil
}

// at is a script's time.
func (w when) at(seconds float64) time.Time {
	return time.Unix(int64(math.Round(seconds)), 0).In(w.zone)
}

func (w when) now() time.Time { return w.clock().In(w.zone) }

// dayOf is the beginning of a time's day.
func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// after is the day so many days later.
func after(t time.Time, days int) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day()+days, 0, 0, 0, 0, t.Location())
}
