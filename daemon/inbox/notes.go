package inbox

import (
	"context"
	"fmt"

	"showhow/daemon/wire"
)

// Notes lists the changes of notes and tasks that agents proposed.
func Notes(list func(ctx context.Context) (wire.ChangeSets, error)) Source {
	return func(ctx context.Context) (out []wire.InboxItem, err error) {
		l, err := list(ctx)
		for _, c := range l.ChangeSets {
			if c.Actor.Type != "agent" {
				continue
			}
			out = append(out, wire.InboxItem{Kind: "note_proposal", Ref: c.ChangeSetID, Since: c.CreatedAt.Ptr(),
				Title:  fmt.Sprintf("%s proposes a change of your notes: %d new, %d changed", c.Actor.ID, c.Summary.Creates, c.Summary.Updates),
				Detail: "Nothing is written before you commit it.",
				Action: wire.InboxAction{Label: "Look at it", Command: "showhow notes pending", Page: "/notes"}})
		}
		return out, err
	}
}
