package imports

import (
	"context"
	"errors"
	"slices"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// Decisions carries out a person's decision on a staged skill.
type Decisions struct{ *records }

// Approve approves a staged skill for the workspace, which installs it (decisions C2). Only a person may; the caller
// has made sure of that.
func (s *Decisions) Approve(ctx context.Context, m Meta, r ApproveRequest) (ActionResponse, error) {
	defer s.alone()()
	var req ability.InstallRequest
	at, err := s.placeSeen(ctx, m, r.ImportID)
	if err != nil {
		return ActionResponse{}, err
	}
	// Only the request is recorded before the saga ends: the graph has no state between review and approval.
	item, _, err := s.update(ctx, m, r.ImportID, func(c *change) error {
		if err := c.decidable(Approved, r.ContentHash, r.AcceptFindings, r.FindingsRead); err != nil {
			return err
		}
		c.item.settle(at)
		c.item.Lane, c.item.SagaID, c.item.Accepted, c.item.LastErrorCode = ability.LaneApproved, s.o.NewID(), r.AcceptFindings, ""
		c.item.Allowed = r.Permissions
		if r.ApprovalNote != "" {
			c.item.Notes = r.ApprovalNote
		}
		return nil
	})
	if err != nil {
		return ActionResponse{}, err
	}
	if req, err = s.request(ctx, m, item); err == nil {
		err = s.at("approving")
	}
	ctx = context.WithoutCancel(ctx)
	if err == nil {
		var receipt string
		req.Finish = func(w journal.Writer, out ability.InstallResult) error {
			return s.finish(w, m, item.ImportID, Approved, out, &receipt)
		}
		var out ability.InstallResult
		if out, err = s.o.Installer.Install(ctx, req); err == nil {
			return s.installed(ctx, item, receipt, out.SetAside)
		}
	}
	_, _, failed := s.update(ctx, m, item.ImportID, func(c *change) error {
		c.item.failed(err)
		c.item.Lane, c.item.SagaID = "", ""
		return nil
	})
	return ActionResponse{}, errors.Join(failed, with(err, item.ImportID))
}

// InstallPrivate installs a staged skill into the private lane, or the workspace's.
func (s *Decisions) InstallPrivate(ctx context.Context, m Meta, r InstallPrivateRequest) (ActionResponse, error) {
	defer s.alone()()
	at, err := s.placeSeen(ctx, m, r.ImportID)
	if err != nil {
		return ActionResponse{}, err
	}
	item, _, err := s.update(ctx, m, r.ImportID, func(c *change) error {
		if err := c.decidable(InstallQueued, r.ContentHash, r.AcceptFindings, r.FindingsRead); err != nil {
			return err
		}
		c.item.settle(at)
		c.item.Lane, c.item.Accepted, c.item.Allowed = ability.LanePrivate, r.AcceptFindings, r.Permissions
		if r.TargetScope == "workspace" {
			c.item.Lane = ability.LaneApproved
		}
		c.item.SagaID = s.o.NewID()
		return c.enter(InstallQueued, "", accepted(r.AcceptFindings))
	})
	if err != nil {
		return ActionResponse{}, err
	}
	return s.install(ctx, m, item)
}

// MayApprove is what Approve would refuse, as far as that is known before a person is asked to confirm it.
func (s *Decisions) MayApprove(ctx context.Context, m Meta, r ApproveRequest) error {
	return s.may(ctx, m, r.ImportID, func(c *change) error {
		return c.decidable(Approved, r.ContentHash, r.AcceptFindings, r.FindingsRead)
	})
}

// MayInstall is the same for InstallPrivate.
func (s *Decisions) MayInstall(ctx context.Context, m Meta, r InstallPrivateRequest) error {
	return s.may(ctx, m, r.ImportID, func(c *change) error {
		return c.decidable(InstallQueued, r.ContentHash, r.AcceptFindings, r.FindingsRead)
	})
}

func (s *Decisions) may(ctx context.Context, m Meta, id string, decidable func(*change) error) error {
	item, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	if err := decidable(&change{s: s.records, m: m, item: &item}); err != nil {
		return err
	}
	return s.unchanged(ctx, item)
}

// placeSeen is where it is installed: another skill may have taken its name since the scan, and what it would replace may
// have come or gone. If it would replace another ability than the record says, the record is corrected and the decision
// refused: whoever decides looks again.
func (s *Decisions) placeSeen(ctx context.Context, m Meta, id string) (place, error) {
	item, err := s.get(ctx, id)
	if err != nil || item.StageState != ReadyForReview {
		return place{slug: item.Slug, replaces: item.Replaces, capability: item.Capability}, err
	}
	if err := s.unchanged(ctx, item); err != nil {
		return place{}, err
	}
	at, err := s.placeOf(ctx, item, item.SkillName, item.ContentHash)
	if err != nil || at.replaces == item.Replaces {
		return at, err
	}
	item, _, err = s.update(ctx, m, id, func(c *change) error {
		if err := c.seen(); err != nil {
			return err
		}
		c.item.settle(at)
		return nil
	})
	if err != nil {
		return place{}, err
	}
	return place{}, fault.New(fault.RevisionConflict, "what the import would replace was changed since you looked").
		WithDetail("import_id", id).WithDetail("current_revision", item.Revision).WithHint("look at it again and repeat")
}

func accepted(yes bool) string {
	if yes {
		return "findings_accepted"
	}
	return ""
}

// decidable checks whether a person may decide on this content now.
func (c *change) decidable(to State, hash string, accept bool, read []string) error {
	if err := errors.Join(c.seen(), checkHop(c.item.StageState, to, "")); err != nil {
		return fault.From(err)
	}
	if hash != "" && hash != c.item.ContentHash {
		return fault.New(fault.ContentHashMismatch, "the import is not what was seen").WithHint("look at it again")
	}
	if c.item.Verdict == "blocked" && !accept {
		return fault.New(fault.SkillImportBlocked, "the scan found what should not be installed").WithDetail("import_id", c.item.ImportID).
			WithHint("read the findings; --accept-findings installs it all the same")
	}
	left := slices.DeleteFunc(toRead(*c.item), func(id string) bool { return slices.Contains(read, id) })
	if len(left) > 0 {
		return fault.New(fault.SkillImportBlocked, "what the skill tells the agent was not read to its end").WithDetail("findings", left).
			WithHint("read each of findings_to_read and tick it")
	}
	return nil
}

// toRead lists the findings that must be ticked one by one.
func toRead(i Item) []string {
	out := []string{}
	if i.Scan == nil {
		return out
	}
	for _, f := range i.Scan.Findings {
		if f.Instructs() {
			out = append(out, f.ID())
		}
	}
	return out
}

// install runs the saga of an import that is queued.
func (s *Decisions) install(ctx context.Context, m Meta, item Item) (ActionResponse, error) {
	if err := s.at("install_queued"); err != nil {
		return ActionResponse{}, err
	}
	ctx = context.WithoutCancel(ctx) // from here on the caller's going away changes nothing
	req, err := s.request(ctx, m, item)
	if err == nil {
		var receipt string
		req.Finish = func(w journal.Writer, out ability.InstallResult) error {
			return s.finish(w, m, item.ImportID, InstalledPrivate, out, &receipt)
		}
		var out ability.InstallResult
		if out, err = s.o.Installer.Install(ctx, req); err == nil {
			return s.installed(ctx, item, receipt, out.SetAside)
		}
	}
	_, _, failed := s.update(ctx, m, item.ImportID, func(c *change) error {
		c.item.failed(err)
		c.failedRetry(RetryInstall)
		return c.enter(InstallFailed, "", c.item.LastErrorCode)
	})
	return ActionResponse{}, errors.Join(failed, with(err, item.ImportID))
}

// request is what the saga installs: the reviewed content with the permissions that a person gave it. What the scan
// found it to use is shown, and granted only if the person says so, now or for the ability that it replaces.
func (s *Decisions) request(ctx context.Context, m Meta, item Item) (ability.InstallRequest, error) {
	b, err := s.bundle(item)
	if err != nil {
		return ability.InstallRequest{}, err
	}
	surface := ability.ShellSurface(b)
	all, err := s.o.Installer.Origins(ctx)
	if err != nil {
		return ability.InstallRequest{}, err
	}
	gives := slices.ContainsFunc(all, func(o ability.Origin) bool { return o.AbilityID == item.Replaces && item.givesUp(o) })
	p := item.Allowed
	if p == nil {
		asked := item.Scan.Permissions
		given := ability.Permissions{Tools: asked.Tools, Domains: asked.Domains, Credentials: asked.Credentials}
		if at := item.predecessor(all); at >= 0 {
			given = given.DefaultGrant(&all[at].Granted)
		} else {
			given = given.DefaultGrant(nil)
		}
		p = &given
	}
	return ability.InstallRequest{SagaID: item.SagaID, LearnSessionID: item.LearnSessionID, Lane: item.Lane, Source: "imported",
		Title: item.Phrases.Title, Family: "imported", Slug: item.Slug, CapabilityID: item.capability(), Replaces: item.Replaces,
		TriggerPhrases:   item.Phrases.Triggers,
		NegativeTriggers: item.Phrases.NegativeTriggers, ControlSurfaces: []string{
			surface}, Manifest: manifest(item, surface), Metadata: map[string]any{"provenance": item.Provenance, "import_id": item.ImportID},
		Checkpoints: skill.CheckpointsOf(b), Bundle: b, ContentHash: item.ContentHash, CorrelationID: m.CorrelationID,
		Permissions: p, KeepReplaced: gives}, nil
}

// manifest states only what is known of an imported skill.
func manifest(item Item, surface string) skill.Manifest {
	return skill.Manifest{CapabilityID: item.capability(), Family: "imported", Kind: "workflow_pattern", Title: item.Phrases.Title,
		OriginSkill: item.Slug, Aliases: []string{}, ActionVerbs: []string{}, SurfaceOrder: []string{surface},
		RuntimeBinding:      skill.RuntimeBinding{BindingKind: "workflow_pattern", Target: item.Slug},
		RequiredRuntimeCaps: []string{}, Permissions: item.Scan.Permissions.Tools, RequiresSupervision: true, RoutingEligible: true,
		Verification:   []skill.Verification{{Kind: "manual_confirmation", Target: "the user"}},
		HealthProbe:    skill.HealthProbe{Kind: "noop", Target: item.Slug, TimeoutMS: 1000},
		LearningPolicy: skill.LearningPolicy{ProposalRequiredForMutation: true}, SchemaVersion: 1}
}

// finish records success in the saga's last transaction.
func (s *Decisions) finish(w journal.Writer, m Meta, id string, to State, out ability.InstallResult, receipt *string) error {
	tx, err := s.o.Store.Join(w)
	if err != nil {
		return err
	}
	c, err := s.load(tx, m, id)
	if err != nil {
		return err
	}
	c.item.AbilityID, c.item.LastErrorCode = out.AbilityID, ""
	if err := c.enter(to, "", accepted(c.item.Accepted)); err != nil {
		return err
	}
	*receipt = c.receipt
	return c.save()
}

// installed cleans up and returns the response.
func (s *Decisions) installed(ctx context.Context, item Item, receipt, aside string) (ActionResponse, error) {
	if err := s.clear(item.ImportID); err != nil {
		s.o.Log.Warn("a staged skill could not be removed", "code", string(fault.CodeOf(err)))
	}
	item, err := s.get(ctx, item.ImportID)
	return ActionResponse{ImportRecord: shown(item.Record), ReceiptID: receipt, SagaID: item.SagaID, SetAside: aside, SchemaVersion: 1}, err
}

// Reject ends an import that a person reviewed and refused.
func (s *Decisions) Reject(ctx context.Context, m Meta, r RejectRequest) (ActionResponse, error) {
	return s.end(ctx, m, r.ImportID, Rejected, "rejected", r.Reason)
}

// Discard ends an import that nobody wants any more.
func (s *Decisions) Discard(ctx context.Context, m Meta, r DiscardRequest) (ActionResponse, error) {
	return s.end(ctx, m, r.ImportID, Discarded, "discarded", r.Reason)
}

// end removes everything of the import except its record. The reason stays in the record: receipts hold no typed text.
func (s *Decisions) end(ctx context.Context, m Meta, id string, to State, code, reason string) (ActionResponse, error) {
	defer s.alone()()
	item, receipt, err := s.update(ctx, m, id, func(c *change) error {
		if err := c.seen(); err != nil {
			return err
		}
		c.item.Reason = reason
		if err := c.enter(to, "", code); err != nil {
			return err
		}
		return s.drop(c)
	})
	if err != nil {
		return ActionResponse{}, err
	}
	if err := errors.Join(s.clear(id), removeFile(s.uploadPath(item.Upload))); err != nil {
		s.o.Log.Warn("files of an ended import could not be removed", "code", string(fault.CodeOf(err)))
	}
	return ActionResponse{ImportRecord: shown(item.Record), ReceiptID: receipt, SchemaVersion: 1}, nil
}
