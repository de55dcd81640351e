package keeping

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// source is the document of a command.
type source struct {
	pages    string
	password bool // is on standard input
}

func (s *source) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.pages, "pages", "", "only these `pages`, as in 1-3,7,9-")
	cmd.Flags().BoolVar(&s.password, "password-stdin", false, "the password of an encrypted document is on the standard input")
}

var documentRef = lazyre.New(wire.DocumentRefPattern)

// refOf checks a reference before it is asked for.
func refOf(name string) (string, error) {
	if !documentRef.MatchString(name) {
		return "", kit.Usage("%s is no reference of a document", kit.PlainText(name)).
			WithHint("`showhow pdf list` shows them: doc_ or art_, then 14 letters and digits")
	}
	return name, nil
}

// on performs an operation on a file or a kept document. A file that was handed in for it is deleted afterwards; the
// password of an encrypted document is asked for.
func (s *source) on(ctx context.Context, e *env, c *client.Client, name string,
	do func(from client.PDFSource) (client.PDFOperation, error)) (client.PDFOperation, error) {
	ref := name
	if !documentRef.MatchString(name) {
		d, err := handIn(ctx, c, name)
		if err != nil {
			return client.PDFOperation{}, err
		}
		ref = d.Ref
		defer func() { _ = c.DeleteDocument(context.WithoutCancel(ctx), ref) }() // it expires anyway
	}
	from := client.PDFSourceOf(ref)
	from.PageRange = s.pages
	if s.password {
		b, err := io.ReadAll(io.LimitReader(e.In, 1024))
		if err != nil {
			return client.PDFOperation{}, fault.Wrap(err, fault.Usage, "the password cannot be read from the standard input")
		}
		from.Password = strings.TrimRight(string(b), "\r\n")
	}
	r, err := do(from)
	if fault.Is(err, fault.AcrobatFailed) && fault.From(err).Details["reason"] == "password_required" && e.AsksPerson() {
		if from.Password, err = kit.Hidden(ctx, e.Env, "The document's password"); err == nil {
			r, err = do(from)
		}
	}
	return r, err
}

// warned says what could not be done and on which pages, on the error output: the standard output has the text alone.
func warned(e *env, r client.PDFOperation, about []client.PDFWarning) {
	for _, code := range r.WarningCodes {
		w := warningOf(about, code)
		text := cmp.Or(warnings[code], code)
		if w.Pages != "" {
			text += " Pages: " + w.Pages
		}
		if w.Install != "" {
			text += "\n  install with: " + kit.PlainText(w.Install)
		}
		fmt.Fprintln(e.ErrOut, text)
	}
}

// warningOf is what a result says about one of its warnings.
func warningOf(about []client.PDFWarning, code string) client.PDFWarning {
	for _, w := range about {
		if w.Code == code {
			return w
		}
	}
	return client.PDFWarning{Code: code}
}

var warnings = map[string]string{
	"pages_not_judged":    "The redactor could not judge some pages: look through them.",
	"ocr_cut":             "Too many pages without text: only the first 20 were recognised; name others with --pages.",
	"ocr_unavailable":     "Pages without text cannot be recognised here.",
	"read_by_letters":     "Text on some pages is spaced, mirrored or at an angle and was read letter by letter: look through them.",
	"letters_unknown":     "Fonts on some pages do not say which letters theirs are: look through them.",
	"words_cut":           "Some pages hold too many words; the rest of them was not searched.",
	"layers_off":          "The document has layers that are off; they were not searched.",
	"fields_not_searched": "Some pages have fields that are hidden, show another value or have choices; these were not searched.",
	"links_not_searched":  "Some pages have links; their addresses were not searched.",
	"beside_unknown":      "Links, fields and layers of the document could not be looked at.",
	"pages_cut":           "Only the first pages were read; name others with --pages.",
	"lines_unreadable":    "The lines on some pages could not be read; tables were guessed there.",
	"tables_incomplete":   "Some pages hold so much that not all tables were looked for.",
	"pages_absent":        "The document has fewer pages than were named.",
	"pages_unreadable":    "Some pages could not be read.",
	"pages_without_text":  "Some pages have no text; they may be pictures.",
	"scripts_ignored":     "The document has scripts or starts programs; nothing of that was run.",
}

func pdfText(e *env) *cobra.Command {
	var s source
	var plain, recognise bool
	cmd := e.Call("text FILE", "Print the text of a document in reading order", func(ctx context.Context, c *client.Client,
		args []string) error {
		r, err := s.on(ctx, e, c, args[0], func(from client.PDFSource) (client.PDFOperation, error) {
			return c.ExtractText(ctx, client.PDFAskText{AcrobatSourceRef: from, OCRFallback: recognise})
		})
		if err != nil {
			return err
		}
		defer func() { _ = c.DeleteDocument(context.WithoutCancel(ctx), r.OutputRef) }()
		var text client.PDFText
		if err := c.PDFResult(ctx, r, &text); err != nil {
			return err
		}
		if e.JSON {
			return e.Print(struct {
				client.PDFText
				WarningCodes []string `json:"warning_codes"`
			}{text, r.WarningCodes})
		}
		warned(e, r, text.Warnings)
		for i, p := range text.Pages {
			if i > 0 && !plain {
				fmt.Fprintln(e.Out)
			}
			if text.PagesInAll > 1 && !plain {
				fmt.Fprintf(e.Out, "--- page %d ---\n\n", p.Page)
			}
			fmt.Fprintln(e.Out, strings.TrimRight(p.Text, "\n"))
		}
		return nil
	})
	s.flags(cmd)
	cmd.Flags().BoolVar(&recognise, "ocr", false, "recognise pages that have no text, at most 20")
	cmd.Flags().BoolVar(&plain, "plain", false, "without lines between the pages")
	return kit.With(cmd, "showhow pdf text invoice.pdf", "showhow pdf text report.pdf --pages 2-4 --plain")
}

