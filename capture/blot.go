package capture

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"showhow/capture/lexical"
	"showhow/capture/redact"
)

// Blot is a text that must stay unreadable, known to this package by a keyed hash alone: a page's recorder never lets a
// secret leave the page, yet another document, a title or a command may repeat it. The key (Salt) is random, is made for one
// pipeline and handed to its adapters in memory; neither it nor a hash is ever stored, so a short code cannot be guessed from
// anything that remains.
type Blot struct {
	Hash uint64      // SipHash-2-4 of the folded text
	Size int         // bytes of the folded text: found anywhere. 0: one to three words in a row, joined by single spaces
	Kind redact.Kind // what it is; Name is no secret but still nobody's business
}

// Salt is the key of a pipeline's blots.
type Salt [16]byte

// Limits of what BlotsOf makes. A value found anywhere has the length from which typed values are, too.
const (
	blotWords   = 60  // words of a long text that are looked at
	blotGram    = 3   // words in a row
	blotLeast   = 4   // characters of such a run
	blotSize    = 256 // bytes of a value that is looked for anywhere
	singleWords = 3   // in a longer text single words mean nothing
)

// BlotsOf are the blots of a text. The recorder in a page makes the same ones (adapters/browserdom/page).
func BlotsOf(salt Salt, text string, kind redact.Kind) []Blot {
	low := lexical.Fold(lexical.Normal(text))
	ws := lexical.Words(low)
	ws = ws[:min(len(ws), blotWords)]
	var out []Blot
	for i := range ws {
		for n := 1; n <= blotGram && i+n <= len(ws); n++ {
			gram := appendGram(nil, low, ws[i:i+n])
			if utf8.RuneCount(gram) < blotLeast || n < blotGram && len(ws) > singleWords {
				continue
			}
			out = append(out, Blot{Hash: siphash(salt, gram), Kind: kind})
		}
	}
	if n := utf8.RuneCountInString(low); kind != redact.Name && n >= freeLength && len(low) <= blotSize {
		out = append(out, Blot{Hash: siphash(salt, []byte(low)), Size: len(low), Kind: kind})
	}
	return out
}

// appendGram joins words of low by single spaces.
func appendGram(b []byte, low string, ws [][2]int) []byte {
	for i, w := range ws {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, low[w[0]:w[1]]...)
	}
	return b
}

// blots finds the texts of which only hashes are known.
type blots struct {
	salt  Salt
	grams map[uint64]redact.Kind
	free  map[uint64]redact.Kind
	spans []int // sizes of free ones
	found memo[[]match]
}

const maxBlots = 4000

func (b *blots) add(known []Blot) {
	for _, k := range known {
		if len(b.grams)+len(b.free) >= maxBlots || k.Size < 0 || k.Size > blotSize {
			return
		}
		if b.grams == nil {
			b.grams, b.free = map[uint64]redact.Kind{}, map[uint64]redact.Kind{}
		}
		if k.Size == 0 {
			b.grams[k.Hash] = stronger(b.grams[k.Hash], k.Kind)
			continue
		}
		if !slices.Contains(b.spans, k.Size) {
			b.spans = append(b.spans, k.Size)
		}
		b.free[k.Hash] = stronger(b.free[k.Hash], k.Kind)
	}
	b.found = nil
}

// stronger: what is a secret once stays one.
func stronger(a, b redact.Kind) redact.Kind {
	if a == "" || a == redact.Name {
		return b
	}
	return a
}

func (b *blots) empty() bool { return len(b.grams)+len(b.free) == 0 }

// secret is the kind of the secret that a folded text holds, "" for none.
func (b *blots) secret(low string) redact.Kind {
	if b.empty() {
		return ""
	}
	for _, m := range b.find(low, lexical.Words(low)) {
		if m.value.secret != redact.Name {
			return m.value.secret
		}
	}
	return ""
}

// find returns the matches in a folded text, in order.
func (b *blots) find(low string, ws [][2]int) []match {
	if b.empty() {
		return nil
	}
	return b.found.get(low, func(low string) []match { return b.search(low, ws) })
}

func (b *blots) search(low string, ws [][2]int) []match {
	var out []match
	var buf [3 * blotSize]byte
	for i := range ws {
		for n := 1; n <= blotGram && i+n <= len(ws); n++ {
			if ws[i+n-1][1]-ws[i][0] > blotSize {
				break
			}
			if kind, ok := b.grams[siphash(b.salt, appendGram(buf[:0], low, ws[i:i+n]))]; ok {
				out = append(out, match{ws[i][0], ws[i+n-1][1], knownValue{secret: kind}})
			}
		}
	}
	for _, size := range b.spans {
		for at := 0; at+size <= len(low); at++ {
			if kind, ok := b.free[siphash(b.salt, append(buf[:0], low[at:at+size]...))]; ok {
				out = append(out, match{at, at + size, knownValue{secret: kind}})
			}
		}
	}
	return joined(out)
}

// joined makes one of matches that overlap.
func joined(ms []match) []match {
	slices.SortFunc(ms, func(a, b match) int { return a.start - b.start })
	out := ms[:0]
	for _, m := range ms {
		if n := len(out); n > 0 && m.start < out[n-1].end {
			out[n-1].end = max(out[n-1].end, m.end)
			out[n-1].value.secret = stronger(out[n-1].value.secret, m.value.secret)
			continue
		}
		out = append(out, m)
	}
	return out
}

// siphash is SipHash-2-4 (Aumasson, Bernstein).
func siphash(key Salt, p []byte) uint64 {
	k0, k1 := binary.LittleEndian.Uint64(key[:8]), binary.LittleEndian.Uint64(key[8:])
	v0, v1 := k0^0x736f6d6570736575, k1^0x646f72616e646f6d
	v2, v3 := k0^0x6c7967656e657261, k1^0x7465646279746573
	round := func() {
		v0 += v1
		v1 = bits.RotateLeft64(v1, 13) ^ v0
		v0 = bits.RotateLeft64(v0, 32)
		v2 += v3
		v3 = bits.RotateLeft64(v3, 16) ^ v2
		v0 += v3
		v3 = bits.RotateLeft64(v3, 21) ^ v0
		v2 += v1
		v1 = bits.RotateLeft64(v1, 17) ^ v2
		v2 = bits.RotateLeft64(v2, 32)
	}
	block := func(m uint64) {
		v3 ^= m
		round()
		round()
		v0 ^= m
	}
	last := uint64(len(p)) << 56
	for ; len(p) >= 8; p = p[8:] {
		block(binary.LittleEndian.Uint64(p))
	}
	for i, c := range p {
		last |= uint64(c) << (8 * i)
	}
	block(last)
	v2 ^= 0xff
	for range 4 {
		round()
	}
	return v0 ^ v1 ^ v2 ^ v3
}
