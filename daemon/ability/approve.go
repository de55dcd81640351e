package ability

import (
	"context"
	"errors"
	"slices"

	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Reviews handles people's decisions about content: approve, reject, restore, adopt, and what they read before
// deciding.
type Reviews struct {
	*registry
	views   *Views
	install *Installer
}

// Approval is a person's consent to exactly one content and one set of permissions.
type Approval struct {
	ContentHash string
	Permissions *Permissions // nil: no host and no credential that was not granted before

	AcceptFindings bool     // trust it although the scan found what blocks
	FindingsRead   []string // ids of the findings that the person read
}

// Approve trusts exactly the content that the person saw (decisions C3), also after a change, with the permissions
// that they saw. The caller has made sure that it is a person.
func (s *Reviews) Approve(ctx context.Context, id string, ap Approval, rev *int) (AvailabilityEntry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, a, err := s.toChange(ctx, id, rev)
	if err != nil {
		return AvailabilityEntry{}, err
	}
	if err := a.ownToDecide(); err != nil {
		return AvailabilityEntry{}, err
	}
	c, found, err := s.judged(ctx, *a, ap)
	if err != nil {
		return AvailabilityEntry{}, err
	}
	a.Permissions = a.Permissions.DefaultGrant(a.Granted)
	if ap.Permissions != nil {
		a.Permissions = normal(*ap.Permissions)
	}
	e, err := s.trusted(ctx, w, a, Approved, c, len(found))
	if err != nil || len(a.Originals) == 0 {
		return e, err
	}
	return s.takeOver(ctx, w, a)
}

// MayApprove says which findings a person has not judged, before the person is asked to confirm an approval. What else is wrong
// with it, Approve says.
func (s *Reviews) MayApprove(ctx context.Context, id string, ap Approval) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, a, err := s.asItIs(ctx, id)
	if err != nil || a.ownToDecide() != nil {
		return err // of what comes with the program, Approve says why not
	}
	if _, _, err = s.judged(ctx, a, ap); !fault.Is(err, fault.SkillScanBlocked) {
		return nil
	}
	return err
}

// judged reads the current content, of which the person must have judged what the scanner finds anew.
func (s *Reviews) judged(ctx context.Context, a Ability, ap Approval) (c Content, found []Finding, err error) {
	if c, err = s.seen(a, ap.ContentHash); err != nil {
		return c, nil, err
	}
	approved, known, err := s.content(ctx, a.AbilityID)
	if err != nil {
		return c, nil, err
	}
	if !known {
		approved = Content{}
	}
	if found, err = newFindings(ctx, s.o.Scan, c.Bundle, approved.Bundle); err != nil {
		return c, nil, err
	}
	return c, found, ap.settled(found)
}

// settled reports whether a person has decided about every finding: accepted those that block, read those that instruct.
func (ap Approval) settled(findings []Finding) error {
	read := map[string]bool{}
	for _, id := range ap.FindingsRead {
		read[id] = true
	}
	left := []string{}
	for _, f := range findings {
		if f.Blocks && !ap.AcceptFindings {
			return fault.New(fault.SkillScanBlocked, "the scan found what should not be trusted").
				WithHint("read the findings; --accept-findings approves it all the same")
		}
		if f.Instructs && !read[f.ID()] {
			left = append(left, f.ID())
		}
	}
	if len(left) > 0 {
		return fault.New(fault.SkillScanBlocked, "the skill tells the agent things that only you can judge").WithDetail("findings", left).
			WithHint("read each of findings_to_read and tick it")
	}
	return nil
}

// seen reads the current content, which must be what the person saw.
func (s *Reviews) seen(a Ability, hash string) (Content, error) {
	b, err := skill.ReadDir(s.bundlePath(a.Slug))
	switch {
	case fault.Is(err, fault.NotFound):
		return Content{}, fault.New(fault.NotFound,
			"the ability's files are gone").WithHint("`showhow skill restore` puts the approved ones back")
	case err != nil:
		return Content{}, fault.Wrap(err, fault.ContentHashMismatch, "the files cannot be read as a skill: "+fault.From(err).Message).
			WithHint("`showhow skill restore` puts the approved ones back")
	case b.Hash() != hash:
		return Content{}, fault.New(fault.ContentHashMismatch, "the files are not what was seen").WithHint("look at them again, then approve").
			WithDetail("content_hash", b.Hash())
	}
	return Content{a.AbilityID, hash, b}, nil
}

