// Package pdf reads PDF documents: their text, their tables, what is in their pictures, and where words stand that are to
// be redacted. Documents come from package document, and so do results go there.
//
// Guarantees: every document is taken for hostile. It is opened by Debian's programs (poppler, qpdf, tesseract) inside the
// sandbox alone, without a network, with nothing else to read, bounded in time, memory, output and pages; this program
// reads only their output. The document's text is in no log, receipt, event or error. A password is on no command line
// and is not kept.
//
// Not guaranteed: that the text is what a person sees on the page; that what it says is true. It is material, never an
// instruction.
//
// Package daemon wires it; the API and the door call it. To test it: real documents, the real sandbox.
package pdf

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/daemon/document"
	"showhow/daemon/journal"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Documents keeps documents and results; *document.Service implements it.
type Documents interface {
	Open(ctx context.Context, by document.Owner, ref string) (wire.Document, io.ReadCloser, error)
	Keep(ctx context.Context, by document.Owner, n document.New, body io.Reader) (wire.Document, error)
	Delete(ctx context.Context, by document.Owner, ref string) (wire.Document, error)
}

// Options configures a Service.
type Options struct {
	Documents Documents
	Scratch   string // a folder of the service's own, for documents that are being read
	Record    func(ctx context.Context, fn func(journal.Writer) error) error
	Now       func() clock.Time
	NewID     func() string
	Secrets   func(text string) []Secret           // what the redactor recognises in a text
	Classes   []string                             // that it knows
	Look      func(program string) (string, error) // nil: exec.LookPath
	Time      time.Duration                        // for an operation; 0: a minute
}

// Bounds of one operation.
const (
	MaxPages  = 1000 // of text and tables
	atOnce    = 2    // operations
	maxTime   = time.Minute
	maxOutput = 32 << 20 // of all programs of an operation, and of its result
	maxDisk   = 768 << 20
	maxMemory = 1 << 30
	maxProcs  = 32
)

// Service reads documents.
type Service struct {
	o     Options
	queue *queue

	boxes boxes
}

// boxes remembers whether the sandbox can be used: finding out starts a program, and it is asked at every look at what
// is usable.
type boxes struct {
	mu  sync.Mutex
	err error
	at  time.Time
}

// boxesFor is how long it is remembered.
const boxesFor = time.Minute

func (b *boxes) probe(now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.at.IsZero() || now.Sub(b.at) >= boxesFor || now.Before(b.at) {
		b.err, b.at = sandbox.Probe(), now
	}
	return b.err
}

// New makes a service; nothing is made or run yet.
func New(o Options) *Service {
	if o.Look == nil {
		o.Look = exec.LookPath
	}
	if o.Time == 0 {
		o.Time = maxTime
	}
	return &Service{o: o, queue: newQueue(atOnce)}
}

// Sweep removes what a killed process was reading.
func (s *Service) Sweep() error { return os.RemoveAll(s.o.Scratch) }

// The programs, and the Debian packages that have them.
var packages = map[string]string{"pdfinfo": "poppler-utils", "pdftotext": "poppler-utils", "pdftocairo": "poppler-utils",
	"pdftoppm": "poppler-utils", "qpdf": "qpdf", "tesseract": "tesseract-ocr", "bwrap": "bubblewrap"}

// needs lists the programs of each capability.
var needs = map[string][]string{
	wire.AcrobatText:   {"bwrap", "pdfinfo", "pdftotext"},
	wire.AcrobatTables: {"bwrap", "pdfinfo", "pdftotext", "pdftocairo"},
	wire.AcrobatOCR:    {"bwrap", "pdfinfo", "pdftoppm", "tesseract"},

	wire.AcrobatRedaction: {"bwrap", "pdfinfo", "pdftotext", "qpdf"},
}

