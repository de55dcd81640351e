package word

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"showhow/internal/fault"
)

// want is what a paragraph should say when all is accepted.
type want struct {
	text string
	gone bool
}

// Random documents and random edits: accepting all gives the edited text, rejecting ours the document as it was, and
// parts that were not touched are the same bytes.
func TestRandomEdits(t *testing.T) {
	seed := uint64(1) // by hand: others, with SHOWHOW_WORD_SEED
	if s, err := strconv.ParseUint(os.Getenv("SHOWHOW_WORD_SEED"), 10, 64); err == nil {
		seed = s
	}
	began, n, edits := time.Now(), 0, 0
	most, _ := strconv.Atoi(os.Getenv("SHOWHOW_WORD_DOCUMENTS"))
	for ; most > 0 && n < most || most == 0 && time.Since(began) < 2*time.Second; n++ {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		edits += edited(t, r)
		if t.Failed() {
			t.Fatalf("seed %d, document %d", seed, n)
		}
	}
	t.Logf("seed %d: %d documents, %d edits", seed, n, edits)
}

func edited(t *testing.T, r *rand.Rand) int {
	data := craft(t, document(random(r)))
	original := open(t, data)
	d := open(t, data)
	var model []*want
	for _, s := range raw(d) {
		model = append(model, &want{text: s})
	}
	did := []string{}
	for range 1 + r.IntN(6) {
		did = append(did, edit(t, d, r, &model))
	}
	d = saved(t, d)
	var expected []string
	for _, w := range model {
		if !w.gone {
			expected = append(expected, w.text)
		}
	}
	out, err := d.Save()
	if err != nil {
		t.Fatal(err)
	}
	accepted, rejected := open(t, out), open(t, out)
	if _, err := accepted.Decide(Choice{}, true); err != nil {
		t.Error(err)
	}
	if got := raw(saved(t, accepted)); !slices.Equal(got, expected) {
		t.Errorf("accepted:\n%q, not\n%q\nafter %q", got, expected, did)
	}
	if l := accepted.revisions(); len(l) > 0 {
		t.Errorf("%d changes are left: %+v", len(l), l[0].WordChange)
	}
	if _, err := rejected.Decide(Choice{Author: us.Name}, false); err != nil && !fault.Is(err, fault.WordNoMatch) {
		t.Error(err)
	}
	if got, was := canonical(t, saved(t, rejected)), canonical(t, original); got != was {
		t.Errorf("rejected: %s after %q", apart(got, was), did)
	}
	if got, was := instructions(d), instructions(original); got != was {
		t.Errorf("a field is told %q, not %q, after %q", got, was, did)
	}
	untouched(t, data, out, d)
	return len(did)
}

// untouched checks that parts that were not edited lie in the file as before.
func untouched(t *testing.T, before, after []byte, _ *Document) {
	t.Helper()
	a, b := entries(t, before), entries(t, after)
	for name, x := range a {
		if name == "word/document.xml" || name == "word/header1.xml" {
			continue
		}
		if y, ok := b[name]; !ok || !bytes.Equal(x, y) {
			t.Errorf("%s is another one", name)
		}
	}
}

