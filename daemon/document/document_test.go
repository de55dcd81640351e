package document

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

var (
	person = Owner{Person: true}
	ada    = Owner{Key: "agent/ada", Name: "ada"}
	bob    = Owner{Key: "agent/bob", Name: "bob"}
)

type room struct {
	t   *testing.T
	o   Options
	s   *Service
	now time.Time
	key []byte
	ids int
}

func newRoom(t *testing.T) *room {
	r := &room{t: t, now: time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)}
	r.o = Options{Dir: filepath.Join(t.TempDir(), "documents"), Now: func() clock.Time { return clock.At(r.now) },
		NewID: func() string { r.ids++; return strconv.Itoa(r.ids) },
		Key: func(context.Context) ([]byte, error) {
			if r.key == nil {
				r.key = make([]byte, 32)
				rand.Read(r.key)
			}
			return r.key, nil
		},
		DropKey: func(context.Context) error { r.key = nil; return nil }}
	r.s = NewService(r.o)
	return r
}

func (r *room) keep(by Owner, text string) wire.Document {
	r.t.Helper()
	d, err := r.s.Keep(r.t.Context(), by,
		New{Kind: wire.DocumentUploaded, Name: "/home/ada/a.pdf", Type: "application/pdf"}, strings.NewReader(text))
	if err != nil {
		r.t.Fatal(err)
	}
	return d
}

func (r *room) text(by Owner, ref string) (string, error) {
	_, in, err := r.s.Open(r.t.Context(), by, ref)
	if err != nil {
		return "", err
	}
	defer in.Close()
	b, err := io.ReadAll(in)
	return string(b), err
}

func (r *room) files() int {
	entries, _ := os.ReadDir(r.o.Dir)
	return len(entries)
}

func TestAnAgentReachesItsOwnAndThePersonAll(t *testing.T) {
	r := newRoom(t)
	d, mine := r.keep(ada, "ada's"), r.keep(person, "mine")
	if d.OriginalFilename != "a.pdf" || d.ByteSize != 5 || d.Owner != "ada" || !strings.HasPrefix(d.Ref, "doc_") {
		t.Errorf("%+v", d)
	}
	for _, by := range []Owner{ada, person} {
		if text, err := r.text(by, d.Ref); err != nil || text != "ada's" {
			t.Errorf("%v: %q %v", by, text, err)
		}
	}
	for _, c := range []struct {
		by  Owner
		ref string
	}{{bob, d.Ref}, {ada, mine.Ref}, {Owner{}, mine.Ref}, {person, "doc_aaaaaaaaaaaaaa"}, {person, "../" + d.Ref}} {
		_, err := r.s.Get(t.Context(), c.by, c.ref)
		_, deleted := r.s.Delete(t.Context(), c.by, c.ref)
		_, opened := r.text(c.by, c.ref)
		if !fault.Is(err, fault.NotFound) || !fault.Is(deleted, fault.NotFound) || !fault.Is(opened, fault.NotFound) {
			t.Errorf("%v gets %s: %v %v %v", c.by, c.ref, err, deleted, opened)
		}
	}
	for by, want := range map[Owner]int{ada: 1, bob: 0, person: 2} {
		if l, err := r.s.List(t.Context(), by); err != nil || len(l.Documents) != want {
			t.Errorf("%v sees %+v %v", by, l, err)
		}
	}
	if _, err := r.s.Delete(t.Context(), ada, d.Ref); err != nil || r.files() != 2 {
		t.Errorf("%v, %d files", err, r.files())
	}
}

func TestWhatIsKeptIsSealedAndSurvivesAStart(t *testing.T) {
	r := newRoom(t)
	long := strings.Repeat("a secret of three megabytes ", 3<<20/28)
	d, short := r.keep(ada, long), r.keep(ada, "x")
	entries, _ := os.ReadDir(r.o.Dir)
	for _, e := range entries {
		b, _ := os.ReadFile(filepath.Join(r.o.Dir, e.Name()))
		if bytes.Contains(b, []byte("secret")) || bytes.Contains(b, []byte("a.pdf")) {
			t.Errorf("%s can be read", e.Name())
		}
		if info, _ := e.Info(); info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v", e.Name(), info.Mode())
		}
	}
	os.WriteFile(filepath.Join(r.o.Dir, "part-1"), []byte("half"), 0o600)
	os.WriteFile(filepath.Join(r.o.Dir, "doc_bbbbbbbbbbbbbb.body"), []byte("no head"), 0o600)
	r.s = NewService(r.o)
	for ref, want := range map[string]string{d.Ref: long, short.Ref: "x"} {
		if text, err := r.text(ada, ref); err != nil || text != want {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	}
	if r.files() != 4 {
		t.Errorf("%d files", r.files())
	}
}

