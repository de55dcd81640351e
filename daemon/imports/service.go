package imports

import (
	"context"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/skill/archive"
	"showhow/daemon/skill/scan"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Life of what is uploaded (DOC3 0C.20).
const (
	uploadLife    = 24 * time.Hour
	expiringSoon  = 2 * time.Hour
	retryWarning  = 3
	uploadsAtOnce = 32 // that wait for a decision
)

// CurrentPath is the current view that other programs read.
const CurrentPath = "system/skills/imports_current.json"

// Store is where imports and uploads live. Update commits durably or not at all.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
	// Join makes a Tx of a transaction that another capability runs (the Finish of a saga).
	Join(w journal.Writer) (Tx, error)
}

// Tx is one transaction.
type Tx interface {
	journal.Writer

	PutImport(Item) error
	Import(id string) (Item, bool, error)
	Imports(f Filter) ([]Item, int, error) // newest first; page 0 means all
	// LegacyImports are the bodies of records that older versions left, by id.
	LegacyImports() (map[string][]byte, error)

	PutUpload(Stored) error
	Upload(ref string) (Stored, bool, error)
	Uploads() ([]Stored, error) // oldest first
	DeleteUpload(ref string) error
}

// Installer is the install saga; *ability.Service is one.
type Installer interface {
	Install(ctx context.Context, r ability.InstallRequest) (ability.InstallResult, error)
	Saga(ctx context.Context, id string) (ability.SagaOutcome, error)
	Catalog(ctx context.Context) (ability.Catalog, error)
	ExplainMatch(ctx context.Context, r ability.ExplainMatchRequest) (ability.ExplainMatchResponse, error)
	ExplainDraft(r ability.ExplainMatchRequest, d ability.Phrases) ability.ExplainMatchResponse
}

// Mirror is told of every hop, in its transaction: a learn session shows the import and moves along (decisions A7).
type Mirror interface {
	// ImportHop names what mirrors the import.
	ImportHop(w journal.Writer, h Hop) (Shown, error)
}

// Shown is the learn session that shows an import, and its draft once there is one.
type Shown struct{ SessionID, ProposalID string }

// Hop is one change of state of an import, or of an upload that is no import yet.
type Hop struct {
	Session     string // that has mirrored it so far, "" for none
	Upload      string // the upload's ref, when there is no import yet
	Item        *Item  // the import as it is now, nil for an upload
	From, To    State
	Reason      string
	Over        bool // it failed, and nothing is left that a retry could use
	Backfill    bool // nothing happened: it is older than its session
	Correlation string
}

// Options are what a Service stands on. Store, Dir, Installer and Scan are required.
type Options struct {
	Store     Store
	Dir       string // uploads and staged skills, absolute; nobody else writes there
	Installer Installer
	// Scan judges a skill's folder that shall have this name.
	Scan    func(ctx context.Context, fsys fs.FS, name string) (scan.Report, error)
	Mirror  Mirror // may be nil
	Limits  archive.Limits
	PackDir string // of pack manifests, may be ""
	Now     func() clock.Time
	NewID   func() string
	Log     *slog.Logger
}

// Meta is who asks and what they saw.
type Meta struct {
	Principal       string // user or agent, for keys of idempotency
	User            bool
	CorrelationID   string
	IfMatch         *int
	ClientRequestID string
}

// Service is every operation on imports. Who may call it is the caller's business. Methods are safe for concurrent use; changes
// happen one after the other.
type Service struct {
	o     Options
	mu    sync.Mutex
	probe func(point string) error // tests only: ends the work at a named point, as a crash would
}

// New makes a service; call Recover once before serving.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{o: o}
}

func (s *Service) uploadDir() string { return filepath.Join(s.o.Dir, "uploads") }
func (s *Service) stagedDir() string { return filepath.Join(s.o.Dir, "staged") }

func (s *Service) at(point string) error {
	if s.probe == nil {
		return nil
	}
	return s.probe(point)
}

// change is one unit of work on one import.
type change struct {
	Tx
	s       *Service
	m       Meta
	item    *Item
	receipt string // of the last hop
}

// update runs fn on the import in one transaction, and saves it with the current view.
func (s *Service) update(ctx context.Context, m Meta, id string, fn func(*change) error) (Item, string, error) {
	var out change
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		c, err := s.load(tx, m, id)
		if err != nil {
			return err
		}
		if err := fn(c); err != nil {
			return err
		}
		out = *c
		return c.save()
	})
	if err != nil {
		return Item{}, "", err
	}
	return *out.item, out.receipt, nil
}

