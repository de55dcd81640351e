package source

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"showhow/daemon/skill/scan/report"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// MaxCode bounds one program.
const MaxCode = 1 << 20

// maxPerRule bounds the findings of one rule in one file.
const maxPerRule = 20

// Re declares an expression of a rule, given in parts: most texts do not match it.
func Re(parts ...string) *lazyre.Regexp { return lazyre.Sparse(strings.Join(parts, "")) }

// Wording declares the expression of a wording in internal/lang.
func Wording(name string) *lazyre.Regexp {
	return lazyre.From(func() string { return lang.WordingOf(name).Says })
}

// Alternatives declares the expressions of a wording's alternatives, each by itself: short ones are much faster.
func Alternatives(name string) func() []*lazyre.Regexp {
	return sync.OnceValue(func() (out []*lazyre.Regexp) {
		for _, expr := range lang.WordingOf(name).Each {
			out = append(out, lazyre.From(func() string { return expr }))
		}
		return out
	})
}

// File is one file of a bundle, and what was found in it.
type File struct {
	Path  string
	Data  []byte
	Text  string // the data, when it is text
	Kind  Kind
	lines []int // where lines begin
	Exec  bool

	computes int8 // 1: it loads files by names that are put together, -1: it does not

	Teaches bool   // the skill is about attacks: it may quote them
	Says    string // what the skill says it is for
	About   string // the letters of its name and description
	Entry   string // the text of SKILL.md
	Found   []report.Finding
	Weak    []bool // of each: words alone say so
	count   map[string]int
	Uses    uses
	hosts   map[string]bool // seen and judged
}

// New reads a file's kind and text.
func New(p string, data []byte) *File {
	f := &File{Path: p, Data: data, count: map[string]int{}, Uses: NewUses(), hosts: map[string]bool{}}
	f.Kind = kindOf(p, data)
	if f.Kind != Binaries {
		f.SetText(f.steadied(DecodeText(data)))
	}
	return f
}

func (f *File) SetText(s string) {
	f.Text = s
	f.lines = LineStarts(s)
}

func LineStarts(s string) []int {
	starts := make([]int, 1, strings.Count(s, "\n")+1)
	for i := 0; ; {
		j := strings.IndexByte(s[i:], '\n')
		if j < 0 {
			return starts
		}
		i += j + 1
		starts = append(starts, i)
	}
}

// Line is the number of the line at an offset.
func (f *File) Line(offset int) int {
	i, found := slices.BinarySearch(f.lines, offset)
	if found {
		return i + 1
	}
	return max(1, i)
}

// LineText is a line's text.
func (f *File) LineText(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	from, to := f.lines[n-1], len(f.Text)
	if n < len(f.lines) {
		to = f.lines[n]
	}
	return f.Text[from:min(to, from+400)]
}

// DecodeText reads UTF-8 and, by its mark, UTF-16; anything else keeps what is valid.
func DecodeText(data []byte) string {
	if len(data) > 1 && (data[0] == 0xff && data[1] == 0xfe || data[0] == 0xfe && data[1] == 0xff) {
		return utf16Text(data)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if utf8.Valid(data) {
		return string(data)
	}
	return strings.ToValidUTF8(string(data), "\ufffd")
}

// Add notes a finding; without an excerpt the line itself is one.
func (f *File) Add(rule string, line int, excerpt string, w report.With) {
	for i := len(f.Found) - 1; i >= 0; i-- {
		if x := f.Found[i]; x.RuleID == rule && x.Line == line &&
			(x.Severity == w.Severity || w.Severity == "" && x.Severity == report.ByID[rule].Severity) {
			f.Weak[i] = f.Weak[i] && w.Weak
			return // a later pass, or the same twice in a line
		}
	}
	if f.count[rule]++; f.count[rule] > maxPerRule {
		return
	}
	if excerpt == "" {
		excerpt = f.LineText(line)
	}
	f.Found, f.Weak = append(f.Found, report.Note(rule, w, f.Path, line, excerpt)), append(f.Weak, w.Weak)
}

// owned is a path in a skill's folder among an agent's, with its name.
var owned = lazyre.New(`[~$\w.{}/-]*/skills/([\w.-]+)(/[\w./{}-]*)?`)

// WithoutOwn is a text without the paths of data that the skill keeps in its own folder. What an agent or a computer reads by itself is no
// data: it is what the skill will be.
func (f *File) WithoutOwn(text string) string {
	name, _, _ := strings.Cut(f.Says, " ")
	if len(name) < 3 || !strings.Contains(text, "/skills/"+strings.ToLower(name)+"/") {
		return text
	}
	return owned.ReplaceAllStringFunc(text, func(p string) string {
		m := owned.FindStringSubmatch(p)
		if strings.EqualFold(m[1], name) && !strings.Contains(p, "..") && dataFile.MatchString(m[2]) {
			return " "
		}
		return p
	})
}

// dataFile is a folder, or a file that holds data.
var dataFile = lazyre.New(`(?i)^/(?:[^.]*|.*\.(?:json|jsonl|csv|ya?ml|toml|ini|env|db|sqlite|log|png|jpg|mp4|mp3|pdf))$`)

// Purpose is what the skill says it is for.
func (f *File) Purpose() string { return f.Says }
