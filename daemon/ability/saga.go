package ability

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Installer runs the install saga, and rolls back what a failure or a crash left.
type Installer struct{ *registry }

// step is one step of the install saga. undo is called for every step that was begun, last first, also after a crash:
// it must be harmless when do never ran or ran half.
type step struct {
	name string
	do   func(context.Context, *installation) error
	undo func(context.Context, *installation) error
}

// installation is a running saga. After a crash only saga is known.
type installation struct {
	saga   Saga
	req    InstallRequest
	w      *world
	after  Ability // the record as it will be
	before *Ability

	requested Permissions
	scan      *ScanVerdict
}

// steps are the saga of DOC3 0C.23: files first, because they can be rolled back; then, in one transaction, everything
// that others rely on: record, manifest, sidecar, bridge, catalog, availability, receipts, events, and the caller's
// own records.
func (s *Installer) steps() []step {
	none := func(context.Context, *installation) error { return nil }
	return []step{
		{"materialize", s.doMaterialize, s.undoFolders(PathBundle)},
		{"project", s.doProject, s.undoFolders(PathCopy)},
		{"verify", s.doVerify, none},
		{"register", s.doRegister, none}, // one transaction: it happened, or it did not
	}
}

// Install runs the saga. On failure everything that it wrote is removed and the error names the step (details.step).
// In the saga's last transaction it calls req.Finish, if any, with the same writer.
func (s *Installer) Install(ctx context.Context, req InstallRequest) (InstallResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in, done, err := s.prepare(ctx, req)
	if err != nil || done {
		return in.saga.Result, err
	}
	if err := s.begin(ctx, in); err != nil {
		return InstallResult{}, err
	}
	for _, st := range s.steps() {
		in.saga.Step = st.name
		if err = s.runStep(ctx, in, st); err != nil {
			return InstallResult{}, s.fail(context.WithoutCancel(ctx), in, st.name, err)
		}
	}
	s.clean(context.WithoutCancel(ctx), &in.saga)
	_ = s.withdraw(context.WithoutCancel(ctx), in.w) // of others that drifted; logged, and tried again
	return in.saga.Result, nil
}

func (s *Installer) runStep(ctx context.Context, in *installation, st step) error {
	if err := ctx.Err(); err != nil {
		return fault.Wrap(err, fault.Cancelled, "the installation was cancelled")
	}
	if err := s.o.Store.Update(ctx, func(tx Tx) error { return s.tellStep(tx, in.saga, "running") }); err != nil {
		return err
	}
	if err := st.do(ctx, in); err != nil {
		return err
	}
	return s.at(st.name)
}

// tellStep stores the saga's state and publishes it to its followers.
func (s *Installer) tellStep(tx Tx, g Saga, state string) error {
	if err := tx.PutSaga(g); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: journal.InstallStep, SessionID: g.LearnSessionID,
		Payload: map[string]any{"saga_id": g.SagaID, "proposal_id": g.ProposalID, "step": g.Step, "state": state}})
}

// prepare checks the request against the current state. done means that this very saga was completed before.
func (s *Installer) prepare(ctx context.Context, req InstallRequest) (in *installation, done bool, err error) {
	in = &installation{req: req}
	var old Saga
	var known bool
	err = s.o.Store.View(ctx, func(tx Tx) (err error) { old, known, err = tx.Saga(req.SagaID); return err })
	if err != nil {
		return in, false, err
	}
	if known {
		in.saga = old
		if old.State != SagaCompleted {
			return in, false, fault.New(fault.InvalidRequest,
				"this installation was begun before and did not succeed").WithHint("install again with a new saga id")
		}
		return in, true, nil
	}
	if err := checkRequest(req); err != nil {
		return in, false, err
	}
	if in.w, err = s.load(ctx); err != nil {
		return in, false, err
	}
	s.observe(in.w)
	if err := s.scanned(ctx, in); err != nil {
		return in, false, err
	}
	if err := s.choosePlace(in); err != nil {
		return in, false, err
	}
	return in, false, nil
}

// scanned adds what an installation requests, and what the scanner says of it.
func (s *Installer) scanned(ctx context.Context, in *installation) error {
	asked, verdict, err := s.asks(ctx, in.req.Bundle)
	if err != nil {
		return err
	}
	in.requested, in.scan = taught(asked, in.req.RequiredSites), verdict
	if p := in.req.Permissions; p != nil {
		in.requested = normal(*p)
	}
	return nil
}

