package routine_test

import (
	"os"
	"reflect"
	"strconv"
	"testing"
	"time"

	"showhow/daemon/mining/routine"
)

// unseenSeed was not looked at while the room was written; SHOWHOW_MINING_SEED and _ROUNDS choose others.
const unseenSeed = 90_210

func measure(seed uint64, rounds int, sizes ...int) (all judged, by map[string]*judged, logs int) {
	by = map[string]*judged{}
	for round := range rounds {
		for i, rc := range recipes {
			w := newWorld(seed + uint64(1000*round+i))
			l := w.log(rc, sizes[(round+i)%len(sizes)])
			j := judge(l, routine.Find(l.steps, routine.Options{}))
			if by[rc.name] == nil {
				by[rc.name] = &judged{}
			}
			by[rc.name].add(j)
			all.add(j)
			logs++
		}
	}
	return all, by, logs
}

func number(name string, or uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return n
	}
	return or
}

func TestRoutinesAreFoundAmongOtherWork(t *testing.T) {
	seed, rounds := number("SHOWHOW_MINING_SEED", unseenSeed), int(number("SHOWHOW_MINING_ROUNDS", 1))
	all, by, logs := measure(seed, rounds, 300, 700)
	for _, rc := range recipes {
		j := by[rc.name]
		t.Logf("%-14s steps P %.2f R %.2f F1 %.2f | occurrences P %.2f R %.2f F1 %.2f | routines P %.2f R %.2f (%d of %d)", rc.name,
			j.steps.p(), j.steps.r(), j.steps.f1(), j.occurrences.p(), j.occurrences.r(), j.occurrences.f1(), j.routines.p(), j.routines.r(),
			j.routines.tp, j.routines.there)
		if j.steps.f1() < .7 {
			t.Errorf("%s: F1 of steps %.2f", rc.name, j.steps.f1())
		}
	}
	t.Logf("%d logs: steps P %.3f R %.3f F1 %.3f (n=%d) | occurrences P %.3f R %.3f F1 %.3f (n=%d) | routines F1 %.3f (n=%d)", logs,
		all.steps.p(), all.steps.r(), all.steps.f1(), all.steps.there, all.occurrences.p(), all.occurrences.r(), all.occurrences.f1(),
		all.occurrences.there, all.routines.f1(), all.routines.there)
	for name, f1 := range map[string]float64{"steps": all.steps.f1(), "occurrences": all.occurrences.f1(), "routines": all.routines.f1()} {
		if f1 < .8 {
			t.Errorf("F1 of %s is %.3f", name, f1)
		}
	}
}

// Work that happened once gives nothing, even among work that has habits of its own.
func TestNothingIsFoundInWorkThatHappenedOnce(t *testing.T) {
	seed, habits, n := number("SHOWHOW_MINING_SEED", unseenSeed), 0, 0
	for i := range uint64(12) {
		w := newWorld(seed + i)
		rc := recipe{steps: [2]int{6, 14}, between: 8, once: 3 + int(i)/2, habit: i%3 == 2, glue: .2 * float64(i%2)}
		l := w.log(rc, 20+int(i)*180)
		n += len(l.steps)
		for _, r := range routine.Find(l.steps, routine.Options{}) {
			t.Logf("log %d: %d times %+v", i, len(r.Occurrences), r.Places)
			if habits++; !rc.habit {
				t.Error("a routine among work that has none")
			}
		}
	}
	if habits*5000 > n {
		t.Errorf("%d habits of three steps in %d steps", habits, n)
	}
}

