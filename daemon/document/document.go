// Package document keeps documents that callers hand in, and artifacts made of them, for 24 hours. Requests name them by
// reference, never by a path.
//
// Guarantees: what is kept is sealed under a key of its own and is in no log, event or receipt; an agent reaches only
// what it handed in or had made, the person everything; size and number are bounded; a document that a killed process was
// writing is gone at the next start; Purge destroys the key, so that nothing on the disk can be read any more.
//
// Not guaranteed: that agents which Showhow cannot tell apart do not reach each other's documents.
//
// Package daemon wires it; the API and package pdf call it. The key is made by the first document. To test it, use a real
// folder.
package document

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// KeyTarget names the key that seals documents.
const KeyTarget = "documents"

// Life is how long a document is kept.
const Life = 24 * time.Hour

// Bounds of what is kept.
const (
	MaxSize    = 64 << 20  // bytes of one document
	MaxAll     = 1 << 30   // bytes of all
	agentsAll  = 768 << 20 // bytes of all agents: the person always has room
	agentAll   = 256 << 20 // bytes of one agent
	most       = 200       // documents of all
	mostAgents = 150       // documents of all agents
	mostOf     = 50        // documents of one agent
	coming     = 8         // that arrive at one time
	comingOf   = 2         // of one agent
	maxName    = 200       // runes of a file's name
	idLength   = 14        // as wire.DocumentRefPattern has it
)

// Owner is who hands a document in or asks for one.
type Owner struct {
	Person bool
	Key    string // tells agents apart
	Name   string // the agent's, for the person
}

// New describes a document that is to be kept.
type New struct {
	Kind string // one of wire's kinds
	Of   string // the document that it was made of; "" for none. It is kept only if that is still there
	Name string // the file's name, shown to people; its folders are cut off
	Type string // media type
}

// Options configures a Service.
type Options struct {
	Dir     string
	Key     func(ctx context.Context) ([]byte, error)
	DropKey func(ctx context.Context) error
	Now     func() clock.Time
	NewID   func() string
}

// Service keeps documents.
type Service struct {
	o Options

	mu     sync.Mutex
	heads  map[string]head // by reference; nil: not read yet
	round  int             // counts purges: what was begun before one is not kept
	coming map[string]int  // uploads under way, by owner
}

// head is what is known of a document; it is sealed beside it.
type head struct {
	wire.Document
	OwnerKey string
	Salt     []byte
}

func (h head) seenBy(by Owner) bool { return by.Person || !h.OwnPerson && h.OwnerKey == by.Key }

// NewService makes a service; nothing is read or made yet.
func NewService(o Options) *Service { return &Service{o: o} }

const (
	bodyEnd = ".body"
	headEnd = ".head"
)

var refForm = lazyre.New(wire.DocumentRefPattern)

// Keep reads a document to its end and keeps it.
func (s *Service) Keep(ctx context.Context, by Owner, n New, body io.Reader) (wire.Document, error) {
	key, err := s.o.Key(ctx)
	if err != nil {
		return wire.Document{}, err
	}
	s.mu.Lock()
	round := s.round
	if err = s.load(ctx); err == nil {
		err = s.enter(by)
	}
	s.mu.Unlock()
	if err != nil {
		return wire.Document{}, err
	}
	defer s.leave(by)
	h := head{OwnerKey: by.Key}
	h.Ref, h.RefKind = s.newRef("doc_"), wire.RefOfDocument
	if n.Kind != wire.DocumentUploaded {
		h.Ref, h.RefKind = s.newRef("art_"), wire.RefOfArtifact
	}
	h.Kind, h.MediaType, h.OriginalFilename, h.OwnPerson, h.Owner = n.Kind, n.Type, cleanName(n.Name), by.Person, by.Name
	h.CreatedAt, h.SchemaVersion = s.o.Now(), 1
	h.ExpiresAt = h.CreatedAt.Plus(Life)
	if h.Owner = by.Name; by.Person {
		h.Owner = ""
	}
	part, err := s.write(key, &h, body)
	if err != nil {
		return wire.Document{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case round != s.round:
		err = fault.New(fault.Cancelled, "everything was purged while the document arrived").WithHint("hand it in again")
	case n.Of != "" && s.heads[n.Of].Ref == "":
		err = fault.New(fault.Cancelled, "the document was deleted while it was read").WithHint("hand it in again")
	default:
		err = s.room(by, h.ByteSize)
	}
	if err == nil {
		err = s.place(key, part, h)
	}
	if err != nil {
		return wire.Document{}, errors.Join(err, removeIf(part))
	}
	s.heads[h.Ref] = h
	return h.Document, nil
}

func (s *Service) newRef(prefix string) string {
	sum := sha256.Sum256([]byte(s.o.NewID()))
	return prefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:idLength]
}

