package notes_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/notes"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

var (
	person = notes.Actor{}
	robot  = notes.Actor{Agent: "robot"}
	user   = wire.NoteActor{Type: "user", ID: "me"}
	agent  = wire.NoteActor{Type: "agent", ID: "robot"}
)

// house is a service on a real store and a real folder, with a clock of its own.
type house struct {
	*notes.Service
	t     testing.TB
	dir   string
	store *store.Store
	now   time.Time
	step  func(string)
}

func newHouse(t testing.TB) *house { return houseIn(t, inMemory(t)) }

func houseIn(t testing.TB, base string) *house {
	t.Helper()
	h := &house{t: t, dir: filepath.Join(base, "notes"), now: time.Date(2026, 11, 25, 12, 0, 0, 0, time.Local)}
	s, err := store.Open(t.Context(), store.Options{Dir: filepath.Join(base, "data")})
	if err != nil {
		t.Fatal(err)
	}
	h.store = s
	t.Cleanup(h.leave)
	h.again()
	return h
}

// leave closes the house; a second time it does nothing.
func (h *house) leave() {
	h.Close()
	h.store.Close()
}

// inMemory is a folder without a disk where there is such a thing: no test here cuts the power.
func inMemory(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "notes-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// again makes the service anew, as a restart does.
func (h *house) again() {
	if h.Service != nil {
		h.Close()
	}
	h.Service = notes.New(notes.Options{Dir: h.dir, Store: h.store.Notes(), NewID: clock.NewID,
		Now: func() clock.Time { h.now = h.now.Add(time.Millisecond); return clock.At(h.now) },
		Redact: func(s string, mask func(string) string) string {
			return strings.ReplaceAll(s, "hunter2", mask("secret"))
		}, Step: h.step})
}

func (h *house) task(title string, more func(*wire.TaskCreate)) wire.Task {
	h.t.Helper()
	q := wire.TaskCreate{Title: title, Status: "todo", Source: "test"}
	if more != nil {
		more(&q)
	}
	out, err := h.CreateTask(h.t.Context(), person, q)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

func (h *house) note(title, body string, tags ...string) wire.NoteAppended {
	h.t.Helper()
	out, err := h.AppendNote(h.t.Context(), person, wire.NoteAppend{Title: title, Body: body, Tags: tags,
		Sources: []wire.NoteSource{{Type: "text", Value: "test"}}})
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

func (h *house) propose(by notes.Actor, as wire.NoteActor, actions ...wire.NoteAction) (wire.ChangesProposed, error) {
	return h.Propose(h.t.Context(), by, wire.ChangesPropose{Actor: as, Tool: "openclaw-skill", Actions: actions})
}

func (h *house) commit(id string) (wire.ChangesCommitted, error) {
	return h.Commit(h.t.Context(), person, wire.ChangesCommit{ChangeSetID: id, ApprovedBy: user})
}

func (h *house) undo() (wire.Undone, error) {
	return h.Undo(h.t.Context(), person, wire.UndoLast{RequestedBy: user, Reason: "test"})
}

// find lists the titles of what a search finds.
func (h *house) find(by notes.Actor, query string) (out []string) {
	h.t.Helper()
	p, err := h.Search(h.t.Context(), by, wire.NotesSearch{Query: query, PageSize: 100})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, i := range p.Items {
		out = append(out, i.Title)
	}
	slices.Sort(out)
	return out
}

func (h *house) files() map[string]string {
	out := map[string]string{}
	for _, d := range []string{"notes", "tasks", "captured", "."} {
		list, _ := filepath.Glob(filepath.Join(h.dir, d, "*.md"))
		for _, p := range list {
			b, err := os.ReadFile(p)
			if err != nil {
				h.t.Fatal(err)
			}
			rel, _ := filepath.Rel(h.dir, p)
			out[rel] = string(b)
		}
	}
	return out
}

func action(kind string, payload map[string]any) wire.NoteAction {
	return wire.NoteAction{Type: kind, Payload: payload}
}

func TestSearchFindsEveryScript(t *testing.T) {
	h := newHouse(t)
	h.note("季度会议", "我们讨论了预算和交货日期。")
	h.note("会计", "议会不是会议的意思")
	h.note("Besprechung", "Die Straße ist gesperrt, Lieferung über Köln", "planung")
	h.note("ประชุม", "นัดประชุมวันจันทร์")
	h.note("会議の議事録", "納品日を確認した")
	h.note("회의록", "회의에서 예산을 논의했다")
	h.note("اجتماع", "ناقشنا الميزانية")
	h.note("बैठक", "बजट पर चर्चा")
	h.note("Встреча", "Обсудили бюджет")
	for query, want := range map[string][]string{
		"会议": {"会计", "季度会议"}, "预算": {"季度会议"}, "交货 会议": {"季度会议"}, "strasse": {"Besprechung"}, "liefer": {"Besprechung"},
		"planung": {"Besprechung"}, "koln": {"Besprechung"}, "ประชุม": {"ประชุม"}, "納品": {"会議の議事録"}, "회의": {"회의록"},
		"الميزانية": {"اجتماع"}, "बजट": {"बैठक"}, "бюджет": {"Встреча"}, "议预": nil, "ieferung": nil, `"`: nil, "a OR b": nil, "title:x": nil,
		"NEAR(": nil, "*": nil,
	} {
		if got := h.find(person, query); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, not %q", query, got, want)
		}
	}
}

func TestProposeCommitUndo(t *testing.T) {
	h := newHouse(t)
	old := h.task("Order paper", nil)
	before := h.files()
	p, err := h.propose(robot, agent, action("create_task", map[string]any{"title": "order  PAPER", "status": "todo", "source": "chat"}),
		action("update_task", map[string]any{"task_id": old.ID, "status": "done", "due": "2026-12-01"}),
		action("append_note", map[string]any{"title": "Prices", "body": "Paper: 3 EUR\n", "sources": []any{map[string]any{"type": "url",
			"value": "https://example.com"}}}))
	if err != nil {
		t.Fatal(err)
	}
	if p.Summary != (wire.ChangesSummary{Creates: 2, Updates: 1, DuplicateCandidates: 1}) {
		t.Errorf("%+v", p.Summary)
	}
	if text := strings.Join(p.Diff, "\n"); !strings.Contains(text, "\n-status: todo\n") || !strings.Contains(text, "\n+status: done\n") ||
		!strings.Contains(text, "\n+due: \"2026-12-01\"\n") || !strings.Contains(text, "\n+Paper: 3 EUR") {
		t.Errorf("the diff is\n%s", text)
	}
	if !maps.Equal(h.files(), before) {
		t.Error("a proposal wrote something")
	}
	h.again()
	c, err := h.commit(p.ChangeSetID)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range p.Diff { // every line that was shown is in the files
		if rest, ok := strings.CutPrefix(l, "+"); ok && !strings.HasPrefix(l, "+ ") {
			if !slices.ContainsFunc(slices.Collect(maps.Values(h.files())), func(s string) bool { return strings.Contains(s, rest) }) {
				t.Errorf("%q was shown and is in no file", l)
			}
		}
	}
	if _, err := h.commit(p.ChangeSetID); !fault.Is(err, fault.NotesNotPending) {
		t.Errorf("a second commit: %v", err)
	}
	u, err := h.undo()
	if err != nil || u.Undone == "" || u.UndoneCommitID != c.CommitID || u.RevertCommitID == c.CommitID {
		t.Errorf("%+v %v", u, err)
	}
	if !maps.Equal(h.files(), before) {
		t.Errorf("undo left %v", h.files())
	}
	if _, err := h.undo(); !fault.Is(err, fault.NotesNoUndo) {
		t.Errorf("a second undo: %v", err)
	}
}

func TestAnEditByHandIsNeverLost(t *testing.T) {
	h := newHouse(t)
	x := h.task("Order paper", nil)
	path := h.pathOf(x.ID)
	p, err := h.propose(robot, agent, action("update_task", map[string]any{"task_id": x.ID, "priority": "P1"}))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(path)
	edited := strings.Replace(string(b), "status: todo", "status: in_progress # mine\ncolour: blue", 1) + "\nMy own words.\n"
	os.WriteFile(path, []byte(edited), 0o600)
	if _, err := h.commit(p.ChangeSetID); !fault.Is(err, fault.NotesConflict) {
		t.Errorf("the proposal was for another content: %v", err)
	}
	if _, err := h.undo(); !fault.Is(err, fault.NotesConflict) {
		t.Errorf("undo would lose the edit: %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != edited {
		t.Errorf("the file became\n%s", b)
	}
	p, err = h.propose(robot, agent, action("update_task", map[string]any{"task_id": x.ID, "priority": "P1"}))
	if err == nil {
		_, err = h.commit(p.ChangeSetID)
	}
	if err != nil {
		t.Fatal(err)
	}
	b, _ = os.ReadFile(path)
	for _, kept := range []string{"status: in_progress # mine", "colour: blue", "My own words.", "priority: P1"} {
		if !strings.Contains(string(b), kept) {
			t.Errorf("%q is gone:\n%s", kept, b)
		}
	}
	os.WriteFile(path, []byte("---\nid: [\n---\nbroken"), 0o600)
	os.WriteFile(filepath.Join(h.dir, "copy.md"), b, 0o600)
	os.WriteFile(filepath.Join(h.dir, "Plain.md"), []byte("# A heading\n\nno head\n"), 0o600)
	if got := h.find(person, "heading"); !slices.Equal(got, []string{"A heading"}) {
		t.Error(got)
	}
	if got := h.find(person, "broken"); len(got) != 1 {
		t.Errorf("a file with a broken head is not found: %v", got)
	}
	if b, _ := os.ReadFile(path); string(b) != "---\nid: [\n---\nbroken" {
		t.Error("a broken file was touched")
	}
}

func (h *house) pathOf(id string) string {
	h.t.Helper()
	i, err := h.Show(h.t.Context(), person, id)
	if err != nil {
		h.t.Fatal(err)
	}
	return filepath.Join(h.dir, i.Path)
}

func TestWhatAgentsMayAndSee(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	_, err1 := h.CreateTask(ctx, robot, wire.TaskCreate{Title: "x", Status: "todo", Source: "s"})
	_, err2 := h.AppendNote(ctx, robot, wire.NoteAppend{Title: "x", Body: "y", Sources: []wire.NoteSource{{Type: "text", Value: "z"}}})
	_, err3 := h.Commit(ctx, robot, wire.ChangesCommit{ChangeSetID: "chg_1", ApprovedBy: agent})
	_, err4 := h.Undo(ctx, robot, wire.UndoLast{RequestedBy: agent, Reason: "r"})
	_, err5 := h.propose(robot, user, action("link_entities", nil))
	_, err6 := h.propose(robot, wire.NoteActor{Type: "agent", ID: "other"}, action("link_entities", nil))
	_, err7 := h.Commit(ctx, person, wire.ChangesCommit{ChangeSetID: "chg_1", ApprovedBy: agent})
	for i, err := range []error{err1, err2, err3, err4, err5, err6, err7} {
		if !fault.Is(err, fault.Forbidden) {
			t.Errorf("%d: %v", i+1, err)
		}
	}
	// The person's own secret stays in the file, is not searched, and does not reach an agent.
	n := h.note("Wifi", "the password is hunter2", "hunter2")
	if b, _ := os.ReadFile(h.pathOf(n.ID)); !strings.Contains(string(b), "hunter2") {
		t.Error("the person's words were changed")
	}
	for _, q := range []string{"wifi", "password", ""} {
		p, err := h.Search(ctx, robot, wire.NotesSearch{Query: q})
		if text := fmt.Sprint(p); err != nil || len(p.Items) != 1 || strings.Contains(text, "hunter2") {
			t.Errorf("an agent gets %v %v", p, err)
		}
	}
	if i, err := h.Show(ctx, robot, n.ID); err != nil || strings.Contains(fmt.Sprint(i), "hunter2") || !strings.Contains(i.Body, "password") {
		t.Errorf("%+v %v", i, err)
	}
	for _, by := range []notes.Actor{person, robot} {
		if got := h.find(by, "hunter2"); len(got) > 0 {
			t.Errorf("a secret can be searched: %v", got)
		}
	}
	// What an agent sends is kept without secrets: the history would keep it for good.
	c, err := h.Capture(ctx, robot, wire.NoteCapture{Text: "use hunter2 there", Source: "chat://1"})
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(h.pathOf(c.ID)); strings.Contains(string(b), "hunter2") || !strings.Contains(string(b), "use [secret] there") {
		t.Errorf("kept: %s", b)
	}
	p, err := h.propose(robot, agent, action("create_task", map[string]any{"title": "enter hunter2", "status": "todo", "source": "chat"}))
	if err != nil || strings.Contains(fmt.Sprint(p), "hunter2") {
		t.Errorf("%v %v", p, err)
	}
	more := action("create_task", map[string]any{"title": "t", "status": "todo", "source": "s"})
	for range 49 {
		if _, err = h.propose(robot, agent, more); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.propose(robot, agent, more); !fault.Is(err, fault.NotesTooMany) {
		t.Error(err)
	}
}

func TestPayloadsAreHeldToTheirSchema(t *testing.T) {
	h := newHouse(t)
	x := h.task("x", nil)
	y := h.task("y", func(q *wire.TaskCreate) { q.BlockedByTaskID = x.ID })
	good := func(more map[string]any) map[string]any {
		m := map[string]any{"title": "t", "status": "todo", "source": "s"}
		maps.Copy(m, more)
		return m
	}
	note := func(sources any) map[string]any { return map[string]any{"title": "t", "body": "b", "sources": sources} }
	for name, a := range map[string]wire.NoteAction{
		"unknown field":      action("create_task", good(map[string]any{"colour": "red"})),
		"other case":         action("create_task", good(map[string]any{"Title": "x"})),
		"no title":           action("create_task", map[string]any{"status": "todo", "source": "s"}),
		"blank title":        action("create_task", good(map[string]any{"title": "  "})),
		"title of two lines": action("create_task", good(map[string]any{"title": "a\nShowhow-Undo: x"})),
		"long title":         action("create_task", good(map[string]any{"title": strings.Repeat("ä", 201)})),
		"priority":           action("create_task", good(map[string]any{"priority": "P4"})),
		"due":                action("create_task", good(map[string]any{"due": "2026-02-30"})),
		"status":             action("create_task", good(map[string]any{"status": "later"})),
		"cycle":              action("create_task", good(map[string]any{"cycle_id": "x"})),
		"no source":          action("append_note", note([]any{})),
		"source type":        action("append_note", note([]any{map[string]any{"type": "x", "value": "y"}})),
		"source field":       action("append_note", note([]any{map[string]any{"type": "text", "value": "y", "x": 1}})),
		"tag twice": action("append_note", map[string]any{"title": "t", "body": "b", "tags": []any{"a", "a"},
			"sources": []any{map[string]any{"type": "text", "value": "y"}}}),
		"nothing to change": action("update_task", map[string]any{"task_id": x.ID}),
		"clear the title":   action("update_task", map[string]any{"task_id": x.ID, "title": nil}),
		"blocks itself":     action("update_task", map[string]any{"task_id": x.ID, "blocked_by_task_id": x.ID}),
		"blocks in a ring":  action("update_task", map[string]any{"task_id": x.ID, "blocked_by_task_id": y.ID}),
		"link to itself":    action("link_entities", map[string]any{"from_id": x.ID, "to_id": x.ID}),
		"a path as id":      action("link_entities", map[string]any{"from_id": "../x", "to_id": x.ID}),
		"type of a field":   action("create_task", good(map[string]any{"title": 5})),
	} {
		before := h.files()
		if _, err := h.propose(person, user, a); !fault.Is(err, fault.NotesInvalid) || notes.CodeOf(err) != "VALIDATION_FAILED" {
			t.Errorf("%s: %v", name, err)
		}
		if !maps.Equal(before, h.files()) {
			t.Errorf("%s wrote something", name)
		}
	}
	none := action("update_task", map[string]any{"task_id": "tsk_none", "status": "done"})
	if _, err := h.propose(person, user, none); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	// Names that a system reserves, and twins without case, get names of their own.
	for _, title := range []string{"CON", "con", "Con", "../../etc/passwd", ".git", "🙂", strings.Repeat("x", 200), "a/b\\c:d"} {
		h.task(title, nil)
	}
	seen := map[string]bool{}
	for p := range h.files() {
		if seen[strings.ToLower(p)] || len(filepath.Base(p)) > 200 {
			t.Errorf("%s has a twin or is too long", p)
		}
		seen[strings.ToLower(p)] = true
	}
	if len(seen) != 10 {
		t.Errorf("%d files", len(seen))
	}
}

func TestViewsOfTasks(t *testing.T) {
	h := newHouse(t) // it is Wednesday, 2026-11-25
	due := func(d string) func(*wire.TaskCreate) { return func(q *wire.TaskCreate) { q.Due = d } }
	h.task("late", due("2026-11-24"))
	first := h.task("today", due("2026-11-25"))
	h.task("sunday", due("2026-11-29"))
	h.task("next week", due("2026-11-30"))
	h.task("some day", nil)
	h.task("finished", func(q *wire.TaskCreate) { q.Status, q.Due = "done", "2026-11-25" })
	h.task("waits", func(q *wire.TaskCreate) { q.BlockedByTaskID, q.Priority, q.Project = first.ID, "P1", "office" })
	yes := true
	for name, c := range map[string]struct {
		q    wire.TasksList
		want string
	}{
		"all":      {wire.TasksList{}, "late,finished,today,sunday,next week,waits,some day"}, // the newest of one day first
		"open":     {wire.TasksList{View: "open"}, "late,today,sunday,next week,waits,some day"},
		"1 open":   {wire.TasksList{View: "open", Page: 2, PageSize: 1}, "today"},
		"today":    {wire.TasksList{View: "today"}, "today"},
		"overdue":  {wire.TasksList{View: "overdue"}, "late"},
		"week":     {wire.TasksList{View: "this_week"}, "late,today,sunday"},
		"backlog":  {wire.TasksList{View: "backlog"}, "waits,some day"},
		"blocked":  {wire.TasksList{View: "blocked"}, "waits"},
		"blocked2": {wire.TasksList{Blocked: &yes}, "waits"},
		"done":     {wire.TasksList{View: "done"}, "finished"},
		"priority": {wire.TasksList{Priority: "P1", Project: "office"}, "waits"},
		"before":   {wire.TasksList{DueBefore: "2026-11-25"}, "late"},
		"query":    {wire.TasksList{Query: "week"}, "next week"},
		"page":     {wire.TasksList{Page: 2, PageSize: 2}, "today,sunday"},
		"stale":    {wire.TasksList{StaleDays: 2}, ""},
	} {
		p, err := h.List(t.Context(), person, c.q)
		var got []string
		for _, i := range p.Items {
			got = append(got, i.Title)
		}
		if err != nil || strings.Join(got, ",") != c.want {
			t.Errorf("%s: %v, not %s, %v", name, got, c.want, err)
		}
	}
	h.now = h.now.AddDate(0, 0, 3)
	if p, _ := h.List(t.Context(), person, wire.TasksList{StaleDays: 2}); p.Total != 6 {
		t.Errorf("%d are stale", p.Total)
	}
	for _, bad := range []wire.TasksList{{View: "soon"}, {PageSize: 101}, {DueBefore: "x"}, {Status: "open"}} {
		if _, err := h.List(t.Context(), person, bad); !fault.Is(err, fault.NotesInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestCapturedItemsAreFilteredBeforeTheListIsCut(t *testing.T) {
	h := newHouse(t)
	for i, text := range []string{"ask Ada", "call Ben", "mail Cem"} {
		c, err := h.Capture(t.Context(), robot, wire.NoteCapture{Text: text, Source: "chat://1"})
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			if _, err := h.Archive(t.Context(), person, c.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	h.note("A note", "newer than what is captured")
	for _, c := range []struct {
		q     wire.NotesSearch
		total int
		top   string
	}{
		{wire.NotesSearch{Kind: "captured", Status: "open"}, 1, "ask Ada"},
		{wire.NotesSearch{Kind: "captured"}, 3, "mail Cem"},
		{wire.NotesSearch{Status: "archived"}, 2, "mail Cem"},
		{wire.NotesSearch{Status: "open"}, 2, "A note"},
		{wire.NotesSearch{Kind: "note"}, 1, "A note"},
	} {
		c.q.PageSize = 1
		if p, err := h.Search(t.Context(), person, c.q); err != nil || p.Total != c.total || p.Items[0].Title != c.top {
			t.Errorf("%+v: %+v %v", c.q, p, err)
		}
	}
}

func TestAnErrorNamesTheFieldAndItsRule(t *testing.T) {
	h := newHouse(t)
	x := h.task("x", nil)
	for want, payload := range map[string]map[string]any{
		"colour is no field of this action":                          {"colour": "red"},
		"status has another type":                                    {"status": 5},
		"priority must be one of P0, P1, P2, P3":                     {"priority": "high"},
		"due must be a date such as 2026-12-31":                      {"due": "tomorrow"},
		"title cannot be cleared":                                    {"title": nil},
		"project must have at most 120 characters":                   {"project": strings.Repeat("x", 121)},
		"next_review_at must be a time such as 2026-12-31T09:00:00Z": {"next_review_at": "noon"},
		"blocked_by_task_id must not lead back to the task itself":   {"blocked_by_task_id": x.ID},
	} {
		payload["task_id"] = x.ID
		_, err := h.propose(person, user, action("update_task", payload))
		if err == nil || fault.From(err).Message != want || fault.From(err).Details["field"] != strings.Fields(want)[0] {
			t.Errorf("%v, not %q", err, want)
		}
	}
}

func TestStatusNamesFilesWithAProblem(t *testing.T) {
	h := newHouse(t)
	x := h.task("Order paper", nil)
	b, _ := os.ReadFile(h.pathOf(x.ID))
	if err := errors.Join(os.WriteFile(filepath.Join(h.dir, "copy.md"), b, 0o600),
		os.WriteFile(filepath.Join(h.dir, "broken.md"), []byte("---\nid: [\n---\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	st, err := h.Status(t.Context())
	slices.SortFunc(st.Problems, func(a, b wire.NoteProblem) int { return strings.Compare(a.Path, b.Path) })
	if want := []wire.NoteProblem{{Path: "broken.md", Problem: "head"}, {Path: "copy.md", Problem: "id"}}; err != nil ||
		!slices.Equal(st.Problems, want) {
		t.Errorf("%+v %v", st, err)
	}
}
