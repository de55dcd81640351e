package learn_test

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/imports"
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// showing is what the session of an import must be when the import is in a state (decisions A7).
var showing = map[imports.State]state.State{
	imports.UploadPending: state.Armed, imports.Uploaded: state.Stopped, imports.Scanning: state.Reviewing,
	imports.ScanFailed: state.Reviewing, imports.ScanComplete: state.Reviewing,
	imports.Staging: state.DraftingProposal, imports.StageFailed: state.DraftingProposal, imports.ReadyForReview: state.ReadyForReview,
	imports.InstallQueued: state.InstallingPrivate, imports.InstallFailed: state.Quarantined, imports.InstalledPrivate: state.InstalledPrivate,
	imports.Approved: state.Approved, imports.Rejected: state.Rejected, imports.Discarded: state.Cancelled, imports.Expired: state.Cancelled,
}

// ways walks the import graph: every hop of it, each with the hops before it.
func ways(from imports.State, seen []imports.State, visit func([]imports.State)) {
	for _, to := range imports.States {
		legal := false
		for _, retry := range []string{"", imports.RetryScan, imports.RetryStage, imports.RetryInstall} {
			legal = legal || imports.CanGo(from, to, retry)
		}
		if !legal || len(seen) > 9 {
			continue
		}
		way := append(slices.Clone(seen), to)
		visit(way)
		if n := len(slices.DeleteFunc(slices.Clone(way), func(s imports.State) bool { return s != to })); n < 3 {
			ways(to, way, visit)
		}
	}
}

// Every transition of the import graph, on every path there with a retry of each kind: the session agrees, its final
// states are final, and a draft represents it as soon as there is something to review.
func TestImportSessionFollowsTheGraph(t *testing.T) {
	w := newWorld(t)
	var all [][]imports.State
	ways(imports.UploadPending, nil, func(way []imports.State) { all = append(all, way) })
	all = slices.DeleteFunc(all, func(a []imports.State) bool { // only the longest: they contain the others
		return slices.ContainsFunc(all, func(b []imports.State) bool { return len(b) > len(a) && slices.Equal(b[:len(a)], a) })
	})
	w.ok(w.db.Learn().Update(t.Context(), func(tx state.Tx) error {
		for _, way := range all {
			w.followWay(tx, way)
		}
		return nil
	}))
	if len(all) < 20 {
		t.Errorf("%d ways", len(all))
	}
}

func (w *world) followWay(tx state.Tx, way []imports.State) {
	w.t.Helper()
	item := imports.Item{Slug: "a-skill", Lane: ability.LanePrivate,
		Record: imports.Record{ImportID: clock.NewID(), SkillName: "a-skill", ContentHash: "h"}}
	from, upload := imports.UploadPending, clock.NewID()
	for i, to := range way {
		h := imports.Transition{Upload: upload, Session: item.LearnSessionID, From: from, To: to}
		if i > 0 {
			h.Item = &item
		}
		shown, err := w.svc.ImportTransition(tx, h)
		w.ok(err)
		item.LearnSessionID = shown.SessionID
		sess, _, err := tx.Session(shown.SessionID)
		w.ok(err)
		want := showing[to]
		if from == imports.ReadyForReview && to == imports.Discarded {
			want = state.Rejected
		}
		over := slices.Contains([]state.State{state.Quarantined, state.InstalledPrivate, state.Approved, state.Rejected, state.Cancelled}, want)
		if sess.State != want || sess.Ended != over {
			w.t.Errorf("%v: the session is %s (ended %v), want %s", way[:i+1], sess.State, sess.Ended, want)
		}
		if reviewed := slices.Contains(way[:i+1], imports.ReadyForReview); reviewed != (sess.ProposalID != "") {
			w.t.Errorf("%v: the draft is %q", way[:i+1], sess.ProposalID)
		} else if reviewed {
			p, _, err := tx.Proposal(sess.ProposalID)
			w.ok(err)
			if p.ProposalState != string(want) || len(p.SourceTraceIDs) != 0 || p.ImportID != item.ImportID {
				w.t.Errorf("%v: %+v", way[:i+1], p)
			}
		}
		from = to
	}
}

// brought is an import service whose sessions the world keeps.
type brought struct {
	*imports.Service
	w       *world
	scan    error
	install error
}

