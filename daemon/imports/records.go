package imports

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// records makes all changes: an import changes in one transaction, with its receipt, its event, the session that shows
// it and the current view.
type records struct {
	files
	o     Options
	busy  sync.RWMutex             // shared by work on imports, held alone by whoever decides, reads or removes files
	slots chan struct{}            // of work on imports
	probe func(point string) error // tests only: ends the work at a named point, as a crash would
}

// workAtOnce is how many imports are worked on at once: most of an import's time are its syncs, which imports share. Each is
// unpacked in memory.
const workAtOnce = 8

// work begins work on one import and returns its end. The state table keeps two requests from working on the same one: only one
// of them enters a state like scanning.
func (s *records) work() (end func()) {
	s.slots <- struct{}{}
	s.busy.RLock()
	return func() {
		s.busy.RUnlock()
		<-s.slots
	}
}

// alone waits for the work on imports to end, and keeps more from beginning until the end that it returns.
func (s *records) alone() (end func()) {
	s.busy.Lock()
	return s.busy.Unlock
}

func (s *records) at(point string) error {
	if s.probe == nil {
		return nil
	}
	return s.probe(point)
}

// change is one transaction on one import.
type change struct {
	Tx
	s       *records
	m       Meta
	item    *Item
	receipt string // of the last hop
}

// update runs fn on the import in one transaction, and saves it with the current view.
func (s *records) update(ctx context.Context, m Meta, id string, fn func(*change) error) (Item, string, error) {
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

func (s *records) load(tx Tx, m Meta, id string) (*change, error) {
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

// enter is the only way an import changes its state: along the table, with receipt and event.
func (c *change) enter(to State, retry, reason string) error {
	from := c.item.StageState
	if err := checkHop(from, to, retry); err != nil {
		return err
	}
	c.item.StageState = to
	if err := c.mirror(Transition{From: from, To: to, Reason: reason}); err != nil {
		return err
	}
	if installed(to) && !installed(from) {
		if err := c.Emit(journal.Event{Kind: journal.SkillImported, Payload: map[string]any{"import_id": c.item.ImportID}}); err != nil {
			return err
		}
	}
	return c.tell(journal.ImportState(string(to)), sentences[to], reason, map[string]any{"from": string(from), "to": string(to)})
}

func installed(s State) bool { return s == wire.ImportInstalledPrivate || s == wire.ImportApproved }

// mirror moves the import's learn session along.
func (c *change) mirror(h Transition) error {
	h.Item, h.Session, h.Correlation = c.item, c.item.LearnSessionID, c.m.CorrelationID
	shown, err := c.s.mirror(c.Tx, h)
	c.item.LearnSessionID, c.item.ProposalID = shown.SessionID, shown.ProposalID
	return err
}

func (s *records) mirror(w journal.Writer, h Transition) (Shown, error) {
	if s.o.Mirror == nil {
		return Shown{SessionID: h.Session}, nil
	}
	return s.o.Mirror.ImportTransition(w, h)
}

// tell writes a receipt and its event. Neither holds text from the skill: no name, no reason in words.
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

// currentShown bounds the current view: every change writes it.
const currentShown = 100

// current is a List whose items are JSON already.
type current struct {
	Items         []json.RawMessage `json:"items"`
	Total         int               `json:"total"`
	Page          int               `json:"page"`
	PageSize      int               `json:"page_size"`
	SchemaVersion int               `json:"schema_version"`
}

func (s *records) putCurrent(tx Tx) error {
	newest, total, err := tx.ListedImports(currentShown)
	if err != nil {
		return err
	}
	return tx.PutFile(CurrentPath, current{Items: newest, Total: total, Page: 1, PageSize: currentShown, SchemaVersion: 1})
}

// Listed is what the current view shows of the import.
func (i Item) Listed() Record { return shown(i.Record) }

// shown hides what must not be displayed (DOC3 0C.20, rule 5). The store keeps the result beside each import (column listed):
// a change of what it makes, here or in actions and failure, needs a migration that sets listed to NULL.
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

func (s *records) get(ctx context.Context, id string) (item Item, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) error {
		v, ok, err := tx.Import(id)
		if err == nil && !ok {
			err = notFound()
		}
		item = v
		return err
	})
	return item, err
}

// drop marks the upload as gone; the caller removes the file after the commit, or Tidy does.
func (s *records) drop(c *change) error {
	u, ok, err := c.Upload(c.item.Upload)
	if err != nil || !ok {
		return err
	}
	u.Gone = true
	c.item.ExpiresAt = nil
	return c.PutUpload(u)
}

// lost ends the learn session of a lost upload, unless an import other than a failed one was made of it.
func (s *records) lost(tx Tx, m Meta, u Stored, reason string) error {
	if u.ImportID == "" {
		_, err := s.mirror(tx, Transition{Upload: u.TempArtifactRef, Session: u.SessionID, From: Uploaded, To: Expired, Reason: reason,
			Correlation: m.CorrelationID})
		return err
	}
	item, ok, err := tx.Import(u.ImportID)
	if err != nil || !ok || item.StageState != ScanFailed && item.StageState != StageFailed {
		return err
	}
	c := &change{Tx: tx, s: s, m: m, item: &item}
	if err := c.over(reason); err != nil {
		return err
	}
	return c.save()
}

// over ends the learn session of a failed import whose upload is gone: the only transition left is a retry, which
// would find it expired.
func (c *change) over(reason string) error {
	c.item.ExpiresAt = nil
	return c.mirror(Transition{From: c.item.StageState, To: c.item.StageState, Reason: reason, Over: true})
}

// freeName is the skill's name or, if another has it, one with a namespace of its own (decisions D7).
func (s *records) freeName(ctx context.Context, name, hash string) (string, error) {
	names, err := s.o.Installer.TakenSlugs(ctx)
	if err != nil {
		return "", err
	}
	taken := func(n string) bool { return slices.Contains(names, n) }
	if !taken(name) {
		return name, nil
	}
	for at := 0; at+4 <= len(hash); at += 4 {
		prefix := "ext-" + hash[at:at+4] + "-"
		try := prefix + strings.TrimRight(name[:min(len(name), 64-len(prefix))], "-")
		if !taken(try) {
			return try, nil
		}
	}
	return "", fault.New(fault.SlugTaken, "a skill of this name exists").WithHint("remove it first")
}

// with adds the import's id to a fault.
func with(err error, id string) error {
	f := *fault.From(err)
	details := map[string]any{"import_id": id}
	for k, v := range f.Details {
		details[k] = v
	}
	f.Details = details
	return &f
}

// failedRetry counts failures of one kind that followed a retry.
func (c *change) failedRetry(kind string) {
	if c.item.RetryCount == 0 {
		return
	}
	if c.item.Retries == nil {
		c.item.Retries = map[string]int{}
	}
	c.item.Retries[kind]++
}

// rename gives the item its free name.
func (i *Item) rename(name string) {
	i.Slug, i.AssignedNamespace = name, ""
	if name != i.SkillName {
		i.AssignedNamespace = name
	}
}

func uploadNotFound() error {
	return fault.New(fault.SkillImportNotFound,
		"there is no such upload").WithHint("it may have been staged, deleted or have expired; upload it again")
}

func expired() error {
	return fault.New(fault.SkillImportUploadExpired, "the upload has expired").WithHint("uploads are kept for 24 hours: upload it again")
}