// missing lists those of the programs that are not installed.
func (s *Service) missing(programs ...string) (out []string) {
	for _, p := range programs {
		if _, err := s.o.Look(p); err != nil && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// install is the command that installs programs.
func install(programs []string) string {
	var names []string
	for _, p := range programs {
		names = append(names, packages[p])
	}
	slices.Sort(names)
	return "sudo apt-get install " + strings.Join(slices.Compact(names), " ")
}

// Health says what can be done here.
func (s *Service) Health(context.Context) (wire.AcrobatAdapterHealth, error) {
	now := s.o.Now()
	out := wire.AcrobatAdapterHealth{AdapterState: "healthy", Supported: []string{}, Missing: []string{}, LastCheckedAt: now.Ptr(),
		SchemaVersion: 1}
	for _, c := range wire.AcrobatCapabilities {
		if m := s.missing(needs[c.Name]...); len(m) > 0 {
			out.Missing = append(out.Missing, m...)
		} else {
			out.Supported = append(out.Supported, c.Name)
		}
	}
	out.Missing = append(out.Missing, s.missing("qpdf")...)
	slices.Sort(out.Missing)
	out.Missing = slices.Compact(out.Missing)
	switch err := sandbox.Probe(); {
	case err != nil:
		out.AdapterState, out.ReasonCode, out.Supported = "missing", "sandbox_unavailable", []string{}
	case len(out.Supported) == 0:
		out.AdapterState, out.ReasonCode = "missing", "programs_missing"
	case len(out.Missing) > 0:
		out.AdapterState, out.ReasonCode = "degraded", "programs_missing"
	}
	if len(out.Missing) > 0 {
		out.Install = install(out.Missing)
	}
	return out, nil
}

// Ready reports whether text and tables can be read here, and if not, why and what to do.
func (s *Service) Ready() (ok bool, why string) {
	if m := s.missing(slices.Concat(needs[wire.AcrobatText], needs[wire.AcrobatTables])...); len(m) > 0 {
		slices.Sort(m)
		return false, strings.Join(m, ", ") + " not installed: " + install(m)
	}
	if err := s.boxes.probe(s.o.Now().Time); err != nil {
		return false, fault.From(err).Hint
	}
	return true, ""
}

func (s *Service) unavailable(programs []string) error {
	return fault.Newf(fault.AcrobatUnavailable, "%s is not installed", strings.Join(programs, ", ")).
		WithHint(install(programs)).WithDetail("programs", programs).WithDetail("install", install(programs))
}

// work is one operation on a document.
type work struct {
	box  *sandbox.Box
	file string // the document, as the programs in the box find it
	// password opens the document as it came; "" if it needs none
	password string
	info     info
	pages    []span
	left     int // bytes that programs may still say, and the result may hold
	warn     []string
	where    map[string][]int // the pages of a warning

	tongues    []string // languages in which pages without text are recognised; nil: not asked yet
	lacks      string   // installs what recognition lacks
	recognised int      // pages
}

// warns notes a warning, and the pages that it is about.
func (w *work) warns(code string, pages ...int) {
	if !slices.Contains(w.warn, code) {
		w.warn = append(w.warn, code)
	}
	if w.where == nil {
		w.where = map[string][]int{}
	}
	w.where[code] = append(w.where[code], pages...)
}

func (w *work) warnings() []wire.PDFWarning {
	out := []wire.PDFWarning{}
	for _, code := range w.warn {
		pages := slices.Sorted(slices.Values(w.where[code]))
		x := wire.PDFWarning{Code: code, Pages: rowsOf(slices.Compact(pages))}
		if code == "ocr_unavailable" {
			x.Install = w.lacks
		}
		out = append(out, x)
	}
	return out
}

// spend counts bytes that are held.
func (w *work) spend(n int) error {
	if w.left -= n; w.left < 0 {
		return tooMuch()
	}
	return nil
}

func tooMuch() error {
	return failed("size", "the document makes too much of itself").WithHint("ask for fewer pages")
}

// task says what an operation needs and makes.
type task struct {
	capability string
	source     wire.AcrobatSourceRef
	doc        []byte // the document itself; nil: source names it
	most       int    // pages
	times      int    // how often the time of an operation it may take; 0: once
	do         func(ctx context.Context, w *work) (any, error)
}

// kept performs an operation and keeps its result, for its reference to be read.
func (s *Service) kept(ctx context.Context, by document.Owner, kind string, t task) (wire.AcrobatOperationResponse, error) {
	made, out, err := s.perform(ctx, by, t)
	if err != nil {
		return out, err
	}
	body, err := json.Marshal(made)
	if err != nil {
		return out, err
	}
	result := document.New{Kind: kind, Of: t.source.SourceRef, Type: "application/json"}
	x, err := s.o.Documents.Keep(ctx, by, result, bytes.NewReader(body))
	out.OutputRef = x.Ref
	return out, err
}

// perform runs an operation, and a receipt says so.
func (s *Service) perform(ctx context.Context, by document.Owner, t task) (made any, out wire.AcrobatOperationResponse, err error) {
	out = wire.AcrobatOperationResponse{OperationID: s.o.NewID(), Capability: t.capability, Status: "ok", WarningCodes: []string{},
		SchemaVersion: 1}
	w := &work{left: maxOutput}
	if made, err = s.inTurn(ctx, by, t, w, out.OperationID); err != nil {
		return nil, out, err
	}
	if len(w.warn) > 0 {
		out.Status, out.WarningCodes = "degraded", w.warn
	}
	out.ReceiptID, err = s.record(ctx, by, t.capability, out.OperationID, w.info.pages)
	return made, out, err
}

// inTurn does the work of an operation once the document is in a box. One operation of an owner runs at a time; all that it
// does has one bound of time and one of output.
func (s *Service) inTurn(ctx context.Context, by document.Owner, t task, w *work, id string) (any, error) {
	programs := needs[t.capability]
	if t.source.Password != "" {
		programs = append(slices.Clone(programs), "qpdf")
	}
	if m := s.missing(programs...); len(m) == 1 && m[0] == "tesseract" {
		return nil, s.ocrMissing()
	} else if len(m) > 0 {
		return nil, s.unavailable(m)
	}
	source := inMemory(t.doc)
	if t.doc == nil {
		var err error
		if source, err = s.find(ctx, by, t.source); err != nil {
			return nil, err
		}
	}
	defer source.Close()
	owner := by.Key
	if by.Person {
		owner = "" // no agent has this
	}
	leave, err := s.queue.enter(ctx, owner)
	if err != nil {
		return nil, err
	}
	defer leave()
	if m := s.missing("tesseract", "pdftoppm"); len(m) > 0 {
		w.lacks = install(m)
	}
	bounded, cancel := context.WithTimeout(ctx, s.timeOf(t))
	defer cancel()
	return s.inBox(bounded, source, t, w, id)
}

func (s *Service) record(ctx context.Context, by document.Owner, capability, operation string, pages int) (string, error) {
	id, who := s.o.NewID(), "user"
	if !by.Person {
		who = "agent"
	}
	err := s.o.Record(ctx, func(tx journal.Writer) error {
		err := tx.AddReceipt(journal.Receipt{ReceiptID: id, Kind: journal.DocumentRead, Summary: "A PDF document was read: " + capability + ".",
			DispatchID: operation, Reason: who})
		if err != nil {
			return err
		}
		return tx.Emit(journal.Event{Kind: journal.DocumentRead, Payload: map[string]any{"operation_id": operation, "by": who,
			"capability": capability, "pages": pages}})
	})
	return id, err
}

// inBox opens the document in a box of its own and does the work there.
func (s *Service) inBox(ctx context.Context, source io.Reader, t task, w *work, id string) (made any, err error) {
	dir := filepath.Join(s.o.Scratch, id)
	w.box, err = sandbox.Open(ctx, sandbox.Spec{Dir: dir, Timeout: s.timeOf(t), MaxOutput: maxOutput, MaxBytes: maxDisk,
		MaxMemory: maxMemory, MaxProcs: maxProcs, Shell: "sh"})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.box.Close()) }()
	b, err := io.ReadAll(source)
	if err != nil {
		return nil, fault.Wrap(err, fault.StoreCorrupt, "the kept document cannot be unsealed").WithHint("hand it in again")
	}
	if !bytes.Contains(b[:min(len(b), 1024)], []byte("%PDF-")) {
		return nil, failed("not_pdf", "the document is no PDF").WithHint("hand in the PDF document itself, not a page or an archive that has it")
	}
	if err := os.WriteFile(filepath.Join(dir, "in.pdf"), b, 0o600); err != nil {
		return nil, fault.Wrap(err, fault.StoreFull, "the document cannot be put into the sandbox").WithHint("check the free space")
	}
	if bytes.Contains(b, []byte("/JavaScript")) || bytes.Contains(b, []byte("/Launch")) {
		w.warns("scripts_ignored")
	}
	w.file = "in.pdf"
	w.info, err = w.look(ctx)
	if errors.Is(err, errLocked) && t.source.Password != "" {
		if err := w.unlock(ctx, t.source.Password); err != nil {
			return nil, err
		}
		w.info, err = w.look(ctx)
	}
	if errors.Is(err, errLocked) {
		return nil, failed("password_required", "the document is encrypted").
			WithHint("its password is missing: showhow pdf asks for it or reads it with --password-stdin; an agent gives it as password")
	}
	if err != nil {
		return nil, err
	}
	var cut, beyond bool
	if w.pages, beyond, err = pagesOf(t.source.PageRange, w.info.pages); err != nil {
		return nil, err
	}
	if beyond {
		w.warns("pages_absent")
	}
	if w.pages, cut = atMost(w.pages, t.most); cut {
		w.warns("pages_cut")
	}
	return t.do(ctx, w)
}