// The same log gives the same routines; steps of two sources are never joined; a routine keeps what it is told by.
func TestARoutineIsDescribed(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var log []routine.Step
	for i := range 4 {
		source := "s" + strconv.Itoa(i)
		add := func(kind, target, value string, failed bool) {
			at = at.Add(3 * time.Second)
			log = append(log, routine.Step{Source: source, At: at, App: "desk.example", Kind: kind, Target: target, Value: value,
				Shown: value == "", Failed: failed})
		}
		add("click", "other thing "+string(rune('a'+i)), "", false)
		add("open", "order "+strconv.Itoa(1000+i), "", false)
		add("fill", "Delivery date", "date", false)
		if i%2 == 0 {
			add("fill", "Note", "text", false)
		}
		add("click", "Review changes", "", i == 3)
		if i != 3 {
			add("click", "Apply", "", false)
		}
	}
	rs := routine.Find(log, routine.Options{})
	if len(rs) != 1 || len(rs[0].Occurrences) != 4 {
		t.Fatalf("%+v", rs)
	}
	r := rs[0]
	if p := r.Places[0]; p.Target != "order #" || p.Targets != 4 || p.In != 4 || r.Places[1].Value != "date" {
		t.Errorf("%+v", r.Places)
	}
	for i, o := range r.Occurrences {
		if o.Source != "s"+strconv.Itoa(i) || o.Failed != (i == 3) {
			t.Errorf("%d: %+v", i, o)
		}
		for _, s := range o.Steps {
			if log[s].Source != o.Source {
				t.Error("a step of another source")
			}
		}
	}
	if r.Variation <= 0 || r.Variation > .4 || r.Coverage != 1 {
		t.Errorf("variation %v, coverage %v", r.Variation, r.Coverage)
	}
	if again := routine.Find(log, routine.Options{}); !reflect.DeepEqual(rs, again) {
		t.Error("another time, another result")
	}
	if rs := routine.Find(log[:len(log)/2+1], routine.Options{}); len(rs) > 0 {
		t.Errorf("twice is no routine: %+v", rs)
	}
}

func TestWhatVariesInATarget(t *testing.T) {
	for target, want := range map[string]string{"order 1042": "order #", "A12": "A#", "/orders/A-1042/edit": "/orders/A-#/edit",
		"3f9a07c2-11ab-4c0e-9d21-0a1b2c3d4e5f": "#-#ab-#c#e-#d#-#", "field12": "field#", "Über 3 Äpfel": "Über # Äpfel", "Save": "Save"} {
		if got := routine.Masked(target); got != want {
			t.Errorf("%q: %q, want %q", target, got, want)
		}
	}
}

// Logs that hold nothing, one thing or chance alone end soon and give nothing.
func TestLogsWithoutAnyOrder(t *testing.T) {
	if rs := routine.Find(nil, routine.Options{}); rs != nil {
		t.Error(rs)
	}
	r := newWorld(3).r
	for _, n := range []int{1, 2, 5, 40, 2000} {
		var log []routine.Step
		for range 2000 {
			log = append(log, routine.Step{App: "a", Kind: "click", Target: letters(r.IntN(n))})
		}
		for _, x := range routine.Find(log, routine.Options{}) {
			t.Errorf("of %d things: %d times %+v", n, len(x.Occurrences), x.Places)
		}
	}
}

func BenchmarkMining10k(b *testing.B) {
	l := newWorld(5).log(recipes[len(recipes)-1], 10_000)
	b.ResetTimer()
	for b.Loop() {
		routine.Find(l.steps, routine.Options{})
	}
	b.ReportMetric(float64(len(l.steps)), "steps")
}

// BenchmarkGrowthMining reports what bench-growth prints: F1 over logs of a seed that was not developed against, and how long
// 10,000 steps take.
func BenchmarkGrowthMining(b *testing.B) {
	var all judged
	logs, took := 0, 0.
	for b.Loop() {
		all, _, logs = measure(unseenSeed, 4, 400, 1000, 2500)
		l := newWorld(unseenSeed).log(recipes[len(recipes)-1], 10_000)
		began := time.Now()
		routine.Find(l.steps[:10_000], routine.Options{})
		took = time.Since(began).Seconds()
	}
	b.ReportMetric(all.steps.f1(), "mining_f1")
	b.ReportMetric(float64(all.steps.there), "mining_f1_n")
	b.ReportMetric(all.occurrences.f1(), "mining_occurrences_f1")
	b.ReportMetric(float64(all.occurrences.there), "mining_occurrences_f1_n")
	b.ReportMetric(float64(logs), "mining_logs")
	b.ReportMetric(took, "mining_10k_s")
}
