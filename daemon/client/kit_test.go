package client_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"showhow/capture"
	"showhow/capture/live"
	"showhow/daemon/ability"
	"showhow/daemon/access"
	"showhow/daemon/api"
	"showhow/daemon/client"
	"showhow/daemon/compile"
	"showhow/daemon/credential"
	"showhow/daemon/learn"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/await"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/syncbuf"
	"showhow/internal/version"
	"showhow/store"
	"showhow/store/keys"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is the real thing from the client to the database; only what observes is played.
type house struct {
	t      *testing.T
	db     *store.Store
	learn  *learn.Service
	api    *api.Server
	live   *live.Stream
	stage  *stage
	socket string
	grant  string
	log    *syncbuf.Buffer
	stop   func()
	user   *client.Client // the person, by the demo grant
}

func newHouse(t *testing.T) *house {
	t.Helper()
	dir := t.TempDir()
	run, err := os.MkdirTemp("", "sh")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(run) })
	h := &house{t: t, socket: filepath.Join(run, "run", "s.sock"), grant: access.NewToken(""), log: &syncbuf.Buffer{}, live: live.New(64)}
	ring := keys.Files(filepath.Join(dir, "keys"))
	h.db, err = store.Open(t.Context(), store.Options{Dir: filepath.Join(dir, "data"), Keys: ring})
	h.ok(err)
	log := slog.New(slog.NewTextHandler(h.log, nil))
	skills := ability.New(ability.Options{Store: h.db.Abilities(), MemoryRoot: h.db.Memory(),
		Targets: []ability.Target{{Name: "openclaw", Dir: filepath.Join(dir, "home", "skills")}}})
	_, err = skills.Recover(t.Context())
	h.ok(err)
	runner := rehearse.New(rehearse.Options{Store: h.db.Runs(), Env: ability.Environment{Adapter: func(string) (bool, string) {
		return true, ""
	}}})
	h.stage = &stage{h: h, traces: map[string]string{}}
	h.learn = learn.New(learn.Deps{Store: h.db.Learn(), Capturer: h.stage, Observations: h.db.LearnObservations(ring), Purger: h.db,
		Compile: compile.Compile, Validator: runner, Installer: skills, MemoryRoot: h.db.Memory()})
	h.ok(h.learn.Recover(t.Context()))
	h.api = api.New(api.Deps{Learn: h.learn, Abilities: skills, Access: h.db, Events: h.db, Records: h.db, Live: h.live,
		Credentials: credential.New(credential.Options{Store: h.db.Credentials()}),
		Version:     version.Get(),
		DemoGrant:   h.grant, AncestryUntil: os.Getpid(), Log: log, Keepalive: time.Minute})
	h.serve()
	h.user = client.Unix(h.socket, client.WithDemoGrant(h.grant))
	t.Cleanup(func() {
		h.stop()
		h.live.Close()
		h.learn.Close(context.Background())
		runner.Close()
		h.db.Close()
		// A code that an operation answers and does not document is a hole in the contract.
		if strings.Contains(h.log.String(), "does not document") {
			t.Error(h.log.String())
		}
	})
	return h
}

