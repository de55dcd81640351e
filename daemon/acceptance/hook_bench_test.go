//go:build linux

package acceptance_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"showhow/daemon"
	"showhow/daemon/client"
)

// BenchmarkHook measures an agent's wait after each of its tool calls, from fork to exit: when nobody wants receipts,
// and when a daemon scopes, redacts, seals and stores them. It also reports the cost of starting any program here.
func BenchmarkHook(b *testing.B) {
	dir, err := os.MkdirTemp("", "sh")
	check(b, err)
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "showhow-hook")
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, "showhow/adapters/receipts/hook")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%s", out)
	}
	o := options(dir)
	o.Roots.State = filepath.Join(dir, "state", "showhow")
	o.DemoGrant, o.Logger = rand.Text()+rand.Text(), slog.New(slog.NewTextHandler(io.Discard, nil))
	o.Test = daemon.Test{AncestryUntil: os.Getpid()}
	for _, d := range []string{o.Roots.Home, filepath.Dir(o.Roots.Runtime)} {
		check(b, os.MkdirAll(d, 0o700))
	}
	ctx, stop := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- daemon.Run(ctx, o, func() { close(ready) }) }()
	defer func() { stop(); <-done }()
	select {
	case <-ready:
	case err := <-done:
		b.Fatal(err)
	}
	c := client.Unix(o.Roots.Socket(), client.WithDemoGrant(o.DemoGrant))

	calls := 0
	time1 := func(name string, args ...string) time.Duration {
		calls++
		cmd := exec.Command(name, args...)
		cmd.Env = []string{"HOME=" + o.Roots.Home, "XDG_RUNTIME_DIR=" + filepath.Dir(o.Roots.Runtime),
			"XDG_STATE_HOME=" + filepath.Dir(o.Roots.State)}
		cmd.Stdin = bytes.NewReader(fmt.Appendf(nil,
			`{"hook_event_name":"PostToolUse","session_id":"r1","tool_use_id":"t%d","cwd":"/work","tool_name":"Bash",
			"tool_input":{"command":"make report-%d"},"tool_response":{"stdout":%q}}`, calls, calls, bytes.Repeat([]byte("output "), 500)))
		begun := time.Now()
		out, err := cmd.CombinedOutput()
		took := time.Since(begun)
		if err != nil || len(out) > 0 {
			b.Fatalf("%v %s", err, out)
		}
		return took
	}
	sample := func(n int, name string, args ...string) []time.Duration {
		var all []time.Duration
		for range n {
			all = append(all, time1(name, args...))
		}
		slices.Sort(all)
		return all
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	for b.Loop() {
		floor := sample(50, "/bin/true")
		idle := sample(50, program, "claude-code")
		_, err = c.SetJournal(ctx, "claude-code", true)
		check(b, err)
		kept := sample(200, program, "claude-code")
		st, err := c.Status(ctx)
		check(b, err)
		if len(st.Agents) != 1 || st.Agents[0].Missed > 0 && ms(kept[len(kept)-1]) < 40 {
			b.Fatalf("%+v", st.Agents)
		}
		_, err = c.SetJournal(ctx, "claude-code", false)
		check(b, err)
		b.ReportMetric(ms(floor[len(floor)/2]), "hook_floor_ms")
		b.ReportMetric(ms(idle[len(idle)/2]), "hook_exec_ms")
		b.ReportMetric(ms(kept[len(kept)*99/100]), "hook_p99_ms")
		b.ReportMetric(ms(kept[len(kept)/2]), "hook_p50_ms")
	}
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
