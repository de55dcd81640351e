package workflow

import (
	"time"
)

// dateLayouts are the formats of dates that a person types or a date field gives. Numeric day and month are read only
// where their order is certain.
var dateLayouts = []string{"2006-01-02", "2006/01/02", "02.01.2006", "2.1.2006", "January 2, 2006", "Jan 2, 2006", "2 January 2006",
	"2 Jan 2006", "20060102",
	"Monday, January 2, 2006", "Monday, 2 January 2006", "Monday 2 January 2006", "Mon Jan 02 2006", "Mon, Jan 2, 2006"}

// monthLayouts are the formats of a month.
var monthLayouts = []string{"2006-01", "2006/01", "01/2006", "January 2006", "Jan 2006"}

// ParseMonth reads a month of a year.
func ParseMonth(s string) (time.Time, bool) {
	for _, l := range monthLayouts {
		if t, err := time.Parse(l, s); err == nil && t.Year() > 1900 && t.Year() < 2200 {
			return t, true
		}
	}
	return time.Time{}, false
}

// DateForm describes the format of a date or time for the reader of the skill, with an example.
func DateForm(s string) (form, example string) {
	at := time.Date(2027, 3, 15, 14, 30, 0, 0, time.UTC)
	for _, f := range []struct{ layout, form string }{
		{"2006-01-02", "YYYY-MM-DD"}, {"2006-01", "YYYY-MM"}, {"02.01.2006", "DD.MM.YYYY"}, {"2006/01/02", "YYYY/MM/DD"},
		{"01/02/2006", "MM/DD/YYYY"},
		{"02/01/2006", "DD/MM/YYYY"}, {"2006-01-02T15:04", "YYYY-MM-DDTHH:MM"}, {"15:04", "HH:MM"}, {"January 2, 2006", "Month D, YYYY"},
		{"2 January 2006", "D Month YYYY"},
		{"January 2006", "Month YYYY"}, {"20060102", "YYYYMMDD"}} {
		if _, err := time.Parse(f.layout, s); err == nil {
			return f.form, at.Format(f.layout)
		}
	}
	return "", ""
}

// ParseDate reads a day in any format in which day and month cannot be confused.
func ParseDate(s string) (time.Time, bool) {
	for _, l := range dateLayouts {
		if t, err := time.Parse(l, s); err == nil && t.Year() > 1900 && t.Year() < 2200 {
			return t, true
		}
	}
	if t, err := time.Parse("01/02/2006", s); err == nil && t.Day() > 12 {
		return t, true
	}
	if t, err := time.Parse("02/01/2006", s); err == nil && t.Day() > 12 {
		return t, true
	}
	return time.Time{}, false
}

// DatePart is a format of a date that can be computed from it. Formats that mean the same to a reader are separate
// parts, because a check compares characters.
type DatePart struct{ Layout, Part, words string }

// DateParts are the formats of a date that are recognised and can be computed, the most specific first.
var DateParts = []DatePart{
	{"2006-01-02", "iso", "%s as YYYY-MM-DD"},
	{"20060102", "compact", "%s as YYYYMMDD"},
	{"2006/01/02", "path", "%s as YYYY/MM/DD"},
	{"02.01.2006", "dotted", "%s as DD.MM.YYYY"},
	{"02/01/2006", "slashed", "%s as DD/MM/YYYY"},
	{"01/02/2006", "us", "%s as MM/DD/YYYY"},
	{"January 2, 2006", "long_us", `%s as in "January 2, 2006"`},
	{"2 January 2006", "long", `%s as in "2 January 2006"`},
	{"Jan 2, 2006", "short_us", `%s as in "Jan 2, 2006"`},
	{"2 Jan 2006", "short", `%s as in "2 Jan 2006"`},
	{"Monday, January 2, 2006", "full_us", `%s as in "Monday, January 2, 2006"`},
	{"Monday, 2 January 2006", "full", `%s as in "Monday, 2 January 2006"`},
	{"Monday 2 January 2006", "full_plain", `%s as in "Monday 2 January 2006"`},
	{"Mon Jan 02 2006", "full_short", `%s as in "Mon Jan 02 2006"`},
	{"Mon, Jan 2, 2006", "full_short_us", `%s as in "Mon, Jan 2, 2006"`},
	{"2006-01", "month", "the year and month of %s, as YYYY-MM"},
	{"200601", "month_compact", "the year and month of %s, as YYYYMM"},
	{"2006/01", "month_path", "the year and month of %s, as YYYY/MM"},
	{"2006_01", "month_under", "the year and month of %s, as YYYY_MM"},
	{"January 2006", "month_long", `the month and year of %s, as in "January 2006"`},
	{"Jan 2006", "month_short", `the month and year of %s, as in "Jan 2006"`},
}

// PartWords describes how a part is computed from its parameter, whose name replaces %s.
func PartWords(part string) string {
	for _, d := range DateParts {
		if d.Part == part {
			return d.words
		}
	}
	switch part {
	case "stem":
		return "the file name of %s without its ending"
	case "file":
		return "the file name of %s without its folder"
	case PartDay:
		return "the day of the month of %s"
	case PartMonth:
		return "the number of the month %s, in two digits"
	case PartMonthDigit:
		return "the number of the month %s"
	case PartFirst:
		return "the first word of %s"
	case PartLast:
		return "the last word of %s"
	case "lower":
		return "%s in lower case"
	case "upper":
		return "%s in upper case"
	case PartSlug:
		return "%s in lower case, its words joined by hyphens"
	case PartSnake:
		return "%s in lower case, its words joined by underscores"
	case PartHyphen:
		return "%s with its words joined by hyphens"
	case PartUnder:
		return "%s with its words joined by underscores"
	}
	return "a form of %s"
}
