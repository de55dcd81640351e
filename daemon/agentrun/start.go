package agentrun

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"showhow/adapters/receipts/report"
	"showhow/daemon/journal"
	"showhow/daemon/sandbox"
	"showhow/daemon/skill"
	"showhow/internal/agenthook"
	"showhow/internal/fault"
)

// Assignment is a run's purpose and what happens to its work.
type Assignment struct {
	Purpose        string // task or practice
	LearnSessionID string
	// Extract installs what the run made of a skill for review; without it the workspace is only examined.
	Extract bool
	// For is who else gets what the run prints: a caller from elsewhere, "" for nobody.
	For string
	// Plan is the hash of the plan that a person confirmed; another is not begun. "": whatever it is.
	Plan string
	// MaxActions ends the run when its hooks have reported more; 0 means no limit.
	MaxActions int
	// Look is called with the box when the agent has ended well and everything is still there; if it returns false,
	// the run fails.
	Look func(ctx context.Context, b *sandbox.Box) bool
}

// DefaultTimeout is how long an agent may work.
const DefaultTimeout = 30 * time.Minute

// Start starts a run and returns when the program is about to begin. There is no run without a sandbox.
func (s *Service) Start(ctx context.Context, r StartRequest) (Run, error) {
	return s.StartFor(ctx, r, Assignment{Purpose: "task", Extract: true})
}

// StartFor is Start for a purpose. Wait with Done.
func (s *Service) StartFor(ctx context.Context, r StartRequest, why Assignment) (Run, error) {
	if err := Probe(); err != nil {
		return Run{}, err
	}
	p, err := s.Plan(ctx, r)
	if err != nil {
		return Run{}, err
	}
	if why.Plan != "" && why.Plan != p.Hash {
		return Run{}, fault.New(fault.RevisionConflict, "the run would not be given what was confirmed").
			WithHint("look at it again and repeat")
	}
	l := &live{s: s, id: s.o.NewID(), why: why, plan: p, request: r, done: make(chan struct{}),
		tools: map[string]*ToolUse{}, began: time.Now(),
		answers: make(chan AnswerRequest)}
	s.cleared(ctx)
	if err := s.take(l); err != nil {
		return Run{}, err
	}
	l.ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	delivered := s.redactor(p.secrets)
	l.redact = func(t string) string { return delivered(l.saved.redact(t)) }
	l.run = s.record(l, r)
	if s.o.API != nil {
		l.api, l.apiOver = s.o.API(p.Agent, l.id)
	}
	if err := l.open(r); err != nil {
		l.close()
		s.release(l)
		return Run{}, err
	}
	l.mu.Lock()
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		return s.put(tx, &l.run, journal.RunStarted, "An agent's run began in the sandbox.")
	})
	run := l.run
	l.mu.Unlock()
	if err != nil {
		l.close()
		s.release(l)
		return Run{}, err
	}
	go func() {
		defer s.release(l)
		l.perform()
	}()
	return run, nil
}

// Done is closed when the run has ended and its outcome is recorded.
func (s *Service) Done(id string) <-chan struct{} {
	if l := s.running(id); l != nil {
		return l.done
	}
	over := make(chan struct{})
	close(over)
	return over
}

// cleared waits until a run whose end is recorded has been cleaned up.
func (s *Service) cleared(ctx context.Context) {
	s.mu.Lock()
	l := s.live
	s.mu.Unlock()
	if l == nil || !l.over.Load() {
		return
	}
	select {
	case <-l.done:
	case <-ctx.Done():
	}
}

// take makes l the active run.
func (s *Service) take(l *live) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing:
		return fault.New(fault.Cancelled, "the daemon is ending").WithHint("start it again, then repeat")
	case s.live != nil:
		return fault.New(fault.AgentRunActive, "another agent's run has not ended").WithDetail("run_id",
			s.live.id).WithHint("wait for it, or `showhow run cancel " + s.live.id + "`")
	}
	l.out = newOutput(func(t string) string { return l.redact(t) })
	s.live, s.last, s.lastID = l, l.out, l.id
	s.wg.Add(1)
	return nil
}

func (s *Service) release(l *live) {
	l.cancel()
	s.mu.Lock()
	s.live = nil
	s.mu.Unlock()
	close(l.done)
	s.wg.Done()
}

