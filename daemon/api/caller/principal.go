package caller

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"showhow/daemon/access"
)

// Ancestry decides whether a process on this machine belongs to a person or an agent (decisions D2).
//
// The user id proves nothing: an agent's shell has the person's. So the processes from the caller up to init, and from
// the leader of its session up, are searched for marks that agents leave in the environment, for their names, and for
// pids that hooks and sandboxes registered. Any mark makes the caller an agent; so does a caller that cannot be
// examined.
//
// What this cannot see, and why important actions also need presence (package presence): an agent without a mark; one
// that detached a process with a clean environment into a session of its own; one that types into a terminal or talks
// to a service (tmux, systemd) outside its own tree.
type Ancestry struct {
	procs processTable
	// agents are pids that a hook or a sandbox run registered, with the agent's name.
	agents func() map[int]string
	// until is a pid at which the walk stops, because tests have arbitrary ancestors.
	until int
}

// NewAncestry reads the system's processes. agents returns the pids that a hook or a sandbox run registered, with the
// agent's name, and may be nil; until is a pid at which the walk stops, 0 for none.
func NewAncestry(agents func() map[int]string, until int) *Ancestry {
	return &Ancestry{procs: newProcessTable(), agents: agents, until: until}
}

// process holds what is known of one process.
type process struct {
	pid, ppid, session int
	uid                int
	started            time.Time // on the same clock as Peer.accepted
	name               string
	tty                uint64   // device number, 0 none
	env                []string // at its start; nil when it cannot be read
	ending             bool     // it is exiting or a zombie: what it was can no longer be seen
}

// processTable reads the operating system's list of processes.
type processTable interface {
	process(pid int) (process, error)
}

var (
	errNoProcess = errors.New("no such process")
	errEnding    = errors.New("the process is ending") // its environment is gone already; its children are about to be reparented
)

// maxDepth bounds the walk; real chains are about ten long.
const maxDepth = 64

// Principal examines the caller behind p.
func (a *Ancestry) Principal(p Peer) access.Principal {
	if p.PID <= 0 {
		return agentBecause("the calling process is not visible from here")
	}
	first, err := a.procs.process(p.PID)
	if err != nil {
		return agentBecause("the calling process could not be examined")
	}
	why, top := a.climb(first)
	if why == "" && !top {
		why = a.sessionOf(first)
	}
	if why != "" {
		return agentBecause(why)
	}
	if !a.same(p, first) {
		return agentBecause("the calling process ended before it could be examined")
	}
	return access.Principal{Kind: access.User}
}

// Running examines a process that exists now.
func (a *Ancestry) Running(pid int) access.Principal {
	return a.Principal(Peer{PID: pid, alive: func() bool { return true }})
}

// sessionOf examines the leader of a caller's session. A background job outlives the shell that started it and is
// reparented to init, but stays in that shell's session; when the leader is gone too, nobody can say who started it.
func (a *Ancestry) sessionOf(p process) string {
	if p.session == p.pid || p.session <= 1 {
		return ""
	}
	leader, err := a.procs.process(p.session)
	if err != nil || leader.started.After(p.started) {
		return "the session it was started in has ended"
	}
	why, _ := a.climb(leader)
	return why
}

func agentBecause(why string) access.Principal { return access.Principal{Kind: access.Agent, Why: why} }

// same reports whether first is the process that connected, and not a later one with its pid.
func (a *Ancestry) same(p Peer, first process) bool {
	if p.alive != nil {
		return p.alive()
	}
	const slack = 20 * time.Millisecond // start times are counted in clock ticks
	return !first.started.After(p.accepted.Add(slack))
}

// climb returns why the chain from p up belongs to an agent, or "". top means that it ended at the pid to stop at.
func (a *Ancestry) climb(p process) (why string, top bool) {
	agents := map[int]string{}
	if a.agents != nil {
		agents = a.agents()
	}
	for range maxDepth {
		if p.pid == a.until {
			return "", true
		}
		if name, ok := agents[p.pid]; ok {
			return fmt.Sprintf("it runs under the agent %q", name), false
		}
		if why := mark(p); why != "" {
			return why, false
		}
		if p.ppid <= 1 {
			return "", false
		}
		parent, err := a.parent(p)
		if err == nil && !parent.started.After(p.started) {
			p = parent
			continue
		}
		// Either the parent ended meanwhile and its child was reparented, or it cannot be seen.
		again, gone := a.procs.process(p.pid)
		switch {
		case gone != nil || again.ppid == p.ppid && (err == nil || errors.Is(err, errEnding)):
			return "the calling process could not be examined", false
		case again.ppid == p.ppid:
			return "", false // the edge of a container or of what this user may see
		}
		p = again
	}
	return "its ancestry is too long to examine", false
}

// endingTime is how long to wait for an ending parent's child to be reparented.
const endingTime = 50 * time.Millisecond

// parent returns p's parent. If that is ending, it waits for p to be reparented: the old parent can no longer be
// examined.
func (a *Ancestry) parent(p process) (process, error) {
	for until := time.Now().Add(endingTime); ; time.Sleep(time.Millisecond) {
		parent, err := a.procs.process(p.ppid)
		if !errors.Is(err, errEnding) || time.Now().After(until) {
			return parent, err
		}
		if again, gone := a.procs.process(p.pid); gone != nil || again.ppid != p.ppid {
			return process{}, errNoProcess
		}
	}
}

// mark returns the evidence that p is an agent or was started by one, or "".
func mark(p process) string {
	if slices.Contains(agentNames, p.name) {
		return fmt.Sprintf("it was started by %q", p.name)
	}
	for _, kv := range p.env {
		name, value, _ := strings.Cut(kv, "=")
		if value != "" && agentVariable(name) {
			return fmt.Sprintf("%s is set in its environment", name)
		}
	}
	return ""
}

// agentNames are command names of known agents.
var agentNames = []string{"claude", "codex", "openclaw", "gemini", "opencode", "aider", "goose", "cursor-agent", "amp", "crush", "copilot"}

// agentVariable reports whether agents set a variable for their child processes.
func agentVariable(name string) bool {
	if slices.Contains(agentVariables, name) {
		return true
	}
	for _, p := range agentPrefixes {
		if strings.HasPrefix(name, p) {
			return !isSetting(strings.TrimPrefix(name, p))
		}
	}
	return false
}

var (
	agentVariables = []string{"CLAUDECODE", "AI_AGENT", "AGENT", "GEMINI_CLI", "CURSOR_AGENT", "OPENCODE", "CLINE_ACTIVE"}
	agentPrefixes  = []string{"CLAUDE_CODE_", "CODEX_", "OPENCLAW_", "SHOWHOW_AGENT"}
)

// isSetting reports whether a variable with an agent's prefix is configuration that a person keeps in a shell's
// start-up file.
func isSetting(rest string) bool {
	for _, p := range []string{"HOME", "CONFIG", "STATE_DIR", "USE_", "MAX_", "DISABLE_", "ENABLE_", "API_KEY", "OAUTH", "SKIP_", "PROFILE",
		"GATEWAY_"} {
		if strings.HasPrefix(rest, p) {
			return true
		}
	}
	return false
}