// Taught is what a skill that was taught here may use unless the person chooses otherwise: the tools that it asks for, and the
// sites that it was shown on. Hosts and credentials that only the scanner found are granted to no skill without being named.
func (s *Installer) Taught(ctx context.Context, b skill.Bundle, sites []string) (Permissions, error) {
	p, _, err := s.asks(ctx, b)
	return taught(p, sites), err
}

func taught(asked Permissions, sites []string) Permissions {
	return normal(Permissions{Tools: asked.Tools, Domains: sites})
}

func checkRequest(req InstallRequest) error {
	switch {
	case req.SagaID == "":
		return fault.New(fault.InvalidRequest, "an installation needs a saga id")
	case !skill.ValidName(req.Slug):
		return fault.New(fault.InvalidRequest, "the skill's name is not lower-case ASCII words joined by single hyphens, at most 64 characters")
	case req.Bundle.Name != req.Slug:
		return fault.New(fault.InvalidRequest, "the bundle has another name than the skill")
	case !slices.Contains([]string{LanePrivate, LaneApproved, LaneShared}, req.Lane):
		return fault.New(fault.InstallLaneDenied, "nothing is installed into this lane")
	case req.Bundle.Hash() != req.ContentHash:
		return fault.New(fault.ContentHashMismatch, "the bundle is not what was reviewed").WithHint("look at the proposal again, then install it")
	}
	return nil
}

// choosePlace decides which ability this becomes and makes sure that its folders are free or already its own.
func (s *Installer) choosePlace(in *installation) error {
	w, req := in.w, in.req
	i := find(w.abilities, req.Slug)
	switch {
	case req.Replaces != "":
		if i = find(w.abilities, req.Replaces); i < 0 {
			return notFound()
		}
		if err := w.abilities[i].ownToDecide(); err != nil {
			return err
		}
		if w.abilities[i].Slug != req.Slug {
			return fault.New(fault.InvalidRequest, "a new version keeps the skill's name")
		}
	case i >= 0 && (req.ProposalID == "" || w.abilities[i].ProposalID != req.ProposalID):
		return s.slugTaken(w, req.Slug)
	}
	if i >= 0 {
		before := w.abilities[i]
		in.before = &before
	}
	for _, a := range w.abilities {
		if a.CapabilityID == req.CapabilityID && a.Slug != req.Slug {
			return fault.New(fault.SlugTaken, "another ability has this capability id").WithDetail("ability_id", a.AbilityID)
		}
	}
	in.after = s.record(in)
	in.saga = Saga{SagaOutcome: SagaOutcome{SagaID: req.SagaID, State: SagaRunning, LearnSessionID: req.LearnSessionID,
		ProposalID: req.ProposalID},
		Slug: req.Slug, Hash: req.ContentHash, CreatedAt: s.now()}
	in.saga.Result = InstallResult{AbilityID: in.after.AbilityID, CapabilityID: in.after.CapabilityID, Slug: req.Slug,
		CanonicalPath: s.bundlePath(req.Slug), Projected: []string{}, FilesWritten: []string{}}
	return s.planFolders(in)
}

// planFolders lists the folders to write; one that already holds the content stays as it is.
func (s *Installer) planFolders(in *installation) error {
	plan := func(path, kind, target string) error {
		own, ok := in.w.ledger[path]
		p := s.hashes.look(path)
		if p.there && !(ok && in.before != nil && own.AbilityID == in.before.AbilityID && own.owns(p)) {
			return s.slugTaken(in.w, in.req.Slug)
		}
		f := SagaFolder{Path: path, Kind: kind, Target: target, Replaces: p.there,
			Hash: s.written(target, in.req.Bundle, in.after.Manifest).Hash()}
		if p.there && p.hash == f.Hash && (kind == PathBundle || own.Hash == f.Hash && own.Source == in.req.ContentHash) {
			return nil
		}
		switch {
		case p.there && kind == PathBundle:
			f.PrevHash, f.KeepPrev = in.before.installedHash(), in.req.KeepReplaced
		case p.there:
			f.PrevHash = own.Hash
		}
		in.saga.Folders = append(in.saga.Folders, f)
		return nil
	}
	if err := plan(s.bundlePath(in.req.Slug), PathBundle, ""); err != nil {
		return err
	}
	if in.req.Unreviewed { // not usable means not there
		return nil
	}
	for _, t := range s.o.Targets {
		if !t.copied(in.after.Permissions) {
			continue
		}
		if err := plan(t.path(in.req.Slug), PathCopy, t.Name); err != nil {
			return err
		}
		in.saga.Result.Projected = append(in.saga.Result.Projected, t.path(in.req.Slug))
	}
	return nil
}

