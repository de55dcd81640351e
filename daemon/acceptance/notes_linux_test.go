package acceptance_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// An agent reads notes and proposes tasks at the door; the person sees every line in the inbox, commits with a
// confirmation, and takes it back. A secret of the person reaches the agent on no way.
func TestNotes_AnAgentProposesAPersonCommits(t *testing.T) {
	t.Parallel()
	w := begin(t)
	ctx := t.Context()
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ123456"
	n := got(w.c.AppendNote(ctx, client.NoteAppend{Title: "会议 about the release", Body: "token " + secret + "\n",
		Sources: []client.NoteSource{{Type: "text", Value: "mine"}}}))(t)
	task := got(w.c.CreateTask(ctx, client.TaskCreate{Title: "Order paper", Status: "todo", Source: "mine"}))(t)
	st := got(w.c.NotesStatus(ctx))(t)
	mine := got(w.c.Note(ctx, n.ID))(t)
	if !strings.Contains(mine.Body, secret) {
		t.Errorf("the person's own text is changed: %s", mine.Body)
	}

	cs := w.atDoor("scribe")
	use := func(tool string, args map[string]any) (string, bool) {
		t.Helper()
		r, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		must(t, err)
		b, _ := json.Marshal(r.StructuredContent)
		return string(b), !r.IsError
	}
	helper := w.agent("helper")
	said := []string{toJSON(t, got(helper.Note(ctx, n.ID))(t)), toJSON(t, got(helper.SearchNotes(ctx, client.NotesSearch{}))(t)),
		toJSON(t, got(helper.CallContract(ctx, "showhow", map[string]any{"from_kind": "note"}))(t)),
		toJSON(t, got(helper.CallContract(ctx, "showhow", map[string]any{"from_kind": "note", "from_id": n.ID}))(t))}
	for tool, args := range map[string]map[string]any{"search_notes": {"query": "会议"}, "show_note": {"id": n.ID}} {
		text, ok := use(tool, args)
		if !ok {
			t.Errorf("%s: %s", tool, text)
		}
		said = append(said, text)
	}
	for _, text := range said {
		if strings.Contains(text, secret[:20]) || !strings.Contains(text, "release") {
			t.Errorf("an agent gets %s", text)
		}
	}
	if text, ok := use("propose_notes", map[string]any{"actions": []any{map[string]any{"type": "create_task", "payload": map[string]any{
		"title": "x", "status": "soon", "source": "chat"}}}}); ok || !strings.Contains(text, "VALIDATION_FAILED") {
		t.Error(text)
	}
	text, ok := use("propose_notes", map[string]any{"actions": []any{
		map[string]any{"type": "update_task", "payload": map[string]any{"task_id": task.ID, "status": "done"}},
		map[string]any{"type": "create_task", "payload": map[string]any{"title": "Pay for it", "status": "todo", "source": "chat"}}}})
	var p struct {
		ID string `json:"change_set_id"`
	}
	if must(t, json.Unmarshal([]byte(text), &p)); !ok || p.ID == "" {
		t.Fatal(text)
	}
	inbox := got(w.c.Inbox(ctx))(t)
	if len(inbox.Items) != 1 || inbox.Items[0].Kind != "note_proposal" || inbox.Items[0].Ref != p.ID {
		t.Errorf("%+v", inbox.Items)
	}
	_, err := helper.CommitChanges(ctx, p.ID)
	refused(t, err, fault.Forbidden)
	_, err = helper.CreateTask(ctx, client.TaskCreate{Title: "x", Status: "todo", Source: "s"})
	refused(t, err, fault.Forbidden)
	_, err = helper.UndoNotes(ctx, "", "x")
	refused(t, err, fault.Forbidden)
	if l := got(w.c.ListTasks(ctx, client.TasksList{}))(t); l.Total != 1 {
		t.Errorf("a proposal wrote something: %+v", l)
	}
	got(w.c.CommitChanges(ctx, p.ID))(t)
	if l := got(w.c.ListTasks(ctx, client.TasksList{View: "done"}))(t); l.Total != 1 || l.Items[0].ID != task.ID {
		t.Errorf("%+v", l)
	}
	path := filepath.Join(st.Folder, got(w.c.Note(ctx, task.ID))(t).Path)
	if b, err := os.ReadFile(path); err != nil || !strings.Contains(string(b), "status: done") {
		t.Errorf("%s %v", b, err)
	}
	got(w.c.UndoNotes(ctx, "", "not yet"))(t)
	if l := got(w.c.ListTasks(ctx, client.TasksList{}))(t); l.Total != 1 || l.Items[0].Status != "todo" {
		t.Errorf("undo left %+v", l)
	}
	a := w.send("POST", "/api/notes/tasks", `{"title":"x","status":"todo","source":"s","colour":"red"}`, false)
	if a.status != 422 || !strings.Contains(string(a.body), "INVALID_REQUEST") {
		t.Errorf("an unknown field: %d %s", a.status, a.body)
	}
	if text, ok := use("capture_note", map[string]any{"text": "use " + secret, "source": "chat://1"}); !ok {
		t.Error(text)
	}
	list, _ := filepath.Glob(filepath.Join(st.Folder, "captured", "*.md"))
	if len(list) != 1 {
		t.Fatal(list)
	}
	if b, _ := os.ReadFile(list[0]); strings.Contains(string(b), secret) {
		t.Errorf("what an agent sent is kept with its secret: %s", b)
	}
}