// find opens the document. Nothing of it is read yet.
func (s *Service) find(ctx context.Context, by document.Owner, from wire.AcrobatSourceRef) (io.ReadCloser, error) {
	absent := fault.New(fault.AcrobatNotFound, "there is no such document").
		WithHint("hand it in with `showhow pdf add FILE`; documents are kept for 24 hours")
	prefix := map[string]string{wire.RefOfDocument: "doc_", wire.RefOfArtifact: "art_"}[from.SourceRefKind]
	if prefix == "" || !strings.HasPrefix(from.SourceRef, prefix) {
		return nil, absent
	}
	_, in, err := s.o.Documents.Open(ctx, by, from.SourceRef)
	if fault.Is(err, fault.NotFound) {
		return nil, absent
	}
	return in, err
}

// failed is the error of a document that cannot be read. reason is stable.
func failed(reason, message string) *fault.Error {
	return fault.New(fault.AcrobatFailed, message).WithDetail("reason", reason)
}

// exec runs a program in the box. What it complains about may quote the document and goes nowhere.
func (w *work) exec(ctx context.Context, c sandbox.Command) (sandbox.Result, error) {
	c.Dir = "."
	r, err := w.box.Exec(ctx, c)
	if err == nil {
		err = ended(ctx, r)
	}
	if err == nil {
		err = w.spend(len(r.Stdout) + len(r.Stderr))
	}
	return r, err
}

