//go:build unix

package terminal

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// batch is how many commands are typed at a time: what fits into a terminal's input buffer.
const batch = 50

// rounds is how many batches one iteration types into each shell.
const rounds = 21

// state is a shell as the benchmark compares it: without the hook, with it while nothing is captured, and captured.
type state struct {
	tm        *term
	wall, cpu []float64 // us per command, one entry per batch
}

// round types one batch and notes what a command took, by the clock on the wall and in processor time of the shell.
func (s *state) round(i int) {
	cpu, begin := onCPU(s.tm.pid), time.Now()
	s.tm.many(batch, ": %d some words of a command line, "+fmt.Sprint(i))
	s.wall = append(s.wall, float64(time.Since(begin).Nanoseconds())/1e3/(batch+1))
	s.cpu = append(s.cpu, float64(onCPU(s.tm.pid)-cpu)/1e3/(batch+1))
}

// onCPU is the time a process has run, in ns: unlike the clock on the wall it does not count what others do meanwhile.
func onCPU(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if err != nil {
		return 0
	}
	var ns int64
	_, _ = fmt.Sscan(string(data), &ns)
	return ns
}

// BenchmarkShell reports what the hook adds to a command: the median over many batches, typed in turn into three shells that
// live side by side, one bare, one hooked, one captured, so that whatever else the machine does meets all three alike.
// shell_bash_us and its like are by the clock on the wall, daemon and terminal included; _cpu_us is the shell's own processor
// time; _idle_us is the wall while nothing is captured.
func BenchmarkShell(b *testing.B) {
	for _, shell := range Shells {
		b.Run(shell, func(b *testing.B) {
			dir := newRuntime(b)
			states := make([]*state, 3)
			for i := range states {
				states[i] = &state{tm: newTerm(b, dir, termOpts{shell: shell, bare: i == 0})}
			}
			o := observe(b, dir, states[2].tm.tty)
			states[2].tm.run(": joined")
			o.lines(1)
			ran := 1
			for _, s := range states {
				s.tm.many(batch, ": %d warm")
			}
			ran += batch + 1
			for b.Loop() {
				for n := range rounds {
					for i := range states { // each goes first in turn
						states[(i+n)%3].round(n)
					}
				}
				ran += rounds * (batch + 1)
			}
			o.stop()
			bare, idle, captured := states[0], states[1], states[2]
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(bare.wall), "bare_us")
			b.ReportMetric(median(bare.cpu), "bare_cpu_us")
			b.ReportMetric(median(captured.wall)-median(bare.wall), "shell_"+shell+"_us")
			b.ReportMetric(median(captured.cpu)-median(bare.cpu), "shell_"+shell+"_cpu_us")
			b.ReportMetric(median(idle.wall)-median(bare.wall), "shell_"+shell+"_idle_us")
			b.ReportMetric(median(idle.cpu)-median(bare.cpu), "shell_"+shell+"_idle_cpu_us")
			b.ReportMetric(float64(len(o.Seen()))/float64(ran), "shell_captured_ratio")
		})
	}
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

// BenchmarkParse is what one command costs the daemon before anybody looks at its effects.
func BenchmarkParse(b *testing.B) {
	var p parser
	in := []byte(whole)
	for b.Loop() {
		p.feed(in, func(record) {})
	}
}
