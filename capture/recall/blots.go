package recall

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"showhow/capture"
	"showhow/capture/lexical"
	"showhow/capture/secret"
)

// Limits of BlotsOf. The minimum length of a value found anywhere is that of typed values.
const (
	blotWords   = 60  // words of a long text that are looked at
	blotGram    = 3   // words in a row
	blotLeast   = 4   // characters of such a run
	blotSize    = 256 // bytes of a value that is looked for anywhere
	singleWords = 3   // in a longer text single words mean nothing
)

// BlotsOf returns the hashes by which a text is found again. The recorder in a page makes the same ones
// (adapters/browserdom/script).
func BlotsOf(salt capture.Salt, text string, kind secret.Kind) []capture.Blot {
	low := lexical.Fold(lexical.Normal(text))
	ws := lexical.Words(low)
	ws = ws[:min(len(ws), blotWords)]
	var out []capture.Blot
	for i := range ws {
		for n := 1; n <= blotGram && i+n <= len(ws); n++ {
			gram := appendGram(nil, low, ws[i:i+n])
			if utf8.RuneCount(gram) < blotLeast || n < blotGram && len(ws) > singleWords {
				continue
			}
			out = append(out, capture.Blot{Hash: siphash(salt, gram), Kind: kind})
		}
	}
	if n := utf8.RuneCountInString(low); kind != secret.Name && n >= FreeLength && len(low) <= blotSize {
		out = append(out, capture.Blot{Hash: siphash(salt, []byte(low)), Size: len(low), Kind: kind})
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

// blots finds texts known only by their hashes.
type blots struct {
	Salt  capture.Salt
	grams map[uint64]secret.Kind
	free  map[uint64]secret.Kind
	spans []int // sizes of free ones
	found lexical.Memo[[]Match]
}

const MaxBlots = 4000

// Add adds hashes, up to MaxBlots.
func (b *blots) Add(known []capture.Blot) {
	for _, k := range known {
		if len(b.grams)+len(b.free) >= MaxBlots || k.Size < 0 || k.Size > blotSize {
			return
		}
		if b.grams == nil {
			b.grams, b.free = map[uint64]secret.Kind{}, map[uint64]secret.Kind{}
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

// stronger: once a secret, always a secret.
func stronger(a, b secret.Kind) secret.Kind {
	if a == "" || a == secret.Name {
		return b
	}
	return a
}

func (b *blots) empty() bool { return len(b.grams)+len(b.free) == 0 }

// secret is the kind of the secret in a folded text, "" for none.
func (b *blots) secret(low string) secret.Kind {
	if b.empty() {
		return ""
	}
	for _, m := range b.find(low, lexical.Words(low)) {
		if m.Value.Secret != secret.Name {
			return m.Value.Secret
		}
	}
	return ""
}

// find returns the matches in a folded text, in order.
func (b *blots) find(low string, ws [][2]int) []Match {
	if b.empty() {
		return nil
	}
	return b.found.Get(low, func(low string) []Match { return b.search(low, ws) })
}

func (b *blots) search(low string, ws [][2]int) []Match {
	var out []Match
	var buf [3 * blotSize]byte
	for i := range ws {
		for n := 1; n <= blotGram && i+n <= len(ws); n++ {
			if ws[i+n-1][1]-ws[i][0] > blotSize {
				break
			}
			if kind, ok := b.grams[siphash(b.Salt, appendGram(buf[:0], low, ws[i:i+n]))]; ok {
				out = append(out, Match{ws[i][0], ws[i+n-1][1], Value{Secret: kind}})
			}
		}
	}
	for _, size := range b.spans {
		for at := 0; at+size <= len(low); at++ {
			if kind, ok := b.free[siphash(b.Salt, append(buf[:0], low[at:at+size]...))]; ok {
				out = append(out, Match{at, at + size, Value{Secret: kind}})
			}
		}
	}
	return joined(out)
}

// joined merges overlapping matches.
func joined(ms []Match) []Match {
	slices.SortFunc(ms, func(a, b Match) int { return a.Start - b.Start })
	out := ms[:0]
	for _, m := range ms {
		if n := len(out); n > 0 && m.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, m.End)
			out[n-1].Value.Secret = stronger(out[n-1].Value.Secret, m.Value.Secret)
			continue
		}
		out = append(out, m)
	}
	return out
}

// siphash is SipHash-2-4 (Aumasson, Bernstein).
func siphash(key capture.Salt, p []byte) uint64 {
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