// redactor removes the delivered values from a text, and then other secrets.
func (s *Service) redactor(secrets map[string]string) func(string) string {
	var pairs []string
	for name, v := range secrets {
		if len(v) >= 4 {
			pairs = append(pairs, v, "[[credential "+name+"]]")
		}
	}
	r := strings.NewReplacer(pairs...)
	return func(t string) string { return s.o.Redact(r.Replace(t)) }
}

func (s *Service) record(l *live, r StartRequest) Run {
	run := Run{RunID: l.id, State: Running, Purpose: l.why.Purpose, For: l.why.For, LearnSessionID: l.why.LearnSessionID,
		Goal:         l.redact(r.Goal),
		Agent:        l.plan.Agent,
		AllowedHosts: l.plan.Hosts, GrantedHosts: []string{}, Credentials: l.plan.Credentials, ReadOnly: l.plan.ReadOnly, Skills: []SkillResult{},
		StartedAt: s.o.Now(), SchemaVersion: 1}
	for _, a := range r.Command {
		run.Command = append(run.Command, l.redact(a))
	}
	if k := l.plan.skill; k != nil {
		run.SkillSlug, run.AbilityID, run.SkillTrust = k.Slug, k.AbilityID, k.Trust
	}
	return run
}

// open makes workspace, socket and box.
func (l *live) open(r StartRequest) error {
	dir := l.s.folder(l.id)
	if err := makeFolder(dir); err != nil {
		return err
	}
	work := filepath.Join(dir, "work")
	files := []skill.File{brief(r, l.plan.skill, l.plan.Hosts, l.why),
		{Path: ".local/state/showhow/receipts/" + l.plan.Agent, Mode: 0o600, Data: []byte(report.ForSession)}}
	if k := l.plan.skill; k != nil {
		files = append(files, k.Bundle.Files...)
		files = append(files, skill.File{Path: ".showhow/baseline.json", Mode: 0o644, Data: l.plan.base.json()})
	}
	if err := furnish(work, files); err != nil {
		return err
	}
	if err := l.hook(work); err != nil {
		return err
	}
	socket := filepath.Join(dir, "s")
	ln, err := net.Listen("unix", socket)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the run's socket cannot be created")
	}
	ln.(*net.UnixListener).SetUnlinkOnClose(false) // the box still needs the file when nobody answers any more
	l.serve(ln)
	if err := os.Chmod(socket, 0o666); err != nil { // within a folder that only we can enter
		return fault.Wrap(err, fault.Internal, "the run's socket cannot be created")
	}
	spec := sandbox.Spec{Dir: work, ReadOnly: l.plan.ReadOnly, Hosts: slices.Clone(l.plan.Hosts), Network: true, Service: socket,
		Tools:   []string{AskTool, SaveTool, "showhow"},
		Timeout: DefaultTimeout, MaxMemory: r.Limits.MemoryMB << 20, MaxBytes: r.Limits.DiskMB << 20, MaxOutput: r.Limits.OutputKB << 10,
		MaxProcs: r.Limits.Processes, Lent: l.lend(work), Dial: l.s.o.Dial}
	if r.Limits.Seconds > 0 {
		spec.Timeout = time.Duration(r.Limits.Seconds) * time.Second
	}
	box, err := sandbox.Open(l.ctx, spec)
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.box = box
	l.mu.Unlock()
	l.command = sandbox.Command{Args: r.Command, Stdout: stream{l.out, "out"}, Stderr: stream{l.out, "err"}, Env: l.environment(r)}
	return nil
}

func (l *live) environment(r StartRequest) map[string]string {
	env := map[string]string{"SHOWHOW_GOAL": r.Goal, "SHOWHOW_ASK_SOCKET": l.box.ServiceSocket(), "SHOWHOW_HOOK_PATIENCE": "50"}
	if python := l.python(l.box.Dir()); python != "" {
		env["PYTHONPATH"] = python
	}
	for k, v := range l.plan.secrets {
		env[k] = v
	}
	return env
}

// hook makes a known agent report its calls, by its own settings file in the workspace.
func (l *live) hook(work string) error {
	if !l.plan.hook {
		return nil
	}
	dir := map[string]string{"claude-code": ".claude", "codex": ".codex"}[l.plan.Agent]
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(work, dir), 0o700); err != nil {
		return full(err)
	}
	p, err := agenthook.For(l.plan.Agent, agenthook.Env{
		Home: work, Exe: sandbox.Program(), MarkDir: sandbox.HomeIn(work) + "/.local/state/showhow/receipts"})
	if err != nil {
		return err
	}
	_, err = p.Install()
	return err
}
