package word

import (
	"slices"
	"strings"

	"showhow/daemon/wire"
	"showhow/daemon/word/ooxml"
	"showhow/internal/fault"
)

// pair is what belongs together of two lists; -1 is nothing.
type pair struct{ a, b int }

// maxCells bounds the table of one exact comparison, maxSteps all of them together.
const (
	maxCells = 4 << 20
	maxSteps = 400 << 20
)

// align finds the pairs of equal keys, in order, as many as it can, and lists all else beside them.
func align(a, b []string, steps *int) (out []pair) {
	var part func(a0, a1, b0, b1 int)
	part = func(a0, a1, b0, b1 int) {
		for a0 < a1 && b0 < b1 && a[a0] == b[b0] {
			out = append(out, pair{a0, b0})
			a0, b0 = a0+1, b0+1
		}
		tail := 0
		for a0 < a1 && b0 < b1 && a[a1-1] == b[b1-1] {
			a1, b1, tail = a1-1, b1-1, tail+1
		}
		switch {
		case a0 == a1 || b0 == b1:
		case (a1-a0)*(b1-b0) <= min(maxCells, *steps):
			*steps -= (a1 - a0) * (b1 - b0)
			out = append(out, longest(a, b, a0, a1, b0, b1)...)
		default: // what is there once on both sides splits the rest
			last := pair{a0, b0}
			for _, p := range unique(a, b, a0, a1, b0, b1) {
				if p.a >= last.a && p.b >= last.b {
					part(last.a, p.a, last.b, p.b)
					out = append(out, p)
					last = pair{p.a + 1, p.b + 1}
				}
			}
			if last != (pair{a0, b0}) {
				part(last.a, a1, last.b, b1)
			}
		}
		for i := range tail {
			out = append(out, pair{a1 + i, b1 + i})
		}
	}
	part(0, len(a), 0, len(b))
	// What is in between belongs to nothing.
	var whole []pair
	x, y := 0, 0
	for _, p := range append(out, pair{len(a), len(b)}) {
		for ; x < p.a; x++ {
			whole = append(whole, pair{x, -1})
		}
		for ; y < p.b; y++ {
			whole = append(whole, pair{-1, y})
		}
		if p.a < len(a) {
			whole = append(whole, p)
			x, y = p.a+1, p.b+1
		}
	}
	return whole
}

// longest is the longest common subsequence.
func longest(a, b []string, a0, a1, b0, b1 int) (out []pair) {
	w := b1 - b0 + 1
	t := make([]int32, (a1-a0+1)*w)
	for i := a1 - 1; i >= a0; i-- {
		for j := b1 - 1; j >= b0; j-- {
			at := (i-a0)*w + j - b0
			if a[i] == b[j] {
				t[at] = t[at+w+1] + 1
			} else {
				t[at] = max(t[at+w], t[at+1])
			}
		}
	}
	for i, j := a0, b0; i < a1 && j < b1; {
		at := (i-a0)*w + j - b0
		switch {
		case a[i] == b[j]:
			out = append(out, pair{i, j})
			i, j = i+1, j+1
		case t[at+w] >= t[at+1]:
			i++
		default:
			j++
		}
	}
	return out
}

// unique are the pairs of keys that occur once on either side, in an order that both have.
func unique(a, b []string, a0, a1, b0, b1 int) (out []pair) {
	count := map[string][2]int{}
	where := map[string]int{}
	for i := a0; i < a1; i++ {
		c := count[a[i]]
		c[0]++
		count[a[i]] = c
	}
	for j := b0; j < b1; j++ {
		c := count[b[j]]
		c[1]++
		count[b[j]] = c
		where[b[j]] = j
	}
	var all []pair
	for i := a0; i < a1; i++ {
		if count[a[i]] == [2]int{1, 1} {
			all = append(all, pair{i, where[a[i]]})
		}
	}
	// The longest increasing row of them.
	var ends []int
	before := make([]int, len(all))
	for i, p := range all {
		k, _ := slices.BinarySearchFunc(ends, p.b, func(e, b int) int { return all[e].b - b })
		before[i] = -1
		if k > 0 {
			before[i] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, i)
		} else {
			ends[k] = i
		}
	}
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			out = append(out, all[i])
		}
	}
	slices.Reverse(out)
	return out
}

// alike is how much of two texts is the same, from 0 to 1.
func alike(a, b string) float64 {
	x, y := words(a), words(b)
	count := map[string]int{}
	total := 0
	for _, w := range x {
		total += len(w)
		count[w]++
	}
	same := 0
	for _, w := range y {
		total += len(w)
		if count[w] > 0 {
			count[w]--
			same += len(w)
		}
	}
	if total == 0 {
		return 1
	}
	return 2 * float64(same) / float64(total)
}

