package relevance

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Hit is an ability that matches a request.
type Hit struct {
	ID        string
	Relevance float64 // above 0, at most Most
	Phrase    int     // the nearest trigger phrase, by its index in Text.Phrases; -1 when another text of the ability is nearer
	Verbatim  bool    // the request contains that phrase word by word
	Terms     []Term  // of Explain
}

// Term is a word of a request and its contribution.
type Term struct {
	Word  string  // as the request has it
	Found string  // the matched stem, "" for none: the word's own, or that of a word of similar spelling
	Part  float64 // of the relevance
}

// Search lists the abilities that match a request, best first; the first explained of them with their terms.
func (x *Index) Search(request string, explained int) []Hit {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.search(request, explained)
}

// Try returns the hits of each request as if an ability had text t, beside all others. The index is unchanged
// afterwards.
func (x *Index) Try(id string, t Text, requests []string, explained int) [][]Hit {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, there := x.slots[id]
	if !there {
		x.put(id, t)
		defer x.remove(id)
	}
	out := make([][]Hit, len(requests))
	for i, r := range requests {
		out[i] = x.search(r, explained)
	}
	return out
}

func (x *Index) search(request string, explained int) []Hit {
	s := x.borrow()
	defer x.pool.Put(s)
	q := x.query(request, s)
	if q.mass == 0 || x.live == 0 {
		return nil
	}
	x.bm25(&q, s)
	q.answer(s)
	defer s.clear()
	hits := make([]Hit, 0, min(candidates, len(s.slots)))
	for _, slot := range x.foremost(s, candidates) {
		if h := x.compare(&q, slot, s); h.Relevance > 0 {
			hits = append(hits, h)
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), strings.Compare(a.ID, b.ID))
	})
	for i := range hits[:min(explained, len(hits))] {
		x.explain(&q, &hits[i], s)
	}
	return hits
}

// Explain is the hit of one ability with its terms. Search gives it the same relevance.
func (x *Index) Explain(request, id string) (Hit, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	slot, ok := x.slots[id]
	if !ok {
		return Hit{}, false
	}
	s := x.borrow()
	defer x.pool.Put(s)
	q := x.query(request, s)
	if q.mass == 0 {
		return Hit{}, false
	}
	x.bm25(&q, s)
	q.answer(s)
	defer s.clear()
	h := x.compare(&q, slot, s)
	x.explain(&q, &h, s)
	return h, h.Relevance > 0
}

// compare scores one ability: BM25 over the weight of the whole request, and the cosines.
func (x *Index) compare(q *query, slot uint32, s *scratch) Hit {
	d := &x.docs[slot]
	h := Hit{ID: d.id, Phrase: -1}
	var pairs [mostWords]uint64
	best, nearest, at, said := 0.0, -1, 0, -1
	clear(s.dots[1][:len(q.words)])
	for i, end := range d.ends {
		tokens := d.tokens[at:end]
		at = int(end)
		if cos := x.angle(q, tokens, s, &pairs); cos > best {
			best, nearest = cos, i
			copy(s.dots[1][:len(q.words)], s.dots[0][:len(q.words)])
		}
		if said < 0 && i < int(d.asked) && x.verbatim(q, tokens) {
			said = i
		}
	}
	whole := x.wholeAngle(q, d, s, &pairs)
	if said < 0 && !q.metHeavy(s) {
		return h
	}
	score := wordPart*float64(s.sum[slot])/q.mass + (1-wordPart)*(bestPart*best+(1-bestPart)*whole)
	h.Relevance = x.calibrate(score)
	if q.heavy == 1 { // a single word is enough to be listed, never to be acted on
		h.Relevance *= oneWord
	}
	if said >= 0 {
		nearest, h.Verbatim = said, true
		h.Relevance = Verbatim + h.Relevance*(Most-Verbatim)/Most
	}
	if nearest >= 0 && nearest < int(d.asked) {
		h.Phrase = int(d.which[nearest])
	}
	return h
}

// metHeavy reports whether a content word matched: function words alone find nothing.
func (q *query) metHeavy(s *scratch) bool {
	for i, a := range q.words {
		if !a.plain && s.dots[2][i] > 0 {
			return true
		}
	}
	return false
}