// serve answers on the socket and the port until stop.
func (h *house) serve() {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 2)
	go func() { done <- h.api.ServeUnix(ctx, h.socket) }()
	go func() { done <- h.api.ServeTCP(ctx) }()
	h.stop = sync.OnceFunc(func() {
		cancel()
		for range 2 {
			if err := <-done; err != nil {
				h.t.Error(err)
			}
		}
	})
	await.Until(h.t, "the socket", func() bool {
		c, err := net.Dial("unix", h.socket)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

func (h *house) ok(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) code(err error, want fault.Code) *fault.Error {
	h.t.Helper()
	if !fault.Is(err, want) {
		h.t.Fatalf("got %v, want %s", err, want)
	}
	return fault.From(err)
}

func request() client.CreateRequest {
	return client.CreateRequest{EntryMode: state.DemonstratingSkill, ObservationMode: state.ObserveOutside, Goal: "Back up the notes folder",
		Scope: &wire.Scope{Shells: []string{"pts/3"}}}
}

// stopped is a session with n observations.
func (h *house) stopped(n int) client.Session {
	h.t.Helper()
	made, err := h.user.CreateSession(h.t.Context(), request())
	h.ok(err)
	id := made.Session.LearnSessionID
	_, err = h.user.StartSession(h.t.Context(), id)
	h.ok(err)
	h.stage.act(id, n)
	out, err := h.user.StopSession(h.t.Context(), id)
	h.ok(err)
	return out.Session
}

// ready is a session whose draft has passed its validation.
func (h *house) ready() (client.Session, client.ProposalDetail) {
	h.t.Helper()
	s := h.stopped(3)
	made, err := h.user.GenerateProposal(h.t.Context(), s.LearnSessionID)
	h.ok(err)
	_, err = h.user.Validate(h.t.Context(), made.ProposalID, client.ValidateRequest{})
	h.ok(err)
	h.ok(h.learn.WaitRuns(h.t.Context(), made.ProposalID))
	s, err = h.user.Session(h.t.Context(), s.LearnSessionID)
	h.ok(err)
	p, err := h.user.Proposal(h.t.Context(), made.ProposalID)
	h.ok(err)
	if s.State != state.ReadyForReview {
		runs, _ := h.user.ValidationRuns(h.t.Context(), made.ProposalID, client.PageQuery{})
		h.t.Fatalf("%s: %+v", s.State, runs)
	}
	return s, p
}

// stage plays the adapters.
type stage struct {
	h      *house
	mu     sync.Mutex
	traces map[string]string
}

func (c *stage) Check(context.Context, []wire.AdapterKind) error { return nil }
func (c *stage) Start(_ context.Context, s wire.LearnSession, trace string) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.traces[s.LearnSessionID] = trace
	return []string{"terminal_command"}, nil
}
func (c *stage) Pause(string)                               {}
func (c *stage) Resume(string) error                        { return nil }
func (c *stage) Rescope(context.Context, wire.LearnSession) {}
func (c *stage) Stop(context.Context, string) error         { return nil }
func (c *stage) Preview(ctx context.Context, _ wire.LearnSession, show func(wire.PreviewUpdate) error) error {
	if err := show(wire.PreviewUpdate{Adapters: []string{"terminal_command"}}); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

func (c *stage) Counts(string) port.Counts { return port.Counts{} }

// act performs n observations.
func (c *stage) act(id string, n int) []capture.Record {
	c.h.t.Helper()
	c.mu.Lock()
	trace := c.traces[id]
	c.mu.Unlock()
	var out []capture.Record
	for i := range n {
		cmd, at := commands[i%len(commands)], time.Now()
		e := capture.Event{EventID: clock.NewID(), LearnSessionID: id, AdapterKind: capture.TerminalCommand, AppFamily: "bash",
			ActionLabel:       fmt.Sprintf("ran %d", i),
			CausedStateChange: true, RedactionMode: "none", CreatedAt: clock.At(at), SchemaVersion: 1}
		run := &capture.Command{Line: cmd.line, Program: cmd.program, Shell: "bash", CwdFrom: "~/work", CwdTo: "~/work"}
		out = append(out, capture.Record{TraceID: trace, Event: e, Before: &capture.State{Cwd: "~/work"},
			After:  &capture.State{Cwd: "~/work", Files: []capture.File{{Name: cmd.file, Ext: filepath.Ext(cmd.file), Size: 100}}},
			Action: capture.Action{Verb: capture.Run, OccurredAt: at.UTC().Format("2006-01-02T15:04:05.000000Z"), Command: run}})
	}
	c.h.ok(c.h.db.Append(context.Background(), out))
	c.h.live.Publish(out)
	return out
}

// commands are what the person demonstrates in a shell.
var commands = []struct{ line, program, file string }{
	{"tar czf notes.tar.gz notes", "tar", "notes.tar.gz"},
	{"sha256sum notes.tar.gz > notes.sha256", "sha256sum", "notes.sha256"},
	{"cp notes.tar.gz archive.tar.gz", "cp", "archive.tar.gz"},
}
