// Package ledger stores the corpus applications' records, and the log of what really happened to them.
//
// Tables follow from a seed alone, so that the values of a demonstration and of a rehearsal are known beforehand.
// Every change goes through Apply, which writes the log of effects; pages never see that log. A fault makes the next
// changes go wrong in one of several ways (see Fault), while the log still says only what was really done.
//
// All methods are safe for concurrent use. State is in memory and ends with the ledger. It is tested through the
// applications, and by its own test.
package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

// Row is one record: its fields by name, its id under "id".
type Row map[string]string

// Tables are records by table, in order.
type Tables map[string][]Row

// Effect is one thing that really happened: a record added, set or removed, or a file downloaded.
type Effect struct {
	Verb   string            `json:"verb"` // add, set, remove, send
	Table  string            `json:"table"`
	ID     string            `json:"id,omitempty"` // in an expectation "": any
	Fields map[string]string `json:"fields,omitempty"`
}

func (e Effect) String() string {
	var fields []string
	for k, v := range e.Fields {
		fields = append(fields, fmt.Sprintf("%s=%q", k, v))
	}
	sort.Strings(fields)
	return strings.TrimSpace(fmt.Sprintf("%s %s %s %s", e.Verb, e.Table, e.ID, strings.Join(fields, " ")))
}

// Fault is a way for a change to go wrong.
type Fault string

const (
	None       Fault = ""
	Claim      Fault = "claim"       // the page says that it is done, and nothing was
	WrongRow   Fault = "wrong_row"   // it happened to another record
	WrongValue Fault = "wrong_value" // something else was stored
	Partial    Fault = "partial"     // some of it was not stored
	Broken     Fault = "broken"      // the server answers 500
	Invalid    Fault = "invalid"     // what was entered is not accepted
	Hang       Fault = "hang"        // there is no answer
	EmptyFile  Fault = "empty_file"  // a download without content
)

// Why Apply did nothing.
var (
	ErrBroken  = errors.New("the change could not be saved")
	ErrInvalid = errors.New("what was entered is not accepted")
	ErrMissing = errors.New("there is no such record")
)

// hangTime is how long an answer is withheld, longer than any client waits.
const hangTime = 2 * time.Minute

// Ledger is one application's records.
type Ledger struct {
	fill func(*rand.Rand) Tables

	mu     sync.Mutex
	tables Tables
	log    []Effect
	fault  Fault
	next   map[string]int
}

// New returns a ledger whose records follow from the seed.
func New(seed uint64, fill func(*rand.Rand) Tables) *Ledger {
	l := &Ledger{fill: fill}
	l.Reset(seed)
	return l
}

// Reset makes the records anew, forgets what happened and ends any fault.
func (l *Ledger) Reset(seed uint64) {
	t := l.fill(rand.New(rand.NewPCG(seed, 0x636f72707573))) // the second word only has to be fixed
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tables, l.log, l.fault, l.next = t, nil, None, map[string]int{}
}

// Fail makes changes go wrong from now on; None makes them right again.
func (l *Ledger) Fail(f Fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = f
}

// Fault is what is going wrong now.
func (l *Ledger) Fault() Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fault
}

// Effects returns everything that really happened since the last Reset, in order.
func (l *Ledger) Effects() []Effect {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.log)
}

// Rows returns copies of a table's records.
func (l *Ledger) Rows(table string) []Row {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []Row
	for _, r := range l.tables[table] {
		out = append(out, maps.Clone(r))
	}
	return out
}

// Row returns a copy of the record with this id.
func (l *Ledger) Row(table, id string) (Row, bool) {
	for _, r := range l.Rows(table) {
		if r["id"] == id {
			return r, true
		}
	}
	return nil, false
}

// Where returns the first record whose field has the value.
func (l *Ledger) Where(table, field, value string) (Row, bool) {
	for _, r := range l.Rows(table) {
		if r[field] == value {
			return r, true
		}
	}
	return nil, false
}

