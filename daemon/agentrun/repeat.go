package agentrun

import (
	"context"
	"slices"

	"showhow/daemon/journal"
	"showhow/daemon/sandbox"
	"showhow/internal/fault"
)

// shells are the names under which agents report their shell when they leave the command out.
var shells = []string{"bash", "shell", "local_shell", "exec", "exec_command", "run_shell_command", "powershell"}

// hosts are the hosts that a run's boxes tried to reach.
type hosts struct{ reached, refused []string }

func (h hosts) with(b *sandbox.Box) hosts {
	union := func(x, y []string) []string {
		out := slices.Concat(x, y)
		slices.Sort(out)
		return slices.Compact(out)
	}
	return hosts{union(h.reached, b.Reached()), union(h.refused, b.Refused())}
}

// mayRepeat reports whether a person wanted a second attempt and the failure may be temporary. A run that somebody
// ended stays ended.
func (l *live) mayRepeat() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.request.Retry && l.run.State == Failed && l.run.Retryable && l.stopped == "" && l.ctx.Err() == nil
}

// repeat replaces the failed attempt's box and workspace with fresh ones, under the same plan: what a person
// confirmed. The agent is told what happened. The evidence keeps what was observed of the first attempt.
func (l *live) repeat() bool {
	l.mu.Lock()
	box, reason := l.box, l.run.Reason
	l.earlier, l.box, l.claimed = l.earlier.with(box), nil, nil
	granted := slices.Clone(l.run.GrantedHosts)
	l.run.ReasonCode, l.run.Reason, l.run.Retryable, l.run.ExitCode = "", "", false, nil
	l.mu.Unlock()
	l.saved.forget()
	if err := box.Close(); err != nil {
		l.s.o.Log.Warn("a run's sandbox could not be removed", "code", string(fault.CodeOf(err)))
	}
	err := remove(l.s.folder(l.id))
	if err == nil {
		r := l.request
		r.Hints = append(slices.Clone(r.Hints), "This is the second attempt. The first one failed: "+reason+
			". What it needed may have been unavailable for a moment: wait, then try again.")
		err = l.open(r)
	}
	if err != nil {
		return l.judge(sandbox.Result{ExitCode: -1}, err)
	}
	for _, h := range granted {
		l.box.Allow(h)
	}
	l.change(journal.RunState, "An agent's run began again after a failure that may pass.", func(r *Run) {
		r.State, r.Question, r.Attempts = Running, nil, 2
	})
	return context.Cause(l.ctx) == nil
}
