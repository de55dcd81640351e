package a2a_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"showhow/daemon/a2a"
	"showhow/daemon/ability"
	"showhow/daemon/agentrun"
	"showhow/daemon/journal"
	"showhow/internal/await"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// desk is a service with two skills, of which one is open to every caller, and runs that a test ends.
type desk struct {
	t    *testing.T
	s    *a2a.Service
	hash string // of the open skill
	plan string // the hash of what a run of it is given
	key  *ecdsa.PrivateKey

	mu     sync.Mutex
	state  agentrun.State
	done   chan struct{}
	runs   []agentrun.StartRequest
	notes  []journal.EventKind
	busy   bool   // another run is going on
	out    bool   // no caller is let in
	shut   bool   // the skill is open to nobody
	during func() // called while the skill is looked at
	agent  string
	now    time.Time // zero: the time of day
	broken error     // of what a look-up reads
	idle   error     // of what a run needs
	unkept error     // of the record
}

func (d *desk) entries() []ability.AvailabilityEntry {
	e := ability.AvailabilityEntry{AbilityID: "ability-1", SkillSlug: "sort-receipts", Title: "Sort receipts", UsableNow: true,
		ApprovedHash: d.hash, TriggerPhrases: []string{"sort the receipts"}}
	if e.Permissions.Agents = []string{"remote/*"}; d.shut {
		e.Permissions.Agents = []string{"codex"}
	}
	return []ability.AvailabilityEntry{e, {AbilityID: "ability-2", SkillSlug: "pay-wages", Title: "Pay wages", UsableNow: true}}
}

func (d *desk) Listed(context.Context) ([]ability.AvailabilityEntry, error) { return d.entries(), nil }

func (d *desk) AvailabilityOf(_ context.Context, id string) (ability.AvailabilityEntry, error) {
	if d.during != nil {
		d.during()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.entries() {
		if e.AbilityID == id || e.SkillSlug == id {
			return e, nil
		}
	}
	return ability.AvailabilityEntry{}, fault.New(fault.AbilityNotFound, "none")
}

func (d *desk) Lookup(_ context.Context, q ability.LookupQuery) (ability.LookupResult, error) {
	if d.broken != nil {
		return ability.LookupResult{}, d.broken
	}
	return ability.LookupResult{Matches: []ability.LookupMatch{{AbilityID: "ability-1"}}, SchemaVersion: 1}, nil
}

func (d *desk) Plan(context.Context, agentrun.StartRequest) (agentrun.Plan, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return agentrun.Plan{Hash: d.plan}, nil
}

func (d *desk) Busy() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.busy
}

// change changes what there is while the service reads it.
func (d *desk) change(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

func (d *desk) StartFor(_ context.Context, r agentrun.StartRequest, why agentrun.Assignment) (agentrun.Run, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if why.Plan != d.plan {
		return agentrun.Run{}, fault.New(fault.RevisionConflict, "another plan")
	}
	if d.idle != nil {
		return agentrun.Run{}, d.idle
	}
	d.runs, d.state, d.done = append(d.runs, r), agentrun.Running, make(chan struct{})
	return agentrun.Run{RunID: "run-1"}, nil
}

func (d *desk) Done(string) <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.done
}

func (d *desk) Get(context.Context, string) (agentrun.Run, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return agentrun.Run{RunID: "run-1", State: d.state}, nil
}

func (d *desk) Cancel(context.Context, string) (agentrun.Run, error) {
	d.to(agentrun.Cancelled)
	return agentrun.Run{}, nil
}

func (d *desk) Output(context.Context, string, int64) (agentrun.Output, error) {
	return agentrun.Output{Text: strings.Repeat("x", 40<<10) + "sorted", Ended: true}, nil
}

// to brings the run into a state.
func (d *desk) to(s agentrun.State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state = s; s != agentrun.Running && s != agentrun.Waiting {
		close(d.done)
	}
}

func (d *desk) started() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.runs)
}

