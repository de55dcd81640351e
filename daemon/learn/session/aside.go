package session

import (
	"context"
	"slices"

	"showhow/daemon/journal"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// PutAside frees the slot without a decision: every session that shares the slot with the named one is cancelled, and
// the drafts stay as they are until they are taken up again or expire. It is refused while anything captures or is
// tested.
func (s *Service) PutAside(ctx context.Context, m state.Meta, id string) (wire.PutAsideResponse, error) {
	var out wire.PutAsideResponse
	if err := state.UserOnly(m); err != nil {
		return out, err
	}
	release, err := s.d.Changes.LockSession(ctx, id)
	if err != nil {
		return out, err
	}
	defer release()
	defer s.d.Changes.Lock("create")()
	err = s.d.Changes.Update(ctx, m, func(set *change.Set) error {
		named, err := set.Load(id)
		if err == nil {
			err = state.CheckRevision(m, named.Revision)
		}
		if err != nil {
			return err
		}
		open, err := set.LearningSessions()
		if err != nil {
			return err
		}
		open = slices.DeleteFunc(open, func(o state.Session) bool { return state.SlotOf(o) != state.SlotOf(*named) })
		// The runtime snapshot describes the session stored last.
		slices.SortStableFunc(open, func(a, b state.Session) int {
			return boolRank(a.LearnSessionID == id) - boolRank(b.LearnSessionID == id)
		})
		if len(open) == 0 || open[len(open)-1].LearnSessionID != id {
			return state.NotAllowedWhile(named.State, "a draft cannot be put aside")
		}
		until := set.Now.Plus(state.AsideFor)
		for _, o := range open {
			if err := putAside(set, o, until); err != nil {
				return err
			}
		}
		out = wire.PutAsideResponse{Session: *named, ProposalID: named.ProposalID, PutAsideUntil: until}
		return nil
	})
	out.Session = s.d.Monitor.View(out.Session)
	return out, err
}

func boolRank(last bool) int {
	if last {
		return 1
	}
	return 0
}

// putAside cancels one session whose demonstration is over; the draft of a first session keeps its state.
func putAside(set *change.Set, was state.Session, until clock.Time) error {
	sess, err := set.Load(was.LearnSessionID)
	if err != nil {
		return err
	}
	if err := mayPutAside(*sess); err != nil {
		return err
	}
	if sess.ExampleOf == "" {
		p, err := set.LoadProposal(sess.ProposalID)
		if err != nil {
			return err
		}
		if p.Validation == state.ValidationRunning {
			return state.Validating()
		}
		p.PutAsideUntil = &until
	}
	if sess.State == state.ReadyForReview { // the table knows no way from there but through drafting
		if err := set.Enter(sess, state.DraftingProposal, state.ReasonPutAside); err != nil {
			return err
		}
	}
	sess.Reason = state.ReasonPutAside
	if err := set.Enter(sess, state.Cancelled, state.ReasonPutAside); err != nil {
		return err
	}
	return set.Finish(sess)
}

func mayPutAside(sess state.Session) error {
	switch sess.State {
	case state.TestingProposal:
		return state.Validating()
	case state.AwaitingQuestions, state.DraftingProposal, state.ReadyForReview:
		return nil
	case state.Stopped, state.Reviewing:
		if sess.ExampleOf != "" {
			return nil // a demonstration that is not in the draft yet waits with it
		}
		return state.NotAllowedWhile(sess.State, "there is no draft to put aside").(*fault.Error).
			WithHint("`showhow learn propose` drafts a skill from what was shown; `showhow learn cancel` gives it up")
	}
	return state.NotAllowedWhile(sess.State, "a draft cannot be put aside").(*fault.Error).
		WithHint("finish what is under way first: `showhow learn status`")
}

// TakeUp continues a draft that was put aside: new sessions take over the demonstrations, and the draft returns to its
// state. Values stay under their key, so the draft's answers, edits and runs remain valid.
func (s *Service) TakeUp(ctx context.Context, m state.Meta, proposalID string) (wire.TakeUpResponse, error) {
	var out wire.TakeUpResponse
	if err := state.UserOnly(m); err != nil {
		return out, err
	}
	release, err := s.d.Proposals.LockProposal(ctx, proposalID)
	if err != nil {
		return out, err
	}
	defer release()
	defer s.d.Changes.Lock("create")()
	err = s.d.Changes.Update(ctx, m, func(set *change.Set) error {
		root, err := takeUp(set, proposalID)
		if err == nil {
			out = wire.TakeUpResponse{Session: *root, ProposalID: proposalID}
		}
		return err
	})
	if err != nil {
		return wire.TakeUpResponse{}, err
	}
	out.Session, err = s.d.Changes.Reread(ctx, out.Session.LearnSessionID, out.Session)
	return out, err
}

func takeUp(set *change.Set, proposalID string) (root *state.Session, err error) {
	p, err := set.LoadProposal(proposalID)
	if err != nil {
		return nil, err
	}
	if p.PutAsideUntil == nil {
		return nil, state.NotPutAside()
	}
	if err := state.CheckRevision(set.Meta, p.Revision); err != nil {
		return nil, err
	}
	was, err := set.Load(p.LearnSessionID)
	if err != nil {
		return nil, err
	}
	if err := state.SlotFree(set.Tx, state.SlotOf(*was)); err != nil {
		return nil, err
	}
	all, err := set.TargetSessions(was.TargetID)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(o state.Session) bool { return !state.IsPutAside(o) })
	successor := map[string]string{}
	for _, o := range all {
		successor[o.LearnSessionID] = set.NewID()
	}
	draftWas := p.ProposalState
	p.PutAsideUntil, p.LearnSessionID = nil, successor[was.LearnSessionID]
	// The first session comes last, so that the runtime snapshot describes it.
	for _, o := range slices.Backward(all) {
		sess, err := succeed(set, o, successor, draftWas)
		if err != nil {
			return nil, err
		}
		if sess.ExampleOf == "" {
			root = sess
		}
	}
	return root, nil
}

