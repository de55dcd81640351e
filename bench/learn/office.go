package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"showhow/bench/corpus"
	"showhow/daemon/client"
	"showhow/demo/driver"
)

// pace is the time between two movements of the person's hands: brisk, and the same everywhere.
const pace = 4 * time.Millisecond

// office is a daemon in a home of its own with a person at its browser and in a shell that it may watch.
type office struct {
	dir, home, run, bin, grant string

	daemon  *exec.Cmd
	ended   chan struct{}
	errors  safeBuffer
	c       *client.Client
	world   *corpus.World
	stage   *corpus.Stage
	browser string // address for the person's hands
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// openOffice starts everything. Paths are short: a socket's is limited to 104 bytes.
func openOffice(ctx context.Context, bin string) (*office, error) {
	dir, err := os.MkdirTemp("", "shl")
	if err != nil {
		return nil, err
	}
	o := &office{dir: dir, home: filepath.Join(dir, "home"), run: filepath.Join(dir, "run"), bin: bin, grant: rand.Text() + rand.Text()}
	if err := o.open(ctx); err != nil {
		err = fmt.Errorf("%w\n%s", err, o.errors.String())
		o.close()
		return nil, err
	}
	return o, nil
}

func (o *office) downloads() string { return filepath.Join(o.home, "Downloads") }

func (o *office) environ(more ...string) []string {
	env := []string{"HOME=" + o.home, "XDG_RUNTIME_DIR=" + o.run, "TMPDIR=" + o.dir, "SHELL=/bin/bash", "TERM=xterm", "LANG=C.UTF-8",
		"PATH=" + os.Getenv("PATH"),
		"GIT_CONFIG_SYSTEM=/dev/null"}
	if v := os.Getenv("SHOWHOW_BROWSER"); v != "" {
		env = append(env, "SHOWHOW_BROWSER="+v)
	}
	return append(env, more...)
}

func (o *office) open(ctx context.Context) (err error) {
	for _, d := range []string{o.downloads(), o.run, filepath.Join(o.home, ".config", "showhow")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	config := "idle_exit_minutes = 0\n\n[[targets]]\nname = \"agents\"\ndir = \"~/.agents/skills\"\n"
	if err := os.WriteFile(filepath.Join(o.home, ".config", "showhow", "config.toml"), []byte(config), 0o600); err != nil {
		return err
	}
	if o.world, err = corpus.NewWorld(); err != nil {
		return err
	}
	if err := o.startDaemon(ctx); err != nil {
		return err
	}
	c := driver.Config{Home: o.home, Showhow: o.bin, Env: o.environ(), Pace: pace, Patience: 40 * time.Second}
	o.stage = &corpus.Stage{World: o.world, Home: o.home, Downloads: o.downloads()}
	if o.stage.Shell, err = driver.StartShell(ctx, c); err != nil {
		return err
	}
	opened, err := o.c.OpenBrowser(ctx, o.world.URL("library"))
	if err != nil {
		return err
	}
	o.browser = opened.DebugURL
	o.stage.Hands, err = driver.Sit(ctx, o.browser, c)
	return err
}

func (o *office) startDaemon(ctx context.Context) error {
	o.daemon = exec.Command(o.bin, "daemon", "--json")
	o.daemon.Env = o.environ("SHOWHOW_DEMO_GRANT="+o.grant, "SHOWHOW_DEMO_BROWSER=1", "SHOWHOW_DEMO_DOWNLOADS="+o.downloads())
	o.daemon.Stderr = &o.errors
	if err := o.daemon.Start(); err != nil {
		return err
	}
	o.ended = make(chan struct{})
	go func() {
		defer close(o.ended)
		_ = o.daemon.Wait()
	}()
	o.c = client.Unix(filepath.Join(o.run, "showhow", "daemon.sock"), client.WithDemoGrant(o.grant))
	for limit := time.After(60 * time.Second); ; {
		if _, err := o.c.Version(ctx); err == nil {
			return nil
		}
		select {
		case <-o.ended:
			return fmt.Errorf("the daemon ended")
		case <-limit:
			return fmt.Errorf("the daemon does not answer")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// close ends everything, the person first.
func (o *office) close() {
	if o.stage != nil && o.stage.Shell != nil {
		o.stage.Shell.Close()
	}
	if o.stage != nil && o.stage.Hands != nil {
		o.stage.Hands.Leave()
	}
	if o.ended != nil {
		_ = o.daemon.Process.Signal(os.Interrupt)
		select {
		case <-o.ended:
		case <-time.After(20 * time.Second):
			_ = o.daemon.Process.Kill()
			<-o.ended
		}
	}
	if o.world != nil {
		o.world.Close()
	}
	_ = os.RemoveAll(o.dir)
}
