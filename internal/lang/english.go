package lang

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// A List is a list of English words and phrases, by its name in data/english.txt. It is read on first use.
type List struct {
	name string
	set  atomic.Pointer[map[string]bool]
}

var lists []*List // that were read; guarded by mu

// English returns the list with a name.
func English(name string) *List { return &List{name: name} }

// Has reports whether a lower-case word or phrase is on the list, exactly as written there.
func (l *List) Has(w string) bool { return l.words()[w] }

// Words are the words of the list, as it has them.
func (l *List) Words() []string { return list(Text(l.name)) }

func (l *List) words() map[string]bool {
	if m := l.set.Load(); m != nil {
		return *m
	}
	m := map[string]bool{}
	for _, w := range l.Words() {
		m[w] = true
	}
	l.set.Store(&m)
	mu.Lock()
	lists = append(lists, l)
	mu.Unlock()
	return m
}

func forgetLists() { // the caller holds mu
	for _, l := range lists {
		l.set.Store(nil)
	}
	for _, t := range tables {
		t.m.Store(nil)
	}
	lists, tables = nil, nil
}

// Text is an entry of data/english.txt as written.
func Text(name string) string {
	s, ok := load().english[name]
	if !ok {
		panic(fmt.Sprintf("lang: data/english.txt has no %q", name))
	}
	return s
}

// Alternatives is a list as the alternatives of a regular expression. Its words may use regular expression syntax.
func Alternatives(name string) string { return strings.Join(list(Text(name)), "|") }

// Table is an entry whose items are "key: value", by key.
func Table(name string) map[string]string {
	m := map[string]string{}
	for _, item := range strings.Split(Text(name), ";") {
		if k, v, ok := strings.Cut(item, ":"); ok {
			m[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	return m
}

// A Map is a table of data/english.txt. It is read on first use.
type Map struct {
	read func() map[string]string
	m    atomic.Pointer[map[string]string]
}

var tables []*Map // that were read; guarded by mu

// TableOf returns the table with a name.
func TableOf(name string) *Map { return &Map{read: func() map[string]string { return Table(name) }} }

// Sorted maps the words of several lists to the name of their list without the prefix.
func Sorted(prefix string, names ...string) *Map {
	return &Map{read: func() map[string]string {
		m := map[string]string{}
		for _, n := range names {
			for _, w := range list(Text(prefix + n)) {
				m[w] = n
			}
		}
		return m
	}}
}

// Get is the value of a key, "" if the table does not have it.
func (t *Map) Get(key string) string { return t.table()[key] }

// List is the value of a key as a list.
func (t *Map) List(key string) []string { return list(t.table()[key]) }

func (t *Map) table() map[string]string {
	if m := t.m.Load(); m != nil {
		return *m
	}
	m := t.read()
	t.m.Store(&m)
	mu.Lock()
	tables = append(tables, t)
	mu.Unlock()
	return m
}
