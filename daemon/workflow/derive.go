package workflow

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"showhow/capture"
	"showhow/internal/plain"
)

// Derive computes every derived parameter from its inputs: a date's month, a file's stem, the day of the run. values
// is keyed by name and is not changed; the result holds only the derived ones. What cannot be computed from a value
// (the month of "tomorrow") is absent, and so is what is known only later: the name of a downloaded file.
func Derive(params []Param, values map[string]string, now time.Time) map[string]string {
	byID := map[string]Param{}
	for _, p := range params {
		byID[p.ParamID] = p
	}
	out := map[string]string{}
	for _, p := range params {
		base, part, _ := strings.Cut(p.ParamID, ".")
		q, ok := byID[base]
		if p.Derived == "" || !ok {
			continue
		}
		text, have := values[q.Name]
		switch {
		case base == TodayID:
			text, have, q.Kind = now.Format("2006-01-02"), true, capture.KindDate
		case q.Role == RoleConstant && !have:
			text, have = q.Default, q.Default != ""
		}
		if v, ok := Part(q.Kind, text, part); have && ok && !(part == "" && base != TodayID) {
			out[p.Name] = v
		}
	}
	return out
}

// TodayID is the id of the computed parameter for the day on which the work is done.
const TodayID = "today"

// Part computes a part of a value: a date's month, a file's stem, the value in lower case. part is the suffix of a
// derived parameter's id after the dot; ok is false when the value has no such part.
func Part(kind capture.ValueKind, value, part string) (text string, ok bool) {
	value = plain.Squeeze(value)
	switch part {
	case "", "url":
		return value, value != ""
	case "lower":
		return strings.ToLower(value), true
	case "upper":
		return strings.ToUpper(value), true
	case PartFirst, PartLast:
		ws := strings.Fields(value)
		if len(ws) == 0 {
			return "", false
		}
		if part == PartFirst {
			return ws[0], true
		}
		return ws[len(ws)-1], true
	}
	if part == PartDay {
		d, ok := ParseDate(value)
		return strconv.Itoa(d.Day()), ok
	}
	if part == PartMonth || part == PartMonthDigit {
		n := monthOf(value)
		if n == 0 {
			return "", false
		}
		if part == PartMonth {
			return fmt.Sprintf("%02d", n), true
		}
		return strconv.Itoa(n), true
	}
	for _, v := range forms(kind, value) {
		if v.Part == part {
			return v.Text, true
		}
	}
	switch part { // a form that is as the value itself
	case "file":
		return path.Base(value), value != ""
	case "stem":
		base := path.Base(value)
		return strings.TrimSuffix(base, path.Ext(base)), base != "."
	case PartSlug, PartSnake:
		return strings.ToLower(plain.ASCII(value)), value != "" && !strings.ContainsAny(value, " /")
	case PartHyphen, PartUnder:
		return value, value != "" && !strings.ContainsAny(value, " /")
	}
	return "", false
}

// monthOf is the number of a month by its English name, 0 for anything else.
func monthOf(name string) int {
	for m := time.January; m <= time.December; m++ {
		if full := m.String(); strings.EqualFold(name, full) || strings.EqualFold(name, full[:3]) {
			return int(m)
		}
	}
	return 0
}

// Parts of a name that people type to find it in a list.
const (
	PartFirst = "first"
	PartLast  = "last"

	PartSlug   = "slug" // a title with its words joined, in lower case and as it is
	PartSnake  = "snake"
	PartHyphen = "hyphened"
	PartUnder  = "underscored"

	PartDay        = "day"    // of a date, in a calendar's notation: too short to be searched for elsewhere
	PartMonth      = "number" // of a month's name
	PartMonthDigit = "digit"
)
