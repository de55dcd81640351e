package notes

import (
	"context"
	"maps"
	"slices"
	"strings"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Undo takes back one commit. Without an id that is the last one that the person made or approved, and only that: after
// an undo there is nothing more to undo. What agents did unasked, which is to capture, takes its place never; it is taken
// back by its id.
func (s *Service) Undo(ctx context.Context, by Actor, q wire.UndoLast) (wire.Undone, error) {
	var out wire.Undone
	if err := by.onlyPerson("an agent undoes nothing"); err != nil {
		return out, err
	}
	if err := by.checks(q.RequestedBy, q); err != nil {
		return out, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return out, err
	}
	hash, what, unasked, err := s.undoable(strings.TrimPrefix(q.CommitID, "cmt_"))
	if err != nil {
		return out, err
	}
	writes, err := s.folder.Undoing(hash)
	if err != nil {
		return out, err
	}
	c := Change{Headline: "Undo: " + oneLine(q.Reason), Writes: map[string]Content{}, Failed: "discarded", Unasked: unasked}
	c.ChangeSet = wire.ChangeSet{ChangeSetID: s.id("chg_"), Actor: by.wire(), CreatedAt: s.o.Now(), Diff: []string{}}
	for _, name := range slices.Sorted(maps.Keys(writes)) {
		w := writes[name]
		c.Writes[name] = Content{Base: w.Base, Text: string(w.Data), Remove: w.Data == nil}
		c.Summary.Updates++
	}
	id, err := s.commit(ctx, &c, hash)
	return wire.Undone{UndoneCommitID: commitID(hash), Undone: what, RevertCommitID: id, Status: "reverted"}, err
}

// undoable is the commit with this hash, or the last one, with its headline, and whether nobody was asked about it.
func (s *Service) undoable(hash string) (found, what string, unasked bool, err error) {
	undone, isUndo := false, false
	err = s.folder.Commits(10000, func(at, message string) bool {
		if trailer(message, trailerChange) == "" {
			return true // somebody's own
		}
		free := trailer(message, trailerUnasked) != ""
		undone = undone || trailer(message, trailerUndo) == hash && hash != ""
		if hash != "" && at != hash || hash == "" && free {
			return true
		}
		what, _, _ = strings.Cut(message, "\n")
		found, unasked, isUndo = at, free, trailer(message, trailerUndo) != ""
		return false
	})
	switch {
	case err != nil:
		return "", "", false, err
	case hash != "" && found == "":
		return "", "", false, fault.New(fault.NotFound, "there is no such commit of Showhow in the notes folder").
			WithHint("`git log` there shows them; an id is cmt_ and the hash")
	case found == "" || isUndo || undone:
		return "", "", false, fault.New(fault.NotesNoUndo, "there is nothing to undo: the change is an undo or undone, or there is none").
			WithHint("older versions are in the folder's git history: `git log` there")
	}
	return found, what, unasked, nil
}