func (w *world) imports(mirror bool) *brought {
	w.t.Helper()
	b := &brought{w: w}
	o := imports.Options{Store: w.db.Imports(), Dir: filepath.Join(w.dir, "imports"), Installer: failing{w.skills, b}, Now: w.clock.wire,
		Scan: func(context.Context, fs.FS, string) (scan.Report, error) {
			return scan.Report{Verdict: scan.Clean, Findings: []scan.Finding{},
				Compatibility: scan.Compatibility{RuleVersion: "t", SchemaVersion: 1}}, b.scan
		}}
	if mirror {
		o.Mirror = w.svc
	}
	b.Service = imports.New(o)
	w.ok(b.Recover(w.t.Context()))
	return b
}

type failing struct {
	*ability.Service
	b *brought
}

func (f failing) Install(ctx context.Context, r ability.InstallRequest) (ability.InstallResult, error) {
	if f.b.install != nil {
		return ability.InstallResult{}, f.b.install
	}
	return f.Service.Install(ctx, r)
}

func (b *brought) upload(text string) string {
	b.w.t.Helper()
	return b.uploadFile(skill.Entry, text)
}

func (b *brought) uploadFile(path, text string) string {
	b.w.t.Helper()
	data, err := archive.Pack([]skill.File{{Path: path, Mode: 0o644, Data: []byte(text)}})
	b.w.ok(err)
	r, err := b.Upload(b.w.t.Context(), imports.Meta{},
		imports.Bundle{Filename: "s.zip", ContentType: "application/zip", Body: bytes.NewReader(data)},
		func() (imports.UploadMetadata, error) { return imports.UploadMetadata{SchemaVersion: 1}, nil })
	b.w.ok(err)
	return r.TempArtifact.TempArtifactRef
}

func skillNamed(name string) string {
	return "---\nname: " + name + "\ndescription: Sorts the receipts of a folder. Use to sort receipts.\n---\n\nSort them.\n"
}

func (b *brought) scanned(name string) imports.Record {
	b.w.t.Helper()
	r, err := b.Scan(b.w.t.Context(), imports.Meta{}, imports.ScanRequest{TempArtifactRef: b.upload(skillNamed(name))})
	b.w.ok(err)
	return r.ImportRecord
}

func (b *brought) staged(name string) imports.Record {
	b.w.t.Helper()
	r, err := b.Stage(b.w.t.Context(), imports.Meta{}, imports.StageRequest{ImportID: b.scanned(name).ImportID})
	b.w.ok(err)
	return r.ImportRecord
}

// agrees compares an import with its session.
func (b *brought) agrees(id string, is imports.State, want state.State) state.Session {
	b.w.t.Helper()
	d, err := b.Get(b.w.t.Context(), id)
	b.w.ok(err)
	sess, err := b.w.svc.Session(b.w.t.Context(), d.ImportRecord.LearnSessionID)
	b.w.ok(err)
	if d.ImportRecord.StageState != is || sess.State != want || sess.ImportID != id || sess.ProposalID != d.ProposalID {
		b.w.t.Errorf("the import is %s, its session %s: want %s and %s (%+v)", d.ImportRecord.StageState, sess.State, is, want, sess)
	}
	return sess
}