func (s *Installer) slugTaken(w *world, slug string) error {
	return fault.New(fault.SlugTaken, "a skill of this name exists and is another one").
		WithHint("choose another name").WithDetail("suggested_slug", s.freeSlug(w, slug))
}

// freeSlug is the first of slug-2, slug-3, ... that nobody uses.
func (s *Installer) freeSlug(w *world, slug string) string {
	for n := 2; ; n++ {
		tail := fmt.Sprintf("-%d", n)
		try := slug[:min(len(slug), 64-len(tail))] + tail
		taken := find(w.abilities, try) >= 0 || exists(s.bundlePath(try)) ||
			slices.ContainsFunc(s.o.Targets, func(t Target) bool { return exists(t.path(try)) })
		if !taken {
			return try
		}
	}
}

// record is the future ability: a new one, or the next version of the one it replaces.
func (s *Installer) record(in *installation) Ability {
	req, now := in.req, s.now()
	a := Ability{AbilityID: s.o.NewID(), CreatedAt: now, Enabled: true}
	if in.before != nil {
		a = *in.before
	}
	a.Inputs = inputsOf(req.Bundle)
	a.CapabilityID, a.Slug, a.Title, a.Description, a.Family = req.CapabilityID, req.Slug, plain.Cut(req.Title, 200), description(req.Bundle),
		plain.Cut(req.Family, 80)
	a.Source, a.Lane, a.LaneBefore, a.QuarantineReason, a.QuarantinedBy = req.Source, req.Lane, "", "", ""
	a.Health = a.Health.Reset()
	a.settle(req, in.requested, now)
	a.Scan = in.scan
	a.TriggerPhrases, a.NegativeTriggers, a.Aliases, a.ProjectScopes = req.TriggerPhrases, req.NegativeTriggers, req.Aliases, req.ProjectScopes
	a.ControlSurfaces, a.SupportPackRefs, a.Checkpoints = req.ControlSurfaces, slices.Clone(req.SupportPackRefs), req.Checkpoints
	for _, p := range skill.SupportPacks(req.Bundle) {
		if !slices.Contains(a.SupportPackRefs, p) {
			a.SupportPackRefs = append(a.SupportPackRefs, p)
		}
	}
	a.RequiredSites, a.RequiredCommands, a.RequiredAdapters = req.RequiredSites, req.RequiredCommands, req.RequiredAdapters
	a.RequiredConnectors = req.RequiredConnectors
	if is, was := importedFrom(req.Metadata), importedFrom(a.Metadata); is.Reference != was.Reference || is.Digest != was.Digest {
		a.Pushed = nil
	}
	a.Manifest, a.Metadata, a.ProposalID, a.LearnSessionID, a.LastValidatedAt = req.Manifest, req.Metadata, req.ProposalID, req.LearnSessionID,
		req.LastValidatedAt
	if a.Source == "" {
		a.Source = "learned"
	}
	a.conform(bringsScript(req.Bundle))
	a.Enabled = true
	a.Revision++
	a.UpdatedAt = now
	return a
}

// settle sets the trust after an installation: reviewed content is approved, other content waits for a review.
func (a *Ability) settle(req InstallRequest, requested Permissions, now clock.Time) {
	event := Installed
	if req.Unreviewed {
		event = Extracted
	}
	_ = a.enter(event) // possible from every state
	a.ContentHash, a.Drift, a.DriftKept, a.DriftAt, a.RejectedAt, a.RejectReason = req.ContentHash, "", "", nil, nil, ""
	a.Originals = req.Originals
	a.Permissions = requested
	if a.Granted != nil && len(a.Permissions.Agents) == 0 {
		a.Permissions.Agents = a.Granted.Agents // a new version is for the agents that the person chose
	}
	if req.Unreviewed && req.Permissions == nil && a.Granted != nil {
		a.Permissions = *a.Granted // what a person allowed stays allowed, and nothing more
	}
	if !req.Unreviewed {
		granted := a.Permissions
		a.ApprovedHash, a.Granted = req.ContentHash, &granted
	}
}