// trusted records that a person trusts the content now in the canonical folder, with the permissions of a and so many findings that
// were new in it.
func (s *Reviews) trusted(ctx context.Context, w *world, a *Ability, e TrustEvent, c Content, findings int) (AvailabilityEntry, error) {
	before := a.Trust
	if err := a.enter(e); err != nil {
		return AvailabilityEntry{}, err
	}
	if e == Restored && a.Granted != nil {
		a.Permissions = *a.Granted
	}
	granted := normal(a.Permissions)
	if a.ApprovedHash != c.Hash {
		a.Checkpoints = skill.CheckpointsOf(c.Bundle)
		if a.Scan != nil { // which was of another content
			a.Scan = nil
			if now, err := s.o.Scan(ctx, c.Bundle); err == nil {
				a.Scan = &now.Verdict
			}
		}
	}
	a.ApprovedHash, a.ContentHash, a.Granted, a.Permissions = c.Hash, c.Hash, &granted, granted
	a.Drift, a.DriftKept, a.DriftAt, a.RejectedAt, a.RejectReason = "", "", nil, nil, ""
	switch {
	case e == Restored:
		a.Health = a.Health.Restored()
	case a.Lane == LaneQuarantined && a.QuarantinedBy == quarantinedByHealth:
		a.leaveQuarantine() // other content, other failures
	default:
		a.Health = a.Health.Reset()
	}
	a.Description, a.Inputs = description(c.Bundle), inputsOf(c.Bundle)
	s.touch(w, a)
	s.observeAgain(w)
	kind, summary := journal.AbilityApproved, "The skill's content and permissions were approved."
	if e == Restored {
		kind, summary = journal.AbilityRestored, "The content that you had approved was put back."
	}
	err := s.apply(ctx, w, change{trigger: TriggerApproved, heal: a.AbilityID, inTx: func(tx Tx) error {
		if err := tx.PutContent(c); err != nil {
			return err
		}
		return record(tx, journal.Receipt{Kind: kind, AbilityID: a.AbilityID, Summary: summary},
			map[string]any{"ability_id": a.AbilityID, "content_hash": c.Hash, "trust_before": before, "findings": findings,
				"tools": len(granted.Tools), "domains": len(granted.Domains), "credentials": len(granted.Credentials), "agents": len(granted.Agents)})
	}})
	return w.entry(*a), err
}

// Reject records that a person reviewed unapproved content and said no. Its trust does not change. An approved ability
// cannot be rejected; it is deactivated, quarantined or removed.
func (s *Reviews) Reject(ctx context.Context, id, reason string, rev *int) (AvailabilityEntry, error) {
	return s.edit(ctx, id, rev, edit{trigger: TriggerApproved,
		receipt: journal.Receipt{Kind: journal.AbilityRejected, Reason: plain.Cut(reason, 1000),
			Summary: "You looked at the skill and rejected it."},
		do: func(a *Ability) error {
			if err := a.ownToDecide(); err != nil {
				return err
			}
			if err := a.enter(Rejected); err != nil {
				return fault.From(err).WithHint("deactivate, quarantine or remove an approved ability")
			}
			now := s.now()
			a.RejectedAt, a.RejectReason = &now, plain.Cut(reason, 200)
			return nil
		}})
}

// SetPermissions changes what an ability may use. If the ability is approved, the change is granted at once: the
// caller has made sure that a person confirmed anything wider (Wider).
func (s *Reviews) SetPermissions(ctx context.Context, id string, p Permissions, rev *int) (AvailabilityEntry, error) {
	p = normal(p)
	return s.edit(ctx, id, rev, edit{trigger: TriggerApproved,
		receipt: journal.Receipt{Kind: journal.AbilityPermissions, Summary: "What the skill may use was changed."},
		payload: map[string]any{"tools": len(p.Tools), "domains": len(p.Domains), "credentials": len(p.Credentials), "agents": len(p.Agents)},
		do: func(a *Ability) error {
			if err := OwnToGrant(a.BuiltIn, a.Slug, a.Permissions, p); err != nil {
				return err
			}
			a.Permissions = p
			if a.Trust == TrustApproved {
				granted := p
				a.Granted = &granted
			}
			return nil
		}})
}

// CloseTo takes a caller from elsewhere out of the lists of agents that skills are approved for. Agents of this computer
// have the skills as before: a list without them is for every one of them.
func (s *Reviews) CloseTo(ctx context.Context, agent string) error {
	if !wire.FromElsewhere([]string{agent}) {
		return fault.New(fault.InvalidRequest, "this is no caller from elsewhere").WithHint("name it remote/NAME")
	}
	var open []Ability
	err := s.o.Store.View(ctx, func(tx Tx) error {
		all, err := tx.Abilities()
		for _, a := range all {
			if slices.Contains(a.Permissions.Agents, agent) || a.Granted != nil && slices.Contains(a.Granted.Agents, agent) {
				open = append(open, a)
			}
		}
		return err
	})
	without := func(p Permissions) Permissions {
		p.Agents = slices.DeleteFunc(slices.Clone(p.Agents), func(n string) bool { return n == agent })
		return normal(p)
	}
	for _, a := range open {
		_, failed := s.edit(ctx, a.AbilityID, nil, edit{trigger: TriggerApproved,
			receipt: journal.Receipt{Kind: journal.AbilityPermissions,
				Summary: "The skill was closed to a caller from elsewhere that was shut out."},
			do: func(a *Ability) error {
				a.Permissions = without(a.Permissions)
				if a.Granted != nil {
					granted := without(*a.Granted)
					a.Granted = &granted
				}
				return nil
			}})
		err = errors.Join(err, failed)
	}
	return err
}

// Granted is what an ability may use right now: nothing unless its current content is approved.
func (s *Reviews) Granted(ctx context.Context, id string) (Permissions, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, a, err := s.asItIs(ctx, id)
	if err != nil {
		return Permissions{}, err
	}
	if !wanted(a) || a.Granted == nil {
		return normal(Permissions{}), nil
	}
	return normal(*a.Granted), nil
}
