package terminal

import (
	"fmt"
	"strings"

	"showhow/capture"
)

// shell is what is known of one shell in a captured terminal. Nested shells share the terminal, not this.
type shell struct {
	start  uint64 // of its process
	marked bool   // it reported showing the mark
	files  listing
}

// idle is a shell that sits at its prompt: its folder is looked at now, so that its next command's effects can be told.
func idle(pid int) *shell {
	s := &shell{}
	if now, ok := look(pid); ok {
		s.start = now.start
	}
	if dir := cwdOf(pid); dir != "" {
		s.files = list(dir)
	}
	return s
}

// take reads bytes from the shells and hands over what they report.
func (p *pipe) take(in *parser, b []byte) {
	in.feed(b, p.handle)
	if n := in.take(); n > 0 {
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
		s.files = list(r.cwdTo)
		p.mu.Lock()
		s.marked = true
		p.mu.Unlock()
		p.sink.Indicate(Indicator)
	case "hold":
		s.files = list(r.cwdTo)
		p.sink.Withhold(capture.TerminalCommand, holdReason(r.reason), 1)
	case "run":
		p.run(s, r)
	}
}

// of finds the state of the shell with this pid, which must belong to this terminal.
func (p *pipe) of(pid int) *shell {
	now, ok := look(pid)
	if ok && now.tty != "" && now.tty != p.tty {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.shells[pid]
	if s == nil || (ok && s.start != now.start) {
		s = &shell{start: now.start}
		p.shells[pid] = s
	}
	return s
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

// run hands over one command with its effects, or counts it.
func (p *pipe) run(s *shell, r record) {
	before := s.files
	after := list(r.cwdFrom)
	if s.files = after; r.cwdTo != r.cwdFrom {
		s.files = list(r.cwdTo)
	}
	if reason := p.withheld(r); reason != "" {
		p.sink.Withhold(capture.TerminalCommand, reason, 1)
		return
	}
	o := capture.Observation{
		Key:        fmt.Sprintf("%s.%d.%d.%d", fileName(p.tty), r.pid, s.start, r.seq),
		Kind:       capture.TerminalCommand,
		Origin:     capture.Origin{App: r.shell, Shell: p.tty, PID: r.pid, Own: own(r.line)},
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

// withheld says why a reported command is not described; "" when it is.
func (p *pipe) withheld(r record) capture.WithheldReason {
	switch {
	case r.start.Before(p.created):
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