func (s *Service) load(tx Tx, m Meta, id string) (*change, error) {
	item, ok, err := tx.Import(id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, notFound()
	}
	return &change{Tx: tx, s: s, m: m, item: &item}, nil
}

func notFound() error {
	return fault.New(fault.SkillImportNotFound, "there is no such import").WithHint("`showhow skill imports list` names them")
}

// seen compares the revision the caller saw with the current one (decisions C13).
func (c *change) seen() error {
	if c.m.IfMatch == nil || *c.m.IfMatch == c.item.Revision {
		return nil
	}
	return fault.New(fault.RevisionConflict, "the import was changed since you looked").WithDetail("current_revision", c.item.Revision).
		WithHint("look at it again and repeat")
}

// enter is the one way an import changes its state: along the table, with receipt and event.
func (c *change) enter(to State, retry, reason string) error {
	from := c.item.StageState
	if err := checkHop(from, to, retry); err != nil {
		return err
	}
	c.item.StageState = to
	if err := c.mirror(Hop{From: from, To: to, Reason: reason}); err != nil {
		return err
	}
	return c.tell(journal.ImportState(string(to)), sentences[to], reason, map[string]any{"from": string(from), "to": string(to)})
}

// mirror takes the import's learn session along.
func (c *change) mirror(h Hop) error {
	h.Item, h.Session, h.Correlation = c.item, c.item.LearnSessionID, c.m.CorrelationID
	shown, err := c.s.mirror(c.Tx, h)
	c.item.LearnSessionID, c.item.ProposalID = shown.SessionID, shown.ProposalID
	return err
}

func (s *Service) mirror(w journal.Writer, h Hop) (Shown, error) {
	if s.o.Mirror == nil {
		return Shown{SessionID: h.Session}, nil
	}
	return s.o.Mirror.ImportHop(w, h)
}

// tell writes a receipt and its event. Neither carries what somebody else wrote: no name, no reason in words.
func (c *change) tell(kind journal.EventKind, summary, reason string, payload map[string]any) error {
	c.receipt = c.s.o.NewID()
	payload["import_id"] = c.item.ImportID
	err := c.AddReceipt(journal.Receipt{ReceiptID: c.receipt, Kind: kind, LearnSessionID: c.item.LearnSessionID, AbilityID: c.item.AbilityID,
		Reason: reason, Summary: summary, CorrelationID: c.m.CorrelationID})
	if err != nil {
		return err
	}
	return c.Emit(journal.Event{Kind: kind, SessionID: c.item.LearnSessionID, Payload: payload})
}

// save writes the import and the current view.
func (c *change) save() error {
	c.item.Revision++
	c.item.UpdatedAt = c.s.o.Now()
	c.item.AllowedActions = actions(c.item.Record)
	if err := c.PutImport(*c.item); err != nil {
		return err
	}
	return c.s.putCurrent(c.Tx)
}

func (s *Service) putCurrent(tx Tx) error {
	all, _, err := tx.Imports(Filter{})
	if err != nil {
		return err
	}
	v := List{Items: []Record{}, Total: len(all), Page: 1, PageSize: 100, SchemaVersion: 1}
	for _, i := range all[:min(len(all), 100)] {
		v.Items = append(v.Items, shown(i.Record))
	}
	return tx.PutFile(CurrentPath, v)
}

// shown hides what must not be displayed (DOC3 0C.20, rule 5).
func shown(r Record) Record {
	if r.SourceRefKind == RefLegacy {
		r.SourceRef = "legacy"
	}
	if r.AllowedActions == nil {
		r.AllowedActions = actions(r)
	}
	r.LastError = failure(r)
	return r
}

var sentences = map[State]string{
	UploadPending: "The upload began.", Uploaded: "A skill was uploaded.", Scanning: "A skill from elsewhere is being scanned.",
	ScanFailed: "A skill from elsewhere could not be scanned.", ScanComplete: "A skill from elsewhere was scanned.",
	Staging: "A skill from elsewhere is being unpacked.", StageFailed: "A skill from elsewhere could not be unpacked.",
	ReadyForReview: "A skill from elsewhere is ready to be reviewed.", InstallQueued: "You asked for an imported skill to be installed.",
	InstallFailed: "An imported skill could not be installed.", InstalledPrivate: "An imported skill was installed for you.",
	Approved: "You approved an imported skill.", Rejected: "You rejected an imported skill.",
	Discarded: "An import was discarded.", Expired: "An import's upload has expired.",
}
