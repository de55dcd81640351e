package compile

import (
	"maps"
	"strconv"
	"strings"
)

// ids gives names to steps, parameters and checkpoints. What a compilation before gave a name keeps it, by its evidence, so
// that an answer or an edit made by id is never about something else after an example was added or an event was deleted.
// Without a compilation before, things of the first demonstration are numbered first: a further example moves none of them.
type ids struct {
	known map[string]string // anchor -> id, of the compilations before
	given map[string]string // anchor -> id, known ones included
	used  map[string]bool
	next  map[string]int // prefix -> highest number so far
}

func newIDs(known map[string]string) *ids {
	n := &ids{known: known, given: map[string]string{}, used: map[string]bool{}, next: map[string]int{}}
	maps.Copy(n.given, known)
	for _, id := range known {
		n.reserve(id)
	}
	return n
}

// reserve keeps an id from being given to something new.
func (n *ids) reserve(id string) {
	at := strings.IndexAny(id, "0123456789")
	if at < 0 {
		return
	}
	if i, err := strconv.Atoi(id[at:]); err == nil {
		n.next[id[:at]] = max(n.next[id[:at]], i)
	}
}

// of is the id for what the anchors are evidence of: the one that the first known anchor had, else the next number.
func (n *ids) of(prefix string, anchors ...string) string {
	id := ""
	for _, a := range anchors {
		if old := n.known[prefix+a]; old != "" && !n.used[old] {
			id = old
			break
		}
	}
	if id == "" {
		n.next[prefix]++
		id = prefix + strconv.Itoa(n.next[prefix])
		if prefix == "cp-" && n.next[prefix] < 10 {
			id = prefix + "0" + strconv.Itoa(n.next[prefix])
		}
	}
	n.used[id] = true
	for _, a := range anchors {
		n.given[prefix+a] = id
	}
	return id
}

// anchor is the evidence that stands for an act: the event that began it.
func (a *act) anchor() string {
	if len(a.recs) == 0 {
		return ""
	}
	return "@" + a.recs[0].Event.EventID
}

// anchors are the evidence of a column in all demonstrations, the first one's first.
func (c *column) anchors() []string {
	var out []string
	for _, a := range c.acts {
		if a != nil {
			out = append(out, a.anchor())
		}
	}
	return out
}
