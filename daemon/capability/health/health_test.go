package health

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"showhow/internal/clock"
)

var start = clock.At(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))

func day(n float64) clock.Time { return start.Plus(time.Duration(n * 24 * float64(time.Hour))) }

func failed(src Source, step string, at clock.Time) Outcome {
	return Outcome{Source: src, Result: Failed, Step: step, Code: "target_missing", At: at, By: "scout"}
}

func passed(src Source, step string, at clock.Time, covered ...string) Outcome {
	return Outcome{Source: src, Result: Passed, Step: step, Covered: covered, At: at, By: "scout"}
}

func fold(os ...Outcome) (s State) {
	for _, o := range os {
		s = s.Fold(o)
	}
	return s
}

// Baseline 1.1I, default thresholds.
func TestThresholds_1_1I(t *testing.T) {
	report := func(n int, every float64) (os []Outcome) {
		for i := range n {
			o := failed(Report, "saved", day(float64(i)*every))
			o.By = []string{"scout", "helper"}[i%2]
			os = append(os, o)
		}
		return os
	}
	for _, c := range []struct {
		name string
		os   []Outcome
		want Status
	}{
		{"nothing", nil, ""},
		{"one failure", report(1, 1), Unknown},
		{"two failures", report(2, 1), Unknown},
		{"three in seven days", report(3, 2), Degraded},
		{"three in two weeks", report(3, 5), Unknown},
		{"five in seven days", report(5, 1), Quarantined},
		{"five in two weeks", report(5, 3), Degraded},
		{"three of different fingerprints", []Outcome{
			failed(Report, "a", day(0)), failed(Report, "b", day(0)), failed(Report, "c", day(0))}, Unknown},
		{"one critical", []Outcome{{Source: Rehearsal, Result: Failed, Code: "TEST_POLICY_VIOLATION", Critical: true, At: day(0)}}, Quarantined},
		{"five inconclusive", []Outcome{{Result: Inconclusive}, {Result: Inconclusive}, {Result: Inconclusive}, {Result: Inconclusive},
			{Result: Inconclusive}}, Unknown},
		{"one that went well", []Outcome{passed(Report, "saved", day(0))}, Healthy},
	} {
		if got := fold(c.os...).Status; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Five good canaries in a row after a quarantine heal; a bad one begins anew, and nothing else heals.
func TestFiveGoodCanariesHeal_1_1I(t *testing.T) {
	s := fold(failed(Canary, "s1", day(0)), failed(Canary, "s1", day(0)), failed(Canary, "s1", day(0)), failed(Canary, "s1", day(0)),
		failed(Canary, "s1", day(0)))
	if s.Status != Quarantined {
		t.Fatal(s.Status)
	}
	for i := range 4 {
		s = s.Fold(passed(Canary, "", day(1+float64(i)), "s1"))
	}
	s = s.Fold(failed(Canary, "s1", day(6)))
	for i := range 4 {
		s = s.Fold(passed(Canary, "", day(7+float64(i)), "s1"))
		s = s.Fold(passed(Report, "s1", day(7+float64(i))))
	}
	if s.Status != Quarantined || s.GoodCanaries != 4 {
		t.Fatal(s.Status, s.GoodCanaries)
	}
	s = s.Fold(Outcome{Source: Canary, Result: Inconclusive, At: day(11)}) // learnt nothing, breaks nothing
	s = s.Fold(passed(Canary, "", day(12), "s1"))
	if s.Status != Healthy || len(s.Failing) > 0 || s.Since == nil || !s.Since.Equal(day(12).Time) {
		t.Fatalf("%+v", s)
	}
	if s.Totals.Failed != 6 {
		t.Fatal("a good look deletes no earlier failure from the counts", s.Totals)
	}
}

// What Showhow sees itself takes back what was reported of the steps that it covered, and no other.
func TestSeenOutweighsReported(t *testing.T) {
	s := fold(failed(Report, "s2", day(0)), failed(Report, "s2", day(1)), failed(Report, "s2", day(2)))
	if s = s.Fold(passed(Canary, "", day(2), "s1")); s.Status != Degraded {
		t.Fatal("the canary did not come to s2", s.Status)
	}
	if s = s.Fold(passed(Canary, "", day(2), "s1", "s2")); s.Status != Healthy {
		t.Fatal(s.Status)
	}
}

// One agent in ten that says so of everything does not quarantine what the others reach; time alone heals nothing.
func TestFewLiarsDoNotQuarantine(t *testing.T) {
	var s State
	for i := range 60 {
		at := day(float64(i) / 10)
		if i%10 == 0 {
			s = s.Fold(failed(Report, "done", at))
		} else {
			s = s.Fold(passed(Report, "done", at))
		}
		if s.Status == Quarantined {
			t.Fatal("quarantined by the word of few", i)
		}
	}
	s = fold(failed(Report, "done", day(0)), failed(Report, "done", day(1)), failed(Report, "done", day(2)))
	s = s.Fold(failed(Report, "other", day(30)))
	if s.Status != Degraded || s.Step != "done" {
		t.Fatal("healed by time", s.Status, s.Step)
	}
	for range agreedAt {
		s = s.Fold(passed(Report, "done", day(31)))
	}
	if s.Status != Healthy {
		t.Fatal(s.Status)
	}
}

// One reporter alone quarantines nothing, takes back nothing that another reported, and cannot put the clock back.
func TestOneReporterAlone(t *testing.T) {
	var s State
	for i := range 20 {
		s = s.Fold(failed(Report, "done", day(float64(i)/10)))
	}
	if s.Status != Degraded {
		t.Fatal(s.Status)
	}
	for i := range 5 {
		o := passed(Event, "done", day(3+float64(i)/10))
		o.By = "another"
		s = s.Fold(o)
	}
	if s.Status != Degraded {
		t.Fatal("another took it back", s.Status)
	}
	late := failed(Event, "other", day(-300))
	late.By = "another"
	if s = s.Fold(late); s.FailedAt.Before(day(3).Time) {
		t.Fatal("the clock went back", s.FailedAt)
	}
}

// A canary heals what it came to, and no critical failure.
func TestACanaryHealsTheStepsItReached(t *testing.T) {
	bad := failed(Rehearsal, "s9", day(0))
	s := fold(bad, bad, bad, bad, bad)
	for i := range 10 {
		s = s.Fold(passed(Canary, "", day(1+float64(i)), "s1"))
	}
	if s.Status != Quarantined {
		t.Fatal("healed by looks that never came to s9")
	}
	c := fold(Outcome{Source: Run, Result: Failed, Critical: true, Code: "x", At: day(0)})
	for i := range 10 {
		c = c.Fold(passed(Canary, "", day(1+float64(i)), "s1"))
	}
	if c.Status != Quarantined {
		t.Fatal("a critical failure was healed by looks")
	}
}

// Earlier versions counted changed files as failures; what they stored is gone when the approved files are back.
func TestChangesThatWereCounted(t *testing.T) {
	d := State{Status: Degraded, Reason: MatchingFailures, Step: "bundle", Code: drifted,
		Failing: []Failing{{Step: "bundle", Code: drifted, At: []clock.Time{day(0), day(1), day(2)}, Seen: true}}}
	if r := d.Restored(); r.Status != Healthy || r.Suspect() {
		t.Fatalf("%+v", r)
	}
}

// A call to a connector that succeeded is no use of an ability: it makes nothing healthy, is not counted, and takes back
// failed calls alone.
func TestCallsTakeBackCallsAlone(t *testing.T) {
	var s State
	for i := range 12 {
		s = s.Fold(passed(Connector, "notes__add", day(float64(i)/24)))
	}
	if s.Status != Unknown || s.Totals != (Totals{}) {
		t.Fatalf("calls alone: %+v", s)
	}
	bad := func(src Source, n int) {
		for range n {
			s = s.Fold(failed(src, "notes__add", day(1)))
		}
	}
	good := func(src Source) {
		for range agreedAt {
			s = s.Fold(passed(src, "notes__add", day(2)))
		}
	}
	if bad(Connector, DegradeAt); s.Status != Degraded {
		t.Fatal(s.Status)
	}
	if good(Connector); s.Status != Unknown || s.Failing != nil || s.Totals.Passed != 0 {
		t.Fatalf("an ability that nobody used: %+v", s)
	}
	if bad(Event, DegradeAt); s.Status != Degraded { // of a step that has the tool's name
		t.Fatal(s.Status)
	}
	if good(Connector); s.Status != Degraded {
		t.Fatal("calls took back what was reported", s.Status)
	}
	if good(Event); s.Status != Healthy || s.Totals.Passed != agreedAt {
		t.Fatalf("%+v", s)
	}
	bad(Connector, DegradeAt)
	if good(Report); s.Status != Degraded {
		t.Fatal("reports took back calls", s.Status)
	}
	if good(Connector); s.Status != Healthy {
		t.Fatal("it was used and is as it was", s.Status)
	}
}

// Whatever comes in whatever order: the state stays small, a quarantine needs its reason, and folding changes no earlier state.
func TestFoldProperties(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 9))
	for range 200 {
		var s State
		at := start
		for range 300 {
			at = at.Plus(time.Duration(rnd.IntN(20)) * time.Hour)
			step := fmt.Sprint("s", rnd.IntN(4))
			o := Outcome{Source: []Source{Report, Run, Rehearsal, Canary}[rnd.IntN(4)], Result: []Result{Passed, Failed, Inconclusive}[rnd.IntN(3)],
				Step: step, Code: "c", Covered: []string{"s0"}, At: at}
			before := fmt.Sprintf("%+v", s)
			next := s.Fold(o)
			if fmt.Sprintf("%+v", s) != before {
				t.Fatal("Fold changed the state that it was given")
			}
			if next.Status == Quarantined && s.Status != Quarantined && next.Failures(at) < QuarantineAt {
				t.Fatalf("quarantined without five: %+v", next)
			}
			if s.Status == Quarantined && next.Status != Quarantined && (o.Source != Canary || o.Result != Passed) {
				t.Fatal("healed by", o)
			}
			s = next
		}
		if len(s.Failing) > 8 || len(s.Reached) > 8 {
			t.Fatal("it grows", len(s.Failing), len(s.Reached))
		}
	}
}

