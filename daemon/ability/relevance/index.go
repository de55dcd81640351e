package relevance

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"showhow/internal/lang"
)

// Text holds the texts of an ability.
type Text struct {
	Phrases      []string // how people ask for it
	Title        string
	Goal         string
	Description  string
	Capabilities []string // the titles of its capabilities
	Inputs       []string // the names of its inputs
}

// Index finds abilities by words. The zero value is empty and ready.
type Index struct {
	mu     sync.RWMutex
	slots  map[string]uint32 // by id
	docs   []doc             // by slot
	free   []uint32
	live   int
	length float64 // of all docs together
	terms  []term
	words  map[string]uint32   // term by stem
	grams  map[uint32][]uint32 // terms by trigram
	rarity atomic.Pointer[[]float32]
	pool   sync.Pool // *scratch
}

// doc is one ability. Its units are the phrases, then title, goal, sentences of the description, capabilities and inputs, as far as
// it has them.
type doc struct {
	id     string
	tokens []uint32 // terms in order, unit by unit
	ends   []uint16 // of each unit in tokens
	asked  uint16   // how many units are trigger phrases; unit i is phrase which[i]
	which  []uint16
	bag    []uint32 // distinct terms, each with how many units have it: pack
	length float32
}

// term is a stem that some ability has or had.
type term struct {
	word  string
	posts []uint32 // slots that have it, each with how many units do: pack
	usual float32  // its rarity in requests at large, in nats
	grams uint8
	plain bool // a function word or a courtesy
}

// pack stores a number and a small count in one word.
func pack(n uint32, count int) uint32       { return n<<6 | uint32(min(count, 63)) }
func unpack(p uint32) (n uint32, count int) { return p >> 6, int(p & 63) }

// Put adds an ability, or replaces its text.
func (x *Index) Put(id string, t Text) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.put(id, t)
}

func (x *Index) put(id string, t Text) {
	if x.slots == nil {
		x.slots, x.words, x.grams = map[string]uint32{}, map[string]uint32{}, map[uint32][]uint32{}
	}
	x.remove(id)
	d := doc{id: id}
	for i, p := range t.Phrases {
		if x.unit(&d, p) {
			d.which = append(d.which, uint16(i))
		}
	}
	d.asked = uint16(len(d.ends))
	for _, s := range slices.Concat([]string{t.Title, t.Goal}, sentences(t.Description), t.Capabilities, t.Inputs) {
		x.unit(&d, s)
	}
	counts := map[uint32]int{}
	at := 0
	for _, end := range d.ends {
		seen := map[uint32]bool{}
		for _, tm := range d.tokens[at:end] {
			if !seen[tm] {
				seen[tm] = true
				counts[tm]++
			}
		}
		at = int(end)
	}
	slot := uint32(len(x.docs))
	if n := len(x.free); n > 0 {
		slot, x.free = x.free[n-1], x.free[:n-1]
	} else {
		x.docs = append(x.docs, doc{})
	}
	d.bag = make([]uint32, 0, len(counts))
	for _, tm := range d.tokens { // in the order of the text, so that sums do not depend on a map
		if n := counts[tm]; n > 0 {
			d.bag = append(d.bag, pack(tm, n))
			x.terms[tm].posts = append(x.terms[tm].posts, pack(slot, n))
			d.length += float32(n)
			counts[tm] = 0
		}
	}
	x.docs[slot] = d
	x.slots[id] = slot
	x.live++
	x.length += float64(d.length)
	x.rarity.Store(nil)
}

// unit indexes one sentence of an ability; a sentence without words is ignored.
func (x *Index) unit(d *doc, text string) bool {
	before := len(d.tokens)
	for _, tk := range tokens(text) {
		if len(d.tokens) < math.MaxUint16 {
			d.tokens = append(d.tokens, x.term(tk.stem))
		}
	}
	if len(d.tokens) == before {
		return false
	}
	d.ends = append(d.ends, uint16(len(d.tokens)))
	return true
}

func (x *Index) term(stem string) uint32 {
	if t, ok := x.words[stem]; ok {
		return t
	}
	n := uint32(len(x.terms))
	var room [64]uint32
	gs := trigrams(stem, room[:0])
	for _, g := range gs {
		x.grams[g] = append(x.grams[g], n)
	}
	usual, plain := ordinary(stem)
	word := string([]byte(stem)) // not the whole text that it stands in
	x.terms = append(x.terms, term{word: word, usual: usual, plain: plain, grams: uint8(min(len(gs), 255))})
	x.words[word] = n
	return n
}

// Remove removes an ability.
func (x *Index) Remove(id string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.remove(id)
}

func (x *Index) remove(id string) {
	slot, ok := x.slots[id]
	if !ok {
		return
	}
	d := &x.docs[slot]
	for _, p := range d.bag {
		tm, _ := unpack(p)
		posts := x.terms[tm].posts
		for i, q := range posts {
			if s, _ := unpack(q); s == slot {
				last := len(posts) - 1
				posts[i] = posts[last]
				x.terms[tm].posts = posts[:last]
				break
			}
		}
	}
	x.length -= float64(d.length)
	x.docs[slot] = doc{}
	delete(x.slots, id)
	x.free = append(x.free, slot)
	x.live--
	x.rarity.Store(nil)
}

// Len is the number of abilities.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.live
}

// rarities are the rarities of a word by how many abilities have it; the last entry is for a word that none has.
func (x *Index) rarities() []float32 {
	if r := x.rarity.Load(); r != nil {
		return *r
	}
	n := float64(x.live)
	of := func(have float64) float32 { return float32(math.Pow(math.Log(1+(n-have+.5)/(have+.5)), flattened)) }
	out := make([]float32, x.live+2)
	for have := range x.live + 1 {
		out[have] = of(float64(have))
	}
	out[0] = of(.5)
	x.rarity.Store(&out)
	return out
}

// ordinary is the rarity of a stem in requests at large.
func ordinary(stem string) (usual float32, plain bool) {
	n, known := lang.Ordinary(stem)
	if !known {
		n = lang.Unlisted
	}
	return float32(math.Pow(float64(n)*math.Ln2, flattened)), lang.FunctionWord(stem)
}
