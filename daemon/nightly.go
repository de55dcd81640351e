package daemon

import (
	"context"
	"slices"
	"time"

	"showhow/daemon/ability"
	"showhow/internal/fault"
)

// nightly rebuilds bridge, catalog and availability every 24 hours of wall time, in case a change went unnoticed (DOC3
// 0C.11B), and compacts receipts (0C.16D). Package learn archives what sessions leave behind.
func (d *Daemon) nightly(ctx context.Context) error {
	const every = 24 * time.Hour
	look := time.NewTicker(10 * time.Minute) // wall time counts a suspended machine's sleep; a ticker does not
	defer look.Stop()
	d.documents.Sweep()
	d.sweepCredentials(ctx)
	for last := d.now(); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
		}
		d.documents.Sweep()
		if d.now().Sub(last.Time) < every {
			continue
		}
		last = d.now()
		if _, err := d.abilities.Rebuild(ctx, ability.TriggerNightly); err != nil && ctx.Err() == nil {
			d.log.Warn("the nightly rebuild failed", "code", string(fault.CodeOf(err)))
		}
		if err := d.store.Compact(ctx); err != nil && ctx.Err() == nil {
			d.log.Warn("receipts could not be compacted", "code", string(fault.CodeOf(err)))
		}
		if err := d.store.Connectors().Rotate(ctx); err != nil && ctx.Err() == nil {
			d.log.Warn("receipts of connectors could not be archived", "code", string(fault.CodeOf(err)))
		}
		d.sweepCredentials(ctx)
	}
}

// sweepCredentials removes from the keychain the pending credentials of abilities that are gone.
func (d *Daemon) sweepCredentials(ctx context.Context) {
	all, err := d.abilities.Availability(ctx)
	if err != nil || all.Stale {
		return // the next sweep knows better
	}
	left, err := d.credentials.Sweep(ctx, func(owner string) bool {
		return slices.ContainsFunc(all.Abilities, func(e ability.AvailabilityEntry) bool { return e.AbilityID == owner })
	})
	if (err != nil || len(left) > 0) && ctx.Err() == nil {
		d.log.Warn("credentials of skills that are gone could not be removed", "count", len(left), "code", string(fault.CodeOf(err)))
	}
}
