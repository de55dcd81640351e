package decision

import (
	"maps"
	"strconv"
	"strings"
)

// IDs assigns ids to steps, parameters and checkpoints. Evidence that had an id in the previous compilation keeps it, so
// that an answer or an edit made by id never applies to something else after an example was added or an event deleted.
// Without a previous compilation, the first demonstration is numbered first: a further example shifts none of its ids.
type IDs struct {
	known map[string]string // anchor -> id, of previous compilations
	Given map[string]string // anchor -> id, known ones included
	used  map[string]bool
	next  map[string]int // prefix -> highest number so far
}

// NewIDs starts from the anchors of the previous compilation.
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

// Of returns the id for the evidence that the anchors stand for: the one that the first known anchor had, else the next
// number.
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
