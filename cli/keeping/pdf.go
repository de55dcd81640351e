package keeping

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
	"showhow/internal/regular"
)

func pdfCommand(e *env) *cobra.Command {
	pdf := kit.With(&cobra.Command{Use: "pdf", Short: "PDF documents: read them where they can do no harm",
		Long: `A document is handed in, kept sealed for 24 hours, and opened only inside the sandbox. FILE is a file of yours, which is read
by this command, or the reference of a document that is kept (doc_... or art_...). docs/pdf.md says more.`},
		"showhow pdf text invoice.pdf", "showhow pdf tables report.pdf --pages 1-3,7", "showhow pdf list")
	pdf.AddCommand(pdfText(e), pdfValue(e), pdfTables(e), pdfOCR(e), pdfRedact(e))
	pdf.AddCommand(pdfAdd(e), pdfList(e), pdfGet(e), pdfDelete(e), pdfHealth(e))
	return pdf
}

func pdfAdd(e *env) *cobra.Command {
	return kit.With(e.Call("add FILE", "Hand in a document; it is kept sealed for 24 hours",
		func(ctx context.Context, c *client.Client, args []string) error {
			d, err := handIn(ctx, c, args[0])
			return e.Done(err, "%s", d.Ref)
		}), "showhow pdf add invoice.pdf")
}

// handIn uploads a PDF document of the caller's.
func handIn(ctx context.Context, c *client.Client, name string) (client.Document, error) {
	f, err := openPDF(name)
	if err != nil {
		return client.Document{}, err
	}
	defer f.Close()
	return c.UploadDocument(ctx, filepath.Base(name), "application/pdf", f)
}

// openPDF opens a file that begins like a PDF document, in its first KiB as readers take it.
func openPDF(name string) (*os.File, error) {
	shown := kit.PlainText(name)
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) && (strings.HasPrefix(name, "doc_") || strings.HasPrefix(name, "art_")) {
		_, err := refOf(name)
		return nil, err
	}
	f, _, err := regular.Open(name)
	if err != nil {
		return nil, fault.Wrap(err, fault.Usage, shown+" cannot be read").WithHint("name a regular file that exists and that you may read")
	}
	head := make([]byte, 1024)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.Join(fault.Wrap(err, fault.Usage, shown+" cannot be read").WithHint("name a file that you may read"), f.Close())
	}
	if !bytes.Contains(head[:n], []byte("%PDF-")) {
		return nil, errors.Join(kit.Usage("%s is no PDF document", shown).
			WithHint("name the PDF document itself; `showhow word` reads Word documents"), f.Close())
	}
	_, err = f.Seek(0, io.SeekStart)
	return f, err
}

func cannotRead(err error) error {
	return fault.Wrap(err, fault.Usage, "the file cannot be read").WithHint("name a file that exists and that you may read")
}

func pdfList(e *env) *cobra.Command {
	list := func(ctx context.Context, c *client.Client, _ []string) error {
		l, err := c.Documents(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table("no document is kept", kit.Columns("REF", "KIND", "FILE", "BYTES", "OF", "UNTIL"), func(row func(...any)) {
				for _, d := range l.Documents {
					of := d.Owner
					if d.OwnPerson {
						of = "you"
					}
					row(d.Ref, d.Kind, kit.PlainText(d.OriginalFilename), d.ByteSize, kit.PlainText(of), d.ExpiresAt.Local().Format("2006-01-02 15:04"))
				}
			})
		})
	}
	return kit.With(e.Call("list", "The documents that are kept, newest first", list), "showhow pdf list")
}

func pdfGet(e *env) *cobra.Command {
	var out string
	cmd := e.Call("get REF", "Write a kept document to a new file", func(ctx context.Context, c *client.Client, args []string) error {
		if out == "" {
			return kit.Usage("the file to write to is missing").WithHint("showhow pdf get REF --out FILE")
		}
		ref, err := refOf(args[0])
		if err == nil {
			err = fetchTo(ctx, c, ref, out)
		}
		return e.Done(err, "written")
	})
	cmd.Flags().StringVar(&out, "out", "", "the `file` to write; it must not exist")
	return kit.With(cmd, "showhow pdf get art_k3v7q2m5x4c6na --out copy.pdf")
}

// fetchTo writes a document to a new file, which goes again if it cannot be finished.
func fetchTo(ctx context.Context, c *client.Client, ref, name string) error {
	f, err := kit.NewFile(name, 0o600)
	if err != nil {
		return err
	}
	return fill(ctx, c, ref, f)
}

// fill writes a kept document into a new file, and removes the file if that fails.
func fill(ctx context.Context, c *client.Client, ref string, f *os.File) error {
	in, err := c.DocumentContent(ctx, ref)
	if err != nil {
		return errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	defer in.Close()
	_, err = io.Copy(f, in)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(fault.Wrap(err, fault.Internal, "the document could not be written").WithHint("check the free space"),
			os.Remove(f.Name()))
	}
	return nil
}

func pdfDelete(e *env) *cobra.Command {
	remove := func(ctx context.Context, c *client.Client, args []string) error {
		ref, err := refOf(args[0])
		if err == nil {
			err = c.DeleteDocument(ctx, ref)
		}
		return e.Done(err, "deleted")
	}
	return kit.With(e.Call("delete REF", "Delete a kept document before its time", remove), "showhow pdf delete doc_k3v7q2m5x4c6na")
}
