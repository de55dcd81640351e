//go:build unix

package terminal

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// batch is how many commands are typed at a time: as many as fit into a terminal's input buffer.
const batch = 50

// rounds is how many batches one iteration types into each shell.
const rounds = 21

// state is one of the shells that the benchmark compares: without the hook, hooked but not captured, and captured.
type state struct {
	tm        *term
	wall, cpu []float64 // us per command, one entry per batch
}

// round types one batch and records what a command took, in wall-clock time and in the shell's processor time.
func (s *state) round(i int) {
	cpu, begin := onCPU(s.tm.pid), time.Now()
	s.tm.many(batch, ": %d some words of a command line, "+fmt.Sprint(i))
	s.wall = append(s.wall, float64(time.Since(begin).Nanoseconds())/1e3/(batch+1))
	s.cpu = append(s.cpu, float64(onCPU(s.tm.pid)-cpu)/1e3/(batch+1))
}

// onCPU is a process's running time, in ns: unlike wall-clock time it excludes other processes.
func onCPU(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if err != nil {
		return 0
	}
	var ns int64
	_, _ = fmt.Sscan(string(data), &ns)
	return ns
}

// BenchmarkShell reports what the hook adds to a command: the median over many batches, typed alternately into three
// shells side by side (bare, hooked, captured), so that other load on the machine affects all three alike.
// shell_bash_us and the like are wall-clock time, daemon and terminal included; _cpu_us is the shell's own processor
// time; _idle_us is wall-clock time while nothing is captured.
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

// BenchmarkParse is the daemon's cost per command before it looks at the command's effects.
func BenchmarkParse(b *testing.B) {
	var p parser
	in := []byte(whole)
	for b.Loop() {
		p.feed(in, func(record) {})
	}
}
