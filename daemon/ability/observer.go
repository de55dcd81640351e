package ability

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// observer reads the records and observes the disk and the machine.
type observer struct {
	*base
	machine machine
	natives *natives
	counts  countCache
}

func newObserver(b *base, n *natives) *observer {
	return &observer{base: b, machine: machine{base: b, reach: reach{of: map[string]reached{}}}, natives: n,
		counts: countCache{of: map[string]CheckpointCounts{}}}
}

// healthWindow is how many of the latest receipts checkpoint_health counts.
const healthWindow = 100

// countCache saves a query per ability and lookup; the service itself writes every receipt, so it knows when there is
// a new one.
type countCache struct {
	mu sync.Mutex
	of map[string]CheckpointCounts
}

func (c *countCache) get(id string) (CheckpointCounts, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.of[id]
	return v, ok
}

func (c *countCache) put(id string, v CheckpointCounts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of[id] = v
}

func (c *countCache) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.of, id)
}

func (s *observer) load(ctx context.Context) (*world, error) {
	w := &world{ledger: map[string]LedgerEntry{}, counts: map[string]CheckpointCounts{}, seen: map[string]sight{},
		dirty: map[string]bool{}, homeless: len(s.o.Targets) == 0,
		snapshot: AvailabilitySnapshot{Abilities: []AvailabilityEntry{}, SchemaVersion: 1},
		catalog:  Catalog{Items: []CatalogEntry{}, SchemaVersion: 1},
		bridge:   Bridge{Entries: []BridgeEntry{}, State: "current", SchemaVersion: 1}}
	err := s.o.Store.View(ctx, func(tx Tx) (err error) {
		if w.abilities, err = tx.Abilities(); err != nil {
			return err
		}
		slices.SortStableFunc(w.abilities, func(a, b Ability) int { return cmp.Compare(last(a), last(b)) })
		if w.configs, err = tx.Configs(); err != nil {
			return err
		}
		paths, err := tx.Ledger()
		if err != nil {
			return err
		}
		for _, p := range paths {
			w.ledger[p.Path] = p
		}
		for _, a := range w.abilities {
			c, known := s.counts.get(a.AbilityID)
			if !known {
				if c, err = tx.CheckpointCounts(a.AbilityID, healthWindow); err != nil {
					return err
				}
				s.counts.put(a.AbilityID, c)
			}
			w.counts[a.AbilityID] = c
		}
		for name, v := range map[string]any{stateAvailability: &w.snapshot, stateCatalog: &w.catalog, stateBridge: &w.bridge} {
			if _, err := tx.AbilityState(name, v); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && s.o.Categories != nil {
		w.categories, err = s.o.Categories(ctx)
	}
	return w, err
}

// last puts what comes with the program behind what is the person's own.
func last(a Ability) int {
	if a.BuiltIn {
		return 1
	}
	return 0
}

// observe looks at the disk and the machine, and revokes the trust of what changed (decisions C3).
func (s *observer) observe(w *world) {
	w.native = s.natives.find(w.ledger)
	s.observeAgain(w)
}

// observeAgain is observe without the native skills.
func (s *observer) observeAgain(w *world) {
	for i := range w.abilities {
		a := &w.abilities[i]
		if a.BuiltIn {
			w.seen[a.AbilityID] = s.builtInSight(w, *a)
			continue
		}
		g := sight{bundle: s.hashes.look(s.bundlePath(a.Slug)), copies: map[string]place{}, foreign: map[string]bool{},
			nowhere: !slices.ContainsFunc(s.o.Targets, func(t Target) bool { return t.copied(a.Permissions) }),
			overMCP: slices.ContainsFunc(s.o.Targets, func(t Target) bool { return t.OverMCP && a.Permissions.Admits(t.Name) })}
		drift := ""
		if g.bundle.there && g.bundle.hash != a.ApprovedHash {
			drift = "bundle"
		}
		for _, t := range s.o.Targets {
			own, ok := w.ledger[t.path(a.Slug)]
			p := s.hashes.settled(t.path(a.Slug), s.bundlePath(a.Slug), own.Hash)
			switch {
			case !p.there:
			case !ok || own.AbilityID != a.AbilityID || !own.owns(p):
				g.foreign[t.Name] = true
			default:
				p = own.standsFor(p)
				g.copies[t.Name] = p
				if p.hash != a.ApprovedHash && drift == "" {
					drift = t.Name
				}
			}
		}
		if drift == "" && (a.Granted != nil && !samePermissions(*a.Granted, a.Permissions)) {
			drift = driftPermissions
		}
		if drift != "" && a.Trust == TrustApproved {
			s.distrust(w, a, drift)
		}
		g.missing, g.code = s.lacking(w, *a)
		w.seen[a.AbilityID] = g
	}
}

// builtInSight is the observation of a skill that comes with the program: its files are in the program, and agents read
// them over MCP.
func (s *observer) builtInSight(w *world, a Ability) sight {
	g := sight{bundle: place{true, a.ApprovedHash}, copies: map[string]place{}, foreign: map[string]bool{}, overMCP: true}
	g.missing, g.code = s.lacking(w, a)
	return g
}

// lacking is what of its configuration or of the machine keeps an ability from being used.
func (s *observer) lacking(w *world, a Ability) (reason, code string) {
	if reason, code = forbids(configuration(w.configs, a.CapabilityID), a); reason != "" {
		return reason, code
	}
	return s.machine.missing(a)
}

// distrust revokes the trust in what was approved. It says nothing of the ability's health: a change is no use that failed.
func (s *observer) distrust(w *world, a *Ability, where string) {
	event := ContentChanged
	if where == driftPermissions {
		event = PermissionsChanged
	}
	_ = a.enter(event) // possible from every state
	now := s.now()
	a.Drift, a.DriftKept, a.DriftAt = where, "", &now
	s.touch(w, a)
	w.drifted = append(w.drifted, *a)
}

// touch marks a record as changed.
func (s *observer) touch(w *world, a *Ability) {
	if !w.dirty[a.AbilityID] {
		a.Revision++
	}
	a.UpdatedAt = s.now()
	w.dirty[a.AbilityID] = true
}
