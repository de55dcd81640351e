package process

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/capture"
	"showhow/capture/pipeline"
	"showhow/capture/redact"
	"showhow/internal/clock"
)

// memory keeps what would be stored.
type memory struct {
	mu      sync.Mutex
	records []capture.Record
}

func (m *memory) Append(_ context.Context, r []capture.Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.records = append(m.records, r...)
	return nil
}

func (m *memory) text(t *testing.T) string {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	b, err := json.Marshal(m.records)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ToLower(string(b))
}

// into is a pipeline as a sink.
type into struct {
	*pipeline.Pipeline
	*observed
}

func (i into) Emit(o capture.Observation) { i.Pipeline.Emit(o); i.observed.Sink.Emit(o) }
func (i into) Withhold(k capture.Kind, w capture.WithheldReason, n int64) {
	i.Pipeline.Withhold(k, w, n)
	i.observed.Sink.Withhold(k, w, n)
}

// Secrets in arguments, and everything outside the scope, never reach the store.
func TestNothingSecretIsKept(t *testing.T) {
	t.Parallel()
	needEvents(t)
	dir := t.TempDir()
	tool, deploy, browser := program(t, dir, "sleep", "tool9"), program(t, dir, "sh", "deploy"), program(t, dir, "sh", "vivaldi")
	scope := capture.Scope{Apps: []string{"tool9", "deploy", "vivaldi"}, Sites: []string{"shop.test"}}
	red, err := redact.Load()
	if err != nil {
		t.Fatal(err)
	}
	defer red.Close()
	log := &memory{}
	pipe, err := pipeline.New(pipeline.Config{SessionID: "s", TraceID: "t", Target: "g", ObservationMode: capture.OutsideAgent,
		Scope: scope, Values: capture.ValuePolicy{Default: capture.Masked}, Key: make([]byte, 32), Home: dir, Log: log, Redactor: red,
		Now: time.Now, NewID: clock.NewID})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- pipe.Run(context.Background()) }()
	defer func() { _ = pipe.Close(); <-done }()
	pipe.Start()

	o := observeInto(t, nobody(), scope, func(o *observed) adapters.Sink { return into{pipe, o} })
	inside := [][]string{
		{deploy, "-c", "sleep 0.15", "x", "--password=c4nary-flag", "--token", "c4nary-token", "--verbose"},
		{deploy, "-c", "sleep 0.15", "x", "postgres://joe:c4nary-url@db/x"},
		{deploy, "-c", "export API_TOKEN=c4narytoken4711; sleep 0.15"},
		{deploy, "-c", "sleep 0.15; : curl -u joe:c4nary-curl https://x.test; : mysql -pc4nary-mysql"},
		{deploy, "-c", "sleep 0.15", "x", "Authorization: Bearer c4nary.bearer.0123456789abcdef"},
		{deploy, "-c", "sleep 0.15", "x", "a note: c4nary free text"},
		{browser, "-c", "sleep 0.15", "https://c4nary.test/path?q=c4nary", "--app=https://c4nary.test"},
	}
	for _, args := range inside {
		run(t, exec.Command(args[0], args[1:]...))
	}
	private := exec.Command(browser, "-c", "sleep 0.15", "--incognito", "c4nary")
	run(t, private)
	folder := filepath.Join(dir, "c4nary folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	off := exec.Command(program(t, folder, "sh", "c4nary-program"), "-c", "c4nary=1; sleep 0.15; "+tool+" 0.15")
	off.Dir, off.Env = dir, append(os.Environ(), "C4NARY=c4nary")
	run(t, off)
	seen := o.settled(tool)
	if len(seen) != len(inside)+1 {
		t.Errorf("%d launches, not %d:\n%s", len(seen), len(inside)+1, lines(seen))
	}
	if err := pipe.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := log.text(t)
	if strings.Contains(all, "c4nary") {
		t.Errorf("something came through: %s", all)
	}
	if !strings.Contains(all, "--verbose") || !strings.Contains(all, "~/deploy") {
		t.Errorf("nothing is left of the commands: %s", all)
	}
	if o.Withheld(capture.PrivateData) != 1 {
		t.Error("the private window is not counted")
	}
}
