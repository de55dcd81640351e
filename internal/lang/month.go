package lang

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// MonthYear parses a month and year as a calendar's heading shows them: "März 2027", "marzo de 2027", 2027年3月. Purely
// numeric months are not words and are not parsed.
func MonthYear(s string) (time.Time, bool) {
	var year int
	var month time.Month
	for _, w := range calendarWords(s) {
		n, err := strconv.Atoi(w)
		switch {
		case err == nil && n > 1900 && n < 2200 && year == 0:
			year = n
		case MonthNamed(w) != 0 && month == 0:
			month = MonthNamed(w)
		case err != nil && joins.Has(w):
		default:
			return time.Time{}, false
		}
	}
	if year == 0 || month == 0 {
		return time.Time{}, false
	}
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC), true
}

var (
	names = Exactly(Months, MonthsShort)
	joins = Exactly(Prepositions, Stop) // marzo de 2027
)

// calendarWords are the words of a date; the year in 2027年3月 is a word of its own.
func calendarWords(s string) (out []string) {
	for _, w := range Words(s) {
		if i := strings.IndexFunc(w, func(r rune) bool { return !unicode.IsDigit(r) }); i >= 4 && !isASCII(w) {
			out = append(out, w[:i])
			w = strings.TrimLeft(w[i:], "年년 ")
		}
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

// MonthsIn returns the months that a text names, ordered by year: every year with a month's name beside it, with at
// most one joining word in between.
func MonthsIn(text string) (out []time.Time) {
	ws := calendarWords(text)
	taken := map[int]bool{} // months that have their year
	beside := func(at, step int) time.Month {
		for i := at + step; i >= 0 && i < len(ws) && i-at <= 2 && at-i <= 2; i += step {
			if m := MonthNamed(ws[i]); m != 0 && !taken[i] {
				taken[i] = true
				return m
			}
			if !joins.Has(ws[i]) {
				break
			}
		}
		return 0
	}
	for i, w := range ws {
		year, err := strconv.Atoi(w)
		if err != nil || year <= 1900 || year >= 2200 {
			continue
		}
		for _, step := range []int{-1, 1} {
			if m := beside(i, step); m != 0 {
				out = append(out, time.Date(year, m, 1, 0, 0, 0, 0, time.UTC))
				break
			}
		}
	}
	return out
}

// MonthNamed is the month with that name in any language, 0 for none.
func MonthNamed(word string) time.Month {
	hits := names.All(word)
	if len(hits) == 0 || !names.Is(word) {
		return 0
	}
	h := hits[len(hits)-1]
	for i, p := range h.Lang.phrases[h.Concept] {
		if p == h.Phrase {
			return time.Month(i + 1)
		}
	}
	return 0
}