func open(t *testing.T, change ...func(*a2a.Options)) *desk {
	t.Helper()
	d := &desk{t: t, hash: "h1", plan: "p1", agent: "agent"}
	var err error
	if d.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	o := a2a.Options{Abilities: d, Runs: d, Beat: time.Millisecond,
		Command: func() []string { d.mu.Lock(); defer d.mu.Unlock(); return []string{d.agent} },
		Now: func() clock.Time {
			d.mu.Lock()
			defer d.mu.Unlock()
			if d.now.IsZero() {
				return clock.Now()
			}
			return clock.At(d.now)
		},
		Live: func(context.Context, string) error {
			d.mu.Lock()
			defer d.mu.Unlock()
			if d.out {
				return fault.New(fault.Forbidden, "out")
			}
			return nil
		},
		Note: func(_ context.Context, kind journal.EventKind, _, _ string, _ map[string]any) error {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.notes = append(d.notes, kind)
			return d.unkept
		}}
	for _, f := range change {
		f(&o)
	}
	d.s = a2a.New(o)
	t.Cleanup(d.s.Close)
	return d
}

func (d *desk) place() a2a.Place {
	return a2a.Place{URL: "http://127.0.0.1/a2a", Scopes: map[string]string{"showhow.a2a": "„ask“ \u2028 <b>"}, Need: []string{"showhow.a2a"},
		Sign: func(_ context.Context, payload []byte) (string, string, error) {
			signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: d.key}, nil)
			if err != nil {
				return "", "", err
			}
			jws, err := signer.Sign(payload)
			if err != nil {
				return "", "", err
			}
			text, err := jws.CompactSerialize()
			parts := strings.Split(text, ".")
			return parts[0], parts[2], err
		}}
}

// caller is one caller's connection.
type caller struct {
	d   *desk
	url string
}

func (d *desk) caller(id string, runs bool) caller {
	ts := httptest.NewServer(d.s.Handler(a2a.Guest{CallerID: id, Agent: "remote/" + id, Runs: runs}, d.place()))
	d.t.Cleanup(ts.Close)
	return caller{d, ts.URL}
}

func (c caller) post(body string, headers ...string) (status int, m map[string]any) {
	c.d.t.Helper()
	r, err := http.NewRequestWithContext(c.d.t.Context(), "POST", c.url, strings.NewReader(body))
	if err != nil {
		c.d.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		c.d.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil || json.Unmarshal(b, &m) != nil {
		c.d.t.Fatalf("%s %v", b, err)
	}
	return res.StatusCode, m
}

func (c caller) call(method string, params any) (result map[string]any, code int) {
	c.d.t.Helper()
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		c.d.t.Fatal(err)
	}
	_, m := c.post(string(b))
	if e, ok := m["error"].(map[string]any); ok {
		return nil, int(e["code"].(float64))
	}
	result, _ = m["result"].(map[string]any)
	return result, 0
}

func message(text, skill string, more ...any) map[string]any {
	m := map[string]any{"kind": "message", "messageId": "m1", "role": "user", "parts": []any{map[string]any{"kind": "text", "text": text}}}
	if skill != "" {
		m["metadata"] = map[string]any{"skill": skill}
	}
	for i := 0; i+1 < len(more); i += 2 {
		m[more[i].(string)] = more[i+1]
	}
	return map[string]any{"message": m}
}

func stateOf(task map[string]any) string {
	s, _ := task["status"].(map[string]any)
	state, _ := s["state"].(string)
	return state
}

func id(task map[string]any) string { s, _ := task["id"].(string); return s }

