package mining_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/mining"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

var person = state.Meta{Principal: state.PrincipalUser}

// rig is a service over a real store, with work that the test makes.
type rig struct {
	t     *testing.T
	db    *store.Store
	s     *mining.Service
	now   time.Time
	works map[mining.Kind][]mining.Work
	reads map[mining.Kind]int
	then  func(mining.Kind) // called when a source has been read
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, now: time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC), works: map[mining.Kind][]mining.Work{}, reads: map[mining.Kind]int{}}
	db, err := store.Open(t.Context(), store.Options{Dir: t.TempDir(), Now: func() clock.Time { return clock.At(r.now) }})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	r.db = db
	r.s = mining.New(mining.Options{Store: store.Mining(db), Now: func() clock.Time { return clock.At(r.now) }, NewID: clock.NewID,
		Read: func(_ context.Context, k mining.Kind) ([]mining.Work, error) {
			r.reads[k]++
			works := slices.Clone(r.works[k])
			if r.then != nil {
				r.then(k)
			}
			return works, nil
		}})
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// work is a piece of work: the routine with noise around it, as records that hold values and typed text.
func (r *rig) work(k mining.Kind, n int, change ...func([]capture.Record) []capture.Record) mining.Work {
	r.now = r.now.Add(time.Hour)
	at := r.now
	rec := func(verb capture.Verb, role, name string, v *capture.Value) capture.Record {
		at = at.Add(4 * time.Second)
		return capture.Record{Event: capture.Event{EventID: clock.NewID(), CreatedAt: clock.At(at), AppFamily: "chromium",
			CausedStateChange: v == nil, ControlSurface: capture.SurfacePage},
			Action: capture.Action{Verb: verb, Site: "desk.example", Value: v, OccurredAt: at.Format(time.RFC3339Nano),
				Target: &capture.Target{Role: role, Name: name, Label: name, Text: canary, InputType: inputType(role)}}}
	}
	typed := func(kind capture.ValueKind) *capture.Value {
		return &capture.Value{Policy: capture.Literal, Kind: kind, Text: canary, Length: 9, LinkID: "link-" + canary}
	}
	records := []capture.Record{
		rec(capture.Click, "link", fmt.Sprintf("News of day %c", 'a'+n), nil),
		rec(capture.Click, "link", "Orders", nil),
		rec(capture.Type, "textbox", "Search orders", typed(capture.KindID)),
		rec(capture.Click, "row", "A-1042 "+canary, nil),
		rec(capture.Type, "textbox", "Delivery date", typed(capture.KindDate)),
		rec(capture.Click, "button", "Review changes", nil),
		rec(capture.Click, "button", "Apply", nil),
		rec(capture.Click, "link", fmt.Sprintf("Help about %c", 'a'+n), nil),
	}
	for _, c := range change {
		records = c(records)
	}
	w := mining.Work{Kind: k, ID: clock.NewID(), At: r.now, Marks: mining.MarksOf(records)}
	if k == mining.Runs {
		w.Agent = "scout"
	}
	r.works[k] = append(r.works[k], w)
	return w
}

const canary = "canary-kingfisher"

func inputType(role string) string {
	if role == "textbox" {
		return "text"
	}
	return ""
}

func (r *rig) allow(c wire.MiningSourcesChange) {
	r.t.Helper()
	_, err := r.s.Change(r.t.Context(), person, mining.Change{Sources: &c})
	must(r.t, err)
}

func (r *rig) scan() mining.Scan {
	r.t.Helper()
	x, err := r.s.Scan(r.t.Context(), person)
	must(r.t, err)
	return x
}

func (r *rig) prints() (n int) {
	r.t.Helper()
	must(r.t, store.Mining(r.db).View(r.t.Context(), func(tx mining.Tx) error {
		fs, err := tx.Fingerprints()
		n = len(fs)
		return err
	}))
	return n
}

var yes, no = true, false

