package redact

import (
	"regexp"
	"sync"
)

// pattern is an expression that is compiled when a text first calls for it. Most rules are never called during a session, and
// what was compiled goes with the rules. An expression that does not compile panics; a test compiles them all.
type pattern struct {
	source string
	once   sync.Once
	re     *regexp.Regexp
}

func newPattern(source string) *pattern { return &pattern{source: source} }

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.source) })
	return p.re
}
