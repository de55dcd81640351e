package notes_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// modelDoc is what the model knows of a document. Version stands for the content of its file.
type modelDoc struct {
	kind, title, status, priority string
	version                       int
}

// modelChange is a proposal: the versions that it was made for, and what it makes of them.
type modelChange struct {
	id    string
	base  map[string]int
	after map[string]modelDoc
	fresh []modelDoc
}

// model is what should be there.
type model struct {
	docs    map[string]modelDoc // by id
	before  map[string]modelDoc // those that the last commit changed, as they were
	after   map[string]modelDoc // and as it left them
	undo    bool
	open    []modelChange
	version int
}

func (m *model) next() int { m.version++; return m.version }

// apply is a commit.
func (m *model) apply(after map[string]modelDoc) {
	m.before, m.after, m.undo = map[string]modelDoc{}, map[string]modelDoc{}, true
	for id, d := range after {
		if old, ok := m.docs[id]; ok {
			m.before[id] = old
		}
		m.docs[id], m.after[id] = d, d
	}
}

// vocabulary has words that no other word begins with.
var vocabulary = []string{"alpha", "Brücke", "会议", "предел", "दिन", "zebra", "交货", "ميزان", "kappa"}

func title(r *rand.Rand) string {
	var w []string
	for range 1 + r.IntN(3) {
		w = append(w, vocabulary[r.IntN(len(vocabulary))])
	}
	return strings.Join(w, " ")
}

func pick[K comparable, V any](r *rand.Rand, m map[K]V, less func(a, b K) int, ok func(V) bool) (k K, found bool) {
	var keys []K
	for key, v := range m {
		if ok(v) {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return k, false
	}
	slices.SortFunc(keys, less)
	return keys[r.IntN(len(keys))], true
}

// TestRandomActions does random actions and compares with a model what is there. SHOWHOW_NOTES_ACTIONS sets how many;
// otherwise as many as fit into three seconds.
func TestRandomActions(t *testing.T) {
	h := newHouse(t)
	seed := uint64(time.Now().UnixNano())
	if s, err := strconv.ParseUint(os.Getenv("SHOWHOW_NOTES_SEED"), 10, 64); err == nil {
		seed = s
	}
	r := rand.New(rand.NewPCG(seed, 1))
	most, _ := strconv.Atoi(os.Getenv("SHOWHOW_NOTES_ACTIONS"))
	m := &model{docs: map[string]modelDoc{}}
	began, n := time.Now(), 0
	for ; most > 0 && n < most || most == 0 && time.Since(began) < 3*time.Second; n++ {
		h.now = h.now.Add(3 * time.Minute) // an agent proposes so and so much a day
		what := act(h, m, r)
		if t.Failed() {
			t.Fatalf("seed %d, action %d: %s", seed, n, what)
		}
		if n%10 == 0 {
			compare(h, m, r)
		}
		if r.IntN(100) == 0 {
			h.again()
		}
		if t.Failed() {
			t.Fatalf("seed %d, after action %d: %s", seed, n, what)
		}
	}
	compare(h, m, r)
	t.Logf("seed %d: %d actions, %d documents", seed, n, len(m.docs))
}

// act does one random action in both.
func act(h *house, m *model, r *rand.Rand) string {
	ctx, isTask := h.t.Context(), func(d modelDoc) bool { return d.kind == "task" }
	switch k := r.IntN(20); {
	case len(m.docs) > 150 && k < 12: // a person tidies up, so that many actions do not mean many files
		if id, ok := pick(r, m.docs, strings.Compare, func(modelDoc) bool { return true }); ok {
			if err := os.Remove(h.pathOf(id)); err != nil {
				h.t.Error(err)
			}
			delete(m.docs, id)
		}
		return "a file is removed by hand"
	case k < 3:
		d := modelDoc{kind: "task", title: title(r), status: "todo", version: m.next()}
		x := h.task(d.title, nil)
		m.apply(map[string]modelDoc{x.ID: d})
		return "create_task"
	case k < 5:
		d := modelDoc{kind: "note", title: title(r), version: m.next()}
		m.apply(map[string]modelDoc{h.note(d.title, "text").ID: d})
		return "append_note"
	case k < 6:
		d := modelDoc{kind: "captured", title: title(r), status: "open", version: m.next()}
		x, err := h.Capture(ctx, robot, wire.NoteCapture{Text: d.title, Source: "chat://1"})
		if err != nil {
			h.t.Error(err)
		}
		m.docs[x.ID] = d // undo leaves it alone
		return "capture_inbox"
	case k < 10:
		propose(h, m, r)
		return "propose_changes"
	case k < 13 && len(m.open) > 0:
		i := r.IntN(len(m.open))
		c := m.open[i]
		commitModel(h, m, c)
		return "commit_changes"
	case k < 14 && len(m.open) > 0:
		i := r.IntN(len(m.open))
		if _, err := h.Discard(ctx, robot, m.open[i].id); err != nil {
			h.t.Error(err)
		}
		m.open = slices.Delete(m.open, i, i+1)
		return "discard"
	case k < 17:
		undoModel(h, m)
		return "undo_last_commit"
	case k < 19: // by hand
		id, ok := pick(r, m.docs, strings.Compare, isTask)
		if !ok {
			return "nothing"
		}
		p, d := h.pathOf(id), m.docs[id]
		if r.IntN(4) == 0 {
			if err := os.Remove(p); err != nil {
				h.t.Error(err)
			}
			delete(m.docs, id)
			return "a file is removed by hand"
		}
		b, err := os.ReadFile(p)
		if err != nil {
			h.t.Error(err)
		}
		text := strings.Replace(string(b), "status: "+d.status+"\n", "status: in_progress\n", 1) + fmt.Sprintln("by hand", m.version)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			h.t.Error(err)
		}
		d.status, d.version = "in_progress", m.next()
		m.docs[id] = d
		return "a file is edited by hand"
	}
	word := vocabulary[r.IntN(len(vocabulary))]
	var want []string
	for _, d := range m.docs {
		if d.kind != "task" && slices.Contains(strings.Fields(d.title), word) {
			want = append(want, d.title)
		}
	}
	slices.Sort(want)
	if got := h.find(robot, word); len(want) <= 100 && !slices.Equal(got, want) {
		h.t.Errorf("%q finds %q, not %q", word, got, want)
	}
	return "search_notes"
}

