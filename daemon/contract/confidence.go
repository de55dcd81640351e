package contract

import (
	"math"
	"slices"
)

// What a result's provenance adds to its confidence (section 4.3).
var provenanceDelta = map[string]float64{"user_authored": .20, "user_confirmed": .20, "observed": .20, "derived_index": 0,
	"ai_inference": -.15, "auto_derived": -.15, "llm_inferred": -.15}

// confidence scores an answer that succeeded, and says why.
func confidence(e *Envelope) (float64, []string) {
	c, why := .40, []string{"base"}
	add := func(d float64, name string) { c, why = c+d, append(why, name) }
	for range min(len(e.SourcesUsed), 3) {
		add(.15, "source_used")
	}
	r, _ := e.Result.(map[string]any)
	if found, there := r["found"].(bool); there && found {
		add(.10, "found")
	} else if there {
		add(-.30, "not_found")
	}
	if p, _ := r["provenance"].(string); p != "" {
		if d, known := provenanceDelta[p]; known {
			add(d, "provenance="+p)
		}
	}
	if n := number(r["sample_size"]); n >= 10 {
		add(.05, "sample_size")
	}
	for range min(len(e.Caveats), 3) {
		add(-.10, "absent_knowledge_caveat")
	}
	if inner := number(r["confidence"]); inner > c {
		c, why = inner, append(why, "inner_confidence")
	}
	return math.Round(min(max(c, 0), 1)*100) / 100, why
}

func number(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int:
		return float64(n)
	}
	return 0
}

// weakest is the most conservative of several provenances: one inferred claim makes the whole answer an inferred one.
func weakest(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return slices.MinFunc(all, func(a, b string) int {
		switch x, y := provenanceDelta[a], provenanceDelta[b]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}
