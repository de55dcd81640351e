package a2a_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"showhow/daemon/a2a"
	"showhow/daemon/agentrun"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// A task that fails says so and why, with what the run printed; what fails here is an internal error, of which the caller
// learns no more.
func TestWhatFails(t *testing.T) {
	d := open(t)
	c := d.caller("scout", true)
	ask := func() string {
		task, _ := c.call("message/send", message("sort", "sort-receipts"))
		return id(task)
	}
	ends := func(its, state string) string {
		t.Helper()
		var task map[string]any
		await.Until(t, state, func() bool {
			task, _ = c.call("tasks/get", map[string]any{"id": its})
			return stateOf(task) == state
		})
		b, err := json.Marshal(task)
		d.ok(err)
		return string(b)
	}
	its := ask()
	d.ok(d.s.Decide(t.Context(), its, true, "p1"))
	await.Until(t, "the run", func() bool { return d.started() == 1 })
	d.to(agentrun.Failed)
	if said := ends(its, "failed"); !strings.Contains(said, "The run failed") || !strings.Contains(said, "sorted") {
		t.Errorf("%s", said)
	}
	d.change(func() { d.idle = fault.New(fault.AdapterUnavailable, "there is no sandbox in /home/anna") })
	its = ask()
	d.ok(d.s.Decide(t.Context(), its, true, "p1"))
	if said := ends(its, "failed"); !strings.Contains(said, "It could not begin: ADAPTER_UNAVAILABLE") || strings.Contains(said, "anna") {
		t.Errorf("%s", said)
	}
	internal := func(skill string) {
		t.Helper()
		b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": message("sort", skill)})
		d.ok(err)
		_, m := c.post(string(b))
		e, _ := m["error"].(map[string]any)
		if text, _ := json.Marshal(m); e["code"] != -32603.0 || strings.Contains(string(text), "disk") {
			t.Errorf("%s", text)
		}
	}
	d.change(func() { d.unkept = errors.New("the disk is gone") })
	internal("sort-receipts")
	d.change(func() { d.broken = errors.New("the disk is gone") })
	internal("")
	if len(d.s.Waiting()) != 0 || d.started() != 1 {
		t.Errorf("%d wait, %d ran", len(d.s.Waiting()), d.started())
	}
}

// What nobody decides is refused in the end, and does not run.
func TestWhatNobodyDecides(t *testing.T) {
	d := open(t, func(o *a2a.Options) { o.Wait = time.Millisecond })
	c := d.caller("scout", true)
	task, _ := c.call("message/send", message("sort", "sort-receipts"))
	await.Until(t, "the end", func() bool {
		task, _ = c.call("tasks/get", map[string]any{"id": id(task)})
		return stateOf(task) == "rejected"
	})
	if b, _ := json.Marshal(task); !strings.Contains(string(b), "Nobody decided in time") || d.started() != 0 || len(d.s.Waiting()) != 0 {
		t.Errorf("%s", b)
	}
	if err := d.s.Decide(t.Context(), id(task), true, "p1"); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
}