// Apply makes a change, as modified by a fault, and logs it. It returns the resulting record as the fault lets the
// caller see it.
func (l *Ledger) Apply(ctx context.Context, e Effect) (Row, error) {
	fault := l.Fault()
	switch fault {
	case Broken:
		return nil, ErrBroken
	case Invalid:
		return nil, ErrInvalid
	case Hang:
		select {
		case <-ctx.Done():
		case <-time.After(hangTime):
		}
		return nil, ErrBroken
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	e.Fields = maps.Clone(e.Fields)
	if e.Verb == "add" && e.ID == "" {
		e.ID = l.newID(e.Table)
	}
	claimed := maps.Clone(Row(e.Fields))
	if claimed == nil {
		claimed = Row{}
	}
	claimed["id"] = e.ID
	if fault == Claim {
		return claimed, nil
	}
	spoil(&e, fault, l.tables[e.Table])
	if err := l.change(e); err != nil {
		return nil, err
	}
	l.log = append(l.log, e)
	return claimed, nil
}

// newID continues the ids of a table: K-517 after K-516.
func (l *Ledger) newID(table string) string {
	rows := l.tables[table]
	prefix, number := "R-", 1000
	if n := len(rows); n > 0 {
		last := rows[n-1]["id"]
		i := strings.LastIndexByte(last, '-')
		prefix = last[:i+1]
		fmt.Sscan(last[i+1:], &number)
	}
	if number < l.next[table] {
		number = l.next[table]
	}
	l.next[table] = number + 1
	return fmt.Sprintf("%s%d", prefix, number+1)
}

// spoil applies the fault to a change.
func spoil(e *Effect, f Fault, rows []Row) {
	switch f {
	case WrongRow:
		for i, r := range rows {
			if r["id"] == e.ID {
				e.ID = rows[(i+1)%len(rows)]["id"]
				return
			}
		}
	case WrongValue:
		if k := first(e.Fields); k != "" {
			e.Fields[k] = wrong(e.Fields[k])
		}
	case Partial:
		if k := first(e.Fields); k != "" && len(e.Fields) > 1 {
			delete(e.Fields, k)
		}
	}
}

// first is the field that a fault affects: alphabetically the first that is set.
func first(fields map[string]string) string {
	for _, k := range slices.Sorted(maps.Keys(fields)) {
		if fields[k] != "" {
			return k
		}
	}
	return ""
}

// wrong is another value of the same form: its last letter or digit is replaced.
func wrong(v string) string {
	r := []rune(v)
	for i := len(r) - 1; i >= 0; i-- {
		switch c := r[i]; {
		case c >= '0' && c <= '9':
			r[i] = '0' + (c-'0'+3)%10
			return string(r)
		case c >= 'a' && c <= 'z':
			r[i] = 'a' + (c-'a'+7)%26
			return string(r)
		}
	}
	return v + " 2"
}

func (l *Ledger) change(e Effect) error {
	rows := l.tables[e.Table]
	i := slices.IndexFunc(rows, func(r Row) bool { return r["id"] == e.ID })
	switch e.Verb {
	case "add":
		r := Row(maps.Clone(e.Fields))
		r["id"] = e.ID
		l.tables[e.Table] = append(rows, r)
	case "set":
		if i < 0 {
			return ErrMissing
		}
		maps.Copy(rows[i], e.Fields)
	case "remove":
		if i < 0 {
			return ErrMissing
		}
		l.tables[e.Table] = slices.Delete(rows, i, i+1)
	}
	return nil
}

// Same reports whether the effects are exactly those expected, in any order. A field that an expectation does not
// name may have any value.
func Same(want, got []Effect) bool {
	if len(want) != len(got) {
		return false
	}
	left := slices.Clone(got)
	for _, w := range want {
		i := slices.IndexFunc(left, w.covers)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

func (e Effect) covers(got Effect) bool {
	if e.Verb != got.Verb || e.Table != got.Table || e.ID != "" && e.ID != got.ID {
		return false
	}
	for k, v := range e.Fields {
		if got.Fields[k] != v {
			return false
		}
	}
	return true
}
