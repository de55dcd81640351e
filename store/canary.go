package store

import (
	"context"

	"showhow/daemon/capability/canary"
)

// Canaries returns the storage of package canary.
func (r rooms) Canaries() canary.Store { return canaryStore{r.store} }

type canaryStore struct{ s *Store }

func (c canaryStore) Update(ctx context.Context, fn func(canary.Tx) error) error {
	return c.s.Update(ctx, func(tx *Tx) error { return fn(canaryTx{tx}) })
}

func (c canaryStore) View(ctx context.Context, fn func(canary.Tx) error) error {
	return c.s.View(ctx, func(tx *Tx) error { return fn(canaryTx{tx}) })
}

type canaryTx struct{ *Tx }

func (tx canaryTx) PutCanary(r canary.Record) error {
	return tx.put("canaries", "ability_id", r.AbilityID, map[string]any{"granted_at": r.GrantedAt.String()}, r)
}

func (tx canaryTx) DeleteCanary(abilityID string) error {
	_, err := tx.exec(`DELETE FROM canaries WHERE ability_id=?`, abilityID)
	return err
}

func (tx canaryTx) Canaries() ([]canary.Record, error) {
	return list[canary.Record](tx.Tx, `SELECT body FROM canaries ORDER BY granted_at, ability_id`)
}

// PutCanaryDay also deletes the costs of other days.
func (tx canaryTx) PutCanaryDay(d canary.Day) error {
	if _, err := tx.exec(`DELETE FROM canary_days WHERE date<>?`, d.Date); err != nil {
		return err
	}
	return tx.put("canary_days", "date", d.Date, nil, d)
}

func (tx canaryTx) CanaryDay(date string) (canary.Day, error) {
	d, _, err := one[canary.Day](tx.Tx, `SELECT body FROM canary_days WHERE date=?`, date)
	return d, err
}

func (tx canaryTx) PutCanarySettings(s canary.Settings) error {
	return tx.put("canary_settings", "name", "current", nil, s)
}

func (tx canaryTx) CanarySettings() (canary.Settings, bool, error) {
	return one[canary.Settings](tx.Tx, `SELECT body FROM canary_settings WHERE name='current'`)
}