// enter counts an upload that begins, and refuses one too many: each takes memory, and its size is known only at its end.
// s.mu is held.
func (s *Service) enter(by Owner) error {
	all := 0
	for _, n := range s.coming {
		all += n
	}
	if !by.Person && s.coming[by.Key] >= comingOf || all >= coming {
		return fault.New(fault.DocumentsFull, "too many documents arrive at the same time").WithHint("hand them in one after the other")
	}
	if err := s.room(by, 0); err != nil {
		return err
	}
	if s.coming == nil {
		s.coming = map[string]int{}
	}
	s.coming[by.Key]++
	return nil
}

func (s *Service) leave(by Owner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.coming[by.Key]--; s.coming[by.Key] == 0 {
		delete(s.coming, by.Key)
	}
}

// room refuses a document for which there is no place. s.mu is held.
func (s *Service) room(by Owner, size int64) error {
	type share struct {
		n    int
		size int64
	}
	all, agents, own := share{size: size}, share{size: size}, share{size: size}
	add := func(to *share, h head) { to.n++; to.size += h.ByteSize }
	for _, h := range s.heads {
		add(&all, h)
		if !h.OwnPerson {
			add(&agents, h)
		}
		if h.OwnerKey == by.Key {
			add(&own, h)
		}
	}
	full := all.n >= most || all.size > MaxAll
	if !by.Person {
		full = full || agents.n >= mostAgents || agents.size > agentsAll || own.n >= mostOf || own.size > agentAll
	}
	if full {
		return fault.New(fault.DocumentsFull, "too many documents are kept").
			WithHint("delete some, or wait: each is kept for 24 hours; `showhow pdf list` shows them")
	}
	return nil
}

// arriving remembers why a body ended before its end.
type arriving struct {
	io.Reader
	err error
}

func (a *arriving) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		a.err = err
	}
	return n, err
}

// write seals the body into a new file and fills in hash and size.
func (s *Service) write(key []byte, h *head, body io.Reader) (part string, err error) {
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return "", cannotWrite(err)
	}
	f, err := os.CreateTemp(s.o.Dir, "part-*") // 0600
	if err != nil {
		return "", cannotWrite(err)
	}
	h.Salt = newSalt()
	sum := sha256.New()
	from := &arriving{Reader: io.LimitReader(body, MaxSize+1)}
	n, err := seal(key, h.Salt, f, io.TeeReader(from, sum))
	failed := errors.Join(err, f.Sync(), f.Close())
	switch {
	case n > MaxSize:
		failed = fault.Newf(fault.TooLarge, "the document is larger than %d MB", MaxSize>>20).
			WithHint("split it into parts, for example by pages")
	case from.err != nil && fault.From(from.err).Code == fault.Internal:
		failed = fault.Wrap(from.err, fault.InvalidRequest, "the document did not arrive to its end").WithHint("hand it in again")
	case failed == nil && n == 0:
		failed = fault.New(fault.InvalidRequest, "the document is empty")
	case failed != nil:
		failed = cannotWrite(failed)
	}
	if failed != nil {
		return "", errors.Join(failed, os.Remove(f.Name()))
	}
	h.ByteSize, h.ContentHash = n, hex.EncodeToString(sum.Sum(nil))
	return f.Name(), nil
}

