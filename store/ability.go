package store

import (
	"context"
	"encoding/json"

	"showhow/daemon/ability"
	"showhow/daemon/capability/health"
	"showhow/daemon/journal"
)

// Abilities returns the storage of package ability.
func (r rooms) Abilities() ability.Store { return abilityStore{r.store} }

type abilityStore struct{ s *Store }

func (a abilityStore) Update(ctx context.Context, fn func(ability.Tx) error) error {
	return a.s.Update(ctx, func(tx *Tx) error { return fn(abilityTx{tx}) })
}

func (a abilityStore) View(ctx context.Context, fn func(ability.Tx) error) error {
	return a.s.View(ctx, func(tx *Tx) error { return fn(abilityTx{tx}) })
}

// abilityTx is Tx with the methods of package ability.
type abilityTx struct{ *Tx }

func (tx abilityTx) PutAbility(a ability.Ability) error {
	return tx.put("abilities", "ability_id", a.AbilityID,
		map[string]any{"slug": a.Slug, "capability_id": a.CapabilityID, "created_at": a.CreatedAt.String()}, a)
}

func (tx abilityTx) Abilities() ([]ability.Ability, error) {
	return list[ability.Ability](tx.Tx, `SELECT body FROM abilities ORDER BY created_at, ability_id`)
}

func (tx abilityTx) Slugs() ([]string, error) {
	return texts(tx.Tx, `SELECT slug FROM abilities ORDER BY created_at, ability_id`)
}

func (tx abilityTx) DeleteAbility(id string) error {
	for _, table := range []string{"approved_contents", "ability_outcomes"} {
		if _, err := tx.exec(`DELETE FROM `+table+` WHERE ability_id=?`, id); err != nil {
			return err
		}
	}
	_, err := tx.exec(`DELETE FROM abilities WHERE ability_id=?`, id)
	return err
}

func (tx abilityTx) PutContent(c ability.Content) error {
	return tx.put("approved_contents", "ability_id", c.AbilityID, map[string]any{"hash": c.Hash}, c)
}

func (tx abilityTx) Content(id string) (ability.Content, bool, error) {
	return one[ability.Content](tx.Tx, `SELECT body FROM approved_contents WHERE ability_id=?`, id)
}

func (tx abilityTx) PutSaga(g ability.Saga) error {
	open := 0
	if g.State == ability.SagaRunning || !g.Cleaned {
		open = 1
	}
	return tx.put("install_sagas", "saga_id", g.SagaID, map[string]any{"open": open, "created_at": g.CreatedAt.String()}, g)
}

func (tx abilityTx) Saga(id string) (ability.Saga, bool, error) {
	return one[ability.Saga](tx.Tx, `SELECT body FROM install_sagas WHERE saga_id=?`, id)
}

func (tx abilityTx) LastSaga(proposalID string) (ability.Saga, bool, error) {
	return one[ability.Saga](tx.Tx,
		`SELECT body FROM install_sagas WHERE body->>'proposal_id'=? ORDER BY created_at DESC, saga_id DESC LIMIT 1`, proposalID)
}

func (tx abilityTx) OpenSagas() ([]ability.Saga, error) {
	return list[ability.Saga](tx.Tx, `SELECT body FROM install_sagas WHERE open=1 ORDER BY created_at`)
}

func (tx abilityTx) PutLedger(e ability.LedgerEntry) error {
	return tx.put("install_ledger", "path", e.Path, map[string]any{"kind": e.Kind, "created_at": e.CreatedAt.String()}, e)
}

func (tx abilityTx) Ledger() ([]ability.LedgerEntry, error) {
	// Only these kinds of the install ledger: hooks and other external files do not concern abilities.
	return list[ability.LedgerEntry](tx.Tx, `SELECT body FROM install_ledger WHERE kind IN (?,?,?) ORDER BY created_at, path`,
		ability.PathBundle, ability.PathCopy, ability.PathFolder)
}

func (tx abilityTx) DeleteLedger(path string) error {
	_, err := tx.exec(`DELETE FROM install_ledger WHERE path=?`, path)
	return err
}

func (tx abilityTx) PutAbilityState(name string, v any) error {
	return tx.put("ability_states", "name", name, nil, v)
}

func (tx abilityTx) AbilityState(name string, v any) (bool, error) {
	b, ok, err := one[json.RawMessage](tx.Tx, `SELECT body FROM ability_states WHERE name=?`, name)
	if err != nil || !ok {
		return false, err
	}
	return true, json.Unmarshal(b, v)
}

