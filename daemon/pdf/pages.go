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

// pagesOf reads a page range such as 1-3,7,9-. Pages must rise, so that none is read twice. beyond says that it names
// pages after the last as well.
func pagesOf(said string, pages int) (out []span, beyond bool, err error) {
	if strings.TrimSpace(said) == "" {
		return []span{{1, pages}}, false, nil
	}
	for part := range strings.SplitSeq(said, ",") {
		a, b, row := strings.Cut(strings.TrimSpace(part), "-")
		s := span{to: pages}
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
			return nil, false, fault.New(fault.InvalidRequest, "the page range cannot be read").
				WithHint("write it as 1-3,7,9- with rising pages, at most 20 parts")
		}
		if s.from > pages {
			return nil, false, fault.Newf(fault.InvalidRequest, "the document has %d pages", pages).
				WithHint("name pages that it has").WithDetail("pages", pages)
		}
		beyond = beyond || s.to > pages
		s.to = min(s.to, pages)
		out = append(out, s)
	}
	return out, beyond, nil
}

// rowsOf writes rising pages as a page range.
func rowsOf(pages []int) string {
	var out []string
	for i := 0; i < len(pages); {
		k := i + 1
		for k < len(pages) && pages[k] == pages[k-1]+1 {
			k++
		}
		part := strconv.Itoa(pages[i])
		if k > i+1 {
			part += "-" + strconv.Itoa(pages[k-1])
		}
		out, i = append(out, part), k
	}
	return strings.Join(out, ",")
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