// Without a consent nothing is read, and mining that is off reads nothing whatever was allowed.
func TestNothingIsReadWithoutItsConsent(t *testing.T) {
	r := newRig(t)
	for i := range 3 {
		r.work(mining.Runs, i)
	}
	if _, err := r.s.Scan(t.Context(), person); !fault.Is(err, fault.NoScope) {
		t.Error(err)
	}
	must(t, r.s.Tick(t.Context()))
	r.allow(wire.MiningSourcesChange{Sessions: &yes})
	if x := r.scan(); len(x.Routines) > 0 || r.reads[mining.Runs] > 0 || r.reads[mining.Receipts] > 0 || r.reads[mining.Sessions] != 1 {
		t.Errorf("%v %+v", r.reads, x)
	}
	off := mining.Off
	_, err := r.s.Change(t.Context(), person, mining.Change{Mode: &off, Sources: &wire.MiningSourcesChange{Runs: &yes}})
	must(t, err)
	if _, err := r.s.Scan(t.Context(), person); !fault.Is(err, fault.NoScope) {
		t.Error(err)
	}
	must(t, r.s.Tick(t.Context()))
	if r.reads[mining.Runs] > 0 || r.prints() > 0 {
		t.Error("it was read while mining is off")
	}
	if _, err := r.s.Scan(t.Context(), state.Meta{Principal: state.PrincipalAgent}); !fault.Is(err, fault.Forbidden) {
		t.Error(err)
	}
}

// What was done three times is offered in words, without a value; twice, and in one piece of work only, it is not.
func TestWhatWasDoneThreeTimesIsOffered(t *testing.T) {
	r := newRig(t)
	r.allow(wire.MiningSourcesChange{Sessions: &yes, Fingerprints: &yes})
	r.work(mining.Sessions, 0)
	r.work(mining.Sessions, 1)
	if x := r.scan(); len(x.Routines) > 0 {
		t.Errorf("twice: %+v", x.Routines)
	}
	r.work(mining.Sessions, 2)
	x := r.scan()
	if len(x.Routines) != 1 {
		t.Fatalf("%+v", x)
	}
	got := x.Routines[0]
	if got.State != mining.Waiting || !got.Own || got.Times != 3 || len(got.Cluster.SuccessfulTraceIDs) != 3 || len(got.Steps) != 6 {
		t.Errorf("%+v", got)
	}
	const told = "You did this 3 times: clicked the link 'Orders', entered an id into 'Search orders', clicked the row"
	if !strings.HasPrefix(got.Summary, told) ||
		!strings.Contains(strings.Join(got.Varied, "; "), "'Delivery date': a date each time") {
		t.Errorf("%s\n%v", got.Summary, got.Varied)
	}
	if len(got.Gates) != 6 || len(got.Questions) != 5 || got.Cluster.SourceMode != "user_guided" {
		t.Errorf("%+v %+v", got.Gates, got.Questions)
	}
	var all []byte
	must(t, store.Mining(r.db).View(t.Context(), func(tx mining.Tx) error {
		fs, err := tx.Fingerprints()
		cs, err2 := tx.Candidates()
		must(t, err2)
		all, _ = json.Marshal([]any{fs, cs, x})
		return err
	}))
	if strings.Contains(string(all), canary) {
		t.Errorf("a value is in it: %s", all)
	}
	waiting, err := r.s.Waiting(t.Context())
	if err != nil || len(waiting) != 1 {
		t.Errorf("%+v %v", waiting, err)
	}
	n := 0
	for range 2 { // a second look announces nothing again
		r.scan()
	}
	events, err := r.db.Events(t.Context(), 0, "", 100)
	must(t, err)
	for _, e := range events {
		if e.Kind == journal.MiningOffered {
			n++
		}
	}
	if n != 1 {
		t.Errorf("announced %d times", n)
	}
}

// One piece of work with the same thing done five times happened once.
func TestALoopInOnePieceOfWorkHappenedOnce(t *testing.T) {
	r := newRig(t)
	r.allow(wire.MiningSourcesChange{Sessions: &yes})
	r.work(mining.Sessions, 0, func(rs []capture.Record) []capture.Record {
		out := rs
		for range 4 {
			out = append(out, rs...)
		}
		return out
	})
	for _, c := range r.scan().Routines {
		if c.State == mining.Waiting {
			t.Errorf("offered: %+v", c)
		}
	}
}