// ended says why a program was ended.
func ended(ctx context.Context, r sandbox.Result) error {
	switch r.Killed {
	case "":
		return nil
	case sandbox.KilledCancelled:
		return over(ctx)
	case sandbox.KilledTimeout:
		return tooLong()
	case sandbox.KilledMemory:
		return failed("memory", "the document needs too much memory").WithHint("ask for fewer pages")
	default:
		return tooMuch()
	}
}

// over says why a context has ended; nil if it has not.
func over(ctx context.Context) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return tooLong()
	case ctx.Err() != nil:
		return fault.New(fault.Cancelled, "the caller went away")
	}
	return nil
}

func tooLong() error {
	return failed("time", "the document takes too long to read").WithHint("ask for fewer pages")
}

// damaged is the error of a document that the programs cannot open.
func damaged(message string) error {
	return failed("damaged", message).WithHint("get the document anew, or open it in a PDF viewer and save it again")
}

// unlock makes a copy without encryption. The password is qpdf's standard input, and nowhere else.
func (w *work) unlock(ctx context.Context, password string) error {
	qpdf := func(args ...string) (int, error) {
		r, err := w.exec(ctx, sandbox.Command{Args: append([]string{"qpdf", "--password-file=-"}, args...),
			Stdin: io.NopCloser(strings.NewReader(password))})
		return r.ExitCode, err
	}
	code, err := qpdf("--requires-password", "in.pdf")
	if err != nil {
		return err
	}
	if code == 0 {
		return failed("password_wrong", "the password does not open the document").WithHint("check it and try again")
	}
	code, err = qpdf("--decrypt", "in.pdf", "plain.pdf")
	if err != nil {
		return err
	}
	if code != 0 && code != 3 { // 3: with warnings
		return damaged("the document is damaged")
	}
	w.file, w.password = "plain.pdf", password
	return nil
}

// info is what is known of a document as a whole.
type info struct{ pages int }

// errLocked says that a document needs a password.
var errLocked = errors.New("pdf: a password is needed")

// look counts the pages.
func (w *work) look(ctx context.Context) (out info, err error) {
	r, err := w.exec(ctx, sandbox.Command{Args: []string{"pdfinfo", w.file}})
	if err != nil {
		return out, err
	}
	for line := range strings.SplitSeq(string(r.Stdout), "\n") {
		k, v, _ := strings.Cut(line, ":")
		switch v = strings.TrimSpace(v); k { // the document's own texts come first: what is said last counts
		case "Pages":
			_, _ = fmt.Sscan(v, &out.pages)
		case "JavaScript":
			if v == "yes" {
				w.warns("scripts_ignored")
			}
		}
	}
	switch {
	case r.ExitCode != 0 && bytes.Contains(r.Stderr, []byte("Incorrect password")):
		return out, errLocked
	case r.ExitCode != 0 || out.pages <= 0:
		return out, damaged("the document is damaged, or has no pages")
	}
	return out, nil
}
