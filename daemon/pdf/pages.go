package pdf

import (
	"strconv"
	"strings"

	"showhow/internal/fault"
)

// span is a row of pages, counted from 1.
type span struct{ from, to int }

// mostSpans is how many rows of pages a request may name.
const mostSpans = 20

// pagesOf reads a page range such as 1-3,7,9-. Pages must rise, so that none is read twice.
func pagesOf(said string, pages int) ([]span, error) {
	if strings.TrimSpace(said) == "" {
		return []span{{1, pages}}, nil
	}
	var out []span
	for part := range strings.SplitSeq(said, ",") {
		a, b, row := strings.Cut(strings.TrimSpace(part), "-")
		s := span{to: pages}
		var err error
		if s.from, err = strconv.Atoi(a); err == nil && !row {
			s.to = s.from
		} else if err == nil && b != "" {
			s.to, err = strconv.Atoi(b)
		}
		last := 0
		if len(out) > 0 {
			last = out[len(out)-1].to
		}
		if err != nil || s.from <= last || s.to < s.from || len(out) >= mostSpans {
			return nil, fault.New(fault.InvalidRequest, "the page range cannot be read").
				WithHint("write it as 1-3,7,9- with rising pages, at most 20 parts")
		}
		if s.from > pages {
			return nil, fault.Newf(fault.InvalidRequest, "the document has %d pages", pages).
				WithHint("name pages that it has").WithDetail("pages", pages)
		}
		s.to = min(s.to, pages)
		out = append(out, s)
	}
	return out, nil
}

// atMost keeps the first pages, as many as may be read at once.
func atMost(spans []span, most int) (out []span, cut bool) {
	for i, s := range spans {
		if n := s.to - s.from + 1; n > most {
			if most > 0 {
				out = append(out, span{s.from, s.from + most - 1})
			}
			return out, true
		} else if most -= n; most == 0 {
			return append(out, s), i < len(spans)-1
		}
		out = append(out, s)
	}
	return out, false
}
