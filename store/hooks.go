package store

import (
	"context"

	"showhow/daemon/journal"
	"showhow/internal/clock"
)

// HookRow is a hook that was added to an agent's own settings: an entry of the install ledger.
type HookRow struct {
	Path        string     `json:"path"` // the agent's file, or the folder that is ours
	Kind        string     `json:"kind"`
	Agent       string     `json:"agent"`
	Dir         string     `json:"dir,omitempty"`  // the agent's own folder, when it is not the usual one
	Made        []string   `json:"made,omitempty"` // paths that are ours alone and go with the hook
	InstalledAt clock.Time `json:"created_at"`
}

const hookKind = "agent_hook"

// Hooks lists the installed hooks.
func (s *Store) Hooks(ctx context.Context) (out []HookRow, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		out, err = list[HookRow](tx, `SELECT body FROM install_ledger WHERE kind=? ORDER BY path`, hookKind)
		return err
	})
	return out, err
}

// PutHook stores a hook, with receipt and event unless correlationID is "" for a mere change of the row.
func (s *Store) PutHook(ctx context.Context, r HookRow, correlationID string) error {
	r.Kind = hookKind
	return s.Update(ctx, func(tx *Tx) error {
		if err := tx.put("install_ledger", "path", r.Path, map[string]any{"kind": r.Kind, "created_at": r.InstalledAt.String()}, r); err != nil ||
			correlationID == "" {
			return err
		}
		return tx.noteHook(journal.HookInstalled, "a hook was written into an agent's settings", r.Agent, correlationID)
	})
}

// DropHook deletes the row of an agent's hook.
func (s *Store) DropHook(ctx context.Context, agent, correlationID string) error {
	return s.Update(ctx, func(tx *Tx) error {
		_, err := tx.exec(`DELETE FROM install_ledger WHERE kind=? AND json_extract(body,'$.agent')=?`, hookKind, agent)
		if err != nil || correlationID == "" {
			return err
		}
		return tx.noteHook(journal.HookRemoved, "a hook was taken out of an agent's settings", agent, correlationID)
	})
}

func (tx *Tx) noteHook(kind journal.EventKind, summary, agent, correlationID string) error {
	at := tx.s.opt.Now()
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, Summary: summary, Reason: agent, CorrelationID: correlationID,
		CreatedAt: at}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, Timestamp: at, Payload: map[string]any{"agent": agent}})
}