func TestACutOrChangedBodyDoesNotOpen(t *testing.T) {
	for name, change := range map[string]func([]byte) []byte{
		"cut at a piece": func(b []byte) []byte { return b[:piece+16] },
		"cut":            func(b []byte) []byte { return b[:len(b)-1] },
		"empty":          func([]byte) []byte { return nil },
		"changed":        func(b []byte) []byte { b[10] ^= 1; return b },
		"swapped":        func(b []byte) []byte { return append(append([]byte{}, b[piece+16:2*(piece+16)]...), b[:piece+16]...) },
	} {
		r := newRoom(t)
		d := r.keep(ada, strings.Repeat("x", 2*piece))
		path := filepath.Join(r.o.Dir, d.Ref+bodyEnd)
		b, _ := os.ReadFile(path)
		os.WriteFile(path, change(b), 0o600)
		if text, err := r.text(ada, d.Ref); err == nil {
			t.Errorf("%s: %d bytes are taken for the whole", name, len(text))
		}
	}
}

func TestDocumentsEndAfterADay(t *testing.T) {
	r := newRoom(t)
	d := r.keep(ada, "x")
	r.now = r.now.Add(Life - time.Second)
	if _, err := r.text(ada, d.Ref); err != nil {
		t.Error(err)
	}
	r.now = r.now.Add(time.Second)
	if _, err := r.text(ada, d.Ref); !fault.Is(err, fault.NotFound) || r.files() != 0 {
		t.Errorf("%v, %d files", err, r.files())
	}
	r.keep(ada, "y")
	r.s, r.now = NewService(r.o), r.now.Add(Life)
	if r.s.Sweep(); r.files() != 0 {
		t.Errorf("%d files", r.files())
	}
	if l, err := r.s.List(t.Context(), person); err != nil || len(l.Documents) != 0 || r.files() != 0 {
		t.Errorf("%+v %v, %d files", l, err, r.files())
	}
}