// A skill is looked up at once; one is run after a person's yes, and its end goes to the caller.
func TestATask(t *testing.T) {
	d := open(t)
	c := d.caller("scout", true)
	task, _ := c.call("message/send", message("sort my receipts", ""))
	if b, _ := json.Marshal(task); stateOf(task) != "completed" || !strings.Contains(string(b), "ability-1") {
		t.Fatalf("%s", b)
	}
	task, _ = c.call("message/send", message("sort those of May", "sort-receipts"))
	if stateOf(task) != "input-required" || d.started() != 0 {
		t.Fatalf("%v", task)
	}
	events := c.follow("tasks/resubscribe", map[string]any{"id": id(task)})
	if w := d.s.Waiting(); len(w) != 1 || w[0].Caller != "remote/scout" || w[0].Goal != "sort those of May" || w[0].Skill != "sort-receipts" {
		t.Fatalf("%+v", w)
	}
	d.ok(d.s.Decide(t.Context(), id(task), true, "p1"))
	await.Until(t, "the run", func() bool { return d.started() == 1 })
	d.to(agentrun.Waiting)
	if e := <-events; stateOf(e) != "input-required" { // the task as it was
		t.Errorf("%v", e)
	}
	if e := <-events; stateOf(e) != "working" {
		t.Errorf("%v", e)
	}
	if e := <-events; stateOf(e) != "input-required" || e["final"] != false {
		t.Errorf("%v", e)
	}
	d.to(agentrun.Running)
	if e := <-events; stateOf(e) != "working" {
		t.Errorf("%v", e)
	}
	d.to(agentrun.Succeeded)
	if e := <-events; e["kind"] != "artifact-update" {
		t.Errorf("%v", e)
	}
	if e := <-events; stateOf(e) != "completed" || e["final"] != true {
		t.Errorf("%v", e)
	}
	if _, more := <-events; more {
		t.Error("the stream goes on")
	}
	task, _ = c.call("tasks/get", map[string]any{"id": id(task), "historyLength": 0})
	if b, _ := json.Marshal(task["artifacts"]); !strings.Contains(string(b), "sorted") || len(b) > 36<<10 || task["history"] != nil {
		t.Errorf("%d bytes, %v", len(b), task["history"])
	}
	if _, code := c.call("tasks/cancel", map[string]any{"id": id(task)}); code != -32002 {
		t.Errorf("%d", code)
	}
	want := []journal.EventKind{journal.RemoteTaskAsked, journal.RemoteTaskAllowed, journal.RemoteTaskEnded}
	if fmt.Sprint(d.notes) != fmt.Sprint(want) || d.runs[0].Goal != "sort those of May" || d.runs[0].Skill != "ability-1" {
		t.Errorf("%v %+v", d.notes, d.runs)
	}
}

func (d *desk) ok(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// follow reads a stream's results.
func (c caller) follow(method string, params any) chan map[string]any {
	c.d.t.Helper()
	b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	res, err := http.Post(c.url, "application/json", strings.NewReader(string(b)))
	if err != nil || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		c.d.t.Fatal(res, err)
	}
	out := make(chan map[string]any, 20)
	lines := bufio.NewScanner(res.Body)
	next := func() bool {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				var m struct{ Result map[string]any }
				_ = json.Unmarshal([]byte(data), &m)
				out <- m.Result
				return true
			}
		}
		return false
	}
	next() // it follows from here on
	go func() {
		defer close(out)
		defer res.Body.Close()
		for next() {
		}
	}()
	return out
}