// begin makes the saga durable and announces every folder that it will write.
func (s *Installer) begin(ctx context.Context, in *installation) error {
	in.saga.Step = "begin"
	return s.o.Store.Update(ctx, func(tx Tx) error {
		if err := tx.PutSaga(in.saga); err != nil {
			return err
		}
		for _, f := range in.saga.Folders {
			if f.Replaces {
				continue
			}
			if err := tx.PutLedger(s.row(in.saga, f, PathPlanned)); err != nil {
				return err
			}
		}
		return record(tx, journal.Receipt{Kind: journal.InstallStarted, LearnSessionID: in.saga.LearnSessionID, ProposalID: in.saga.ProposalID,
			AbilityID: in.saga.Result.AbilityID, SkillSlug: in.saga.Result.Slug, CorrelationID: in.req.CorrelationID,
			Summary: "The installation began."},
			map[string]any{"saga_id": in.saga.SagaID, "proposal_id": in.saga.ProposalID, "ability_id": in.saga.Result.AbilityID,
				"install_lane": in.req.Lane})
	})
}

func (s *Installer) row(g Saga, f SagaFolder, state string) LedgerEntry {
	return LedgerEntry{Path: f.Path, Kind: f.Kind, Target: f.Target, AbilityID: g.Result.AbilityID, SagaID: g.SagaID, Hash: g.hashOf(f),
		Source: g.sourceOf(f),
		State:  state, CreatedAt: s.now()}
}

// hashOf is the hash of what the saga writes there.
func (g Saga) hashOf(f SagaFolder) string {
	if f.Hash == "" {
		return g.Hash
	}
	return f.Hash
}

// sourceOf is the hash of the skill that a copy is made of.
func (g Saga) sourceOf(f SagaFolder) string {
	if f.Kind != PathCopy || f.Hash == "" {
		return ""
	}
	return g.Hash
}

func (s *Installer) doMaterialize(ctx context.Context, in *installation) error {
	return s.doFolders(ctx, in, PathBundle)
}

// doProject copies to every target, making a target's folder if necessary.
func (s *Installer) doProject(ctx context.Context, in *installation) error {
	return s.doFolders(ctx, in, PathCopy)
}

func (s *Installer) doFolders(ctx context.Context, in *installation, kind string) error {
	for _, f := range in.saga.Folders {
		if f.Kind != kind {
			continue
		}
		if f.Kind == PathCopy {
			if err := s.makeTarget(ctx, in, f); err != nil {
				return err
			}
		}
		if f.Replaces {
			if err := os.Rename(f.Path, hidden(f.Path, "prev", in.saga.SagaID)); err != nil {
				return skill.CannotWrite(err)
			}
		}
		b := s.written(f.Target, in.req.Bundle, in.after.Manifest)
		if err := put(f.Path, in.saga.SagaID, b, kind == PathCopy); err != nil {
			return err
		}
		s.hashes.forget(f.Path)
		for _, file := range b.Files {
			in.saga.Result.FilesWritten = append(in.saga.Result.FilesWritten, joinFile(f.Path, file.Path))
		}
		if err := s.at(kind + ":" + f.Target); err != nil {
			return err
		}
	}
	return nil
}

// makeTarget makes a missing skill folder of an agent and records that Showhow made it.
func (s *Installer) makeTarget(ctx context.Context, in *installation, f SagaFolder) error {
	i := slices.IndexFunc(s.o.Targets, func(t Target) bool { return t.Name == f.Target })
	dirs, err := makeDirs(s.o.Targets[i].Dir)
	rows := s.madeDirs(s.o.Targets[i], dirs)
	in.saga.MadeDirs = append(in.saga.MadeDirs, rows...)
	if len(rows) > 0 {
		err = errors.Join(err, s.o.Store.Update(ctx, func(tx Tx) error {
			for _, r := range rows {
				if err := tx.PutLedger(r); err != nil {
					return err
				}
			}
			return tx.PutSaga(in.saga)
		}))
	}
	return err
}

