// Package office runs a real daemon in throw-away directories and uses it through its API, as a person does, with a
// person's hands at the browser that it observes.
//
// Several offices may be open at once; each has its own home, and everything it started has ended when Close returns.
// The caller decides what is demonstrated there.
//
// The measurements under bench import it. It is tested through them.
package office

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"showhow/daemon/client"
	"showhow/demo/driver"
	"showhow/internal/syncbuf"
)

// Pace is the time between two movements of the person's hands: brisk, and the same everywhere.
const Pace = 4 * time.Millisecond

// Office is one daemon with its home.
type Office struct {
	Dir, Home string
	C         *client.Client
	Browser   string        // address for the person's hands
	Hands     *driver.Hands // at that browser

	run, bin, grant string
	daemon          *exec.Cmd
	ended           chan struct{}
	errors          syncbuf.Buffer
}

// Build builds the measured program in dir and returns its path.
func Build(ctx context.Context, dir string) (string, error) {
	bin := filepath.Join(dir, "showhow")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", bin, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %v: %s", err, out)
	}
	return bin, nil
}

// Open starts a daemon. Paths are short: a socket's path is limited to 104 bytes.
func Open(ctx context.Context, bin string) (*Office, error) {
	dir, err := os.MkdirTemp("", "shl")
	if err != nil {
		return nil, err
	}
	o := &Office{Dir: dir, Home: filepath.Join(dir, "home"), run: filepath.Join(dir, "run"), bin: bin, grant: rand.Text() + rand.Text()}
	if err := o.open(ctx); err != nil {
		err = fmt.Errorf("%w\n%s", err, o.errors.String())
		o.Close()
		return nil, err
	}
	return o, nil
}

// Downloads is the browser's download folder.
func (o *Office) Downloads() string { return filepath.Join(o.Home, "Downloads") }

func (o *Office) environ(more ...string) []string {
	env := []string{"HOME=" + o.Home, "XDG_RUNTIME_DIR=" + o.run, "TMPDIR=" + o.Dir, "SHELL=/bin/bash", "TERM=xterm", "LANG=C.UTF-8",
		"PATH=" + os.Getenv("PATH"),
		"GIT_CONFIG_SYSTEM=/dev/null"}
	if v := os.Getenv("SHOWHOW_BROWSER"); v != "" {
		env = append(env, "SHOWHOW_BROWSER="+v)
	}
	return append(env, more...)
}

// Config is the configuration of the person's hands.
func (o *Office) Config() driver.Config {
	return driver.Config{Home: o.Home, Showhow: o.bin, Env: o.environ(), Pace: Pace, Patience: 40 * time.Second}
}

func (o *Office) open(ctx context.Context) (err error) {
	for _, d := range []string{o.Downloads(), o.run, filepath.Join(o.Home, ".config", "showhow")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	config := "idle_exit_minutes = 0\n\n[[targets]]\nname = \"agents\"\ndir = \"~/.agents/skills\"\n"
	if err := os.WriteFile(filepath.Join(o.Home, ".config", "showhow", "config.toml"), []byte(config), 0o600); err != nil {
		return err
	}
	return o.startDaemon(ctx)
}

// Sit opens the observed browser at an address, and the person sits down at it.
func (o *Office) Sit(ctx context.Context, address string) error {
	opened, err := o.C.OpenBrowser(ctx, address)
	if err != nil {
		return err
	}
	o.Browser = opened.DebugURL
	o.Hands, err = driver.Sit(ctx, o.Browser, o.Config())
	return err
}

func (o *Office) startDaemon(ctx context.Context) error {
	o.daemon = exec.Command(o.bin, "daemon", "--json")
	o.daemon.Env = o.environ("SHOWHOW_DEMO_GRANT="+o.grant, "SHOWHOW_DEMO_BROWSER=1", "SHOWHOW_DEMO_DOWNLOADS="+o.Downloads())
	o.daemon.Stderr = &o.errors
	if err := o.daemon.Start(); err != nil {
		return err
	}
	o.ended = make(chan struct{})
	go func() {
		defer close(o.ended)
		_ = o.daemon.Wait()
	}()
	o.C = client.Unix(filepath.Join(o.run, "showhow", "daemon.sock"), client.WithDemoGrant(o.grant))
	for limit := time.After(60 * time.Second); ; {
		if _, err := o.C.Version(ctx); err == nil {
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

// Close ends everything, the person first.
func (o *Office) Close() {
	if o.Hands != nil {
		o.Hands.Leave()
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
	_ = os.RemoveAll(o.Dir)
}

// quiet is how long nothing new must come before the person presses stop.
const quiet = 500 * time.Millisecond

// Settle waits until the recorder has reported the whole last act, as long as a person takes to reach the stop
// button.
func (o *Office) Settle(ctx context.Context, session string) error {
	var kept int64 = -1
	since := time.Now()
	for limit := time.Now().Add(30 * time.Second); time.Since(since) < quiet; {
		s, err := o.C.ObservationScope(ctx, session)
		if err != nil { // a busy machine; it is asked again
			if time.Now().After(limit) {
				return err
			}
			time.Sleep(200 * time.Millisecond)
			continue
		}
		if s.CaptureState != "capturing" {
			return fmt.Errorf("capture is %s (%s)", s.CaptureState, s.PauseReason)
		}
		if s.EventsKept != kept {
			kept, since = s.EventsKept, time.Now()
		}
		if time.Now().After(limit) {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil
}

// Indicate claims that this terminal indicates capture, until the returned function is called.
func (o *Office) Indicate(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			_, _ = o.C.RenewIndicator(ctx, "terminal") // a lease that runs out pauses the capture, which Settle notices
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return func() { cancel(); <-done }
}

// Answer answers each open question with its suggestion, as a person in a hurry would.
func (o *Office) Answer(ctx context.Context, session string, d client.ProposalDetail) (client.ProposalDetail, error) {
	var answers []client.AnswerItem
	for _, q := range d.Questions {
		if a := q.Suggested; !q.Answered && a != "" {
			answers = append(answers, client.AnswerItem{QuestionID: q.QuestionID, AnswerText: a})
		}
	}
	if len(answers) == 0 {
		return d, nil
	}
	if _, err := o.C.AnswerQuestions(ctx, session, client.AnswerQuestionsRequest{Answers: answers}); err != nil {
		return d, err
	}
	return o.C.Proposal(ctx, d.Proposal.ProposalID)
}
