package revise

import (
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/intent"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// Instruction is the meaning of a person's sentences about a draft.
type Instruction struct {
	Edits      map[string]any // for Input.Edits, to be merged with earlier ones (MergeEdits)
	Understood []string       // what will be done, one sentence each
}

// Instruct reads plain-language instructions about a draft: "call it customer instead of name", "always use EUR", "drop
// the second step". docs/review.md lists the sentences that it understands. It refuses any other with the nearest
// sentence that it understands, and guesses nothing. Sentences are separated by lines, full stops or semicolons.
func Instruct(text string, o draft.Output) (Instruction, error) {
	c := &instructions{o: o, edits: map[string]any{}}
	for i, s := range instructionSentences(text) {
		if err := c.sentence(i+1, s); err != nil {
			return Instruction{}, err
		}
	}
	if len(c.told) == 0 {
		return Instruction{}, fault.New(fault.InvalidRequest, "nothing was said")
	}
	return Instruction{Edits: c.edits, Understood: c.told}, nil
}

// instructions collects the meaning of the sentences so far.
type instructions struct {
	o     draft.Output
	edits map[string]any
	told  []string
}

// phrasing is one way to say something: an example, the pattern, and its meaning. mean returns false when the words
// match but mean something else, so that another pattern is tried.
type phrasing struct {
	example string
	re      *lazyre.Regexp
	mean    func(c *instructions, m []string) (bool, error)
}

func (c *instructions) sentence(n int, s string) error {
	plain := strings.TrimSpace(courtesy.ReplaceAllString(s, ""))
	plain = strings.TrimRight(plain, ".! ")
	if err := refuseTwoInstructions(plain); err != nil {
		return err
	}
	var first error
	for _, p := range allSayings {
		m := p.re.FindStringSubmatch(plain)
		if m == nil {
			continue
		}
		for i := range m {
			m[i] = strings.TrimSpace(m[i])
		}
		done, err := p.mean(c, m)
		if done && err == nil {
			return nil
		}
		if err != nil && first == nil {
			first = err
		}
	}
	if first != nil {
		return first
	}
	near := nearest(plain)
	return fault.Newf(fault.InvalidRequest, "sentence %d of the instructions is not understood", n).
		WithDetail("sentence", n).WithDetail("nearest", near).WithHint(fmt.Sprintf("the nearest that is understood: %q; docs/review.md lists all",
		near))
}

var courtesy = lazyre.New(`(?i)^(?:please|and|also please|could you|can you|then)[, ]+|[, ]+please$`)

// instructionSentences splits a text into lines, and lines at semicolons and at full stops before a capital letter.
func instructionSentences(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		begin := 0
		for i := 0; i+2 < len(line); i++ {
			if (line[i] == '.' || line[i] == ';') && line[i+1] == ' ' && (line[i] == ';' || line[i+2] >= 'A' && line[i+2] <= 'Z') {
				out = append(out, line[begin:i])
				begin = i + 2
			}
		}
		out = append(out, line[begin:])
	}
	var full []string
	for _, s := range out {
		if s = strings.TrimLeft(plain.Squeeze(s), "-* "); s != "" {
			full = append(full, s)
		}
	}
	return full
}

// nearest returns the example that shares the most words with a sentence.
func nearest(s string) string {
	mine := plain.Words(s)
	best, score := allSayings[0].example, -1.0
	for _, p := range allSayings {
		theirs := plain.Words(p.example)
		both := 0.0
		for i, w := range theirs {
			if slices.Contains(mine, w) && !slices.Contains(theirs[:i], w) {
				both++
				if !intent.StopWords.Has(w) {
					both++
				}
			}
		}
		if got := both / float64(len(mine)+len(theirs)); got > score {
			best, score = p.example, got
		}
	}
	return best
}

func (c *instructions) tell(format string, args ...any) {
	c.told = append(c.told, fmt.Sprintf(format, args...))
}

// put adds a text to an edit that is a map.
func (c *instructions) put(key, who, text string) {
	m, _ := c.edits[key].(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	m[who] = text
	c.edits[key] = m
}

// list adds texts to an edit that is a list.
func (c *instructions) list(key string, items ...string) {
	l, _ := c.edits[key].([]any)
	for _, s := range items {
		l = append(l, s)
	}
	c.edits[key] = l
}

// listOn adds a text to an edit that replaces the list have.
func (c *instructions) listOn(key string, have []string, item string) {
	if c.edits[key] == nil {
		c.list(key, have...)
	}
	c.list(key, item)
}
