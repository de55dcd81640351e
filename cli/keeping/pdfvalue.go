package keeping

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

func pdfValue(e *env) *cobra.Command {
	var s source
	var at client.PDFPlace
	cmd := e.Call("value FILE", "Print one value of a document, found by the words beside or above it", func(ctx context.Context,
		c *client.Client, args []string) error {
		if strings.TrimSpace(at.Beside+at.Under) == "" {
			return kit.Usage("the words beside the value are missing").
				WithHint(`name those to its left with --beside, those above it with --under, or both for a cell of a table`)
		}
		var found client.PDFValues
		_, err := s.on(ctx, e, c, args[0], func(from client.PDFSource) (r client.PDFOperation, err error) {
			found, err = c.ReadValues(ctx, client.PDFAskValues{AcrobatSourceRef: from, Places: []client.PDFPlace{at}})
			return r, err
		})
		if err != nil {
			return err
		}
		if e.JSON {
			return e.Print(found)
		}
		var codes []string
		for _, w := range found.Warnings {
			codes = append(codes, w.Code)
		}
		warned(e, client.PDFOperation{WarningCodes: codes}, found.Warnings)
		if len(found.Values) != 1 {
			return fault.New(fault.Internal, "the answer has no value")
		}
		fmt.Fprintln(e.Out, found.Values[0])
		return nil
	})
	cmd.Long = `Prints the text that stands to the right of the words of --beside on their line, or below those of --under; with both, the text
on the line of the one and in the column of the other, as in a table. Words are compared without case and without a colon behind
them. If they lead to several texts, nothing is printed and the command fails. --as figure prints a number without the currency or
unit around it, --as number the same without separators of thousands and with a decimal point.

While you demonstrate work in a watched shell, what this prints and you then enter becomes a value that the skill reads again, in
the document of each run. docs/pdf.md says more.`
	s.flags(cmd)
	cmd.Flags().StringVar(&at.Beside, "beside", "", "the `words` to the left of the value")
	cmd.Flags().StringVar(&at.Under, "under", "", "the `words` above the value, as the head of its column")
	cmd.Flags().StringVar(&at.As, "as", "", "figure (a number without its unit) or number (1250.00); otherwise as it stands")
	return kit.With(cmd, `showhow pdf value invoice.pdf --beside "Invoice number"`,
		`showhow pdf value invoice.pdf --beside "Total" --under "Amount" --as number`)
}
