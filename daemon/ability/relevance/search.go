package relevance

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"showhow/internal/lang"
)

// unknown is the id of a word that is no term.
const unknown = math.MaxUint32

// unlistedRarity is above every rarity that lang.Ordinary knows.
var unlistedRarity = float32(math.Pow((lang.Unlisted-.5)*math.Ln2, flattened))

// The weights of a score's parts. They were chosen on several public sets of requests, none of which decided alone:
// docs/lookup.md.
const (
	saturation = 2.0  // BM25's k1: how fast a word that many phrases share stops to count for more
	lengthPart = 0.3  // BM25's b: how much a long text is marked down
	wordPart   = 0.4  // of BM25 in the mix; the rest are angles
	bestPart   = 0.5  // of the best phrase among the angles; the rest is the whole text
	pairWeight = 0.3  // of two neighbouring words, over the mean of their weights
	plainPart  = 0.6  // what a function word counts
	unknownUp  = 1.1  // a word that no ability has counts a little more against all of them
	alike      = 0.5  // the similarity from which a word stands for another one
	mistyped   = 0.7  // what a word counts that is one slip of the finger away from another one
	translated = 0.7  // what a translated word counts
	related    = 0.45 // what another word of the same meaning counts
	ofKind     = 0.5  // what a file's ending counts for the name of the kind, and the name for the ending
	valuePart  = 0.5  // what a word counts that no ability has and that is only a value
	namePart   = 0.3  // what a word of a file's name counts
	endingUp   = 1.5  // what a file's ending counts more than its rarity: files of a kind have tools of their own
	flattened  = 0.85 // the power of rarities: a word twice as rare counts less than twice as much
	mostAlike  = 8    // words that one word of a request may stand for
	usualPart  = 0.15 // of the rarity in requests at large, in an English request to a large collection
	usualAbove = 2.0  // in a collection of so many abilities their own rarities begin to count
	candidates = 300  // that are compared as angles
	crowded    = 4000 // terms that share a trigram, from which it is ignored
	mostWords  = 64   // of a request that are looked at
)

// asked is a distinct word of a request.
type asked struct {
	word   string // its stem
	said   string // as the request has it
	plain  bool   // a function word
	weight float64
	like   []near
}

// near is a term that a word of a request stands for.
type near struct {
	term  uint32
	alike float64 // 1: it is that word
}

// query is a request, analysed against the index.
type query struct {
	words []asked
	order []int             // the words as they follow each other
	next  [mostWords]uint64 // by word: the words that follow it somewhere
	terms []uint32          // the request as terms, unknown where no ability has the word
	heavy int               // words that are no function words
	mass  float64
	norm  float64 // of the angle
	usual float64 // the part of rarity in requests at large
	rare  []float32
}

// weight is a term's weight: by how few abilities have it, and how rare it is in requests at large.
func (q *query) weight(t *term) float64 {
	w := (1-q.usual)*float64(q.rare[len(t.posts)]) + q.usual*float64(t.usual)
	if t.plain {
		w *= plainPart
	}
	return w
}