// The service's own paths: reject, discard, expiry, a refused archive, retries, a failed installation, a deleted
// upload, a restart. None of them blocks a demonstration, nor does a demonstration block them.
func TestImportSessions(t *testing.T) {
	w := newWorld(t)
	demo := w.create(request())
	b, ctx := w.imports(true), t.Context()

	s := b.agrees(b.staged("rejected").ImportID, imports.ReadyForReview, state.ReadyForReview)
	if s.EntryMode != state.ImportSkill || s.Title != "rejected" || s.Ended || len(s.AllowedActions) != 0 {
		t.Errorf("%+v", s)
	}
	_, err := b.Reject(ctx, imports.Meta{}, imports.RejectRequest{ImportID: s.ImportID, Reason: "not mine"})
	w.ok(err)
	if s = b.agrees(s.ImportID, imports.Rejected, state.Rejected); !s.Ended || s.Reason != "rejected" {
		t.Errorf("%+v", s)
	}
	if d, err := w.svc.Proposal(ctx, s.ProposalID); err != nil || d.Proposal.Reason != "not mine" || len(d.Proposal.AllowedActions) != 0 {
		t.Errorf("%+v %v", d.Proposal, err)
	}
	for _, kind := range []journal.EventKind{journal.SessionStarted, journal.SessionState, journal.ProposalCreated, journal.ProposalRejected,
		journal.SessionEnded} {
		w.has(s.LearnSessionID, kind, "")
	}

	id := b.scanned("discarded").ImportID
	_, err = b.Discard(ctx, imports.Meta{}, imports.DiscardRequest{ImportID: id})
	w.ok(err)
	b.agrees(id, imports.Discarded, state.Cancelled)
	id = b.staged("discarded-later").ImportID
	_, err = b.Discard(ctx, imports.Meta{}, imports.DiscardRequest{ImportID: id})
	w.ok(err)
	b.agrees(id, imports.Discarded, state.Rejected)

	up := b.upload(skillNamed("deleted"))
	_, err = b.DeleteUpload(ctx, imports.Meta{}, up)
	w.ok(err)
	if l, err := w.svc.Sessions(ctx, wire.SessionFilter{State: state.Cancelled}); err != nil || l.Sessions[0].TempArtifactRef != up ||
		l.Sessions[0].Reason != "upload_deleted" {
		t.Errorf("%+v %v", l, err)
	}

	_, err = b.Scan(ctx, imports.Meta{}, imports.ScanRequest{TempArtifactRef: b.uploadFile("README.md", "no skill")})
	bad := fault.From(err).Details["import_id"].(string)
	if s := b.agrees(bad, imports.ScanFailed, state.Cancelled); s.Ended != true {
		t.Errorf("what cannot be retried is not over: %+v", s)
	}
	b.scan = fault.New(fault.Internal, "not now")
	_, err = b.Scan(ctx, imports.Meta{}, imports.ScanRequest{TempArtifactRef: b.upload(skillNamed("again"))})
	id = fault.From(err).Details["import_id"].(string)
	b.agrees(id, imports.ScanFailed, state.Reviewing)
	b.scan = nil
	_, err = b.Retry(ctx, imports.Meta{}, imports.RetryRequest{ImportID: id, RetryKind: imports.RetryScan})
	w.ok(err)
	b.agrees(id, imports.ScanComplete, state.Reviewing)

	failed := b.staged("fails-first").ImportID
	b.install = fault.New(fault.SlugTaken, "taken")
	_, err = b.InstallPrivate(ctx, imports.Meta{User: true}, imports.InstallPrivateRequest{ImportID: failed})
	if err == nil {
		t.Error("installed")
	}
	if s = b.agrees(failed, imports.InstallFailed, state.Quarantined); !s.Ended || s.Reason != "install_failed" {
		t.Errorf("%+v", s)
	}
	b.install = nil
	w.ok(w.svc.Delete(ctx, user, s.LearnSessionID)) // a session that was forgotten is begun again
	_, err = b.Retry(ctx, imports.Meta{User: true}, imports.RetryRequest{ImportID: failed, RetryKind: imports.RetryInstall})
	w.ok(err)
	if s = b.agrees(failed, imports.InstalledPrivate, state.InstalledPrivate); s.AbilityID == "" || s.Reason != "" || s.Outcome != "" {
		t.Errorf("%+v", s)
	}
	if d, err := w.svc.Proposal(ctx, s.ProposalID); err != nil || d.Proposal.AbilityID != s.AbilityID ||
		d.Proposal.InstallLane != ability.LanePrivate {
		t.Errorf("%+v %v", d.Proposal, err)
	}
	yes := b.staged("approved").ImportID
	_, err = b.Approve(ctx, imports.Meta{User: true}, imports.ApproveRequest{ImportID: yes})
	w.ok(err)
	b.agrees(yes, imports.Approved, state.Approved)

	waits, goes := b.staged("waits").ImportID, b.scanned("expires").ImportID
	w.crash()
	b = w.imports(true)
	b.agrees(waits, imports.ReadyForReview, state.ReadyForReview)
	w.pass(25 * time.Hour)
	w.ok(b.Tidy(ctx))
	b.agrees(goes, imports.Discarded, state.Cancelled)
	b.agrees(waits, imports.ReadyForReview, state.ReadyForReview)

	if s, err := w.svc.Session(ctx, demo.LearnSessionID); err != nil || s.State != state.Armed {
		t.Errorf("the demonstration is %s (%v)", s.State, err)
	}
	if a, ok, err := w.svc.ActiveSession(ctx); !ok || err != nil || a.LearnSessionID != demo.LearnSessionID {
		t.Errorf("active is %+v (%v)", a, err)
	}
	if r, err := w.svc.Runtime(ctx); err != nil || r.LearnSessionID != demo.LearnSessionID {
		t.Errorf("runtime shows %+v (%v)", r, err)
	}
	w.ok(w.svc.Housekeep(ctx))
	_, err = w.svc.Cancel(ctx, user, demo.LearnSessionID, "")
	w.ok(err)
	w.create(request())
}

