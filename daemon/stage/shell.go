package stage

import (
	"context"

	"showhow/daemon/rehearse/port"
	"showhow/daemon/sandbox"
)

// Shell implements port.Room: a sandbox whose home is the run's folder.
func (r *room) Shell(ctx context.Context, s port.ShellSpec) (port.Shell, error) {
	spec := sandbox.Spec{Dir: r.Dir(), Hosts: s.Hosts}
	if s.Fish {
		spec.Shell = "fish"
	}
	b, err := sandbox.Open(ctx, spec)
	if err != nil {
		return nil, err
	}
	out := &roomShell{b}
	if !r.keep(out) {
		_ = b.Close()
		return nil, context.Canceled
	}
	return out, nil
}

type roomShell struct{ box *sandbox.Box }

// nobody is the git identity of a rehearsal: the person's own name and address stay outside, and git refuses to work
// without any.
var nobody = map[string]string{"GIT_AUTHOR_NAME": "Rehearsal", "GIT_AUTHOR_EMAIL": "rehearsal@localhost", "GIT_COMMITTER_NAME": "Rehearsal",
	"GIT_COMMITTER_EMAIL": "rehearsal@localhost"}

func (s *roomShell) Run(ctx context.Context, line, dir string, programs []string) (port.CommandResult, error) {
	refused := len(s.box.Refused())
	if dir == "" {
		dir = "." // the run's folder, not where the last line ended
	}
	res, err := s.box.RunUntil(ctx, line, dir, nobody, programs)
	if err == nil {
		err = ctx.Err()
	}
	return port.CommandResult{ExitCode: res.ExitCode, Output: append(res.Stdout, res.Stderr...), Killed: res.Killed,
		Refused: s.box.Refused()[refused:],
		Running: res.Running}, err
}

func (s *roomShell) Close() error { return s.box.Close() }