// Each of the six gates of 0.4F holds back on its own.
func TestR9_TheSixGates(t *testing.T) {
	failing := func(rs []capture.Record) []capture.Record {
		rs[6].Action = capture.Action{Verb: capture.Run, Command: &capture.Command{Program: "rm", Line: "rm -rf x", Exit: 1,
			Words: []capture.Word{{Text: "rm"}, {Text: "-rf"}, {Text: "x"}}}}
		return rs
	}
	r := newRig(t)
	var blocked []string
	r.s = mining.New(mining.Options{Store: store.Mining(r.db), Now: func() clock.Time { return clock.At(r.now) }, NewID: clock.NewID,
		Read:    func(context.Context, mining.Kind) ([]mining.Work, error) { return r.works[mining.Runs], nil },
		Blocked: func(context.Context) ([]string, error) { return blocked, nil }})
	for gate, tt := range map[string]struct {
		set     func(*mining.Change)
		records func([]capture.Record) []capture.Record
		blocked []string
	}{
		"successful_traces": {set: func(c *mining.Change) { four := 4; c.MinSuccessfulTraces = &four }},
		"variation": {set: func(c *mining.Change) { v := 0.; c.MaxVariation = &v }, records: func(rs []capture.Record) []capture.Record {
			if rs[0].Action.Target.Name == "News of day a" {
				return append(rs[:2:2], rs[3:]...)
			}
			return rs
		}},
		"verification_coverage": {records: func(rs []capture.Record) []capture.Record {
			for i := range rs {
				rs[i].Event.CausedStateChange = false
			}
			return rs
		}},
		"no_critical_failure": {records: failing},
		"no_friction_block":   {blocked: []string{"desk.example"}},
		"specific_enough": {records: func(rs []capture.Record) []capture.Record {
			for i := range rs {
				if i > 0 && i < 7 {
					rs[i].Action.Target.Role, rs[i].Action.Target.InputType = []string{"row", "cell", "listitem"}[i%3], ""
					rs[i].Action.Verb = []capture.Verb{capture.Click, capture.DoubleClick, capture.RightClick}[(i/3)%3]
				}
			}
			return rs
		}},
	} {
		t.Run(gate, func(t *testing.T) {
			r.t, r.works, blocked = t, map[mining.Kind][]mining.Work{}, tt.blocked
			must(t, r.s.ForgetAll(t.Context()))
			three, most := 3, .4
			c := mining.Change{Sources: &wire.MiningSourcesChange{Runs: &yes}, MinSuccessfulTraces: &three, MaxVariation: &most}
			if tt.set != nil {
				tt.set(&c)
			}
			_, err := r.s.Change(t.Context(), person, c)
			must(t, err)
			for i := range 3 {
				if tt.records == nil {
					r.work(mining.Runs, i)
					continue
				}
				r.work(mining.Runs, i, tt.records)
			}
			x := r.scan()
			if len(x.Routines) != 1 || x.Routines[0].State != mining.HeldBack {
				t.Fatalf("%+v", x.Routines)
			}
			held := false
			for _, g := range x.Routines[0].Gates {
				held = held || g.Gate == gate && !g.Passed
			}
			if !held {
				t.Errorf("%+v", x.Routines[0].Gates)
			}
			_, err = r.s.Learn(t.Context(), person, x.Routines[0].Cluster.ClusterID, wire.LearnMinedRequest{})
			if !fault.Is(err, fault.InsufficientTraces) {
				t.Error(err)
			}
		})
	}
}

// Work that a person deletes while a scan runs leaves neither a fingerprint nor a routine.
func TestNothingDeletedDuringAScanIsKept(t *testing.T) {
	r := newRig(t)
	r.allow(wire.MiningSourcesChange{Runs: &yes, Fingerprints: &yes})
	for i := range 3 {
		r.work(mining.Runs, i)
	}
	gone := r.works[mining.Runs][0].ID
	r.then = func(mining.Kind) {
		r.then = nil
		r.works[mining.Runs] = r.works[mining.Runs][1:]
		must(t, store.Mining(r.db).Update(t.Context(), func(tx mining.Tx) error { return mining.ForgetSources(tx, []string{gone}) }))
	}
	if x := r.scan(); len(x.Routines) != 0 || x.Works != 2 || r.prints() != 2 {
		t.Errorf("%d fingerprints, %+v", r.prints(), x)
	}
	r.then = func(mining.Kind) {
		must(t, store.Mining(r.db).Update(t.Context(), func(tx mining.Tx) error { return mining.ForgetAgent(tx, "scout") }))
	}
	if _, err := r.s.Scan(t.Context(), person); !fault.Is(err, fault.Cancelled) || r.prints() != 0 {
		t.Errorf("%d fingerprints, %v", r.prints(), err)
	}
}

