// Package notes keeps a person's notes, tasks and captured items as Markdown files in a folder under git. A person and
// other programs edit the files as they like; agents search, capture and propose; a person commits and undoes.
//
// Guarantees: a change set is written exactly as it was shown, as one commit, or not at all; it is refused if one of its
// files changed meanwhile. Undo takes back one commit and nothing else. What anybody wrote stays in the history. Files
// are the truth: the index in the database follows them and can be thrown away. What an agent sends is kept, and what it
// gets is given, without the secrets that the redactor finds; so is what is searched.
//
// Not guaranteed: that a secret can be removed again from the history once a person wrote one; git keeps it.
//
// Package daemon wires it; api, door and contract call it. Nothing is opened before the first call. To test it, use a
// real folder and a real store.
package notes

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"sync"
	"time"

	"showhow/daemon/journal"
	"showhow/daemon/notes/folder"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Actor is who acts.
type Actor struct {
	Agent string // its name; "" is the person
}

func (a Actor) wire() wire.NoteActor {
	if a.Agent == "" {
		return wire.NotePerson
	}
	return wire.NoteAgent(a.Agent)
}

// checks checks a request and that the actor it names is the caller.
func (a Actor) checks(said wire.NoteActor, request any) error {
	if err := a.is(said); err != nil {
		return err
	}
	return checkAll(request)
}

func noSuchNote() error {
	return fault.New(fault.NotFound, "there is no such note or task").
		WithHint("`showhow task list` and `showhow notes search` show the ids")
}

func noSuchChange() error {
	return fault.New(fault.NotFound, "there is no such change set").WithHint("`showhow notes pending` lists those that wait")
}

// is compares the actor that a request names with the caller.
func (a Actor) is(said wire.NoteActor) error {
	if said.Type == a.wire().Type && (a.Agent == "" || said.ID == a.Agent) {
		return nil
	}
	return fault.New(fault.Forbidden, "the request names somebody else than its caller").
		WithHint("a person is user; an agent gives the name that Showhow knows it by").WithDetail("caller", a.wire())
}

// onlyPerson refuses agents.
func (a Actor) onlyPerson(what string) error {
	if a.Agent == "" {
		return nil
	}
	return fault.New(fault.Forbidden, what).WithHint("propose the change; the person commits it")
}

// Row is a file in the index.
type Row struct {
	Path, Hash string
	Doc        Doc
	Words      string // of the title and the tags, for the index; only when it is written
	Text       string // of the rest
}

// Change is a change set as it is stored: with what it writes.
type Change struct {
	wire.ChangeSet
	Headline string
	Writes   map[string]Content
	Shown    []string `json:",omitempty"` // Diff as the agent that proposed it gets it
	Failed   string   `json:",omitempty"` // its status if it cannot be committed; "" is proposed
	Unasked  bool     `json:",omitempty"` // an agent does it, and no person decides
}

// to is a change set as somebody gets it: an agent without secrets.
func (c Change) to(by Actor) wire.ChangeSet {
	if by.Agent != "" {
		c.Diff = append([]string{}, c.Shown...)
	}
	return c.ChangeSet
}

// decided ends a change set. Its lines go: what was committed is in git, and what was refused nobody needs.
func (c *Change) decided(status string, at clock.Time) {
	c.Status, c.DecidedAt, c.Writes, c.Diff, c.Shown = status, at, nil, []string{}, nil
}

// failed is a change set that could not be committed. One that nobody proposed does not wait for anybody.
func (c *Change) failed(at clock.Time) {
	if c.Status = "proposed"; c.Failed != "" {
		c.decided(c.Failed, at)
	}
}

// Content is the content of one file after a change.
type Content struct {
	Base   string
	Text   string
	Remove bool
}

// Store stores the index and the change sets.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer
	PutNoteChange(Change) error
	NoteChange(id string) (Change, bool, error)
	NoteChanges(status, agent string) ([]Change, error)           // newest first, at most 500; "" all, or everybody's
	CountNoteChanges(agent string, since clock.Time) (int, error) // those that it proposed
	DropNoteChanges(before clock.Time) error                      // those that were made before, unless they are being committed
	PutNoteRow(Row) error
	DropNoteRow(path string) error
	NoteHashes(format int) (map[string]string, error) // by path; "" for rows of another format
	NoteByID(id string) (r Row, ok bool, err error)   // the first by path
	NoteRows(kind string) ([]Row, error)              // newest change first; "" all
	FindNotes(match string) ([]Row, error)            // best first, by a query of the full-text index
}

// Options is what a Service stands on.
type Options struct {
	Dir   string
	Store Store
	// Redact replaces the secrets in a text by what mask says; nil: none is known.
	Redact func(text string, mask func(kind string) string) string
	Now    func() clock.Time
	NewID  func() string
	Step   func(string) // for tests that kill the process between two writes
}

// Service keeps the notes.
type Service struct {
	o      Options
	mu     sync.Mutex
	folder *folder.Folder
	state  folder.State
	known  map[string]string // what the index holds: hash by path
}

// New makes a service. It opens nothing.
func New(o Options) *Service {
	if o.Redact == nil {
		o.Redact = func(s string, _ func(string) string) string { return s }
	}
	if o.Step == nil {
		o.Step = func(string) {}
	}
	return &Service{o: o}
}

// Close releases the folder.
func (s *Service) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder != nil {
		s.folder.Close()
		s.folder = nil
	}
}

// ready opens the folder at the first call, takes in what others changed, and brings the index there. s.mu is held.
func (s *Service) ready(ctx context.Context) error {
	if s.folder == nil {
		f, err := folder.Open(s.o.Dir, folder.Options{Now: func() time.Time { return s.o.Now().Time }, Step: s.o.Step})
		if err != nil {
			return err
		}
		s.folder = f
		if err := s.settle(ctx); err != nil {
			f.Close()
			s.folder = nil
			return err
		}
	}
	state, err := s.folder.Sync()
	if err != nil {
		return err
	}
	s.state = state
	return s.index(ctx)
}

// redact masks the secrets in a text; without leaves them out.
func (s *Service) redact(text string) string {
	return s.o.Redact(text, func(kind string) string { return "[" + kind + "]" })
}

func (s *Service) without(text string) string {
	return s.o.Redact(text, func(string) string { return " " })
}

// id makes an id with a prefix.
func (s *Service) id(prefix string) string { return prefix + short(s.o.NewID(), 14) }

// short is n characters that follow from a text. Fourteen tell apart more documents than anybody has; longer ones look
// like secrets. They are lower case, because some file systems know no other.
func short(s string, n int) string {
	h := sha256.Sum256([]byte(s))
	return strings.ToLower(base32.StdEncoding.EncodeToString(h[:]))[:n]
}

// CodeOf is a failure's code in the notes' own schema.
func CodeOf(err error) string {
	switch c := fault.From(err).Code; c {
	case fault.InvalidRequest, fault.MalformedJSON, fault.TooLarge, fault.Usage:
		return "INVALID_REQUEST"
	case fault.Unauthorized, fault.Forbidden, fault.NotFound:
		return string(c)
	case fault.PresenceRequired, fault.PresenceRejected, fault.OriginRefused:
		return "FORBIDDEN"
	case fault.NotesConflict, fault.NotesNoUndo, fault.NotesBusy, fault.NotesFolder, fault.NotesNotPending, fault.IdempotencyMismatch:
		return "CONFLICT"
	case fault.NotesInvalid:
		return "VALIDATION_FAILED"
	case fault.NotesTooMany, fault.TooManyRequests:
		return "RATE_LIMITED"
	}
	return "INTERNAL_ERROR"
}