// doVerify reads back what was written: the content must be what the person saw, in every place.
func (s *Installer) doVerify(_ context.Context, in *installation) error {
	places := map[string]string{in.saga.Result.CanonicalPath: in.saga.Hash}
	if len(in.saga.Result.Projected) > 0 {
		for _, t := range s.o.Targets {
			if !t.copied(in.after.Permissions) {
				continue
			}
			places[t.path(in.req.Slug)] = forTarget(t, in.req.Bundle, in.after.Manifest).Hash()
		}
	}
	for p, want := range places {
		b, err := skill.ReadDir(p)
		if err != nil {
			return err
		}
		if b.Hash() != want {
			return fault.New(fault.ContentHashMismatch,
				"a written copy is not what was reviewed").WithHint("look for a program that changes files in the skill folders, then install again")
		}
	}
	return nil
}

// doRegister commits the installation.
func (s *Installer) doRegister(ctx context.Context, in *installation) error {
	w := in.w
	var rows []LedgerEntry
	for _, f := range in.saga.Folders {
		r := s.row(in.saga, f, PathPresent)
		rows, w.ledger[f.Path] = append(rows, r), r
	}
	if i := find(w.abilities, in.after.AbilityID); i >= 0 {
		w.abilities[i] = in.after
	} else {
		w.abilities = append(w.abilities, in.after)
	}
	w.dirty[in.after.AbilityID] = true
	s.observeAgain(w)
	err := s.commit(ctx, w, rows, change{trigger: TriggerInstallCompleted, strict: true, session: in.saga.LearnSessionID,
		inTx: func(tx Tx) error { return s.finish(tx, in) }, after: func(tx Tx) error { return s.handBack(tx, in) }})
	if err == nil {
		s.stale = nil
	}
	return err
}

// finish is the part of the last transaction that concerns this installation only.
func (s *Installer) finish(tx Tx, in *installation) error {
	a := in.after
	if in.before != nil && in.before.CapabilityID != a.CapabilityID {
		for _, p := range []string{manifestPath(in.before.CapabilityID), metadataPath(in.before.CapabilityID)} {
			if err := tx.RemoveFile(p); err != nil {
				return err
			}
		}
	}
	if err := s.at("manifest"); err != nil {
		return err
	}
	problem := manifestProblem(a.Manifest)
	if a.Manifest.CapabilityID != a.CapabilityID {
		problem = "capability_id"
	}
	if problem != "" { // before its id becomes a file name
		return fault.Newf(fault.BridgeRebuildFailed, "the capability manifest is not valid: %s", problem)
	}
	if err := tx.PutFile(manifestPath(a.CapabilityID), a.Manifest); err != nil {
		return err
	}
	if err := tellManifest(tx, in.before, a); err != nil {
		return err
	}
	if err := tx.PutFile(metadataPath(a.CapabilityID), sidecar(a, bringsScript(in.req.Bundle))); err != nil {
		return err
	}
	in.saga.Result.FilesWritten = append(in.saga.Result.FilesWritten, manifestPath(a.CapabilityID), metadataPath(a.CapabilityID))
	done, now := in.saga, s.now()
	done.State, done.EndedAt, done.Step = SagaCompleted, &now, "register"
	done.Cleaned = !slices.ContainsFunc(done.Folders, func(f SagaFolder) bool { return f.Replaces })
	if err := tx.PutSaga(done); err != nil {
		return err
	}
	if a.Trust == TrustApproved {
		if err := tx.PutContent(Content{a.AbilityID, a.ApprovedHash, in.req.Bundle}); err != nil {
			return err
		}
	}
	if err := record(tx, journal.Receipt{Kind: journal.InstallCompleted, LearnSessionID: done.LearnSessionID, ProposalID: done.ProposalID,
		AbilityID: a.AbilityID, CorrelationID: in.req.CorrelationID, Summary: "The skill was installed."},
		map[string]any{"saga_id": done.SagaID, "proposal_id": done.ProposalID, "ability_id": a.AbilityID, "install_lane": a.Lane,
			"skill_slug": a.Slug}); err != nil {
		return err
	}
	in.saga = done
	return s.at("finish")
}

// handBack lets the caller record the outcome, last of all: with it the caller's session ends, and so does the stream
// that follows it.
func (s *Installer) handBack(tx Tx, in *installation) error {
	if in.req.Finish == nil {
		return nil
	}
	return in.req.Finish(tx, in.saga.Result)
}