func propose(h *house, m *model, r *rand.Rand) {
	c := modelChange{base: map[string]int{}, after: map[string]modelDoc{}}
	var actions []wire.NoteAction
	for range 1 + r.IntN(3) {
		id, ok := pick(r, m.docs, strings.Compare, func(d modelDoc) bool { return d.kind == "task" })
		if !ok || r.IntN(3) == 0 {
			d := modelDoc{kind: "task", title: title(r), status: "todo", priority: "P2", version: m.next()}
			actions = append(actions, action("create_task", map[string]any{"title": d.title, "status": d.status, "priority": "P2", "source": "s"}))
			c.fresh = append(c.fresh, d)
			continue
		}
		d, planned := c.after[id]
		if !planned {
			d = m.docs[id]
			c.base[id] = d.version
		}
		d.status = []string{"todo", "in_progress", "done", "cancelled"}[r.IntN(4)]
		d.version = m.next()
		payload := map[string]any{"task_id": id, "status": d.status}
		switch r.IntN(3) {
		case 0:
			d.priority = "P0"
			payload["priority"] = "P0"
		case 1:
			d.priority = ""
			payload["priority"] = nil
		}
		c.after[id] = d
		actions = append(actions, action("update_task", payload))
	}
	if len(m.open) >= 40 { // an agent has no more waiting
		return
	}
	p, err := h.propose(robot, agent, actions...)
	if err != nil {
		h.t.Error(err)
		return
	}
	if p.Summary.Creates != len(c.fresh) || p.Summary.Updates != len(c.after) {
		h.t.Errorf("the summary is %+v", p.Summary)
	}
	c.id = p.ChangeSetID
	m.open = append(m.open, c)
}

func commitModel(h *house, m *model, c modelChange) {
	stale := false
	for id, v := range c.base {
		if d, ok := m.docs[id]; !ok || d.version != v {
			stale = true
		}
	}
	known := maps.Clone(m.docs)
	_, err := h.commit(c.id)
	if stale {
		if !fault.Is(err, fault.NotesConflict) {
			h.t.Errorf("a stale proposal: %v", err)
		}
		return
	}
	if err != nil {
		h.t.Error(err)
		return
	}
	m.open = slices.DeleteFunc(m.open, func(o modelChange) bool { return o.id == c.id })
	after := maps.Clone(c.after)
	fresh := slices.Clone(c.fresh)
	for id, i := range items(h) {
		if _, old := known[id]; old || i.Kind != "task" {
			continue
		}
		at := slices.IndexFunc(fresh, func(d modelDoc) bool { return d.title == i.Title })
		if at < 0 {
			h.t.Errorf("%s is new", i.Title)
			continue
		}
		after[id] = fresh[at]
		fresh = slices.Delete(fresh, at, at+1)
	}
	if len(fresh) > 0 {
		h.t.Errorf("%d new tasks are missing", len(fresh))
	}
	m.apply(after)
}

func undoModel(h *house, m *model) {
	_, err := h.undo()
	if !m.undo {
		if !fault.Is(err, fault.NotesNoUndo) {
			h.t.Errorf("nothing is to be undone: %v", err)
		}
		return
	}
	for id, d := range m.after {
		if now, ok := m.docs[id]; !ok || now.version != d.version {
			if !fault.Is(err, fault.NotesConflict) {
				h.t.Errorf("undo over an edit: %v", err)
			}
			return
		}
	}
	if err != nil {
		h.t.Error(err)
		return
	}
	for id := range m.after {
		if old, had := m.before[id]; had {
			m.docs[id] = old
		} else {
			delete(m.docs, id)
		}
	}
	m.undo = false
}

func items(h *house) map[string]wire.NoteItem {
	out := map[string]wire.NoteItem{}
	for page := 1; ; page++ {
		a, err1 := h.List(h.t.Context(), person, wire.TasksList{Page: page, PageSize: 100})
		b, err2 := h.Search(h.t.Context(), person, wire.NotesSearch{Page: page, PageSize: 100})
		if err1 != nil || err2 != nil {
			h.t.Error(err1, err2)
			return out
		}
		for _, i := range append(a.Items, b.Items...) {
			out[i.ID] = i
		}
		if page*100 >= max(a.Total, b.Total) {
			return out
		}
	}
}

// compare holds what is there against the model: the lists, and the files themselves.
func compare(h *house, m *model, r *rand.Rand) {
	got := items(h)
	if len(got) != len(m.docs) {
		h.t.Errorf("%d documents, not %d", len(got), len(m.docs))
	}
	for id, d := range m.docs {
		i := got[id]
		if i.Kind != d.kind || i.Title != d.title || i.Status != d.status || i.Priority != d.priority {
			h.t.Errorf("%+v, not %+v", i, d)
		}
		if r.IntN(10) == 0 {
			if b, err := os.ReadFile(filepath.Join(h.dir, i.Path)); err != nil || !strings.Contains(string(b), id) {
				h.t.Errorf("%s: %v", i.Path, err)
			}
		}
	}
}
