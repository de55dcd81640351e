package a2a_test

import (
	"testing"
	"time"

	"showhow/daemon/agentrun"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// Off ends what waits and what runs, and is on record when it returns; and what begins with it begins no more.
func TestOffEndsEverything(t *testing.T) {
	d := open(t)
	c := d.caller("scout", true)
	task, _ := c.call("message/send", message("sort", "sort-receipts"))
	d.ok(d.s.Decide(t.Context(), id(task), true, "p1"))
	await.Until(t, "the run", func() bool { return d.started() == 1 })
	c.call("message/send", message("sort", "sort-receipts"))
	d.s.Close()
	if r, _ := d.Get(t.Context(), ""); r.State != agentrun.Cancelled || len(d.s.Waiting()) != 0 || len(d.ends()) != 2 {
		t.Errorf("%s %v %v", r.State, d.s.Waiting(), d.ends())
	}
	d.during = func() { d.s.Close() } // while the skill is looked at
	if task, code := c.call("message/send", message("sort", "sort-receipts")); code == 0 || len(d.s.Waiting()) != 0 {
		t.Errorf("%v", task)
	}
	d.during = nil
}

// A yes is not spent while another run is going on; one that was given for another plan, or too late, is none.
func TestAYesIsForNow(t *testing.T) {
	d := open(t)
	c := d.caller("scout", true)
	task, _ := c.call("message/send", message("sort", "sort-receipts"))
	its := id(task)
	d.change(func() { d.busy = true })
	if _, _, err := d.s.Asked(t.Context(), its); !fault.Is(err, fault.AgentRunActive) {
		t.Errorf("%v", err)
	}
	if err := d.s.Decide(t.Context(), its, true, "p1"); !fault.Is(err, fault.AgentRunActive) || len(d.s.Waiting()) != 1 {
		t.Errorf("%v", err)
	}
	d.change(func() { d.busy, d.now = false, time.Now().Add(2*time.Hour) })
	if err := d.s.Decide(t.Context(), its, true, "p1"); !fault.Is(err, fault.NotFound) || d.started() != 0 {
		t.Errorf("%v: too late", err)
	}
}

// What a skill's run brought is kept from a caller that the skill was closed to during the run or after.
func TestAClosedSkillSaysNothing(t *testing.T) {
	d := open(t)
	c := d.caller("scout", true)
	run := func() string {
		n := d.started()
		task, _ := c.call("message/send", message("sort", "sort-receipts"))
		d.ok(d.s.Decide(t.Context(), id(task), true, "p1"))
		await.Until(t, "the run", func() bool { return d.started() == n+1 })
		return id(task)
	}
	during := run()
	d.change(func() { d.shut = true })
	<-d.Done("")
	await.Until(t, "the end", func() bool { return len(d.ends()) == 1 })
	if r, _ := d.Get(t.Context(), ""); r.State != agentrun.Cancelled {
		t.Errorf("%s", r.State)
	}
	d.change(func() { d.shut = false })
	if task, _ := c.call("tasks/get", map[string]any{"id": during}); stateOf(task) != "rejected" || task["artifacts"] != nil {
		t.Errorf("%v", task)
	}
	after := run()
	d.to(agentrun.Succeeded)
	await.Until(t, "the end", func() bool { return len(d.ends()) == 2 })
	d.change(func() { d.shut = true })
	if task, code := c.call("tasks/get", map[string]any{"id": after}); code != -32001 {
		t.Errorf("%v", task)
	}
}

// What ended stays for an hour after its end, however long it took.
func TestAResultStaysForAnHour(t *testing.T) {
	d := open(t)
	c := d.caller("scout", true)
	at := time.Now()
	d.change(func() { d.now = at })
	task, _ := c.call("message/send", message("sort", "sort-receipts"))
	d.ok(d.s.Decide(t.Context(), id(task), true, "p1"))
	await.Until(t, "the run", func() bool { return d.started() == 1 })
	d.change(func() { d.now = at.Add(90 * time.Minute) })
	d.to(agentrun.Succeeded)
	get := func() string { task, _ := c.call("tasks/get", map[string]any{"id": id(task)}); return stateOf(task) }
	await.Until(t, "the end", func() bool { return get() == "completed" })
	c.call("message/send", message("sort my receipts", ""))
	d.change(func() { d.now = at.Add(149 * time.Minute) })
	if got := get(); got != "completed" {
		t.Errorf("%q", got)
	}
	d.change(func() { d.now = at.Add(151 * time.Minute) })
	if got := get(); got != "" {
		t.Errorf("%q", got)
	}
}