// angle is the cosine between a request and one sentence of an ability, both as weighted words and word pairs.
// Afterwards s.dots[0] holds every word's contribution; the pairs that matched are added to pairs.
func (x *Index) angle(q *query, tokens []uint32, s *scratch, pairs *[mostWords]uint64) float64 {
	s.units++
	var seen [mostWords]uint64
	words := s.dots[0][:len(q.words)]
	clear(words)
	norm, neighbours, before := 0.0, 0.0, 0.0
	for i, t := range tokens {
		w := q.weight(&x.terms[t])
		hits := s.hits[t]
		if s.unit[t] != s.units {
			s.unit[t] = s.units
			norm += w * w
			for _, m := range hits {
				if v := m.alike * min(w, q.words[m.word].weight); v > words[m.word] {
					words[m.word] = v
				}
			}
		}
		if i > 0 {
			pw := pairWeight * (before + w) / 2
			norm += pw * pw
			for _, b := range hits {
				for _, a := range s.hits[tokens[i-1]] {
					if bit := uint64(1) << b.word; q.next[a.word]&bit != 0 && seen[a.word]&bit == 0 {
						seen[a.word] |= bit
						pairs[a.word] |= bit
						neighbours += pw * q.pair(a.word, b.word) * a.alike * b.alike
					}
				}
			}
		}
		before = w
	}
	dot := neighbours
	for i := range words {
		words[i] *= q.words[i].weight
		dot += words[i]
	}
	if dot == 0 {
		return 0
	}
	scale := 1 / (math.Sqrt(norm) * q.norm)
	for i := range words {
		words[i] *= scale
	}
	return dot * scale
}

// wholeAngle is the cosine between a request and all texts of an ability. s.dots[2] holds every word's contribution.
func (x *Index) wholeAngle(q *query, d *doc, s *scratch, pairs *[mostWords]uint64) float64 {
	words := s.dots[2][:len(q.words)]
	clear(words)
	norm := 0.0
	for _, p := range d.bag {
		t, count := unpack(p)
		w, often := q.weight(&x.terms[t]), math.Sqrt(float64(count))
		norm += w * w * float64(count)
		for _, m := range s.hits[t] {
			if v := m.alike * often * min(w, q.words[m.word].weight); v > words[m.word] {
				words[m.word] = v
			}
		}
	}
	dot := 0.0
	for i := range words {
		words[i] *= q.words[i].weight
		dot += words[i]
		for b := range q.words {
			if pairs[i]&(1<<b) != 0 {
				w := q.pair(i, b)
				dot += w * w
			}
		}
	}
	if norm == 0 {
		return 0
	}
	scale := 1 / (math.Sqrt(norm) * q.norm)
	for i := range words {
		words[i] *= scale
	}
	return dot * scale
}

// verbatim reports whether a request contains a phrase word by word. A phrase with a single content word must be the
// request's only content: not everybody who says "tidy" asks for it.
func (x *Index) verbatim(q *query, phrase []uint32) bool {
	heavy := 0
	for _, t := range phrase {
		if !x.terms[t].plain {
			heavy++
		}
	}
	if len(phrase) > len(q.terms) || heavy < 2 && heavy != q.heavy {
		return false
	}
	for i := range len(q.terms) - len(phrase) + 1 {
		if slices.Equal(q.terms[i:i+len(phrase)], phrase) {
			return true
		}
	}
	return false
}

// explain splits the relevance over the words of the request, in proportion to their contributions, the largest first.
// What word pairs contributed is shared by all.
func (x *Index) explain(q *query, h *Hit, s *scratch) {
	slot := x.slots[h.ID]
	x.compare(q, slot, s) // the words' contributions to the cosines are in s.dots
	out := make([]Term, len(q.words))
	sum := 0.0
	for i, a := range q.words {
		out[i].Word = a.said
		given := 0.0
		for _, p := range x.docs[slot].bag {
			t, count := unpack(p)
			for _, m := range s.hits[t] {
				if m.word != i {
					continue
				}
				c := float64(count)
				if v := m.alike * min(a.weight, q.weight(&x.terms[t])) * c / (c + saturation); v > given {
					given, out[i].Found = v, x.terms[t].word
					if m.alike == 1 {
						out[i].Found = a.said
					}
				}
			}
		}
		out[i].Part = wordPart*given/q.mass + (1-wordPart)*(bestPart*s.dots[1][i]+(1-bestPart)*s.dots[2][i])
		sum += out[i].Part
	}
	for i := range out {
		if sum > 0 {
			out[i].Part *= h.Relevance / sum
		}
	}
	slices.SortStableFunc(out, func(a, b Term) int { return cmp.Compare(b.Part, a.Part) })
	h.Terms = out
}
