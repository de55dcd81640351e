package caller

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"showhow/daemon/access"
)

// Ancestry decides whether a process on this machine is a person's or an agent's (decisions D2).
//
// The user id proves nothing: an agent's shell has the person's. So the processes from the caller up to init, and from the
// leader of its session up, are looked at for marks that agents leave in the environment, for their names, and for pids that
// hooks and sandboxes registered. Any mark makes the caller an agent; so does a caller that cannot be examined.
//
// What this cannot see, and why important actions also need presence (package presence): an agent without a mark; one that detached
// a process with a clean environment into a session of its own; one that types into a terminal or talks to a service (tmux,
// systemd) outside its own tree.
type Ancestry struct {
	procs processTable
	// agents are pids that a hook or a sandbox run registered, with the agent's name.
	agents func() map[int]string
	// until is a pid at which looking stops: tests run below whatever started them.
	until int
}

// NewAncestry makes one that reads the system's processes. agents are pids that a hook or a sandbox run registered, with the agent's
// name, and may be nil; until is a pid at which looking stops, 0 for none.
func NewAncestry(agents func() map[int]string, until int) *Ancestry {
	return &Ancestry{procs: newProcessTable(), agents: agents, until: until}
}

// process is what is known of one process.
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
	errEnding    = errors.New("the process is ending") // its environment is gone already; its children are about to be
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

// Running examines a process that is there now.
func (a *Ancestry) Running(pid int) access.Principal {
	return a.Principal(Peer{PID: pid, alive: func() bool { return true }})
}

// sessionOf looks at the leader of a caller's session. A background job outlives the shell that started it and is handed to
// init, but it stays in that shell's session; when the leader is gone too, nobody can say any more who started it.
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

// same reports whether first is the process that connected, and not a later one that got its number.
func (a *Ancestry) same(p Peer, first process) bool {
	if p.alive != nil {
		return p.alive()
	}
	const slack = 20 * time.Millisecond // start times are counted in clock ticks
	return !first.started.After(p.accepted.Add(slack))
}

// climb returns why the chain above and including p belongs to an agent, or "". top: it ended at the process to stop at.
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
		// Either the parent ended while we looked and its child was handed to another, or it cannot be seen.
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

// endingTime is how long to wait for a parent that is ending to hand its child to another.
const endingTime = 50 * time.Millisecond

// parent looks at p's parent. While that is ending it waits for p to be handed on: what the parent was cannot be seen any more.
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

// mark returns the sign that p is an agent or was started by one, or "".
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

// agentVariable reports whether a variable is one that agents set for what they run.
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

// isSetting: variables with an agent's prefix that a person keeps in a shell's start-up file to configure it.
func isSetting(rest string) bool {
	for _, p := range []string{"HOME", "CONFIG", "STATE_DIR", "USE_", "MAX_", "DISABLE_", "ENABLE_", "API_KEY", "OAUTH", "SKIP_", "PROFILE",
		"GATEWAY_"} {
		if strings.HasPrefix(rest, p) {
			return true
		}
	}
	return false
}
