package model

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// accept parses an answer. One that answers something else, or that gives a reader orders, is discarded as a whole; a
// text that is merely a bad rewording stays unchanged.
func (w *Writer) accept(asked map[string]hidden, said string) (Answer, error) {
	a := Answer{Said: map[string]string{}}
	texts, ok := parse(said)
	if !ok {
		return a, thrownAway("it is not what was asked for")
	}
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		h, known := asked[id]
		if !known {
			return Answer{}, thrownAway("it holds a text that was not asked for")
		}
		s := strings.TrimSpace(texts[id])
		if s == h.shown {
			continue
		}
		v := judge(h, s)
		if v.hostile {
			return Answer{}, thrownAway(v.reason)
		}
		out := ""
		if v.reason == "" {
			if out = h.restore(s); w.o.Redact(out) != out {
				v = refuse("it holds what looks like a secret")
			}
		}
		if v.reason != "" {
			a.Refused = append(a.Refused, Refusal{id, v.reason})
			continue
		}
		a.Said[id] = out
	}
	return a, nil
}

// parse finds the JSON in an answer: models think aloud before it and put fences around it.
func parse(said string) (map[string]string, bool) {
	if _, after, ok := strings.Cut(said, "</think>"); ok {
		said = after
	}
	from, to := strings.IndexByte(said, '{'), strings.LastIndexByte(said, '}')
	if from < 0 || to < from {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(said[from : to+1]))
	d.DisallowUnknownFields()
	var got struct {
		Texts map[string]string `json:"texts"`
	}
	if d.Decode(&got) != nil || d.More() || got.Texts == nil {
		return nil, false
	}
	return got.Texts, true
}