func (x *Index) query(request string, s *scratch) query {
	q := query{rare: x.rarities()}
	all := append(x.asWritten(requested(request)), x.inside(request)...)
	all = all[:min(len(all), mostWords)]
	english := 0
	for _, tk := range all {
		usual, _ := ordinary(tk.stem)
		if usual < unlistedRarity {
			english++
		}
	}
	if 2*english >= len(all) {
		q.usual = usualPart
	}
	q.usual += (1 - q.usual) * usualAbove / (usualAbove + float64(x.live))
	for _, tk := range all {
		w := tk.stem
		if tk.as != ending && slices.ContainsFunc(all, func(o token) bool { return o.as == ending && o.stem == w }) {
			tk.as = ending // "the raw file IMG_2.raw"
		}
		i := slices.IndexFunc(q.words, func(a asked) bool { return a.word == w })
		if i < 0 {
			i = len(q.words)
			a := asked{word: w, said: tk.word, plain: lang.FunctionWord(w), like: x.near(tk, s)}
			if len(a.like) > 0 && a.like[0].alike == 1 {
				a.weight = q.weight(&x.terms[a.like[0].term])
			} else {
				usual, plain := ordinary(w)
				a.weight = q.weight(&term{usual: usual, plain: plain}) * unknownUp
			}
			a.weight *= tk.part(len(a.like) > 0, len(a.like) > 0 && a.like[0].alike == 1)
			q.words = append(q.words, a)
			q.mass += a.weight
			q.norm += a.weight * a.weight
		}
		q.order = append(q.order, i)
		t, known := x.words[w]
		if !known {
			t = unknown
		}
		q.terms = append(q.terms, t)
		if !q.words[i].plain {
			q.heavy++
		}
	}
	for i, b := range q.order[min(1, len(q.order)):] {
		if a := q.order[i]; q.next[a]&(1<<b) == 0 {
			q.next[a] |= 1 << b
			w := q.pair(a, b)
			q.norm += w * w
		}
	}
	q.norm = math.Sqrt(q.norm)
	return q
}

// part is what a word counts in its use, as a part of its rarity. met: some ability has the word or one like it; exactly: has just that
// word.
func (tk token) part(met, exactly bool) float64 {
	switch {
	case tk.as == named:
		return namePart
	case tk.as == value && !exactly:
		return valuePart
	case tk.as == ending && met:
		return endingUp
	}
	return 1
}

// pair is the weight of two adjacent words.
func (q *query) pair(a, b int) float64 {
	return pairWeight * (q.words[a].weight + q.words[b].weight) / 2
}

// near lists the terms that a word stands for, itself first, then by similarity of spelling: the squared cosine of
// their trigrams.
func (x *Index) near(tk token, s *scratch) []near {
	var out []near
	word := tk.stem
	self, known := x.words[word]
	if known && len(x.terms[self].posts) > 0 {
		out = append(out, near{self, 1})
	}
	s.grams = trigrams(word, s.grams)
	s.fit(len(x.terms), len(x.docs))
	s.met = s.met[:0]
	for _, g := range s.grams {
		terms := x.grams[g]
		if len(terms) > crowded {
			continue
		}
		for _, t := range terms {
			if s.shared[t] == 0 {
				s.met = append(s.met, t)
			}
			s.shared[t]++
		}
	}
	for _, t := range s.met {
		n := float64(s.shared[t])
		s.shared[t] = 0
		sq := n * n / float64(len(s.grams)) / float64(x.terms[t].grams)
		if !known && sq < mistyped && slip(word, x.terms[t].word) {
			sq = mistyped
		}
		if sq >= alike*alike && (!known || t != self) && len(x.terms[t].posts) > 0 {
			out = append(out, near{t, sq})
		}
	}
	if !known {
		out = x.meant(word, out)
	}
	if tk.as == ending {
		out = x.also(lang.FileKind(word), ofKind, out)
	}
	out = x.also(lang.FilesCalled(word), ofKind, out)
	out = x.also(lang.Related(word), related, out)
	slices.SortFunc(out, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.alike, a.alike), strings.Compare(x.terms[a.term].word, x.terms[b.term].word))
	})
	return out[:min(len(out), mostAlike)]
}

// meant adds the English terms for a word of another language: löschen reaches delete. Only words of controls and
// fields are known (lang.Gloss).
func (x *Index) meant(word string, out []near) []near {
	if _, english := lang.Ordinary(word); english {
		return out
	}
	for _, g := range lang.Gloss(word) {
		out = x.also([]string{lang.EnglishStem(g)}, translated, out)
	}
	return out
}

