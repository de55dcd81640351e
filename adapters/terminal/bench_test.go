//go:build unix

package terminal

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// benchLoop feeds the shell n commands and has it time itself: the time from the first prompt to the last, as the hook and
// everything else between two commands costs it. It returns microseconds per command.
func benchLoop(b *testing.B, shell string, hooked, captured bool) float64 {
	dir := newRuntime(b)
	tm := newTerm(b, dir, termOpts{shell: shell, bare: !hooked, before: "zmodload zsh/datetime 2>/dev/null"})
	var o *observed
	if captured {
		o = observe(b, dir, tm.tty)
		tm.run("true")
		o.lines(1)
	}
	const n = 500
	var spent, cpu int64
	ran := 0
	for b.Loop() {
		tm.run("t0=$EPOCHREALTIME")
		cpu -= onCPU(tm.pid)
		tm.many(n, ": %d some words of a command line")
		cpu += onCPU(tm.pid)
		m := times.FindStringSubmatch(tm.run("echo \"us=$t0 $EPOCHREALTIME.\""))
		if m == nil {
			b.Fatal("the shell does not tell the time")
		}
		spent += micros(b, m[2]) - micros(b, m[1])
		ran += n + n/50 + 2
	}
	b.ReportMetric(float64(spent)/float64(ran), "us/command")
	b.ReportMetric(float64(cpu)/1000/float64(ran), "cpu-us/command")
	if captured {
		o.stop()
		b.ReportMetric(float64(len(o.Seen())-1)/float64(ran), "shell_captured_ratio")
	}
	return float64(spent) / float64(ran)
}

var times = regexp.MustCompile(`us=(\d+[.,]\d+) (\d+[.,]\d+)\.`)

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

func micros(b *testing.B, s string) int64 {
	t, ok := epoch(s)
	if !ok {
		b.Fatalf("no time: %s", strconv.Quote(s))
	}
	return t.UnixMicro()
}

// BenchmarkShell reports, beside the times themselves, what the hook adds over the same shell bare (shell_bash_us, shell_zsh_us).
func BenchmarkShell(b *testing.B) {
	for _, shell := range Shells {
		var bare float64
		for _, c := range []struct {
			name             string
			hooked, captured bool
		}{{"bare", false, false}, {"idle", true, false}, {"captured", true, true}} {
			b.Run(fmt.Sprintf("%s/%s", shell, c.name), func(b *testing.B) {
				us := benchLoop(b, shell, c.hooked, c.captured)
				if !c.hooked {
					bare = us
				} else if c.captured && bare > 0 {
					b.ReportMetric(us-bare, "shell_"+shell+"_us")
				}
			})
		}
	}
}

// BenchmarkParse is what one command costs the daemon before anybody looks at its effects.
func BenchmarkParse(b *testing.B) {
	var p parser
	in := []byte(whole)
	for b.Loop() {
		p.feed(in, func(record) {})
	}
}
