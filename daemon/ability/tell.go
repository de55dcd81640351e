package ability

import "showhow/daemon/journal"

// CheckpointReceiptsPath is the canonical file of checkpoint receipts.
const CheckpointReceiptsPath = "system/learning/checkpoint_receipts.jsonl"

// record writes a receipt and the event of the same kind.
func record(w journal.Writer, r journal.Receipt, payload map[string]any) error {
	if err := w.AddReceipt(r); err != nil {
		return err
	}
	return w.Emit(journal.Event{Kind: r.Kind, SessionID: r.LearnSessionID, Payload: payload})
}

// writeCheckpoint writes the receipt, its event, and the consequences of a skipped or failed checkpoint (R11.2-19,
// R11.2-20). Events hold ids only; the evidence is in the receipt.
func writeCheckpoint(tx Tx, r journal.CheckpointReceipt) error {
	if err := tx.PutCheckpointReceipt(r); err != nil {
		return err
	}
	if err := tx.AppendLine(CheckpointReceiptsPath, r); err != nil {
		return err
	}
	kinds := map[string][]journal.EventKind{
		"reached": {journal.CheckpointReached},
		"skipped": {journal.CheckpointSkipped, journal.FrictionRecorded},
		"failed":  {journal.CheckpointFailed, journal.RepairCandidate},
	}
	for _, k := range kinds[r.Status] {
		payload := map[string]any{"receipt_id": r.ReceiptID, "checkpoint_id": r.CheckpointID, "status": r.Status, "checked_by": r.CheckedBy}
		for name, v := range map[string]string{"ability_id": r.AbilityID, "dispatch_id": r.DispatchID} {
			if v != "" {
				payload[name] = v
			}
		}
		if err := tx.Emit(journal.Event{Kind: k, SessionID: r.LearnSessionID, Payload: payload}); err != nil {
			return err
		}
	}
	return nil
}

func tellDrift(tx Tx, a Ability) error {
	return record(tx, journal.Receipt{Kind: journal.AbilityDrifted, AbilityID: a.AbilityID, Reason: a.Drift,
		Summary: "An ability's files changed after they were approved; it is withdrawn until a person approves it again."},
		map[string]any{"ability_id": a.AbilityID, "where": a.Drift})
}

// tellRoutes publishes which abilities agents can use from now on, or no longer. If a person switched one, that has
// its own receipt.
func tellRoutes(tx Tx, trigger Trigger, session string, kind journal.EventKind, entries []AvailabilityEntry) error {
	for _, e := range entries {
		payload := map[string]any{"ability_id": e.AbilityID, "skill_slug": e.SkillSlug, "reason_code": e.ReasonCode}
		var err error
		if trigger == TriggerActivation {
			err = tx.Emit(journal.Event{Kind: kind, SessionID: session, Payload: payload})
		} else {
			err = record(tx, journal.Receipt{Kind: kind, LearnSessionID: session, AbilityID: e.AbilityID, Reason: string(trigger),
				Summary: routeSentences[kind]}, payload)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var routeSentences = map[journal.EventKind]string{
	journal.RouteEnabled:  "Agents can use the skill.",
	journal.RouteDisabled: "Agents can no longer use the skill.",
}
