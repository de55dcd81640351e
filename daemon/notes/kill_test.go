package notes_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/notes"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/store"
)

// TestKilledWhileCommitting kills a process after each of its steps while it commits a proposal, and looks at what the
// next one makes of it: the change is there as a whole, or waits as before.
func TestKilledWhileCommitting(t *testing.T) {
	if base := os.Getenv("NOTES_CHILD"); base != "" {
		commitAndDie(base)
		return
	}
	outcomes := map[string]int{}
	for n, ended := 1, false; !ended; n++ {
		base := inMemory(t)
		h := houseIn(t, base)
		x := h.task("Order paper", nil)
		p, err := h.propose(robot, agent, action("update_task", map[string]any{"task_id": x.ID, "status": "done"}),
			action("create_task", map[string]any{"title": "Pay", "status": "todo", "source": "s"}))
		if err != nil {
			t.Fatal(err)
		}
		h.leave()
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWhileCommitting$")
		cmd.Env = append(os.Environ(), "NOTES_CHILD="+base, "NOTES_CHANGE="+p.ChangeSetID, fmt.Sprint("NOTES_STEP=", n))
		out, err := cmd.CombinedOutput()
		if ended = err == nil; !ended && !strings.Contains(err.Error(), "killed") {
			t.Fatalf("%v: %s", err, out)
		}
		edited := filepath.Join(base, "notes", "mine.md")
		if err := os.WriteFile(edited, []byte("written while nobody ran"), 0o600); err != nil {
			t.Fatal(err)
		}
		h = houseIn(t, base)
		tasks, err := h.List(t.Context(), person, wire.TasksList{})
		if err != nil {
			t.Fatalf("step %d: %v", n, err)
		}
		c, err := h.ChangeOf(t.Context(), p.ChangeSetID)
		if err != nil {
			t.Fatal(err)
		}
		outcomes[c.Status]++
		want := map[string]int{"proposed": 1, "committed": 2}[c.Status]
		if tasks.Total != want {
			t.Errorf("step %d: the change set is %s and there are %d tasks", n, c.Status, tasks.Total)
		}
		if c.Status == "proposed" {
			if _, err := h.commit(p.ChangeSetID); err != nil {
				t.Errorf("step %d: it cannot be committed any more: %v", n, err)
			}
		}
		if _, err := h.undo(); err != nil {
			t.Errorf("step %d: undo: %v", n, err)
		}
		if i, err := h.Show(t.Context(), person, x.ID); err != nil || i.Status != "todo" {
			t.Errorf("step %d: undo left %+v, %v", n, i, err)
		}
		if got := h.find(person, "nobody ran"); len(got) != 1 {
			t.Errorf("step %d: the edit is lost", n)
		}
		h.leave()
	}
	if outcomes["proposed"] == 0 || outcomes["committed"] < 2 {
		t.Errorf("%v", outcomes)
	}
}

func commitAndDie(base string) {
	s, err := store.Open(context.Background(), store.Options{Dir: filepath.Join(base, "data")})
	if err != nil {
		panic(err)
	}
	n := 0
	svc := notes.New(notes.Options{Dir: filepath.Join(base, "notes"), Store: s.Notes(), NewID: clock.NewID, Now: clock.Now,
		Step: func(string) {
			if n++; fmt.Sprint(n) == os.Getenv("NOTES_STEP") {
				p, _ := os.FindProcess(os.Getpid())
				p.Kill()
				select {}
			}
		}})
	q := wire.ChangesCommit{ChangeSetID: os.Getenv("NOTES_CHANGE"), ApprovedBy: user}
	if _, err := svc.Commit(context.Background(), person, q); err != nil {
		panic(err)
	}
	svc.Close()
	s.Close()
}