// place gives body and head their names. A document is there as soon as its head is.
func (s *Service) place(key []byte, part string, h head) error {
	if err := os.Rename(part, s.path(h.Ref, bodyEnd)); err != nil {
		return cannotWrite(err)
	}
	told, err := json.Marshal(h)
	if err != nil {
		return err
	}
	var sealed bytes.Buffer
	if _, err := seal(key, []byte(h.Ref), &sealed, bytes.NewReader(told)); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.o.Dir, "part-*")
	if err != nil {
		return cannotWrite(err)
	}
	_, err = f.Write(sealed.Bytes())
	err = errors.Join(err, f.Sync(), f.Close(), os.Chtimes(f.Name(), h.CreatedAt.Time, h.CreatedAt.Time))
	if err == nil {
		err = os.Rename(f.Name(), s.path(h.Ref, headEnd))
	}
	if err != nil {
		return errors.Join(cannotWrite(err), removeIf(f.Name()), removeIf(s.path(h.Ref, bodyEnd)))
	}
	return nil
}

func (s *Service) path(ref, end string) string { return filepath.Join(s.o.Dir, ref+end) }

func cannotWrite(err error) error {
	if f := fault.From(err); f.Code != fault.Internal {
		return err
	}
	return fault.Wrap(err, fault.Internal, "the document could not be kept").WithHint("check the free space, and hand it in again")
}

func removeIf(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// load reads what is kept, once. s.mu is held.
func (s *Service) load(ctx context.Context) error {
	if s.heads != nil {
		s.expire()
		return nil
	}
	heads := map[string]head{}
	entries, err := os.ReadDir(s.o.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.Wrap(err, fault.StoreReadOnly, "the kept documents cannot be read")
	}
	var key []byte
	for _, e := range entries {
		ref, isHead := strings.CutSuffix(e.Name(), headEnd)
		if !isHead || !refForm.MatchString(ref) {
			continue
		}
		if key == nil {
			if key, err = s.o.Key(ctx); err != nil {
				return err
			}
		}
		h, ok, err := s.read(key, ref)
		if err != nil { // it may be readable later: nothing is forgotten
			return fault.Wrap(err, fault.StoreReadOnly, "the kept documents cannot be read")
		}
		if ok {
			heads[ref] = h
		}
	}
	s.heads = heads
	s.expire()
	for _, e := range entries { // what a killed process left, and what no key opens any more
		ref, _, _ := strings.Cut(e.Name(), ".")
		if _, kept := heads[ref]; !kept {
			_ = os.Remove(filepath.Join(s.o.Dir, e.Name()))
		}
	}
	return nil
}

func (s *Service) read(key []byte, ref string) (h head, ok bool, err error) {
	sealed, err := os.ReadFile(s.path(ref, headEnd))
	if errors.Is(err, fs.ErrNotExist) {
		return h, false, nil
	}
	if err != nil {
		return h, false, err
	}
	told, err := io.ReadAll(open(key, []byte(ref), bytes.NewReader(sealed)))
	return h, err == nil && json.Unmarshal(told, &h) == nil && h.Ref == ref, nil
}

// expire removes what is too old. s.mu is held.
func (s *Service) expire() {
	now := s.o.Now()
	for ref, h := range s.heads {
		if !now.Before(h.ExpiresAt.Time) {
			_ = s.remove(ref)
		}
	}
}

// remove removes a document, its head first: without it there is none.
func (s *Service) remove(ref string) error {
	if err := errors.Join(removeIf(s.path(ref, headEnd)), removeIf(s.path(ref, bodyEnd))); err != nil {
		return fault.Wrap(err, fault.StoreReadOnly, "the document could not be deleted")
	}
	delete(s.heads, ref)
	return nil
}

// Sweep removes what is too old, also before anybody has asked for a document. It needs no key.
func (s *Service) Sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.heads != nil {
		s.expire()
		return
	}
	entries, _ := os.ReadDir(s.o.Dir)
	for _, e := range entries {
		ref, isHead := strings.CutSuffix(e.Name(), headEnd)
		if info, err := e.Info(); isHead && err == nil && s.o.Now().Sub(info.ModTime()) >= Life {
			_ = s.remove(ref)
		}
	}
}

