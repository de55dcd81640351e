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
}

// Options configures a Service.
type Options struct {
	Documents Documents
	Scratch   string // a folder of the service's own, for documents that are being read
	Record    func(ctx context.Context, fn func(journal.Writer) error) error
	Now       func() clock.Time
	NewID     func() string
	Look      func(program string) (string, error) // nil: exec.LookPath
	Time      time.Duration                        // for one program; 0: a minute
}

// Bounds of one operation.
const (
	MaxPages  = 1000 // of text and tables
	atOnce    = 2    // operations
	maxTime   = time.Minute
	maxOutput = 32 << 20
	maxDisk   = 768 << 20
	maxMemory = 1 << 30
	maxProcs  = 32
)

// Service reads documents.
type Service struct {
	o     Options
	slots chan struct{}
}

// New makes a service; nothing is made or run yet.
func New(o Options) *Service {
	if o.Look == nil {
		o.Look = exec.LookPath
	}
	if o.Time == 0 {
		o.Time = maxTime
	}
	return &Service{o: o, slots: make(chan struct{}, atOnce)}
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
	for _, c := range []string{wire.AcrobatText, wire.AcrobatTables, wire.AcrobatOCR, wire.AcrobatRedaction} {
		if needs[c] == nil {
			continue
		}
		if m := s.missing(needs[c]...); len(m) > 0 {
			out.Missing = append(out.Missing, m...)
		} else {
			out.Supported = append(out.Supported, c)
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

func (s *Service) unavailable(programs []string) error {
	return fault.Newf(fault.AcrobatUnavailable, "%s is not installed", strings.Join(programs, ", ")).
		WithHint(install(programs)).WithDetail("programs", programs).WithDetail("install", install(programs))
}

// work is one operation on a document.
type work struct {
	box   *sandbox.Box
	file  string // the document, as the programs in the box find it
	info  info
	pages []span
	warn  []string
}

func (w *work) warns(code string) {
	if !slices.Contains(w.warn, code) {
		w.warn = append(w.warn, code)
	}
}

// task says what an operation needs and makes.
type task struct {
	capability string
	source     wire.AcrobatSourceRef
	kind       string // of the result
	most       int    // pages
	time       time.Duration
	do         func(ctx context.Context, w *work) (any, error)
}

// perform runs an operation: the document goes into a box, the result is kept, and a receipt says so.
func (s *Service) perform(ctx context.Context, by document.Owner, t task) (wire.AcrobatOperationResponse, error) {
	out := wire.AcrobatOperationResponse{OperationID: s.o.NewID(), Capability: t.capability, Status: "ok", WarningCodes: []string{},
		SchemaVersion: 1}
	programs := needs[t.capability]
	if t.source.Password != "" {
		programs = append(slices.Clone(programs), "qpdf")
	}
	if m := s.missing(programs...); len(m) > 0 {
		return out, s.unavailable(m)
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return out, fault.New(fault.Cancelled, "the caller went away")
	}
	w := &work{}
	made, err := s.inBox(ctx, by, t, w, out.OperationID)
	if err != nil {
		return out, err
	}
	body, err := json.Marshal(made)
	if err != nil {
		return out, err
	}
	result := document.New{Kind: t.kind, Of: t.source.SourceRef, Type: "application/json"}
	kept, err := s.o.Documents.Keep(ctx, by, result, bytes.NewReader(body))
	if err != nil {
		return out, err
	}
	if out.OutputRef = kept.Ref; len(w.warn) > 0 {
		out.Status, out.WarningCodes = "degraded", w.warn
	}
	out.ReceiptID, err = s.record(ctx, by, t.capability, out.OperationID, w.info.pages)
	return out, err
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
func (s *Service) inBox(ctx context.Context, by document.Owner, t task, w *work, id string) (made any, err error) {
	dir := filepath.Join(s.o.Scratch, id)
	if t.time == 0 {
		t.time = s.o.Time
	}
	w.box, err = sandbox.Open(ctx, sandbox.Spec{Dir: dir, Timeout: t.time, MaxOutput: maxOutput, MaxBytes: maxDisk, MaxMemory: maxMemory,
		MaxProcs: maxProcs, Shell: "sh"})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.box.Close()) }()
	b, err := s.fetch(ctx, by, t.source)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "in.pdf"), b, 0o600); err != nil {
		return nil, fault.Wrap(err, fault.StoreFull, "the document cannot be put into the sandbox").WithHint("check the free space")
	}
	encrypted := bytes.Contains(b, []byte("/Encrypt"))
	if bytes.Contains(b, []byte("/JavaScript")) || bytes.Contains(b, []byte("/Launch")) {
		w.warns("scripts_ignored")
	}
	w.file = "in.pdf"
	if t.source.Password != "" && encrypted {
		if err := w.unlock(ctx, t.source.Password); err != nil {
			return nil, err
		}
	}
	if w.info, err = w.look(ctx, encrypted && t.source.Password == ""); err != nil {
		return nil, err
	}
	if w.pages, err = pagesOf(t.source.PageRange, w.info.pages); err != nil {
		return nil, err
	}
	var cut bool
	if w.pages, cut = atMost(w.pages, t.most); cut {
		w.warns("pages_cut")
	}
	return t.do(ctx, w)
}

