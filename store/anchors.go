package store

import (
	"bytes"
	"context"
	"encoding/json"

	"showhow/daemon/capability/anchor"
	"showhow/daemon/wire"
)

// Anchors is the storage of UI anchors: the lines of their canonical file, of which each stands for one control.
func (r rooms) Anchors() Anchors { return Anchors{r.store} }

// Anchors stores UI anchors.
type Anchors struct{ s *Store }

// All lists every anchor.
func (a Anchors) All(ctx context.Context) (out []wire.UIAnchor, err error) {
	err = a.s.View(ctx, func(tx *Tx) error {
		out, err = list[wire.UIAnchor](tx, `SELECT body FROM lines WHERE path=? ORDER BY seq`, anchor.Path)
		return err
	})
	return out, err
}

// Put replaces the anchors of an ability; none removes them. Nothing is written when they are the same.
func (a Anchors) Put(ctx context.Context, abilityID string, all []wire.UIAnchor) error {
	was, err := a.of(ctx, abilityID)
	if err != nil || equalAnchors(was, all) {
		return err
	}
	return a.s.Update(ctx, func(tx *Tx) error {
		if len(was) > 0 {
			if _, err := tx.exec(`DELETE FROM lines WHERE path=? AND json_extract(body,'$.ability_id')=?`, anchor.Path, abilityID); err != nil {
				return err
			}
			if err := tx.rewrite(anchor.Path); err != nil {
				return err
			}
		}
		for _, x := range all {
			if err := tx.AppendLine(anchor.Path, x); err != nil {
				return err
			}
		}
		return nil
	})
}

func (a Anchors) of(ctx context.Context, abilityID string) (out []wire.UIAnchor, err error) {
	err = a.s.View(ctx, func(tx *Tx) error {
		out, err = list[wire.UIAnchor](tx, `SELECT body FROM lines WHERE path=? AND json_extract(body,'$.ability_id')=? ORDER BY seq`,
			anchor.Path, abilityID)
		return err
	})
	return out, err
}

func equalAnchors(a, b []wire.UIAnchor) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, err := json.Marshal(a[i])
		y, err2 := json.Marshal(b[i])
		if err != nil || err2 != nil || !bytes.Equal(x, y) {
			return false
		}
	}
	return true
}
