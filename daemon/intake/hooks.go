package intake

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"showhow/adapters/receipts/report"
	"showhow/daemon/observe"
	"showhow/internal/agenthook"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/paths"
	"showhow/store"
)

// Hooks manages the hooks that Showhow wrote into agents' own settings, by the install ledger (decisions D8).
type Hooks struct {
	roots paths.Roots
	store HookStore
	now   func() time.Time

	mu sync.Mutex
	at map[string]store.HookRow // by agent
}

func newHooks(r paths.Roots, s HookStore, now func() time.Time) *Hooks {
	return &Hooks{roots: r, store: s, now: now}
}

func (h *Hooks) load(ctx context.Context) error {
	rows, err := h.store.Hooks(ctx)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = map[string]store.HookRow{}
	for _, r := range rows {
		h.at[r.Agent] = r
	}
	return nil
}

// any reports whether any hook is installed.
func (h *Hooks) any() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.at) > 0
}

// plan is an agent's hook; dir is the agent's own folder, "" the usual one.
func (h *Hooks) plan(agent, dir string) (agenthook.Plan, error) {
	exe, err := os.Executable()
	if err != nil {
		return agenthook.Plan{}, fault.Wrap(err, fault.Internal, "it is not known where this program is")
	}
	e := agenthook.Env{Home: h.roots.Home, Exe: exe, Hook: agenthook.Beside(exe), MarkDir: report.Dir(h.roots.State)}
	if dir != "" {
		if !filepath.IsAbs(dir) {
			return agenthook.Plan{}, fault.New(fault.InvalidRequest, "the agent's folder must be an absolute path")
		}
		e.Dirs = map[string]string{agent: filepath.Clean(dir)}
	}
	return agenthook.For(agent, e)
}

// InstallHook implements api.Observed. The ledger records the hook before anything is written, so that a crash leaves
// nothing unknown.
func (h *Hooks) InstallHook(ctx context.Context, m observe.Meta, agent, dir string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if dir == "" {
		dir = h.at[agent].Dir
	}
	p, err := h.plan(agent, dir)
	if err != nil {
		return err
	}
	old, was := h.at[agent]
	if was && old.Path != p.Path {
		return fault.New(fault.InvalidRequest, "its hook is installed elsewhere").WithHint(
			"remove that first: showhow agent hook remove " + agent)
	}
	row := store.HookRow{Agent: agent, Dir: dir, Path: p.Path, InstalledAt: clock.At(h.now())}
	if err := h.store.PutHook(ctx, row, m.CorrelationID); err != nil {
		return err
	}
	made, err := p.Install()
	if err != nil {
		if !was {
			h.store.DropHook(context.WithoutCancel(ctx), agent, "")
		}
		return err
	}
	row.Made = slices.Concat(old.Made, slices.DeleteFunc(made, func(x string) bool { return slices.Contains(old.Made, x) }))
	if err := h.store.PutHook(ctx, row, ""); err != nil {
		return err
	}
	h.at[agent] = row
	return nil
}

// RemoveHook implements api.Observed.
func (h *Hooks) RemoveHook(ctx context.Context, m observe.Meta, agent string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	row, ok := h.at[agent]
	if !ok {
		return fault.New(fault.NotFound, "Showhow installed no hook for this agent").WithHint(
			"`showhow agent hook list` shows those it installed")
	}
	p, err := h.plan(agent, row.Dir)
	if err != nil {
		return err
	}
	if err := p.Remove(); err != nil {
		return err
	}
	if err := h.store.DropHook(ctx, agent, m.CorrelationID); err != nil {
		return err
	}
	delete(h.at, agent)
	return nil
}

// join adds the hooks' states to the agents.
func (h *Hooks) join(as []observe.Agent) []observe.Agent {
	h.mu.Lock()
	defer h.mu.Unlock()
	for agent, row := range h.at {
		i := slices.IndexFunc(as, func(a observe.Agent) bool { return a.Agent == agent })
		if i < 0 {
			as = append(as, observe.Agent{Agent: agent})
			i = len(as) - 1
		}
		as[i].Hook = h.describe(row)
	}
	slices.SortFunc(as, func(a, b observe.Agent) int { return cmp.Compare(a.Agent, b.Agent) })
	return as
}

func (h *Hooks) describe(row store.HookRow) *observe.Hook {
	out := &observe.Hook{Path: row.Path, InstalledAt: row.InstalledAt, State: agenthook.Gone}
	if p, err := h.plan(row.Agent, row.Dir); err == nil {
		out.State, out.Next = p.State(), p.Next
	}
	return out
}
