package keeping

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

func pdfRedact(e *env) *cobra.Command {
	var s source
	var words, classes []string
	var out string
	prepare := func(ctx context.Context, c *client.Client, args []string) error {
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
		if out != "" && found.MarkedCopyRef != "" {
			if err := fetchTo(ctx, c, found.MarkedCopyRef, out); err != nil {
				return err
			}
		}
		if e.JSON {
			return e.Print(struct {
				client.PDFRedaction
				WarningCodes []string `json:"warning_codes"`
			}{found, r.WarningCodes})
		}
		warned(e, r, found.Warnings)
		if len(found.Places) == 0 {
			e.Say("Nothing was found, so there is no copy.")
			return nil
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
		return nil
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

func points(x float64) string { return fmt.Sprintf("%.1f", x) }