// The session and its draft decide nothing: whatever is asked of them is answered by naming the import.
func TestImportSessionsDecideNothing(t *testing.T) {
	w := newWorld(t)
	b, ctx := w.imports(true), t.Context()
	s := b.agrees(b.staged("parked").ImportID, imports.ReadyForReview, state.ReadyForReview)
	id, p := s.LearnSessionID, s.ProposalID
	for name, do := range map[string]func() error{
		"start":    func() error { _, err := w.svc.Start(ctx, user, id); return err },
		"stop":     func() error { _, err := w.svc.Stop(ctx, user, id); return err },
		"cancel":   func() error { _, err := w.svc.Cancel(ctx, user, id, ""); return err },
		"delete":   func() error { return w.svc.Delete(ctx, user, id) },
		"generate": func() error { _, err := w.svc.GenerateProposal(ctx, user, id); return err },
		"revise": func() error {
			_, err := w.svc.Revise(ctx, user, p, wire.ProposalReviseRequest{RevisionInstructions: "shorter"})
			return err
		},
		"install": func() error { _, err := w.svc.Install(ctx, user, p, wire.ProposalInstallRequest{}); return err },
		"approve": func() error { _, err := w.svc.Approve(ctx, user, p, wire.ApproveProposalRequest{}); return err },
		"reject": func() error {
			_, err := w.svc.Reject(ctx, user, p, wire.RejectProposalRequest{Reason: "x"})
			return err
		},
		"example": func() error {
			_, err := w.svc.Create(ctx, user, wire.CreateLearnSessionRequest{EntryMode: state.DemonstratingSkill, ExampleOf: id})
			return err
		},
	} {
		f := fault.From(do())
		if f == nil || f.Code != fault.DecidedOnImport || f.Details["import_id"] != s.ImportID {
			t.Errorf("%s: %v", name, f)
		}
	}
	b.agrees(s.ImportID, imports.ReadyForReview, state.ReadyForReview)
	_, err := b.Reject(ctx, imports.Meta{}, imports.RejectRequest{ImportID: s.ImportID, Reason: "no"})
	w.ok(err)
	w.ok(w.svc.Delete(ctx, user, id)) // what is over may be forgotten
}

// Imports and uploads of a version without sessions get theirs, once, as they stand.
func TestImportSessionsAreBackfilled(t *testing.T) {
	w := newWorld(t)
	old, ctx := w.imports(false), t.Context()
	old.upload(skillNamed("waiting"))
	want := map[string]state.State{old.scanned("seen").ImportID: state.Reviewing, old.staged("parked").ImportID: state.ReadyForReview}
	no := old.staged("refused").ImportID
	_, err := old.Reject(ctx, imports.Meta{}, imports.RejectRequest{ImportID: no, Reason: "no"})
	w.ok(err)
	gone := old.staged("gone").ImportID
	_, err = old.Discard(ctx, imports.Meta{}, imports.DiscardRequest{ImportID: gone})
	w.ok(err)
	yes := old.staged("taken").ImportID
	_, err = old.Approve(ctx, imports.Meta{User: true}, imports.ApproveRequest{ImportID: yes})
	w.ok(err)
	want[no], want[gone], want[yes] = state.Rejected, state.Rejected, state.Approved
	w.crash()
	var b *brought
	for range 2 {
		b = w.imports(true)
		for id, shown := range want {
			d, err := b.Get(ctx, id)
			w.ok(err)
			s := b.agrees(id, d.ImportRecord.StageState, shown)
			if !s.CreatedAt.Equal(d.ImportRecord.CreatedAt.Time) || s.Ended != (shown != state.Reviewing && shown != state.ReadyForReview) {
				t.Errorf("%+v", s)
			}
			w.has(s.LearnSessionID, journal.MigrationBackfill, "import")
		}
		if h, err := w.svc.History(ctx, wire.HistoryFilter{}); err != nil || h.Total != 6 {
			t.Errorf("%d sessions (%v)", h.Total, err)
		}
		w.crash()
	}
	b = w.imports(true)
	for id, shown := range want {
		if shown == state.ReadyForReview {
			_, err := b.InstallPrivate(ctx, imports.Meta{User: true}, imports.InstallPrivateRequest{ImportID: id})
			w.ok(err)
			b.agrees(id, imports.InstalledPrivate, state.InstalledPrivate)
		}
	}
}