// Compare makes of this document one that shows how other differs, as tracked changes.
func (d *Document) Compare(other *Document) (wire.WordCompared, error) {
	out := wire.WordCompared{Differences: []wire.WordDifference{}, Left: []string{}}
	c := comparison{d: d, other: other, out: &out, at: map[*ooxml.Node]string{}, steps: maxSteps, is: newIdentity(d),
		becomes: newIdentity(other)}
	want := c.becomes.story(other.stories[0])
	for _, p := range d.stories[0].paras {
		c.at[p.node] = p.at()
		for n := p.node.Parent; n != nil; n = n.Parent {
			if n.Is("tbl") { // it ends with its last paragraph
				c.at[n] = p.at()
			}
		}
	}
	c.container(d.stories[0].root, other.stories[0].root)
	d.stories[0].list()
	for _, s := range d.texts()[1:] {
		t := other.story(s.name)
		if t == nil || !slices.Equal(c.is.story(s), c.becomes.story(t)) {
			out.Left = append(out.Left, s.name+" differs")
		}
	}
	for _, t := range other.texts()[1:] {
		if d.story(t.name) == nil {
			out.Left = append(out.Left, t.name+" is only in the second version")
		}
	}
	return out, c.proven(want)
}

// proven opens what was made again, accepts all, and says if that is not the second version.
func (c *comparison) proven(want []string) error {
	data, err := c.d.Save()
	if err != nil {
		return err
	}
	again, err := Open(data, c.d.by)
	if err != nil {
		return err
	}
	if _, err := again.Decide(Choice{}, true); err != nil {
		return err
	}
	got := newIdentity(again).story(again.stories[0])
	switch {
	case slices.Equal(got, want):
	case slices.EqualFunc(got, want, sameContent):
		c.left("", "a link or a field is around other text in the second version")
	default:
		c.left("", "accepting all changes does not give exactly the second version")
	}
	return nil
}

type comparison struct {
	d, other *Document
	out      *wire.WordCompared
	at       map[*ooxml.Node]string
	steps    int // that are left to find what belongs together

	is, becomes *identity
}

const objectsDiffer = "a picture, a link, a note, a field, a formula or another object is another one in the second version"

func (c *comparison) tell(kind, at, was, is string) {
	c.out.Differences = append(c.out.Differences, wire.WordDifference{Kind: kind, At: at, Was: cutText(shown(was)), Is: cutText(shown(is))})
}

func (c *comparison) left(at, why string) {
	if at != "" {
		why = at + ": " + why
	}
	c.out.Left = append(c.out.Left, why)
}

// container compares what two containers have.
func (c *comparison) container(in, other *ooxml.Node) {
	a, b := c.is.list(c.d.stories[0].part, in), c.becomes.list(c.other.stories[0].part, other)
	keys := func(l []block) (out []string) {
		for _, x := range l {
			out = append(out, x.key)
		}
		return out
	}
	pairs := c.matchUp(a, b, align(keys(a), keys(b), &c.steps))
	var last *ooxml.Node // the element behind which something is inserted
	var gone, changed []pair
	var first *ooxml.Node
	for _, x := range slices.Backward(a) {
		if x.node.Is("p") {
			first = x.node
		}
	}
	like := func() *ooxml.Node {
		if last.Is("p") {
			return last
		}
		return first
	}
	for _, p := range pairs {
		switch {
		case p.b < 0:
			gone = append(gone, p)
			last = a[p.a].node
		case p.a >= 0:
			if a[p.a].key != b[p.b].key {
				changed = append(changed, p)
			}
			last = a[p.a].node
		default:
			at := c.at[last]
			if b[p.b].other {
				c.left(at, "something that is no text is only in the second version")
				continue
			}
			if b[p.b].rows != nil || like() == nil || strings.Contains(b[p.b].text, barrier) {
				c.tell("table", at, "", shown(b[p.b].text))
				c.left(at, "a table, or a paragraph with a picture or another object, is only in the second version")
				continue
			}
			n, err := c.d.insert(container(last, in), last, like(), b[p.b].text, c.styleOf(b[p.b].node))
			c.tell("inserted", at, "", b[p.b].text)
			if err != nil {
				c.left(at, fault.From(err).Message)
				continue
			}
			if len(c.becomes.objects(c.other.stories[0].part, b[p.b].node)) > 0 {
				c.left(at, "the text was inserted without its links and fields")
			}
			last = n
			c.at[n] = at
		}
	}
	for _, p := range changed {
		c.pair(a[p.a], b[p.b])
	}
	for _, p := range gone {
		x := a[p.a]
		at := c.at[x.node]
		if x.other {
			c.left(at, "something that is no text is only in the first version")
			continue
		}
		c.tell("deleted", at, x.text, "")
		if x.rows != nil {
			c.left(at, "a table is only in the first version")
			continue
		}
		if stays, err := c.d.deleteParagraph(&para{story: c.d.stories[0], node: x.node}); err != nil {
			c.left(at, fault.From(err).Message)
		} else if stays {
			c.left(at, "a paragraph has to stay there; it is empty")
		}
	}
}

