package keeping

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

func pdfRedact(e *env) *cobra.Command {
	var s source
	var words, classes []string
	var out string
	prepare := func(ctx context.Context, c *client.Client, args []string) error {
		var file *os.File
		if out != "" { // before the work, which may take minutes
			var err error
			if file, err = kit.NewFile(out, 0o600); err != nil {
				return err
			}
			defer func() {
				if file != nil { // nothing came into it
					_, _ = file.Close(), os.Remove(out)
				}
			}()
		}
		q := client.PDFAskRedact{}
		for _, name := range classes {
			q.PatternSet = append(q.PatternSet, "class:"+name)
		}
		for _, w := range words {
			q.PatternSet = append(q.PatternSet, "words:"+w)
		}
		r, err := s.on(ctx, e, c, args[0], func(from client.PDFSource) (client.PDFOperation, error) {
			q.AcrobatSourceRef = from
			return c.PrepareRedaction(ctx, q)
		})
		if err != nil {
			return err
		}
		defer func() { _ = c.DeleteDocument(context.WithoutCancel(ctx), r.OutputRef) }()
		var found client.PDFRedaction
		if err := c.PDFResult(ctx, r, &found); err != nil {
			return err
		}
		if file != nil && found.MarkedCopyRef != "" {
			f := file
			file = nil
			if err := fill(ctx, c, found.MarkedCopyRef, f); err != nil {
				_ = c.DeleteDocument(context.WithoutCancel(ctx), found.MarkedCopyRef)
				return err
			}
		}
		unread := unsearched(r, found.Warnings)
		if e.JSON {
			return errors.Join(e.Print(struct {
				client.PDFRedaction
				WarningCodes []string `json:"warning_codes"`
			}{found, r.WarningCodes}), unread)
		}
		warned(e, r, found.Warnings)
		if len(found.Places) == 0 {
			if unread == nil {
				e.Say("Nothing was found, so there is no copy.")
			}
			return unread
		}
		e.Table("", kit.Columns("PAGE", "PATTERN", "X", "Y", "WIDTH", "HEIGHT"), func(row func(...any)) {
			for _, p := range found.Places {
				for _, at := range p.Places {
					row(p.Page, kit.PlainText(p.Pattern), points(at.X), points(at.Y), points(at.Width), points(at.Height))
				}
			}
		})
		e.Say("")
		if out != "" {
			e.Say("%s has a mark at each place. Nothing is removed from it: look through it, and apply the marks with a PDF editor.",
				kit.PlainText(out))
		} else {
			e.Say("The copy with a mark at each place: %s. Nothing is removed from it.\nshowhow pdf get %s --out marked.pdf", found.MarkedCopyRef,
				found.MarkedCopyRef)
		}
		return unread
	}
	cmd := e.Call("redact FILE", "Mark in a copy what is to be redacted, and list the places; nothing is removed", prepare)
	s.flags(cmd)
	cmd.Flags().StringArrayVar(&words, "words", nil, "`words` to mark wherever they stand; repeat it for others")
	cmd.Flags().StringSliceVar(&classes, "classes", nil,
		"the redactor's `classes` to mark, as email,phone,iban; without --words and --classes: all")
	cmd.Flags().StringVar(&out, "out", "", "write the copy to this new `file` too")
	return kit.With(cmd, `showhow pdf redact contract.pdf --words "Ada Lovelace" --classes email,phone --out marked.pdf`,
		"showhow pdf redact contract.pdf --json")
}

// unsearched is the failure of a search that did not look at pages which may be pictures, nil if it looked at them all.
func unsearched(r client.PDFOperation, about []client.PDFWarning) error {
	for _, code := range []string{"ocr_unavailable", "ocr_cut"} {
		if !slices.Contains(r.WarningCodes, code) {
			continue
		}
		w := warningOf(about, code)
		what := "pages without text were not searched"
		if w.Pages != "" {
			what = "pages without text (" + w.Pages + ") were not searched"
		}
		if code == "ocr_cut" {
			return fault.New(fault.AcrobatIncomplete, what+": too many have to be recognised").WithHint("name them with --pages")
		}
		return fault.New(fault.AcrobatOCR, what+": tesseract or its languages are not installed").
			WithHint(cmp.Or(w.Install, "`showhow pdf health` says what to install") + "; then run it again")
	}
	return nil
}

func points(x float64) string { return fmt.Sprintf("%.1f", x) }