// No caller decides, sees or ends what is another's or the person's.
func TestWhatACallerCannotDo(t *testing.T) {
	d := open(t)
	c, other, reader := d.caller("scout", true), d.caller("other", true), d.caller("reader", false)
	task, _ := c.call("message/send", message("sort", "sort-receipts"))
	its := id(task)
	send := func(c caller, text, skill string, more ...any) (map[string]any, int) {
		return c.call("message/send", message(text, skill, more...))
	}
	for what, try := range map[string]func() (map[string]any, int){
		"-32001 another's task is read":      func() (map[string]any, int) { return other.call("tasks/get", map[string]any{"id": its}) },
		"-32001 another's task is ended":     func() (map[string]any, int) { return other.call("tasks/cancel", map[string]any{"id": its}) },
		"-32001 another's task is spoken to": func() (map[string]any, int) { return send(other, "yes", "", "taskId", its) },
		"-32004 the caller says yes":         func() (map[string]any, int) { return send(c, "yes", "", "taskId", its) },
		"-32602 a skill that is not open":    func() (map[string]any, int) { return send(c, "pay", "pay-wages") },
		"-32602 a skill that is not there":   func() (map[string]any, int) { return send(c, "pay", "pay-rent") },
		"-32602 without the scope":           func() (map[string]any, int) { return send(reader, "sort", "sort-receipts") },
		"-32602 an empty text":               func() (map[string]any, int) { return send(c, " ", "") },
		"-32602 a long text":                 func() (map[string]any, int) { return send(c, strings.Repeat("x", 4001), "") },
		"-32602 a long goal": func() (map[string]any, int) {
			return c.call("message/send", message(strings.Repeat("x", 281), "sort-receipts"))
		},
		"-32005 a file by its address": func() (map[string]any, int) {
			m := message("x", "")
			m["message"].(map[string]any)["parts"] = []any{map[string]any{"kind": "file", "file": map[string]any{"uri": "http://169.254.169.254/"}}}
			return c.call("message/send", m)
		},
		"-32601 a method that is not there": func() (map[string]any, int) { return c.call("tasks/list", map[string]any{}) },
		"-32003 an address to push to": func() (map[string]any, int) {
			return c.call("tasks/pushNotificationConfig/set", map[string]any{"taskId": its,
				"pushNotificationConfig": map[string]any{"url": "http://127.0.0.1:1/"}})
		},
		"-32003 an address in a message": func() (map[string]any, int) {
			m := message("x", "")
			m["configuration"] = map[string]any{"pushNotificationConfig": map[string]any{"url": "http://[::1]:1/"}}
			return c.call("message/send", m)
		},
	} {
		want, what, _ := strings.Cut(what, " ")
		if got, code := try(); fmt.Sprint(code) != want {
			t.Errorf("%s: %d %v", what, code, got)
		}
	}
	// Incremental consent (contract 10.4): what a token lacks is said, whatever skill is named.
	for _, skill := range []string{"sort-receipts", "pay-wages", "pay-rent"} {
		b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": message("sort", skill)})
		if err != nil {
			t.Fatal(err)
		}
		if _, m := reader.post(string(b)); !strings.Contains(fmt.Sprint(m["error"]), "ask for the scope showhow.a2a.run") {
			t.Errorf("%s: %v", skill, m)
		}
	}
	if err := d.s.Decide(t.Context(), its, false, ""); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the no", func() bool {
		task, _ := c.call("tasks/get", map[string]any{"id": its})
		return stateOf(task) == "rejected"
	})
	if d.started() != 0 || len(d.s.Waiting()) != 0 {
		t.Error("it runs")
	}
	if err := d.s.Decide(t.Context(), its, true, "p1"); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v: a no can be taken back", err)
	}
}

// What changed between a person's look and the start does not run; what was cancelled or evicted neither.
func TestWhatChangedDoesNotRun(t *testing.T) {
	d := open(t)
	c := d.caller("scout", true)
	ask := func() string {
		task, _ := c.call("message/send", message("sort", "sort-receipts"))
		return id(task)
	}
	state := func(id string) string {
		task, _ := c.call("tasks/get", map[string]any{"id": id})
		return stateOf(task)
	}
	for what, change := range map[string]func(){"skill": func() { d.hash = "h2" }, "plan": func() { d.plan = "p2" },
		"caller": func() { d.out = true }, "program": func() { d.agent = "other" }, "opening": func() { d.shut = true }} {
		its := ask()
		d.change(change)
		d.ok(d.s.Decide(t.Context(), its, true, "p1"))
		await.Until(t, "an end", func() bool { return len(d.ends()) == 1 })
		d.change(func() { d.hash, d.plan, d.out, d.agent, d.shut = "h1", "p1", false, "agent", false })
		if got := state(its); got != "rejected" || d.started() != 0 {
			t.Errorf("%s: %s", what, got)
		}
		d.change(func() { d.notes = nil })
	}
	second := ask()
	if task, _ := c.call("tasks/cancel", map[string]any{"id": second}); stateOf(task) != "canceled" || len(d.s.Waiting()) != 0 {
		t.Errorf("%v", task)
	}
	third := ask()
	d.ok(d.s.Decide(t.Context(), third, true, "p1"))
	await.Until(t, "the run", func() bool { return d.started() == 1 })
	d.s.Evict("scout")
	<-d.Done("")
	if r, _ := d.Get(t.Context(), ""); r.State != agentrun.Cancelled || state(third) != "" {
		t.Errorf("%s: the run goes on, or the task is there", r.State)
	}
}

// ends are the ends that are on record.
func (d *desk) ends() (all []journal.EventKind) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, k := range d.notes {
		if k == journal.RemoteTaskEnded {
			all = append(all, k)
		}
	}
	return all
}