// fetch reads the document.
func (s *Service) fetch(ctx context.Context, by document.Owner, from wire.AcrobatSourceRef) ([]byte, error) {
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
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b, err := io.ReadAll(in)
	if err != nil {
		return nil, fault.Wrap(err, fault.StoreCorrupt, "the kept document cannot be unsealed").WithHint("hand it in again")
	}
	if !bytes.Contains(b[:min(len(b), 1024)], []byte("%PDF-")) {
		return nil, failed("not_pdf", "the document is no PDF")
	}
	return b, nil
}

// failed is the error of a document that cannot be read. reason is stable.
func failed(reason, message string) *fault.Error {
	return fault.New(fault.AcrobatFailed, message).WithDetail("reason", reason)
}

// run runs a program of poppler's kind on the document. What it complains about may quote the document and goes nowhere.
func (w *work) run(ctx context.Context, args ...string) (sandbox.Result, error) {
	r, err := w.box.Exec(ctx, sandbox.Command{Args: args, Dir: "."})
	if err != nil {
		return r, err
	}
	return r, w.ended(r)
}

// ended says why a program was ended.
func (w *work) ended(r sandbox.Result) error {
	switch r.Killed {
	case "":
		return nil
	case sandbox.KilledCancelled:
		return fault.New(fault.Cancelled, "the caller went away")
	case sandbox.KilledTimeout:
		return failed("time", "the document takes too long to read").WithHint("ask for fewer pages")
	case sandbox.KilledMemory:
		return failed("memory", "the document needs too much memory").WithHint("ask for fewer pages")
	default:
		return failed("size", "the document makes too much of itself").WithHint("ask for fewer pages")
	}
}

// unlock makes a copy without encryption. The password goes to qpdf's standard input, through the shell's own printf: it
// is the argument of no program.
func (w *work) unlock(ctx context.Context, password string) error {
	qpdf := func(rest string) (sandbox.Result, error) {
		return w.box.Exec(ctx, sandbox.Command{Args: []string{"sh", "-c", `printf %s "$PASSWORD" | qpdf --password-file=- ` + rest}, Dir: ".",
			Env: map[string]string{"PASSWORD": password}})
	}
	r, err := qpdf("--requires-password in.pdf")
	if err != nil || r.Killed != "" {
		return errors.Join(err, w.ended(r))
	}
	if r.ExitCode == 0 {
		return failed("password_wrong", "the password does not open the document").WithHint("check it and try again")
	}
	r, err = qpdf("--decrypt in.pdf plain.pdf")
	if err != nil || r.Killed != "" {
		return errors.Join(err, w.ended(r))
	}
	if r.ExitCode != 0 && r.ExitCode != 3 { // 3: with warnings
		return failed("damaged", "the document is damaged")
	}
	w.file = "plain.pdf"
	return nil
}

// info is what is known of a document as a whole.
type info struct{ pages int }

// look counts the pages.
func (w *work) look(ctx context.Context, locked bool) (out info, err error) {
	r, err := w.run(ctx, "pdfinfo", w.file)
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
	case r.ExitCode != 0 && locked:
		return out, failed("password_required", "the document is encrypted").
			WithHint("showhow pdf asks for its password; an agent gives it as password")
	case r.ExitCode != 0 || out.pages <= 0:
		return out, failed("damaged", "the document is damaged, or has no pages")
	}
	return out, nil
}
