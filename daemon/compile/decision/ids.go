package decision

import (
	"maps"
	"strconv"
	"strings"
)

// IDs gives names to steps, parameters and checkpoints. What a compilation before gave a name keeps it, by its evidence, so
// that an answer or an edit made by id is never about something else after an example was added or an event was deleted.
// Without a compilation before, things of the first demonstration are numbered first: a further example moves none of them.
type IDs struct {
	known map[string]string // anchor -> id, of the compilations before
	Given map[string]string // anchor -> id, known ones included
	used  map[string]bool
	next  map[string]int // prefix -> highest number so far
}

// NewIDs begins with the ids that the compilation before gave.
func NewIDs(known map[string]string) *IDs {
	n := &IDs{known: known, Given: map[string]string{}, used: map[string]bool{}, next: map[string]int{}}
	maps.Copy(n.Given, known)
	for _, id := range known {
		n.reserve(id)
	}
	return n
}

// reserve keeps an id from being given to something new.
func (n *IDs) reserve(id string) {
	at := strings.IndexAny(id, "0123456789")
	if at < 0 {
		return
	}
	if i, err := strconv.Atoi(id[at:]); err == nil {
		n.next[id[:at]] = max(n.next[id[:at]], i)
	}
}

// Of is the id for what the anchors are evidence of: the one that the first known anchor had, else the next number.
func (n *IDs) Of(prefix string, anchors ...string) string {
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
		n.Given[prefix+a] = id
	}
	return id
}