func edit(t *testing.T, d *Document, r *rand.Rand, model *[]*want) string {
	t.Helper()
	list := d.stories[0].paras
	if len(list) != len(*model) {
		t.Fatalf("%d paragraphs, not %d", len(list), len(*model))
	}
	i := r.IntN(len(list))
	p, w := list[i], (*model)[i]
	at := p.at()
	switch k := r.IntN(10); {
	case k < 6:
		text := p.text()
		if text == "" {
			return "nothing"
		}
		from := boundary(text, r.IntN(len(text)))
		if i := strings.LastIndex(text, barrier) + len(barrier); i >= len(barrier) && i < len(text) && r.IntN(3) == 0 {
			from = i // directly behind an object
		}
		to := boundary(text, min(len(text), from+1+r.IntN(12)))
		part := text[from:to]
		if part == "" || strings.Contains(part, barrier) {
			return "nothing"
		}
		number := 1 + strings.Count(text[:from], part) // of overlapping ones it may be another one; see below
		found, err := d.find(Where{Text: part, At: at})
		if err != nil {
			t.Error(err)
			return "find"
		}
		number = min(number, len(found))
		m := found[number-1]
		fresh := []string{"", "new", " two words ", "tab\tand\nbreak", part + "!", "new " + part, "会"}[r.IntN(7)]
		out, err := d.Replace(Where{Text: part, At: at, Number: number}, fresh)
		if fault.Is(err, fault.WordRefused) {
			return "refused"
		}
		if err != nil || out.Changed != 1 {
			t.Errorf("%+v %v", out, err)
		}
		now := text[:m.from] + fresh + text[m.to:]
		if got := p.text(); got != now {
			t.Errorf("it is %q, not %q", got, now)
		}
		w.text = now
		return fmt.Sprintf("%s: %q becomes %q", at, part, fresh)
	case k < 8:
		fresh := []string{"", "a new paragraph"}[r.IntN(2)]
		style := []string{"", "Normal", "heading 1"}[r.IntN(3)]
		if _, err := d.Insert(at, fresh, style); fault.Is(err, fault.WordRefused) {
			return "refused"
		} else if err != nil {
			t.Error(err)
		}
		*model = slices.Insert(*model, i+1, &want{text: fresh})
		if made := d.stories[0].paras[i+1]; style != "" && d.styles[made.style()].name != style {
			t.Errorf("behind %s the style is %q, not %q", at, made.style(), style)
		}
		return fmt.Sprintf("behind %s there is %q", at, fresh)
	case k < 9:
		if _, err := d.Delete(at); fault.Is(err, fault.WordRefused) {
			return "refused"
		} else if err != nil {
			t.Error(err)
		}
		w.text, w.gone = "", !alone(d, *model, i)
		return at + " is deleted"
	}
	yes, no := true, false
	look := []Look{{Bold: &yes}, {Italic: &no}, {Underline: &yes, Bold: &no}, {Style: "heading 1"}, {Style: "Normal"}}[r.IntN(5)]
	if _, err := d.Format(Where{At: at}, look); fault.Is(err, fault.WordRefused) {
		return "refused"
	} else if err != nil {
		t.Error(err)
	}
	return at + " is formatted"
}

// alone reports whether no other paragraph of the container remains in front of or behind the one at i, up to a table.
func alone(d *Document, model []*want, i int) bool {
	list := d.stories[0].paras
	remains := func(step int) bool {
		for n := neighbour(list[i].node, step); n.Is("p"); n = neighbour(n, step) {
			for j, p := range list {
				if p.node == n && !model[j].gone {
					return true
				}
			}
		}
		return false
	}
	return !remains(1) && !remains(-1)
}

func boundary(s string, at int) int {
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// Random pairs of documents: what compare makes of the first one is the second one when all is accepted, and the first one
// when all is rejected, or it says that something is left.
func TestRandomComparisons(t *testing.T) {
	seed := uint64(1) // by hand: others, with SHOWHOW_WORD_SEED
	if s, err := strconv.ParseUint(os.Getenv("SHOWHOW_WORD_SEED"), 10, 64); err == nil {
		seed = s
	}
	began, n, whole := time.Now(), 0, 0
	for ; time.Since(began) < 2*time.Second; n++ {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		one, two := random(r), ""
		if r.IntN(3) > 0 { // a later version of the first
			d := open(t, craft(t, document(one)))
			var model []*want
			for range d.stories[0].paras {
				model = append(model, &want{})
			}
			for range 4 {
				edit(t, d, r, &model)
			}
			if _, err := d.Decide(Choice{}, true); err != nil {
				t.Fatal(err)
			}
			two = inner(t, d)
		} else {
			two = random(r)
		}
		data := craft(t, document(one))
		d, other := open(t, data), open(t, craft(t, document(two)))
		was := canonical(t, d)
		out, err := d.Compare(other)
		if err != nil {
			t.Fatal(err)
		}
		made, err := d.Save()
		if err != nil {
			t.Fatal(err)
		}
		rejected := open(t, made)
		if _, err := rejected.Decide(Choice{Author: us.Name}, false); err != nil && !fault.Is(err, fault.WordNoMatch) {
			t.Fatal(err)
		}
		if got := canonical(t, saved(t, rejected)); got != was {
			t.Errorf("rejected: %s", apart(got, was))
		}
		if len(out.Left) == 0 {
			whole++
		}
		if len(out.Left) == 1 && strings.HasPrefix(out.Left[0], "accepting") {
			t.Errorf("%+v", out)
		}
		if len(out.Left) == 0 {
			accepted := open(t, made)
			if _, err := accepted.Decide(Choice{}, true); err != nil {
				t.Fatal(err)
			}
			if a, b := things(accepted), things(other); a != b {
				t.Errorf("nothing is left, and accepted it is %s, not %s", a, b)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d, pair %d", seed, n)
		}
	}
	t.Logf("seed %d: %d pairs, %d of them whole", seed, n, whole)
}
