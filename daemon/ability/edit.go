package ability

import (
	"context"
	"reflect"

	"showhow/daemon/journal"
)

// edit is a person's change to one ability's record.
type edit struct {
	trigger Trigger
	receipt journal.Receipt // kind, reason and summary
	payload map[string]any
	do      func(*Ability) error
	heal    bool              // restore copies that somebody deleted
	route   bool              // the routes' own events say it; only the receipt is to be written
	also    journal.EventKind // a second event with the same payload, by another name
}

// edit changes a record with all consequences. An edit that changes nothing leaves no receipt.
func (s *registry) edit(ctx context.Context, id string, rev *int, e edit) (AvailabilityEntry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, a, err := s.toChange(ctx, id, rev)
	if err != nil {
		return AvailabilityEntry{}, err
	}
	before := *a
	if err := e.do(a); err != nil {
		return AvailabilityEntry{}, err
	}
	if reflect.DeepEqual(before, *a) && len(w.dirty) == 0 && (!e.heal || w.entry(*a).UsableNow) {
		return w.entry(*a), nil
	}
	s.touch(w, a)
	r := e.receipt
	r.AbilityID = a.AbilityID
	payload := map[string]any{"ability_id": a.AbilityID, "capability_id": a.CapabilityID, "install_lane": a.Lane}
	for k, v := range e.payload {
		payload[k] = v
	}
	c := change{trigger: e.trigger, inTx: func(tx Tx) error {
		if e.route {
			return tx.AddReceipt(r)
		}
		if err := record(tx, r, payload); err != nil || e.also == "" {
			return err
		}
		return tx.Emit(journal.Event{Kind: e.also, Payload: payload})
	}}
	if e.heal {
		c.heal = a.AbilityID
	}
	err = s.apply(ctx, w, c)
	return w.entry(*a), err
}
