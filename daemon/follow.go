package daemon

import (
	"context"

	"showhow/daemon/journal"
	"showhow/internal/fault"
)

// followAbilities rewrites the anchors of an ability that came, changed or went, and rewrites the runtime snapshot and
// tells agents at the door whenever availability changes: the snapshot
// says whether the learned ability is usable now, and must not lag behind (DOC3 0C.7, 0B.1 invariant 8).
func (d *Daemon) followAbilities(ctx context.Context) error {
	changed := d.store.Watch(ctx)
	_, last, err := d.store.EventSpan(ctx)
	if err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
		for more := true; more; {
			events, err := d.store.Events(ctx, last, "", 200)
			if err != nil {
				if ctx.Err() == nil {
					d.log.Warn("events could not be read", "code", string(fault.CodeOf(err)))
				}
				break
			}
			refresh := false
			for _, e := range events {
				last = e.Seq
				refresh = refresh || e.Kind == journal.SnapshotUpdated
				switch e.Kind {
				case journal.ManifestCreated, journal.ManifestUpdated, journal.ManifestDeleted, journal.CanaryLooked:
					if id, ok := e.Payload["ability_id"].(string); ok {
						d.keeping.Touch(id)
					}
				}
			}
			if more = len(events) == 200; refresh {
				d.door.SkillsChanged()
				if err := d.learn.RefreshRuntime(ctx); err != nil && ctx.Err() == nil {
					d.log.Warn("the runtime snapshot could not be rewritten", "code", string(fault.CodeOf(err)))
				}
			}
		}
	}
}