func (tx abilityTx) PutCheckpointReceipt(r journal.CheckpointReceipt) error {
	return tx.put("checkpoint_receipts", "receipt_id", r.ReceiptID,
		map[string]any{"session_id": null(r.LearnSessionID), "dispatch_id": null(r.DispatchID),
			"ability_id": null(r.AbilityID), "checkpoint_id": r.CheckpointID, "status": r.Status, "created_at": r.CreatedAt.String()}, r)
}

func (tx abilityTx) CheckpointReceipts(f ability.ReceiptFilter, page, pageSize int) ([]journal.CheckpointReceipt, int, error) {
	const matching = ` FROM checkpoint_receipts WHERE (?1='' OR session_id=?1) AND (?2='' OR dispatch_id=?2) AND (?3='' OR ability_id=?3)`
	total := 0
	if err := tx.scalar(&total, `SELECT count(*)`+matching, f.LearnSessionID, f.DispatchID, f.AbilityID); err != nil {
		return nil, 0, err
	}
	order := ` ORDER BY created_at, receipt_id`
	if f.LearnSessionID == "" && f.DispatchID == "" { // one run is read from its start, an ability's runs from the latest
		order = ` ORDER BY created_at DESC, receipt_id DESC`
	}
	out, err := list[journal.CheckpointReceipt](tx.Tx, `SELECT body`+matching+order+` LIMIT ?4 OFFSET ?5`,
		f.LearnSessionID, f.DispatchID, f.AbilityID, pageSize, (page-1)*pageSize)
	return out, total, err
}

func (tx abilityTx) SameCheckpoint(r journal.CheckpointReceipt) (journal.CheckpointReceipt, bool, error) {
	return one[journal.CheckpointReceipt](tx.Tx, `SELECT body FROM checkpoint_receipts
		WHERE session_id IS ?1 AND dispatch_id IS ?2 AND ability_id IS ?3 AND checkpoint_id=?4 AND status=?5`,
		null(r.LearnSessionID), null(r.DispatchID), null(r.AbilityID), r.CheckpointID, r.Status)
}

func (tx abilityTx) CheckpointCounts(abilityID string, latest int) (c ability.CheckpointCounts, err error) {
	rows, err := tx.tx.QueryContext(tx.ctx, `SELECT status, count(*) FROM (SELECT status FROM checkpoint_receipts WHERE ability_id=?
		ORDER BY created_at DESC, receipt_id DESC LIMIT ?) GROUP BY status`, abilityID, latest)
	if err != nil {
		return c, err
	}
	defer rows.Close()
	for rows.Next() {
		var status string
		var n int
		if err := rows.Scan(&status, &n); err != nil {
			return c, err
		}
		switch status {
		case "reached":
			c.Reached = n
		case "skipped":
			c.Skipped = n
		case "failed":
			c.Failed = n
		}
	}
	return c, rows.Err()
}

func (tx abilityTx) PutOutcome(o health.Outcome) error {
	return tx.put("ability_outcomes", "outcome_id", o.OutcomeID, map[string]any{"ability_id": o.AbilityID, "at": o.At.String()}, o)
}

func (tx abilityTx) Outcomes(abilityID string, limit int) ([]health.Outcome, error) {
	return list[health.Outcome](tx.Tx, `SELECT body FROM ability_outcomes WHERE ability_id=? ORDER BY at DESC, outcome_id DESC LIMIT ?`,
		abilityID, limit)
}

func (tx abilityTx) PutConfig(r ability.ConfigRecord) error {
	return tx.put("skill_configs", "path", r.Path, nil, r)
}

func (tx abilityTx) Config(path string) (ability.ConfigRecord, bool, error) {
	return one[ability.ConfigRecord](tx.Tx, `SELECT body FROM skill_configs WHERE path=?`, path)
}

func (tx abilityTx) Configs() ([]ability.ConfigRecord, error) {
	return list[ability.ConfigRecord](tx.Tx, `SELECT body FROM skill_configs ORDER BY path`)
}

func (tx abilityTx) PutIntent(id string, r ability.ConfigRecord) error {
	return tx.put("config_intents", "intent_id", id, nil, r)
}

func (tx abilityTx) Intent(id string) (ability.ConfigRecord, bool, error) {
	return one[ability.ConfigRecord](tx.Tx, `SELECT body FROM config_intents WHERE intent_id=?`, id)
}
