package inbox

import (
	"context"
	"fmt"

	"showhow/daemon/wire"
)

// Notes lists the proposed changes of notes and tasks: those of agents, and the person's own.
func Notes(list func(ctx context.Context) (wire.ChangeSets, error)) Source {
	return func(ctx context.Context) (out []wire.InboxItem, err error) {
		l, err := list(ctx)
		for _, c := range l.ChangeSets {
			who := "You propose"
			if c.Actor != wire.NotePerson {
				who = c.Actor.ID + " proposes"
			}
			out = append(out, wire.InboxItem{Kind: "note_proposal", Ref: c.ChangeSetID, Since: c.CreatedAt.Ptr(),
				Title:  fmt.Sprintf("%s a change of your notes: %d new, %d changed", who, c.Summary.Creates, c.Summary.Updates),
				Detail: "Nothing is written before you commit it.",
				Action: wire.InboxAction{Label: "Look at it", Command: "showhow notes pending", Page: "/notes"}})
		}
		return out, err
	}
}