// Too much, too often and through too many is refused with a status and a code.
func TestBounds(t *testing.T) {
	d := open(t)
	c, other := d.caller("scout", true), d.caller("other", true)
	code := func(m map[string]any) any {
		e, _ := m["error"].(map[string]any)
		data, _ := e["data"].(map[string]any)
		return data["code"]
	}
	send := func(c caller) (int, map[string]any) {
		b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": message("sort", "sort-receipts")})
		return c.post(string(b))
	}
	for range 3 {
		if st, m := send(c); st != http.StatusOK || m["error"] != nil {
			t.Fatalf("%d %v", st, m)
		}
	}
	if st, m := send(c); st != http.StatusTooManyRequests || code(m) != "rate_limited" {
		t.Errorf("%d %v", st, m)
	}
	if st, m := send(other); st != http.StatusOK || m["error"] != nil {
		t.Errorf("%d %v: another caller has no place", st, m)
	}
	if st, m := other.post("{}", "X-A2A-Hop-Count", "1", "X-A2A-Hop-Count", "9"); st != http.StatusLoopDetected {
		t.Errorf("%d %v", st, m)
	}
	for _, hops := range []string{"4", "-1", "many", "99999999999999999999"} {
		if st, m := other.post("{}", "X-A2A-Hop-Count", hops); st != http.StatusLoopDetected || code(m) != "hop_limit" {
			t.Errorf("%s: %d %v", hops, st, m)
		}
	}
	if st, m := other.post(`{"x":"` + strings.Repeat("x", 300<<10) + `"}`); st != http.StatusRequestEntityTooLarge ||
		code(m) != "message_too_large" {
		t.Errorf("%d %v", st, m)
	}
	for range 50 {
		other.call("message/send", message("sort my receipts", ""))
	}
	if st, m := other.post("{} x"); st != http.StatusBadRequest || code(m) != "malformed_json" {
		t.Errorf("%d %v", st, m)
	}
	if task, _ := c.call("message/send", message("sort my receipts", "")); stateOf(task) != "completed" {
		t.Errorf("%v: no look-up without a place", task)
	}
	for i := range 5 { // ten in all
		send(d.caller(fmt.Sprint("filler-", i/3), true))
	}
	send(other)
	if st, m := send(d.caller("late", true)); st != http.StatusOK || m["error"] != nil {
		t.Errorf("%d %v: a caller that has none has no place", st, m)
	}
	if st, _ := send(d.caller("other", true)); st != http.StatusTooManyRequests {
		t.Errorf("%d: one place more than there is", st)
	}
	for _, body := range []string{"", "[]", "[{}]", "null", `{"jsonrpc":"1.0","method":"tasks/get"}`, `{"jsonrpc":"2.0","method":"tasks/get"}`,
		`{"jsonrpc":"2.0","method":"message/send","params":{"message":null}}`, `{"jsonrpc":"2.0","method":"message/send"}`} {
		if _, m := other.post(body); m["error"] == nil {
			t.Errorf("%s: %v", body, m)
		}
	}
}

// A caller that asks and cancels again and again tires nobody; and what the person sees of its words is one plain line.
func TestThePersonIsNotFlooded(t *testing.T) {
	d := open(t)
	c := d.caller("scout", true)
	task, _ := c.call("message/send", message("sort\nthem\u202e\u001b[2J\u200b all", "sort-receipts"))
	if w := d.s.Waiting(); len(w) != 1 || w[0].Goal != "sort them [2J all" {
		t.Errorf("%+v", w)
	}
	for range 19 {
		c.call("tasks/cancel", map[string]any{"id": id(task)})
		if task, _ = c.call("message/send", message("sort", "sort-receipts")); id(task) == "" {
			t.Fatal("refused too early")
		}
	}
	c.call("tasks/cancel", map[string]any{"id": id(task)})
	d.s.Evict("scout") // as it can cause by ending a token of its own
	if _, code := c.call("message/send", message("sort", "sort-receipts")); code != -32000 || len(d.s.Waiting()) != 0 {
		t.Errorf("%d", code)
	}
	if task, _ := d.caller("other", true).call("message/send", message("sort", "sort-receipts")); stateOf(task) != "input-required" {
		t.Errorf("%v", task)
	}
}
