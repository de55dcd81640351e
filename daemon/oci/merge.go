package oci

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/skill"
)

// merge applies to theirs what ours changed since base, file by file and in text line by line. It returns the paths
// where both changed the same; nothing is decided for them.
func merge(base, ours, theirs skill.Bundle) (skill.Bundle, []string) {
	out, conflicts := skill.Bundle{Name: theirs.Name}, []string{}
	paths := map[string]bool{}
	for _, f := range slices.Concat(base.Files, ours.Files, theirs.Files) {
		paths[f.Path] = true
	}
	for p := range paths {
		f, ok := mergeFile(base.File(p), ours.File(p), theirs.File(p))
		if !ok {
			conflicts = append(conflicts, p)
		}
		if f != nil {
			out.Files = append(out.Files, *f)
		}
	}
	slices.Sort(conflicts)
	out.Sort()
	return out, conflicts
}

// mergeFile merges one file; nil means that it is not there.
func mergeFile(base, ours, theirs *skill.File) (*skill.File, bool) {
	switch {
	case same(ours, theirs), same(base, ours):
		return theirs, true
	case same(base, theirs):
		return ours, true
	case base == nil || ours == nil || theirs == nil || !text(base.Data) || !text(ours.Data) || !text(theirs.Data):
		return nil, false
	}
	data, ok := mergeLines(lines(base.Data), lines(ours.Data), lines(theirs.Data))
	out := *theirs
	out.Data = []byte(strings.Join(data, ""))
	if base.Mode == theirs.Mode {
		out.Mode = ours.Mode
	}
	return &out, ok
}

func same(a, b *skill.File) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Mode == b.Mode && bytes.Equal(a.Data, b.Data)
}

func text(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }

func lines(b []byte) []string { return slices.Collect(strings.Lines(string(b))) }

// mergeLines is the three-way merge of lines (diff3): between two lines that all three have in common, the part that
// one side left as it was is taken from the other.
func mergeLines(base, ours, theirs []string) (out []string, ok bool) {
	a, b := common(base, ours), common(base, theirs)
	i, j, k := 0, 0, 0 // the part under way begins here in base, ours and theirs
	for at := 0; at <= len(base); at++ {
		stable := at == len(base)
		x, y := len(ours), len(theirs)
		if !stable {
			x, y = a[at], b[at]
			stable = x >= 0 && y >= 0
		}
		if !stable {
			continue
		}
		was, mine, yours := base[i:at], ours[j:x], theirs[k:y]
		switch {
		case slices.Equal(mine, yours), slices.Equal(was, mine):
			out = append(out, yours...)
		case slices.Equal(was, yours):
			out = append(out, mine...)
		default:
			return nil, false
		}
		if at < len(base) {
			out = append(out, base[at])
		}
		i, j, k = at+1, x+1, y+1
	}
	return out, true
}

// maxCells bounds the table of a comparison; longer texts have no line in common, and so a conflict where both changed.
const maxCells = 16 << 20

// common maps each line of a to its partner in b by their longest common subsequence, -1 for none.
func common(a, b []string) []int {
	out := make([]int, len(a))
	for i := range out {
		out[i] = -1
	}
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		out[head] = head
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
		out[len(a)-tail] = len(b) - tail
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	w := len(y) + 1
	if (len(x)+1)*w > maxCells {
		return out
	}
	table := make([]uint32, (len(x)+1)*w)
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				table[i*w+j] = table[(i+1)*w+j+1] + 1
			} else {
				table[i*w+j] = max(table[(i+1)*w+j], table[i*w+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] == y[j]:
			out[head+i] = head + j
			i, j = i+1, j+1
		case table[(i+1)*w+j] >= table[i*w+j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
