package relevance_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/ability/relevance"
)

// set is abilities, requests for them, and requests for something else.
type set struct {
	Skills []struct {
		ID, Title, Description string
		Phrases                []string
	}
	Requests  []struct{ Q, Want string }
	Unrelated []string
}

// readSet reads one of the public sets of testdata (its README says where each is from).
func readSet(t testing.TB, name string) (s set) {
	b, err := os.ReadFile("testdata/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s set) index() *relevance.Index {
	x := &relevance.Index{}
	for _, k := range s.Skills {
		x.Put(k.ID, relevance.Text{Phrases: k.Phrases, Title: k.Title, Description: k.Description})
	}
	return x
}

// asked is one of our own sets.
func asked(t testing.TB, name string) (s set) {
	f, err := os.Open("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := sc.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		if head, ok := strings.CutPrefix(line, "= "); ok {
			p := strings.Split(head, " | ")
			if len(p) != 4 {
				t.Fatalf("%q", line)
			}
			s.Skills = append(s.Skills, struct {
				ID, Title, Description string
				Phrases                []string
			}{p[0], p[1], p[2], strings.Split(p[3], "; ")})
			continue
		}
		s.Requests = append(s.Requests, struct{ Q, Want string }{line, s.Skills[len(s.Skills)-1].ID})
	}
	return s
}

// measured is what lookup reaches on a set. A threshold is what 5 % of the unrelated requests reach at least.
type measured struct{ top1, auroc, recall5, listed, routed float64 }

// inPrivateLane is a relevance with what the private lane and the scope of everybody add (decisions C6).
const inPrivateLane = 1 + (.03+.05)/relevance.Most

func (s set) measure() (m measured, misses []string) {
	x := s.index()
	best := func(q string) (string, float64) {
		if h := x.Search(q, 0); len(h) > 0 {
			return h[0].ID, h[0].Relevance
		}
		return "", 0
	}
	other := make([]float64, len(s.Unrelated))
	for i, q := range s.Unrelated {
		_, other[i] = best(q)
		if other[i]*inPrivateLane >= .15 {
			m.listed += 1 / float64(len(other))
		}
		if other[i]*inPrivateLane >= .3 {
			m.routed += 1 / float64(len(other))
		}
	}
	slices.Sort(other)
	n := float64(len(s.Requests))
	for _, r := range s.Requests {
		id, v := best(r.Q)
		if id == r.Want {
			m.top1 += 1 / n
			if len(other) > 0 && v > other[len(other)*95/100] {
				m.recall5 += 1 / n
			}
		} else {
			misses = append(misses, r.Want+" <- "+r.Q+" -> "+id)
		}
		lo, _ := slices.BinarySearch(other, v)
		hi := lo
		for hi < len(other) && other[hi] == v {
			hi++
		}
		m.auroc += (float64(lo) + float64(hi-lo)/2) / float64(max(len(other), 1)) / n
	}
	return m, misses
}

// What lookup reaches; the bars are a little below what is measured, so that a change for the worse is seen.
func TestQuality(t *testing.T) {
	t.Parallel()
	for name, bar := range map[string]measured{
		"home-en": {.67, .88, .53, .15, .05}, "home-de": {.80, .87, .50, .60, .40}, "tools-en": {.54, .64, .15, .2, .06},
	} {
		m, _ := readSet(t, name).measure()
		t.Logf("%s: %+v", name, m)
		if m.top1 < bar.top1 || m.auroc < bar.auroc || m.recall5 < bar.recall5 || m.listed > bar.listed || m.routed > bar.routed {
			t.Errorf("%s: lookup has become worse: %+v, not %+v", name, m, bar)
		}
	}
	for name, bar := range map[string]float64{"asked": .74, "asked2": .65} {
		m, misses := asked(t, name).measure()
		t.Logf("%s: %+v", name, m)
		for _, x := range misses {
			t.Log(x)
		}
		if m.top1 < bar {
			t.Errorf("%s: lookup has become worse: %+v", name, m)
		}
	}
}

// BenchmarkTrustLookup measures what requests find, and how well they are told apart from unrelated ones, on the public English set.
func BenchmarkTrustLookup(b *testing.B) {
	s := readSet(b, "home-en")
	var m measured
	for b.Loop() {
		m, _ = s.measure()
	}
	b.ReportMetric(m.top1, "lookup_top1")
	b.ReportMetric(m.auroc, "lookup_auroc")
	b.ReportMetric(m.recall5, "lookup_recall5")
}