// also adds those of some stems that abilities have.
func (x *Index) also(stems []string, part float64, out []near) []near {
	for _, w := range stems {
		t, ok := x.words[w]
		if ok && len(x.terms[t].posts) > 0 && !slices.ContainsFunc(out, func(n near) bool { return n.term == t }) {
			out = append(out, near{t, part})
		}
	}
	return out
}

// scratch holds the buffers of one search, reused by the next.
type scratch struct {
	grams  []uint32
	shared []uint16 // by term
	met    []uint32
	sum    []float32 // by slot
	best   []float32 // by slot, of the word at hand
	slots  []uint32  // with a sum
	local  []uint32
	hits   [][]match             // by term: the words of the request that it answers
	terms  []uint32              // with hits
	unit   []uint32              // by term: the last unit that it was seen in
	units  uint32                // that were looked at
	dots   [3][mostWords]float64 // by word of the request: of a unit, of the best unit, of the whole
}

type match struct {
	word  int
	alike float64
}

func (s *scratch) fit(terms, slots int) {
	if len(s.shared) < terms {
		s.shared = make([]uint16, terms+terms/8)
		s.hits = make([][]match, len(s.shared))
		s.unit = make([]uint32, len(s.shared))
	}
	if len(s.sum) < slots {
		s.sum, s.best = make([]float32, slots+slots/8), make([]float32, slots+slots/8)
	}
}

func (x *Index) borrow() *scratch {
	if s, ok := x.pool.Get().(*scratch); ok {
		return s
	}
	return &scratch{}
}

// bm25 adds up the request's word weights for every ability that has one of the words.
func (x *Index) bm25(q *query, s *scratch) {
	s.slots = s.slots[:0]
	mean := float32(x.length / float64(max(x.live, 1)))
	for i := range q.words {
		a := &q.words[i]
		s.local = s.local[:0]
		for _, n := range a.like {
			t := &x.terms[n.term]
			w := float32(min(a.weight, q.weight(t)) * n.alike) // a similar word counts no more than its own rarity allows
			for _, p := range t.posts {
				slot, count := unpack(p)
				c := float32(count)
				v := w * c / (c + saturation*(1-lengthPart+lengthPart*x.docs[slot].length/mean))
				if v > s.best[slot] {
					if s.best[slot] == 0 {
						s.local = append(s.local, slot)
					}
					s.best[slot] = v
				}
			}
		}
		for _, slot := range s.local {
			if s.sum[slot] == 0 {
				s.slots = append(s.slots, slot)
			}
			s.sum[slot] += s.best[slot]
			s.best[slot] = 0
		}
	}
}

// clear resets the scratch for the next search.
func (s *scratch) clear() {
	for _, slot := range s.slots {
		s.sum[slot] = 0
	}
	for _, t := range s.terms {
		s.hits[t] = s.hits[t][:0]
	}
	s.slots, s.terms = s.slots[:0], s.terms[:0]
}

// answer notes which words of the request a term matches.
func (q *query) answer(s *scratch) {
	for i, a := range q.words {
		for _, n := range a.like {
			if len(s.hits[n.term]) == 0 {
				s.terms = append(s.terms, n.term)
			}
			s.hits[n.term] = append(s.hits[n.term], match{i, n.alike})
		}
	}
}

// foremost keeps the n slots with the largest sums, in no order; ties at the edge go by id.
func (x *Index) foremost(s *scratch, n int) []uint32 {
	list := s.slots
	if len(list) <= n {
		return list
	}
	before := func(a, b uint32) bool {
		if s.sum[a] != s.sum[b] {
			return s.sum[a] > s.sum[b]
		}
		return x.docs[a].id < x.docs[b].id
	}
	lo, hi := 0, len(list)-1
	for lo < hi { // quickselect
		p := list[(lo+hi)/2]
		i, j := lo, hi
		for i <= j {
			for before(list[i], p) {
				i++
			}
			for before(p, list[j]) {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case n-1 <= j:
			hi = j
		case n-1 >= i:
			lo = i
		default:
			return list[:n]
		}
	}
	return list[:n]
}