func container(last, in *ooxml.Node) *ooxml.Node {
	if last == nil {
		return in
	}
	return last.Parent
}

// matchUp finds in every row of unmatched blocks those that are versions of each other.
func (c *comparison) matchUp(a, b []block, pairs []pair) (out []pair) {
	for i := 0; i < len(pairs); {
		if pairs[i].a >= 0 && pairs[i].b >= 0 {
			out = append(out, pairs[i])
			i++
			continue
		}
		var x, y []int
		for ; i < len(pairs) && (pairs[i].a < 0 || pairs[i].b < 0); i++ {
			if pairs[i].a >= 0 {
				x = append(x, pairs[i].a)
			} else {
				y = append(y, pairs[i].b)
			}
		}
		one := len(x) == 1 && len(y) == 1 && paragraph(a[x[0]]) && paragraph(b[y[0]]) // in the place of the other
		for _, ka := range x {
			found := -1
			for k, kb := range y[:min(len(y), 20)] {
				if one || c.versions(a[ka], b[kb]) {
					found = k
					break
				}
			}
			if found < 0 {
				out = append(out, pair{ka, -1})
				continue
			}
			for _, kb := range y[:found] {
				out = append(out, pair{-1, kb})
			}
			out = append(out, pair{ka, y[found]})
			y = y[found+1:]
		}
		for _, kb := range y {
			out = append(out, pair{-1, kb})
		}
	}
	return out
}

func paragraph(b block) bool { return b.rows == nil && !b.other }

// versions reports whether one block can have become the other one.
func (c *comparison) versions(a, b block) bool {
	if a.other || b.other {
		return false
	}
	if c.steps -= len(a.text) + len(b.text); c.steps < 0 {
		return false // what is too long to be compared is deleted and inserted
	}
	if a.rows == nil || b.rows == nil {
		return a.rows == nil && b.rows == nil && alike(a.text, b.text) >= .45
	}
	if len(a.rows) != len(b.rows) {
		return false
	}
	for i := range a.rows {
		if len(a.rows[i]) != len(b.rows[i]) {
			return false
		}
	}
	return true
}

// pair compares two versions of a block.
func (c *comparison) pair(a, b block) {
	if a.rows != nil {
		for i := range a.rows {
			for j := range a.rows[i] {
				c.container(a.rows[i][j], b.rows[i][j])
			}
		}
		return
	}
	at := c.at[a.node]
	if !same(c.is.objects(c.d.stories[0].part, a.node), c.becomes.objects(c.other.stories[0].part, b.node)) || a.text == b.text {
		c.left(at, objectsDiffer)
	}
	if a.text == b.text {
		return
	}
	c.tell("changed", at, a.text, b.text)
	x, y := words(a.text), words(b.text)
	if len(x)*len(y) > min(maxCells, c.steps) {
		x, y = []string{a.text}, []string{b.text}
	}
	type edit struct {
		from, to int
		text     string
	}
	var edits []edit
	pos := 0
	for _, p := range align(x, y, &c.steps) {
		if p.a >= 0 && p.b >= 0 {
			pos += len(x[p.a])
			continue
		}
		if len(edits) == 0 || edits[len(edits)-1].to != pos {
			edits = append(edits, edit{pos, pos, ""})
		}
		e := &edits[len(edits)-1]
		if p.a >= 0 {
			pos += len(x[p.a])
			e.to = pos
		} else {
			e.text += y[p.b]
		}
	}
	n := &para{story: c.d.stories[0], node: a.node}
	for _, e := range slices.Backward(edits) {
		var err error
		if strings.Contains(e.text, barrier) {
			err = refused("a picture, a note, a field or another object is only in the second version")
		} else {
			err = c.d.change(n, e.from, e.to, e.text, true)
		}
		if err != nil {
			c.left(at, fault.From(err).Message)
		}
	}
}

// styleOf is the style of a paragraph of the other version, if this one has it under the same name.
func (c *comparison) styleOf(n *ooxml.Node) string {
	id := n.Path("pPr", "pStyle").Val()
	name := c.other.styles[id].name
	if name == "" {
		return ""
	}
	found, err := c.d.styleID(name, "paragraph")
	if err != nil {
		return ""
	}
	return found
}