func TestPurgeLeavesNothing(t *testing.T) {
	r := newRoom(t)
	if n, err := r.s.Purge(t.Context()); n != 0 || err != nil {
		t.Error(n, err)
	}
	d := r.keep(ada, "x")
	r.keep(person, "y")
	if n, err := r.s.Purge(t.Context()); n != 2 || err != nil || r.files() != 0 || r.key != nil {
		t.Errorf("%d %v, %d files, key %v", n, err, r.files(), r.key != nil)
	}
	if _, err := r.text(ada, d.Ref); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	// What was arriving meanwhile is not kept under the destroyed key.
	_, err := r.s.Keep(t.Context(), ada, New{Kind: wire.DocumentUploaded}, readerFunc(func(p []byte) (int, error) {
		r.s.Purge(t.Context())
		return copy(p, "z"), io.EOF
	}))
	if !fault.Is(err, fault.Cancelled) || r.files() != 0 {
		t.Errorf("%v, %d files", err, r.files())
	}
	r.keep(ada, "again")
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestBounds(t *testing.T) {
	r := newRoom(t)
	keep := func(by Owner, body io.Reader) error {
		_, err := r.s.Keep(t.Context(), by, New{Kind: wire.DocumentText}, body)
		return err
	}
	endless := readerFunc(func(p []byte) (int, error) { return len(p), nil })
	if err := keep(ada, endless); !fault.Is(err, fault.TooLarge) || r.files() != 0 {
		t.Errorf("%v, %d files", err, r.files())
	}
	if err := keep(ada, strings.NewReader("")); !fault.Is(err, fault.InvalidRequest) {
		t.Error(err)
	}
	for range mostOf {
		r.keep(ada, "x")
	}
	if err := keep(ada, strings.NewReader("x")); !fault.Is(err, fault.DocumentsFull) {
		t.Error(err)
	}
	for n := mostOf; n < mostAgents; n++ { // agents together leave room for the person
		r.keep(Owner{Key: fmt.Sprint("agent/", n/mostOf)}, "x")
	}
	if err := keep(bob, strings.NewReader("x")); !fault.Is(err, fault.DocumentsFull) {
		t.Error(err)
	}
	for n := mostAgents; n < most; n++ {
		r.keep(person, "x")
	}
	if err := keep(person, strings.NewReader("x")); !fault.Is(err, fault.DocumentsFull) {
		t.Error(err)
	}
}

// Agents have a share of the bytes, one and all, and the person the rest.
func TestBytesOfAgents(t *testing.T) {
	r := newRoom(t)
	r.keep(ada, "x")
	fill := func(by Owner, bytes int64) {
		for i := range bytes / MaxSize {
			ref := fmt.Sprintf("doc_%s%d", by.Key, i)
			r.s.heads[ref] = head{OwnerKey: by.Key, Document: wire.Document{Ref: ref, ByteSize: MaxSize, OwnPerson: by.Person,
				ExpiresAt: r.o.Now().Plus(Life)}}
		}
	}
	full := func(by Owner) bool {
		_, err := r.s.Keep(t.Context(), by, New{Kind: wire.DocumentUploaded}, strings.NewReader("x"))
		return fault.Is(err, fault.DocumentsFull)
	}
	fill(ada, agentAll)
	if !full(ada) || full(bob) {
		t.Error("one agent's share")
	}
	fill(Owner{Key: "agent/c"}, agentAll)
	fill(Owner{Key: "agent/d"}, agentAll)
	if !full(bob) || full(person) {
		t.Error("the share of all agents")
	}
	fill(person, MaxAll-agentsAll)
	if !full(person) {
		t.Error("the share of all")
	}
}

// Few documents arrive at one time: their size is not known before their end.
func TestFewArriveAtOnce(t *testing.T) {
	r := newRoom(t)
	begun, goOn := make(chan bool), make(chan bool)
	done := make(chan error)
	upload := func(by Owner) {
		first := true
		_, err := r.s.Keep(t.Context(), by, New{Kind: wire.DocumentUploaded}, readerFunc(func(p []byte) (int, error) {
			if first {
				first = false
				begun <- true
				<-goOn
			}
			return copy(p, "x"), io.EOF
		}))
		done <- err
	}
	for range comingOf {
		go upload(ada)
		<-begun
	}
	if _, err := r.s.Keep(t.Context(), ada, New{Kind: wire.DocumentUploaded}, strings.NewReader("x")); !fault.Is(err, fault.DocumentsFull) {
		t.Error(err)
	}
	r.keep(bob, "x")
	close(goOn)
	for range comingOf {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	r.keep(ada, "x")
}

// What is made of a document is kept only while that is there.
func TestNothingIsMadeOfWhatIsGone(t *testing.T) {
	for name, end := range map[string]func(*room, wire.Document) error{
		"purged":  func(r *room, _ wire.Document) error { _, err := r.s.Purge(t.Context()); return err },
		"deleted": func(r *room, d wire.Document) error { _, err := r.s.Delete(t.Context(), ada, d.Ref); return err },
	} {
		r := newRoom(t)
		d := r.keep(ada, "x")
		made := New{Kind: wire.DocumentText, Of: d.Ref}
		if _, err := r.s.Keep(t.Context(), ada, made, strings.NewReader("its text")); err != nil {
			t.Error(err)
		}
		if err := end(r, d); err != nil {
			t.Fatal(err)
		}
		before := r.files()
		if _, err := r.s.Keep(t.Context(), ada, made, strings.NewReader("its text")); !fault.Is(err, fault.Cancelled) || r.files() != before {
			t.Errorf("%s: %v, %d files", name, err, r.files())
		}
	}
}

// A caller that goes away is told that, and a head that cannot be read for a moment is not forgotten.
func TestWhatFailsForAMoment(t *testing.T) {
	r := newRoom(t)
	_, err := r.s.Keep(t.Context(), ada, New{Kind: wire.DocumentUploaded},
		readerFunc(func([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }))
	if !fault.Is(err, fault.InvalidRequest) {
		t.Error(err)
	}
	d := r.keep(ada, "x")
	path := filepath.Join(r.o.Dir, d.Ref+headEnd)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Rename(path, path+"2"))
	must(os.Mkdir(path, 0o700)) // reading it fails
	r.s = NewService(r.o)
	if _, err := r.text(ada, d.Ref); !fault.Is(err, fault.StoreReadOnly) {
		t.Error(err)
	}
	must(os.Remove(path))
	must(os.Rename(path+"2", path))
	if text, err := r.text(ada, d.Ref); err != nil || text != "x" {
		t.Error(text, err)
	}
}