func pdfOCR(e *env) *cobra.Command {
	var s source
	var languages string
	cmd := e.Call("ocr FILE", "Recognise the text in the pictures of a document", func(ctx context.Context, c *client.Client,
		args []string) error {
		r, err := s.on(ctx, e, c, args[0], func(from client.PDFSource) (client.PDFOperation, error) {
			return c.RecogniseText(ctx, client.PDFAskOCR{AcrobatSourceRef: from, LanguageHint: languages})
		})
		if err != nil {
			return err
		}
		defer func() { _ = c.DeleteDocument(context.WithoutCancel(ctx), r.OutputRef) }()
		var found client.PDFOCR
		if err := c.PDFResult(ctx, r, &found); err != nil {
			return err
		}
		if e.JSON {
			return e.Print(struct {
				client.PDFOCR
				WarningCodes []string `json:"warning_codes"`
			}{found, r.WarningCodes})
		}
		warned(e, r, found.Warnings)
		for i, p := range found.Pages {
			if i > 0 {
				fmt.Fprintln(e.Out)
			}
			fmt.Fprintf(e.ErrOut, "page %d: %d words in %s, confidence %.0f of 100\n", p.Page, len(p.Words),
				strings.Join(found.Languages, "+"), p.Confidence)
			fmt.Fprint(e.Out, p.Text)
		}
		return nil
	})
	s.flags(cmd)
	cmd.Flags().StringVar(&languages, "languages", "", "the `languages` of the text, as in eng+deu; each has a package of tesseract's")
	return kit.With(cmd, "showhow pdf ocr scan.pdf --languages eng+deu", "showhow pdf ocr scan.pdf --pages 1-3 --json")
}

func pdfTables(e *env) *cobra.Command {
	var s source
	var mode string
	find := func(ctx context.Context, c *client.Client, args []string) error {
		r, err := s.on(ctx, e, c, args[0], func(from client.PDFSource) (client.PDFOperation, error) {
			return c.ExtractTables(ctx, client.PDFAskTables{AcrobatSourceRef: from, TableMode: mode})
		})
		if err != nil {
			return err
		}
		defer func() { _ = c.DeleteDocument(context.WithoutCancel(ctx), r.OutputRef) }()
		var found client.PDFTables
		if err := c.PDFResult(ctx, r, &found); err != nil {
			return err
		}
		if e.JSON {
			return e.Print(struct {
				client.PDFTables
				WarningCodes []string `json:"warning_codes"`
			}{found, r.WarningCodes})
		}
		warned(e, r, found.Warnings)
		if len(found.Tables) == 0 {
			fmt.Fprintln(e.ErrOut, "No table was found; --mode layout_preserving gives each page as one.")
		}
		for i, t := range found.Tables {
			how := "with lines"
			if !t.Ruled {
				how = "without lines"
			}
			where := fmt.Sprintf("page %d", t.Page)
			if t.LastPage > 0 {
				where = fmt.Sprintf("pages %d-%d", t.Page, t.LastPage)
			}
			fmt.Fprintf(e.ErrOut, "%s: %d rows, %d columns, %s\n", where, t.Rows, t.Columns, how)
			if i > 0 {
				fmt.Fprintln(e.Out)
			}
			fmt.Fprint(e.Out, t.CSV)
		}
		return nil
	}
	cmd := e.Call("tables FILE", "Print the tables of a document as CSV; --json adds the places of cells", find)
	s.flags(cmd)
	cmd.Flags().StringVar(&mode, "mode", "auto", "auto, strict (only tables with lines) or layout_preserving (each page as one table)")
	return kit.With(cmd, "showhow pdf tables invoice.pdf", "showhow pdf tables report.pdf --pages 4 --mode strict --json")
}

func pdfHealth(e *env) *cobra.Command {
	return kit.With(e.Call("health", "What can be done with documents here, and what to install", func(ctx context.Context, c *client.Client,
		_ []string) error {
		h, err := c.PDFHealth(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() {
			can := append([]string{}, h.Supported...)
			if len(can) > 0 && !slices.Contains(h.Missing, "qpdf") {
				can = append(can, "encrypted documents")
			}
			e.Say("%s: %s", h.AdapterState, strings.Join(can, ", "))
			for _, x := range wire.AcrobatCapabilities {
				if !slices.Contains(h.Supported, x.Name) {
					e.Say("cannot be done here: %s: %s", x.Says, x.Command)
				}
			}
			if !slices.Contains(h.Supported, wire.AcrobatOCR) && slices.Contains(h.Supported, wire.AcrobatRedaction) {
				e.Say("showhow pdf redact does not search scanned pages then")
			}
			if h.Install != "" {
				e.Say("not installed: %s\ninstall with: %s", strings.Join(h.Missing, ", "), h.Install)
			}
		})
	}), "showhow pdf health")
}
