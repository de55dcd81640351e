package report

import (
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"showhow/internal/paths"
)

const (
	hookTime   = 40 * time.Millisecond // from Main's first line; then it ends, whatever it does
	answerTime = 32 * time.Millisecond // from there too: how long the daemon has, so that its silence can still be counted
	maxPayload = 1 << 20               // the rest is read and dropped

	// envPatience multiplies that time for agents on slow machines: 1 to 100.
	envPatience = "SHOWHOW_HOOK_PATIENCE"
)

// patience is the factor set in the environment.
func patience() time.Duration {
	if n, err := strconv.Atoi(os.Getenv(envPatience)); err == nil && n >= 1 && n <= 100 {
		return time.Duration(n)
	}
	return 1
}

// Main is the whole of the hook as agents call it, with an agent's arguments; then it does not return. Daemon is the
// program that can start the daemon. What a person types (help, flags, mistakes) returns and is left to the caller.
func Main(args []string, daemon string) {
	if len(args) == 0 {
		return
	}
	if h, ok := hookArgs(args); ok {
		h.daemon = daemon
		h.main()
	}
}

// hook is one call.
type hook struct {
	format, agent string
	payload       string // given as an argument, as Codex's notify does
	daemon        string // the program that starts it
	roots         paths.Roots
	dir           string // of the marks
	begun         time.Time
	open          atomic.Bool // there is a receipt that has not been delivered
	counting      sync.Mutex
}

// hookArgs parses AGENT [JSON], or generic --agent NAME.
func hookArgs(args []string) (*hook, bool) {
	h := &hook{format: args[0], agent: args[0]}
	args = args[1:]
	switch h.format {
	case ClaudeCode, Codex, OpenClaw:
	case Generic:
		if len(args) >= 2 && args[0] == "--agent" {
			h.agent, args = args[1], args[2:]
		} else if len(args) > 0 && strings.HasPrefix(args[0], "--agent=") {
			h.agent, args = args[0][len("--agent="):], args[1:]
		}
		if !ValidAgent(h.agent) {
			return nil, false
		}
	default:
		return nil, false
	}
	if len(args) == 1 && strings.HasPrefix(args[0], "{") {
		h.payload, args = args[0], nil
	}
	return h, len(args) == 0
}

// main does not return.
func (h *hook) main() {
	h.begun = time.Now()
	time.AfterFunc(hookTime*patience(), func() {
		h.missed()
		os.Exit(0)
	})
	defer os.Exit(0)
	defer func() { recover() }() // a bug of ours is not the agent's business
	h.run()
}

func (h *hook) run() {
	var err error
	if h.roots, err = paths.FromEnv(); err != nil {
		return
	}
	h.dir = Dir(h.roots.State)
	if !Wanted(h.dir, h.agent) {
		h.read(0)
		return
	}
	payload := []byte(h.payload)
	if h.payload == "" {
		payload = h.read(maxPayload)
	}
	rs := Parse(h.format, h.agent, payload)
	if len(rs) == 0 {
		return
	}
	h.open.Store(true)
	taken, away := send(h.roots.Socket(), os.Getenv("SHOWHOW_TOKEN"), rs, h.begun.Add(answerTime*patience()))
	if taken {
		h.open.Store(false)
		return
	}
	h.missed()
	if away && MayStart(h.dir, h.agent, time.Now()) {
		startDaemon(h.daemon)
	}
}

// missed counts a receipt that was not delivered, once. A second caller waits, since the process ends after it
// returns.
func (h *hook) missed() {
	h.counting.Lock()
	defer h.counting.Unlock()
	if h.open.Swap(false) {
		Miss(h.dir, h.agent)
	}
}

// read returns the beginning of the agent's input; the rest is read and dropped. A terminal is not read.
func (h *hook) read(limit int64) []byte {
	if h.payload != "" || term.IsTerminal(int(os.Stdin.Fd())) {
		return nil
	}
	b, _ := io.ReadAll(io.LimitReader(os.Stdin, limit))
	io.Copy(io.Discard, os.Stdin)
	return b
}