// One failure makes an ability suspect until somebody sees that step work: a look that does not reach it says nothing of it.
func TestASuspicionEndsWhereItBegan(t *testing.T) {
	fails := func(s State, step string) State {
		return s.Fold(Outcome{Source: Report, Result: Failed, Step: step, Code: "checkpoint_failed", By: "scout", At: day(1)})
	}
	works := func(s State, src Source, by, step string) State {
		o := Outcome{Source: src, Result: Passed, Step: step, By: by, At: day(2)}
		if src.Seen() {
			o.Step, o.Covered = "", []string{step}
		}
		return s.Fold(o)
	}
	s := fails(State{}, "cp-03")
	if !s.Suspect() {
		t.Fatal("one failure is told")
	}
	if x := works(s, Canary, "", "cp-01"); !x.Suspect() {
		t.Error("a look that did not reach the step clears it")
	}
	if x := works(s, Canary, "", "cp-03"); x.Suspect() {
		t.Error("a look that reached the step does not clear it")
	}
	for i, by := range []string{"helper", "helper", "helper"} { // another reporter, who cancels nothing, ends the suspicion
		if s = works(s, Report, by, "cp-03"); s.Suspect() != (i < 2) {
			t.Errorf("suspect after %d reports that it was reached: %v", i+1, s.Suspect())
		}
	}
	if s = fails(s, "cp-03"); !s.Suspect() {
		t.Error("it failed again")
	}
	if s.Reset().Suspect() {
		t.Error("a person looked at it")
	}
}