// Fingerprints are kept by their own consent, for 60 days, and go with it, with the source's consent, and with the source.
func TestFingerprintsEndWithTheirConsent(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	r.allow(wire.MiningSourcesChange{Runs: &yes})
	r.work(mining.Runs, 0)
	r.scan()
	if r.prints() != 0 {
		t.Error("kept without a consent")
	}
	r.allow(wire.MiningSourcesChange{Fingerprints: &yes})
	r.scan()
	r.works[mining.Runs] = nil // its day is over
	first := r.work(mining.Runs, 1)
	r.scan()
	r.works[mining.Runs] = nil
	r.work(mining.Runs, 2)
	x := r.scan()
	if r.prints() != 3 || len(x.Routines) != 1 || x.Routines[0].State != mining.Waiting || x.Routines[0].Own || !x.Routines[0].Learnable {
		t.Fatalf("%d %+v", r.prints(), x.Routines)
	}
	if !strings.HasPrefix(x.Routines[0].Summary, "scout did this 3 times") {
		t.Error(x.Routines[0].Summary)
	}
	must(t, store.Mining(r.db).Update(ctx, func(tx mining.Tx) error { return mining.ForgetSources(tx, []string{first.ID}) }))
	if l, err := r.s.List(ctx); err != nil || len(l) != 0 || r.prints() != 2 {
		t.Errorf("%d, %+v %v", r.prints(), l, err)
	}
	must(t, store.Mining(r.db).Update(ctx, func(tx mining.Tx) error { return mining.ForgetAgent(tx, "scout") }))
	if r.prints() != 0 {
		t.Errorf("%d after the agent's runs were deleted", r.prints())
	}
	r.scan()
	r.now = r.now.Add(mining.KeepFor + time.Hour)
	r.works[mining.Runs] = nil
	must(t, r.s.Tick(ctx))
	if r.prints() != 0 {
		t.Errorf("%d after 60 days", r.prints())
	}
	r.work(mining.Runs, 0)
	r.scan()
	r.allow(wire.MiningSourcesChange{Runs: &no})
	if r.prints() != 0 {
		t.Error("they outlive the source's consent")
	}
	r.allow(wire.MiningSourcesChange{Runs: &yes})
	r.scan()
	r.allow(wire.MiningSourcesChange{Fingerprints: &no})
	if r.prints() != 0 {
		t.Error("they outlive their own consent")
	}
}

// A decision holds: not now comes again, never does not, and neither its words outlive the sources.
func TestDecisionsAreKept(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	r.allow(wire.MiningSourcesChange{Sessions: &yes})
	for i := range 3 {
		r.work(mining.Sessions, i)
	}
	id := r.scan().Routines[0].Cluster.ClusterID
	x, err := r.s.Later(ctx, person, id, 3)
	if err != nil || x.State != mining.NotNow || r.scan().Routines[0].State != mining.NotNow {
		t.Errorf("%+v %v", x, err)
	}
	r.now = r.now.Add(4 * 24 * time.Hour)
	if l, _ := r.s.Waiting(ctx); len(l) != 1 || l[0].Cluster.ClusterID != id {
		t.Errorf("%+v", l)
	}
	if x, err = r.s.Never(ctx, person, id); err != nil || x.State != mining.Never {
		t.Errorf("%+v %v", x, err)
	}
	r.work(mining.Sessions, 3)
	if rs := r.scan().Routines; len(rs) != 1 || rs[0].State != mining.Never {
		t.Errorf("%+v", rs)
	}
	must(t, r.s.ForgetAll(ctx))
	if l, err := r.s.List(ctx); err != nil || len(l) != 1 || l[0].State != mining.Never || l[0].Summary != "" || len(l[0].Steps) > 0 {
		t.Errorf("%+v %v", l, err)
	}
	if rs := r.scan().Routines; len(rs) != 1 || rs[0].State != mining.Never {
		t.Errorf("offered again: %+v", rs)
	}
	if _, err := r.s.Never(ctx, person, clock.NewID()); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// What a command is known by holds no operand.
func TestACommandsMarkHoldsNothingTyped(t *testing.T) {
	line := func(words ...string) capture.Record {
		c := &capture.Command{Program: words[0], Line: strings.Join(words, " ")}
		for _, w := range words {
			c.Words = append(c.Words, capture.Word{Text: w})
		}
		return capture.Record{Action: capture.Action{Verb: capture.Run, Command: c}}
	}
	for want, rec := range map[string]capture.Record{
		"git commit -m":       line("git", "commit", "-m", canary),
		"git checkout":        line("git", "checkout", canary),
		"deploy":              line("deploy", canary),
		"cut -d -f *.csv":     line("cut", "-d,", "-f", "1", canary+".csv"),
		"mysql -p --":         line("mysql", "-p"+canary, "--"+canary+"!"),
		"curl --user":         line("curl", "--user="+canary, "https://x.example/"+canary),
		"grep -c *.csv":       line("grep", "-c", canary, "summary.csv"),
		"python3 *.py --name": line("python3", canary+".py", "--name", canary),
	} {
		if ms := mining.MarksOf([]capture.Record{rec}); len(ms) != 1 || strings.Contains(ms[0].Target, canary) ||
			ms[0].Target != want {
			t.Errorf("%q, want %q", ms[0].Target, want)
		}
	}
}
