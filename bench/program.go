package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// program measures the built binary in roots of its own: size, start, an idle daemon, and a capturing one.
func program(ctx context.Context, samples map[string][]float64, count int) error {
	dir, err := os.MkdirTemp("", "showhow-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "showhow")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %v: %s", err, out)
	}
	if st, err := os.Stat(bin); err == nil {
		samples["binary_mb"] = append(samples["binary_mb"], float64(st.Size())/1e6)
	}
	idle, err := time.ParseDuration(os.Getenv("IDLE"))
	if err != nil {
		idle = 20 * time.Second
	}
	for i := range count + 1 {
		d, err := startDaemon(ctx, bin, filepath.Join(dir, "home"))
		if err != nil {
			return err
		}
		if i > 0 { // the first start makes the database
			samples["start_ms"] = append(samples["start_ms"], d.took.Seconds()*1000)
		}
		if i == count {
			time.Sleep(2 * time.Second) // let start-up work settle: this is a wait for quiet, not for a state
			before := d.cpu()
			time.Sleep(idle)
			if used := d.cpu() - before; before >= 0 && used >= 0 {
				samples["idle_cpu_pct"] = append(samples["idle_cpu_pct"], 100*used.Seconds()/idle.Seconds())
			}
			if rss := d.rssMB(); rss > 0 {
				samples["idle_rss_mb"] = append(samples["idle_rss_mb"], rss)
			}
		}
		if err := d.stop(); err != nil {
			return err
		}
	}
	for i := range min(count, 3) {
		if err := busy(ctx, bin, filepath.Join(dir, fmt.Sprintf("busy%d", i)), samples); err != nil {
			return err
		}
	}
	return nil
}

type daemon struct {
	cmd  *exec.Cmd
	took time.Duration
}

// startDaemon runs the daemon in the foreground with a home of its own and waits until the CLI can reach it.
func startDaemon(ctx context.Context, bin, home string) (*daemon, error) {
	run := filepath.Join(home, "run")
	if err := os.MkdirAll(run, 0o700); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, bin, "daemon")
	cmd.Env = []string{"HOME=" + home, "XDG_RUNTIME_DIR=" + run, "PATH=" + os.Getenv("PATH")}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	sock := filepath.Join(run, "showhow", "daemon.sock")
	for deadline := start.Add(10 * time.Second); ; {
		if answers(sock) {
			return &daemon{cmd, time.Since(start)}, nil
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			cmd.Wait()
			return nil, fmt.Errorf("the daemon did not answer within 10 s")
		}
		time.Sleep(500 * time.Microsecond)
	}
}

func (d *daemon) stop() error {
	if runtime.GOOS == "windows" {
		d.cmd.Process.Kill()
	} else {
		d.cmd.Process.Signal(os.Interrupt)
	}
	done := make(chan error, 1)
	go func() { done <- d.cmd.Wait() }()
	select {
	case <-done:
		return nil
	case <-time.After(10 * time.Second):
		d.cmd.Process.Kill()
		<-done
		return fmt.Errorf("the daemon did not stop within 10 s")
	}
}

// cpu is the processor time used so far, -1 when unknown. Clock ticks are 10 ms on Linux.
func (d *daemon) cpu() time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", d.cmd.Process.Pid))
	if err != nil {
		return -1
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	u, _ := strconv.Atoi(f[11])
	s, _ := strconv.Atoi(f[12])
	return time.Duration(u+s) * 10 * time.Millisecond
}

func (d *daemon) rssMB() float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(b), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1024
		}
	}
	return 0
}

// answers reports whether the daemon's API answers on its socket.
func answers(sock string) bool {
	c := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", sock)
		}}}
	resp, err := c.Get("http://showhow/api/version")
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}
