package compile

import "time"

// dateLayouts are the forms in which a person or a date field gives a date. Day and month in numbers are read only where
// their order is certain.
var dateLayouts = []string{"2006-01-02", "2006/01/02", "02.01.2006", "2.1.2006", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", "20060102"}

func parseDate(s string) (time.Time, bool) {
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

// datePart is a form of a date that can be computed from it. Forms with the same meaning for a reader have parts of their
// own, because a check compares characters.
type datePart struct{ layout, part, words string }

var dateParts = []datePart{
	{"2006-01-02", "iso", "as YYYY-MM-DD"},
	{"20060102", "compact", "as YYYYMMDD"},
	{"2006/01/02", "path", "as YYYY/MM/DD"},
	{"02.01.2006", "dotted", "as DD.MM.YYYY"},
	{"02/01/2006", "slashed", "as DD/MM/YYYY"},
	{"01/02/2006", "us", "as MM/DD/YYYY"},
	{"January 2, 2006", "long_us", `as "January 2, 2006"`},
	{"2 January 2006", "long", `as "2 January 2006"`},
	{"Jan 2, 2006", "short_us", `as "Jan 2, 2006"`},
	{"2 Jan 2006", "short", `as "2 Jan 2006"`},
	{"2006-01", "month", "its year and month, as YYYY-MM"},
	{"200601", "month_compact", "its year and month, as YYYYMM"},
	{"2006/01", "month_path", "its year and month, as YYYY/MM"},
	{"2006_01", "month_under", "its year and month, as YYYY_MM"},
	{"January 2006", "month_long", `its month and year, as "January 2006"`},
	{"Jan 2006", "month_short", `its month and year, as "Jan 2006"`},
}

// partWords says how a part is computed from its parameter.
func partWords(part string) string {
	for _, d := range dateParts {
		if d.part == part {
			return d.words
		}
	}
	switch part {
	case "stem":
		return "its file name without the ending"
	case "file":
		return "its file name without the folder"
	case "lower":
		return "in lower case"
	case "upper":
		return "in upper case"
	case "slug":
		return "in lower case, words joined by hyphens"
	}
	return part
}
