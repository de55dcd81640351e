package terminal

import "testing"

// BenchmarkAdded is what the hook adds to each command while captured: the same loop bare and captured, one after the other.
func BenchmarkAdded(b *testing.B) {
	for _, shell := range Shells {
		b.Run(shell, func(b *testing.B) {
			var added, ratio float64
			rounds := 0
			for b.Loop() {
				bare, _ := loop(b, shell, false, false)
				captured, kept := loop(b, shell, true, true)
				added += captured - bare
				ratio += kept
				rounds++
			}
			b.ReportMetric(added/float64(rounds), "shell_"+shell+"_us")
			b.ReportMetric(ratio/float64(rounds), "shell_captured_ratio")
		})
	}
}

// loop feeds a shell commands and has it time itself: microseconds per command, and captured per command.
func loop(b *testing.B, shell string, hooked, captured bool) (us, kept float64) {
	dir := newRuntime(b)
	tm := newTerm(b, dir, termOpts{shell: shell, bare: !hooked, before: "zmodload zsh/datetime 2>/dev/null"})
	var o *observed
	if captured {
		o = observe(b, dir, tm.tty)
		tm.run("true")
		o.lines(1)
	}
	const n = 500
	tm.run("t0=$EPOCHREALTIME")
	tm.many(n, ": %d some words of a command line")
	m := times.FindStringSubmatch(tm.run("echo \"us=$t0 $EPOCHREALTIME.\""))
	if m == nil {
		b.Fatal("the shell does not tell the time")
	}
	const ran = n + n/50 + 2
	if captured {
		o.stop()
		kept = float64(len(o.Seen())-1) / ran
	}
	return float64(micros(b, m[2])-micros(b, m[1])) / ran, kept
}