// succeed makes the successor of a session and takes it to that session's state.
func succeed(set *change.Set, was state.Session, successor map[string]string, draftWas string) (*state.Session, error) {
	old, err := set.Load(was.LearnSessionID)
	if err != nil {
		return nil, err
	}
	sess := *old
	sess.LearnSessionID, sess.TakesUp, sess.State = successor[old.LearnSessionID], old.LearnSessionID, state.Idle
	sess.Ended, sess.EndedAt, sess.Reason, sess.ArchivedAt, sess.PurgeWarnedAt = false, nil, "", nil, nil
	sess.CreatedAt, sess.Revision, sess.ExampleOf, sess.ExampleIDs = set.Now, 0, successor[old.ExampleOf], []string{}
	for _, id := range old.ExampleIDs {
		if next := successor[id]; next != "" {
			sess.ExampleIDs = append(sess.ExampleIDs, next)
		}
	}
	old.TakenUpBy, old.ActiveTraceIDs = sess.LearnSessionID, []string{}
	set.Touch(old)
	if err := set.StoreSession(&sess); err != nil { // boundaries refer to it
		return nil, err
	}
	if err := set.MoveEvidence(old.LearnSessionID, sess.LearnSessionID); err != nil {
		return nil, err
	}
	if err := copyBoundaries(set, old.LearnSessionID, &sess); err != nil {
		return nil, err
	}
	set.Add(&sess)
	details := map[string]any{"entry_mode": string(sess.EntryMode)}
	if err := set.Record(journal.SessionStarted, &sess, state.ReasonTakenUp, details); err != nil {
		return nil, err
	}
	for _, to := range wayBack(sess, draftWas) {
		if err := set.Enter(&sess, to, state.ReasonTakenUp); err != nil {
			return nil, err
		}
	}
	return &sess, nil
}

// wayBack lists the states that a successor passes through to the draft's state.
func wayBack(sess state.Session, draft string) []state.State {
	way := []state.State{state.Armed, state.Capturing, state.Stopped}
	if sess.ProposalID == "" {
		return way
	}
	way = append(way, state.Reviewing)
	if draft == string(state.AwaitingQuestions) {
		return append(way, state.AwaitingQuestions)
	}
	way = append(way, state.DraftingProposal)
	if draft == string(state.ReadyForReview) {
		way = append(way, state.ReadyForReview)
	}
	return way
}

// copyBoundaries gives a successor its predecessor's marks and trims.
func copyBoundaries(set *change.Set, from string, sess *state.Session) error {
	bounds, err := set.Boundaries(from)
	if err != nil {
		return err
	}
	start, stop := sess.StartBoundaryRef, sess.StopBoundaryRef
	for _, b := range bounds {
		old := b.BoundaryID
		b.BoundaryID, b.LearnSessionID = set.NewID(), sess.LearnSessionID
		if old == start {
			sess.StartBoundaryRef = b.BoundaryID
		}
		if old == stop {
			sess.StopBoundaryRef = b.BoundaryID
		}
		if err := set.PutBoundary(b); err != nil {
			return err
		}
	}
	return nil
}
