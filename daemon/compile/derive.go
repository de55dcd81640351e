package compile

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/skill"
)

// Derive works out every derived parameter from the values of the inputs it comes from: a date's month, a file's stem, the
// day of the run. values is by name and stays as it is; the result holds the derived ones alone. What cannot be worked out of
// a value (the month of "tomorrow") is absent, and so is what is only known once it is there: the name of a downloaded file.
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
		case base == todayID:
			text, have, q.Kind = now.Format("2006-01-02"), true, capture.KindDate
		case q.Role == roleConstant && !have:
			text, have = q.Default, q.Default != ""
		}
		if v, ok := Part(q.Kind, text, part); have && ok && !(part == "" && base != todayID) {
			out[p.Name] = v
		}
	}
	return out
}

// todayID is the computed day on which the work is done.
const todayID = "today"

// Part computes a form of a value: a date's month, a file's stem, the value in lower case. part is what a derived parameter's
// id has after the dot; ok is false when the value has no such form.
func Part(kind capture.ValueKind, value, part string) (text string, ok bool) {
	value = squeeze(value)
	switch part {
	case "", "url":
		return value, value != ""
	case "lower":
		return strings.ToLower(value), true
	case "upper":
		return strings.ToUpper(value), true
	case partFirst, partLast:
		ws := strings.Fields(value)
		if len(ws) == 0 {
			return "", false
		}
		if part == partFirst {
			return ws[0], true
		}
		return ws[len(ws)-1], true
	}
	if part == partDay {
		d, ok := parseDate(value)
		return strconv.Itoa(d.Day()), ok
	}
	if part == partMonth || part == partMonthDigit {
		n := monthOf(value)
		if n == 0 {
			return "", false
		}
		if part == partMonth {
			return fmt.Sprintf("%02d", n), true
		}
		return itoa(n), true
	}
	for _, v := range forms(kind, value) {
		if v.part == part {
			return v.text, true
		}
	}
	switch part { // a form that is as the value itself
	case "file":
		return path.Base(value), value != ""
	case "stem":
		base := path.Base(value)
		return strings.TrimSuffix(base, path.Ext(base)), base != "."
	case partSlug, partSnake:
		return strings.ToLower(skill.ASCII(value)), value != "" && !strings.ContainsAny(value, " /")
	case partHyphen, partUnder:
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
	partFirst = "first"
	partLast  = "last"

	partSlug   = "slug" // a title with its words joined, in lower case and as it is
	partSnake  = "snake"
	partHyphen = "hyphened"
	partUnder  = "underscored"

	partDay        = "day"    // of a date, as a calendar shows it: too short to be looked for anywhere else
	partMonth      = "number" // of a month's name
	partMonthDigit = "digit"
)
