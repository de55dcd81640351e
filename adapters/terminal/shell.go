package terminal

import (
	"fmt"
	"strings"
	"time"

	"showhow/adapters"
	"showhow/capture"
	"showhow/capture/cmdline"
)

// shell is the state of one shell in a captured terminal. Nested shells share the terminal, not this.
type shell struct {
	process
	marked bool  // it reported showing the mark
	ran    int64 // how many commands were reported by a shell that does not count
	files  listing
	looked time.Time // when files was read after a command
}

// samePrompt is how soon after a command's report the mark of the same prompt comes.
const samePrompt = time.Second

// same reports whether two looks at a pid saw the same program: neither another process that reused the pid, nor a
// program that replaced it by exec.
func (p process) same(q process) bool { return p.start == q.start && p.image == q.image }

// idle is a shell that sits at its prompt: its folder is listed now, to determine the effects of its next command.
func idle(pid int) *shell {
	s := &shell{}
	if now, ok := look(pid); ok {
		s.process = now
	}
	if dir := cwdOf(pid); dir != "" {
		s.files = list(dir)
	}
	return s
}

// take reads bytes from the shells and emits what they report.
func (p *pipe) take(in *parser, b []byte) {
	in.feed(b, p.handle)
	if n := in.take(); n > 0 {
		p.sink.Withhold(capture.TerminalCommand, capture.Overflow, n)
	}
}

// spooled emits what fish shells report; n were refused.
func (p *pipe) spooled(records []record, n int64) {
	for _, r := range records {
		p.handle(r)
	}
	if n > 0 {
		p.sink.Withhold(capture.TerminalCommand, capture.Overflow, n)
	}
}

func (p *pipe) handle(r record) {
	s := p.of(r.pid)
	if s == nil {
		return // not a shell of this terminal
	}
	if r.lost > 0 {
		p.sink.Withhold(capture.TerminalCommand, capture.Overflow, r.lost)
	}
	switch r.kind {
	case "mark":
		s.prompted(r.cwdTo, p.now())
		p.mu.Lock()
		s.marked = true
		p.mu.Unlock()
		p.shown(s.process)
		p.sink.Indicate(Indicator)
	case "hold":
		s.files = list(r.cwdTo)
		p.withhold(holdReason(r.reason))
	case "run":
		p.run(s, r)
	}
}

// prompted lists the folder in which the next command starts. Within samePrompt of a command's report it keeps the
// listing taken then: by now the next command may be running.
func (s *shell) prompted(dir string, now time.Time) {
	if s.files.dir != dir || now.Sub(s.looked) > samePrompt {
		s.files = list(dir)
	}
}

// of returns the state of the shell with this pid, which must belong to this terminal.
func (p *pipe) of(pid int) *shell {
	now, ok := look(pid)
	if ok && now.tty != "" && now.tty != p.tty {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.shells[pid]
	if s == nil || (ok && !s.same(now)) {
		s = &shell{process: now}
		p.shells[pid] = s
	}
	return s
}

// withhold counts a command, and tells a PrivacyListener if it was private.
func (p *pipe) withhold(reason capture.WithheldReason) {
	if c, ok := p.sink.(adapters.PrivacyListener); ok && (reason == capture.ShellPrivate || reason == capture.HistoryOff) {
		c.Private(p.tty, p.now())
	}
	p.sink.Withhold(capture.TerminalCommand, reason, 1)
}

func holdReason(s string) capture.WithheldReason {
	switch s {
	case string(capture.HistoryOff):
		return capture.HistoryOff
	case string(capture.TooLong):
		return capture.TooLong
	}
	return capture.ShellPrivate
}

// run emits one command with its effects, or counts it.
func (p *pipe) run(s *shell, r record) {
	before := s.files
	end := r.end
	if r.shell == "fish" {
		end = end.Add(tick)
	}
	after := list(r.cwdFrom).until(end, r.line, before)
	if s.files = after; r.cwdTo != r.cwdFrom {
		s.files = list(r.cwdTo)
	}
	s.looked = p.now()
	if r.seq == 0 {
		s.ran++
		r.seq = s.ran
	}
	if reason := p.withheld(r); reason != "" {
		p.withhold(reason)
		return
	}
	o := capture.Observation{
		Key:        fmt.Sprintf("%s.%d.%x.%d", p.nonce, r.pid, s.image, r.seq),
		Kind:       capture.TerminalCommand,
		Origin:     capture.Origin{App: r.shell, Shell: p.tty, PID: r.pid, Own: cmdline.OwnCommand(r.line)},
		OccurredAt: r.start,
		Verb:       capture.Run,
		Surface:    capture.SurfaceWrapper,
	}
	if !o.Origin.Own {
		was, is := effects(before, after)
		o.Command = &capture.RawCommand{Line: r.line, Shell: r.shell, CwdFrom: r.cwdFrom, CwdTo: r.cwdTo, Exit: r.exit,
			Duration: r.end.Sub(r.start), Seq: r.seq}
		o.Before = &capture.State{Cwd: r.cwdFrom, Files: was}
		o.After = &capture.State{Cwd: r.cwdTo, Files: is}
		o.Changed = r.cwdFrom != r.cwdTo || len(was)+len(is) > 0
	}
	p.sink.Emit(o)
}

// withheld is the reason why a reported command is not described; "" if it is.
func (p *pipe) withheld(r record) capture.WithheldReason {
	created := p.created.Load()
	switch {
	case created == nil || r.start.Before(*created):
		return capture.NotCapturing
	case r.tooLong:
		return capture.TooLong
	case r.spaced && strings.TrimLeft(r.line, " \t") != r.line:
		return capture.ShellPrivate
	case strings.TrimSpace(r.line) == "":
		return capture.HistoryOff
	}
	return ""
}