// List lists what a caller may see, newest first.
func (s *Service) List(ctx context.Context, by Owner) (wire.Documents, error) {
	out := wire.Documents{Documents: []wire.Document{}, SchemaVersion: 1}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.load(ctx); err != nil {
		return out, err
	}
	for h := range maps.Values(s.heads) {
		if h.seenBy(by) {
			out.Documents = append(out.Documents, h.Document)
		}
	}
	slices.SortFunc(out.Documents, func(a, b wire.Document) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt.Time), strings.Compare(a.Ref, b.Ref))
	})
	return out, nil
}

// Get returns what is known of a document.
func (s *Service) Get(ctx context.Context, by Owner, ref string) (wire.Document, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, err := s.find(ctx, by, ref)
	return h.Document, err
}

func (s *Service) find(ctx context.Context, by Owner, ref string) (head, error) {
	if err := s.load(ctx); err != nil {
		return head{}, err
	}
	h, ok := s.heads[ref]
	if !ok || !h.seenBy(by) { // the same answer: whether another's exists is nobody's business
		return head{}, fault.New(fault.NotFound, "there is no such document").
			WithHint("documents are kept for 24 hours; hand it in again")
	}
	return h, nil
}

// Open opens a document for reading. What cannot be unsealed ends with an error, never with a part taken for the whole.
func (s *Service) Open(ctx context.Context, by Owner, ref string) (wire.Document, io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, err := s.find(ctx, by, ref)
	if err != nil {
		return wire.Document{}, nil, err
	}
	key, err := s.o.Key(ctx)
	if err != nil {
		return wire.Document{}, nil, err
	}
	f, err := os.Open(s.path(ref, bodyEnd))
	if err != nil {
		return wire.Document{}, nil, fault.Wrap(err, fault.StoreReadOnly, "the document cannot be read").WithHint("hand it in again")
	}
	return h.Document, struct {
		io.Reader
		io.Closer
	}{open(key, h.Salt, f), f}, nil
}

// Delete removes a document before its time.
func (s *Service) Delete(ctx context.Context, by Owner, ref string) (wire.Document, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, err := s.find(ctx, by, ref)
	if err == nil {
		err = s.remove(ref)
	}
	return h.Document, err
}

// Forget deletes what an agent handed in and what was made of it.
func (s *Service) Forget(ctx context.Context, by Owner) error {
	l, err := s.List(ctx, by)
	for _, d := range l.Documents {
		if _, gone := s.Delete(ctx, by, d.Ref); gone != nil && !fault.Is(gone, fault.NotFound) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// Purge removes every document and destroys the key. It can be repeated when it failed half way.
func (s *Service) Purge(ctx context.Context) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	s.round++
	s.heads = nil
	if err := s.o.DropKey(ctx); err != nil {
		return 0, err
	}
	entries, err := os.ReadDir(s.o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fault.Wrap(err, fault.StoreReadOnly, "the kept documents cannot be read")
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), headEnd) {
			n++
		}
		err = errors.Join(err, removeIf(filepath.Join(s.o.Dir, e.Name())))
	}
	if err != nil {
		return n, fault.Wrap(err, fault.StoreReadOnly, "not every document could be deleted")
	}
	return n, nil
}

// cleanName keeps what can be shown of a file's name on one line.
func cleanName(name string) string {
	name = filepath.Base(strings.ReplaceAll(name, `\`, "/"))
	r := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, name))
	return string(r[:min(len(r), maxName)])
}
