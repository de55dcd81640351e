package driver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/adapters/terminal"
	"showhow/browser"
	"showhow/capture"
	"showhow/demo/orderdesk"
)

// TestMain lets this binary stand in for showhow's shell-init.
func TestMain(m *testing.M) {
	if len(os.Args) < 3 || os.Args[1] != "shell-init" {
		os.Exit(m.Run())
	}
	if os.Args[2] == "--nonblock" {
		fd, _ := strconv.Atoi(os.Args[3])
		if terminal.SetNonblock(fd) != nil {
			os.Exit(1)
		}
		return
	}
	exe, _ := os.Executable()
	script, err := terminal.Script(os.Args[2], terminal.Options{Exe: exe, RuntimeDir: filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "showhow")})
	if err != nil {
		os.Exit(1)
	}
	fmt.Print(script)
}

// stage is everything a demonstration needs: a desk, a browser, and the driver at the other end of two pipes.
type stage struct {
	t        *testing.T
	desk     *orderdesk.Desk
	url      string
	browser  *browser.Browser
	download string
	runtime  string
	tty      string
	orders   *json.Encoder
	reports  *json.Decoder
}

func newStage(t *testing.T, seed uint64) *stage {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	if _, err := browser.Find(); err != nil {
		t.Skip("no browser here")
	}
	s := &stage{t: t, desk: orderdesk.New(seed)}
	server := httptest.NewServer(s.desk.Handler())
	t.Cleanup(server.Close)
	s.url = server.URL + "/"
	home := t.TempDir()
	s.download = filepath.Join(home, "Downloads")
	headless := true
	var err error
	s.browser, err = browser.Launch(t.Context(), browser.Options{Headless: &headless, NoSandbox: true, Port: true, DownloadDir: s.download})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.browser.Close() })

	root := t.TempDir()
	s.runtime = filepath.Join(root, "showhow")
	if err := terminal.EnsureDir(s.runtime); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Run(context.Background(), inR, outW, Config{Home: home, Showhow: exe, Pace: 2 * time.Millisecond,
			Env: []string{"PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + root, "GORACE=atexit_sleep_ms=0"}})
		_ = outW.Close()
	}()
	t.Cleanup(func() {
		_ = inW.Close()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	s.orders, s.reports = json.NewEncoder(inW), json.NewDecoder(outR)
	ready := s.report()
	if ready.Report != "ready" || !terminal.ValidTTY(ready.TTY) || ready.PID == 0 {
		t.Fatalf("not ready: %+v", ready)
	}
	s.tty = ready.TTY
	return s
}

func (s *stage) report() Report {
	s.t.Helper()
	var r Report
	if err := s.reports.Decode(&r); err != nil {
		s.t.Fatal(err)
	}
	return r
}

// perform has a plan performed and returns the completed steps and the last report.
func (s *stage) perform(p Plan) ([]string, Report) {
	s.t.Helper()
	if err := s.orders.Encode(Order{Order: "perform", DebugURL: s.browser.DebugURL(), Plan: p}); err != nil {
		s.t.Fatal(err)
	}
	var steps []string
	for {
		r := s.report()
		if r.Report != "step" {
			return steps, r
		}
		steps = append(steps, r.Step)
	}
}

func TestPerformsThePlan(t *testing.T) {
	s := newStage(t, 11)
	sink := adaptertest.NewSink()
	ctx, cancel := context.WithCancel(t.Context())
	ended, ready := make(chan error, 1), make(chan struct{})
	go func() {
		ended <- terminal.New(s.runtime).Run(ctx, adapters.Session{Scope: capture.Scope{Shells: []string{s.tty}}}, sink,
			func(adapters.Control) { close(ready) })
	}()
	<-ready
	t.Cleanup(func() { cancel(); <-ended })

	for i, id := range []string{"A-1042", "A-1003"} {
		o, _ := s.desk.Order(id)
		p := PlanFor(o, s.url, s.download)
		if i == 1 { // another way to the same end
			p.Search, p.Quantity, p.Mistake = o.City, 9, false
		}
		steps, last := s.perform(p)
		if last.Report != "done" || !last.Watched || last.File != "order-"+id+".csv" {
			t.Fatalf("after %q: %+v", steps, last)
		}
		now, _ := s.desk.Order(id)
		if now.Status != p.Status || now.Delivery.Format(orderdesk.DateLayout) != p.Delivery || now.Note != p.Note || !now.Notify {
			t.Errorf("planned %+v, the order is %+v", p, now)
		}
		if i == 1 && now.Quantity != 9 {
			t.Errorf("quantity %d", now.Quantity)
		}
		summary, err := os.ReadFile(filepath.Join(s.download, "summary.csv"))
		if want := strings.Repeat(id+","+p.Status+"\n", len(o.Lines)); err != nil || string(summary) != "order,status\n"+want {
			t.Errorf("summary %q, want %q", summary, want)
		}
	}
	seen := sink.Wait(t, "the shell's commands", time.Minute, func(seen []adaptertest.Seen) bool { return len(seen) >= 8 })
	for i, want := range []string{"cd ~/Downloads", "wc -l order-A-1042.csv", "cut -d, -f1,4 order-A-1042.csv > summary.csv"} {
		if got := seen[i].Command.Line; got != want {
			t.Errorf("command %d is %q", i, got)
		}
	}
	if f := seen[2].After.Files; len(f) != 1 || f[0].Name != "summary.csv" {
		t.Errorf("the command's effect: %+v", seen[2].After)
	}
}

func TestPlantsCanaries(t *testing.T) {
	s := newStage(t, 4)
	s.desk.AddAccount("clerk", "canary-password")
	elsewhere := orderdesk.New(5)
	other := httptest.NewServer(elsewhere.Handler())
	t.Cleanup(other.Close)
	o, _ := s.desk.Order("A-1058") // not on the first page
	p := PlanFor(o, s.url, s.download)
	p.Search = " "
	p.Canaries = &Canaries{OffSiteURL: other.URL, OffSiteText: "canary-elsewhere", Password: "canary-password",
		Token: "canary-token", Private: "echo canary-private"}
	steps, last := s.perform(p)
	if last.Report != "done" {
		t.Fatalf("after %q: %+v", steps, last)
	}
	for _, want := range []string{"log in", "look at another site", "set a token", "run a private command"} {
		if !strings.Contains(strings.Join(steps, "\n"), want) {
			t.Errorf("no step %q in %q", want, steps)
		}
	}
}

func TestFailuresAreReported(t *testing.T) {
	s := newStage(t, 1)
	_, last := s.perform(Plan{StartURL: s.url, OrderID: "A-9999", DownloadDir: s.download})
	if last.Report != "error" || last.Step != "open the order" || last.Error == "" {
		t.Errorf("an order that is not there: %+v", last)
	}
	if err := s.orders.Encode(Order{Order: "dance"}); err != nil {
		t.Fatal(err)
	}
	if last := s.report(); last.Report != "error" {
		t.Errorf("an unknown order: %+v", last)
	}
}

func TestCommandsAreQuoted(t *testing.T) {
	p := Plan{Status: "shipped", OrderID: "A-1"}
	got := p.command("cat {file} {status} {order} {stem}", "order A (1).csv")
	if want := "cat 'order A (1).csv' shipped A-1 'order A (1)'"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
