package keeping

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"showhow/cli/kit"

	"showhow/daemon/wire"
	"showhow/daemon/word"
	"showhow/daemon/word/ooxml"
	"showhow/internal/desktop"
	"showhow/internal/fault"
	"showhow/internal/regular"
)

func wordCommand(e *env) *cobra.Command {
	w := kit.With(&cobra.Command{Use: "word", Short: "Word documents: read them, and edit copies with tracked changes",
		Long: `Reads and edits .docx files without Word. The original is never written to: what was changed goes into a new file, beside
it or where --out says, and every change but filling a template and commenting is a tracked change that you accept or reject in any word
processor or here. No daemon is needed. docs/word.md says more.`},
		"showhow word read contract.docx", `showhow word replace contract.docx "3 May" "12 June"`)
	w.AddCommand(wordRead(e), wordSearch(e), wordReplace(e), wordInsert(e), wordDelete(e), wordFormat(e), wordComment(e),
		wordDecide(e, "accept", "Accept tracked changes: all, or those that the flags choose", true),
		wordDecide(e, "reject", "Reject tracked changes: all, or those that the flags choose", false),
		wordCompare(e), wordFill(e), wordOpen(e))
	return w
}

// local makes a command that needs no daemon.
func local(use, short string, arguments cobra.PositionalArgs, run func(args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: arguments, RunE: func(_ *cobra.Command, args []string) error { return run(args) }}
}

// openWord reads a document of the caller's.
func openWord(name, author string) (*word.Document, error) {
	f, _, err := regular.Open(name)
	if err != nil {
		return nil, cannotRead(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, ooxml.MaxFile+1))
	if err != nil {
		return nil, cannotRead(err)
	}
	return word.Open(data, word.Author{Name: author, Now: time.Now()})
}

// open reads a document that is to be edited. Changes have the person's name; those that an agent makes say so.
func (x *edit) open(e *env, name string) (*word.Document, error) {
	author := x.author
	if author == "" {
		if u, err := user.Current(); err == nil {
			author = cmp.Or(u.Name, u.Username)
		}
	}
	if e.ByAgent() {
		author += word.ByAgent
	}
	return openWord(name, author)
}

// edit is what commands that write have in common.
type edit struct{ out, author string }

func (x *edit) flags(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().StringVar(&x.out, "out", "", "the new `file`; it must not exist")
	cmd.Flags().StringVar(&x.author, "author", "", "whose changes they are; your name if omitted. What an agent changes says so")
	return cmd
}

// write saves the copy into a new file.
func (x *edit) write(d *word.Document, original, ending string) (string, error) {
	name := x.out
	if name == "" {
		ext := filepath.Ext(original)
		name = strings.TrimSuffix(original, ext) + "." + ending + ext
	}
	data, err := d.Save()
	if err != nil {
		return "", err
	}
	return name, kit.WriteNew(name, 0o600, data)
}

// told is the answer of a command that writes.
type told struct {
	wire.WordEdited
	File    string   `json:"file"`
	Changes []string `json:"changes,omitempty"` // that were made, as read lists them
}

func (x *edit) finish(e *env, d *word.Document, original, ending string, out wire.WordEdited, err error) error {
	if err != nil {
		return err
	}
	name, err := x.write(d, original, ending)
	if err != nil {
		return err
	}
	made := d.Made()
	return show(e, told{out, name, made}, func() {
		e.Say("%s in %s", kit.Plural(out.Changed, "change", "changes"), kit.PlainText(name))
		if len(made) > 0 && len(made) <= 50 {
			e.Say("  to take back exactly these: showhow word reject FILE --id %s", strings.Join(made, ","))
		}
		sayLeft(e, out.Left, out.Warnings)
	})
}

func sayLeft(e *env, left, warnings []string) {
	for _, l := range left {
		e.Say("  left as it was: %s", kit.PlainText(l))
	}
	for _, w := range warnings {
		e.Say("  note: %s", kit.PlainText(w))
	}
}

// show prints an answer that no daemon gave.
func show(e *env, v any, human func()) error {
	if e.JSON {
		return e.Print(v)
	}
	human()
	return nil
}

func wordRead(e *env) *cobra.Command {
	return kit.With(local("read FILE", "Text, tables, comments and tracked changes", cobra.ExactArgs(1), func(args []string) error {
		d, err := openWord(args[0], "")
		if err != nil {
			return err
		}
		doc := d.Read()
		return show(e, doc, func() { sayDocument(e, doc) })
	}), "showhow word read contract.docx", "showhow word read contract.docx --json")
}

func sayDocument(e *env, doc wire.WordDocument) {
	for _, p := range doc.Paragraphs {
		mark := strings.Repeat("#", p.Level)
		if p.Level == 0 && p.List > 0 {
			mark = strings.Repeat("  ", p.List-1) + "-"
		}
		if mark != "" {
			mark += " "
		}
		if p.Table > 0 {
			mark = "| "
		}
		e.Say("%-12s %s%s", p.At, mark, kit.PlainText(strings.ReplaceAll(p.Text, "\n", " / ")))
	}
	for _, c := range doc.Comments {
		e.Say("comment %s at %s by %s: %s", c.ID, c.At, kit.PlainText(c.Author), kit.PlainText(c.Text))
	}
	for _, c := range doc.Changes {
		e.Say("change %s at %s by %s: %s %s", c.ID, c.At, kit.PlainText(c.Author), kit.Words(c.Kind), kit.PlainText(c.Text))
	}
	if len(doc.Fields) > 0 {
		e.Say("placeholders: %s", kit.PlainText(strings.Join(doc.Fields, ", ")))
	}
	if doc.Truncated {
		e.Say("the rest was left out: the document is too long")
	}
	sayLeft(e, nil, doc.Warnings)
}

// where are the flags that choose a place.
func where(cmd *cobra.Command, w *word.Where) *cobra.Command {
	fl := cmd.Flags()
	fl.BoolVar(&w.IgnoreCase, "ignore-case", false, "capital letters are the same as small ones")
	fl.BoolVar(&w.Word, "word", false, "only whole words")
	fl.StringVar(&w.At, "at", "", "only in this `paragraph` or part, such as body/12 or header1")
	fl.IntVar(&w.Number, "number", 0, "only this match, from 1")
	return cmd
}

func wordSearch(e *env) *cobra.Command {
	var w word.Where
	cmd := local("search FILE TEXT", "Find a text within paragraphs, also across formats", cobra.ExactArgs(2), func(args []string) error {
		d, err := openWord(args[0], "")
		if err != nil {
			return err
		}
		w.Text = args[1]
		found, err := d.Search(w)
		if err != nil {
			return err
		}
		return show(e, map[string]any{"matches": found}, func() {
			for _, m := range found {
				e.Say("%d  %s  %s[%s]%s", m.Number, m.At, kit.PlainText(m.Before), kit.PlainText(m.Text), kit.PlainText(m.After))
			}
		})
	})
	return kit.With(where(cmd, &w), `showhow word search contract.docx "delivery date" --ignore-case`)
}

func wordReplace(e *env) *cobra.Command {
	var w word.Where
	var x edit
	cmd := local("replace FILE TEXT NEW", "Replace a text in a copy, as tracked changes; words that stay the same stay", cobra.ExactArgs(3),
		func(args []string) error {
			d, err := x.open(e, args[0])
			if err != nil {
				return err
			}
			w.Text = args[1]
			out, err := d.Replace(w, args[2])
			return x.finish(e, d, args[0], "edited", out, err)
		})
	return kit.With(x.flags(where(cmd, &w)), `showhow word replace contract.docx "3 May" "12 June"`,
		`showhow word replace letter.docx Draft Final --at header1 --out final.docx`)
}

func wordInsert(e *env) *cobra.Command {
	var x edit
	var style string
	cmd := local("insert FILE PARAGRAPH TEXT", "Add a paragraph behind another one in a copy, as a tracked change", cobra.ExactArgs(3),
		func(args []string) error {
			d, err := x.open(e, args[0])
			if err != nil {
				return err
			}
			out, err := d.Insert(args[1], args[2], style)
			return x.finish(e, d, args[0], "edited", out, err)
		})
	cmd.Flags().StringVar(&style, "style", "", "the `style` of the new paragraph; that of the one before it if omitted")
	return kit.With(x.flags(cmd), `showhow word insert contract.docx body/12 "The buyer pays within 30 days."`)
}

func wordDelete(e *env) *cobra.Command {
	var x edit
	cmd := local("delete FILE PARAGRAPH", "Delete a paragraph in a copy, as a tracked change", cobra.ExactArgs(2), func(args []string) error {
		d, err := x.open(e, args[0])
		if err != nil {
			return err
		}
		out, err := d.Delete(args[1])
		return x.finish(e, d, args[0], "edited", out, err)
	})
	return kit.With(x.flags(cmd), "showhow word delete contract.docx body/12")
}

func wordFormat(e *env) *cobra.Command {
	var w word.Where
	var x edit
	var look word.Look
	var bold, italic, underline bool
	cmd := local("format FILE [TEXT]", "Change how a text or a paragraph (--at) looks in a copy, as tracked changes",
		cobra.RangeArgs(1, 2), nil)
	fl := cmd.Flags()
	fl.BoolVar(&bold, "bold", false, "bold; --bold=false takes it away")
	fl.BoolVar(&italic, "italic", false, "italic; --italic=false takes it away")
	fl.BoolVar(&underline, "underline", false, "underlined; --underline=false takes it away")
	fl.StringVar(&look.Style, "style", "", "the `style` of the paragraph")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		for name, to := range map[string]**bool{"bold": &look.Bold, "italic": &look.Italic, "underline": &look.Underline} {
			if v, err := fl.GetBool(name); err == nil && fl.Changed(name) {
				*to = &v
			}
		}
		d, err := x.open(e, args[0])
		if err != nil {
			return err
		}
		w.Text = strings.Join(args[1:], "")
		out, err := d.Format(w, look)
		return x.finish(e, d, args[0], "edited", out, err)
	}
	return kit.With(x.flags(where(cmd, &w)), `showhow word format report.docx "Total" --bold`,
		`showhow word format report.docx --at body/3 --style "heading 1"`)
}

func wordComment(e *env) *cobra.Command {
	var w word.Where
	var x edit
	cmd := local("comment FILE TEXT COMMENT", "Write a comment about a text, or with --at and an empty TEXT about a paragraph, in a copy",
		cobra.ExactArgs(3), func(args []string) error {
			d, err := x.open(e, args[0])
			if err != nil {
				return err
			}
			w.Text = args[1]
			out, err := d.Comment(w, args[2])
			return x.finish(e, d, args[0], "edited", out, err)
		})
	return kit.With(x.flags(where(cmd, &w)), `showhow word comment contract.docx "3 May" "Is that date agreed?"`)
}

func wordDecide(e *env, use, short string, accept bool) *cobra.Command {
	var c word.Choice
	var x edit
	cmd := local(use+" FILE", short+", in a copy", cobra.ExactArgs(1), func(args []string) error {
		d, err := openWord(args[0], "")
		if err != nil {
			return err
		}
		out, err := d.Decide(c, accept)
		return x.finish(e, d, args[0], use+"ed", out, err)
	})
	fl := cmd.Flags()
	fl.StringVar(&x.out, "out", "", "the new `file`; it must not exist")
	fl.StringSliceVar(&c.IDs, "id", nil, "only the change with this `number`, as read lists it; may be repeated")
	fl.StringVar(&c.Author, "author", "", "only changes of this `author`")
	return kit.With(cmd, "showhow word "+use+" contract.docx", "showhow word "+use+" contract.docx --author Ada --out final.docx")
}

func wordCompare(e *env) *cobra.Command {
	var x edit
	cmd := local("compare FILE LATER", "Show how a later version differs; with --out also as tracked changes in a copy", cobra.ExactArgs(2),
		func(args []string) error {
			d, err := x.open(e, args[0])
			if err != nil {
				return err
			}
			other, err := openWord(args[1], "")
			if err != nil {
				return err
			}
			out, err := d.Compare(other)
			if err != nil {
				return err
			}
			answer := struct {
				wire.WordCompared
				File    string   `json:"file,omitempty"`
				Changes []string `json:"changes,omitempty"`
			}{WordCompared: out}
			if x.out != "" {
				if answer.File, err = x.write(d, args[0], "compared"); err != nil {
					return err
				}
				answer.Changes = d.Made()
			}
			return show(e, answer, func() {
				if len(out.Differences)+len(out.Left) == 0 {
					e.Say("the texts are the same")
				}
				for _, x := range out.Differences {
					e.Say("%s %s: %s", x.Kind, x.At, kit.PlainText(differs(x)))
				}
				sayLeft(e, out.Left, nil)
			})
		})
	return kit.With(x.flags(cmd), "showhow word compare v1.docx v2.docx --out redline.docx")
}

func differs(x wire.WordDifference) string {
	if x.Was != "" && x.Is != "" {
		return x.Was + " -> " + x.Is
	}
	return x.Was + x.Is
}

func wordFill(e *env) *cobra.Command {
	var x edit
	var file string
	cmd := local("fill FILE [NAME=VALUE...]", "Fill a template's {{placeholders}} and content controls in a copy", cobra.MinimumNArgs(1),
		func(args []string) error {
			values := map[string]string{}
			if file != "" {
				b, err := readAll(e, file, 4<<20)
				if err != nil {
					return err
				}
				if json.Unmarshal(b, &values) != nil {
					return kit.Usage("the values are no JSON object of texts").WithHint(`for example {"name": "Ada", "date": "3 May"}`)
				}
			}
			for _, a := range args[1:] {
				k, v, ok := strings.Cut(a, "=")
				if !ok {
					return kit.Usage("a value has the form NAME=VALUE").WithHint("such as name=Ada")
				}
				values[k] = v
			}
			d, err := openWord(args[0], "")
			if err != nil {
				return err
			}
			out, err := d.Fill(values)
			if f := fault.From(err); fault.Is(err, fault.WordValues) && !e.JSON {
				for _, what := range []string{"missing", "unknown", "unprintable"} {
					if list, _ := f.Details[what].([]string); len(list) > 0 {
						e.Note("%s: %s", what, kit.PlainText(strings.Join(list, ", ")))
					}
				}
			}
			return x.finish(e, d, args[0], "filled", out, err)
		})
	cmd.Flags().StringVar(&x.out, "out", "", "the new `file`; it must not exist")
	cmd.Flags().StringVar(&file, "values", "", "a JSON `file` with the values (- is the standard input)")
	return kit.With(cmd, "showhow word fill letter.docx name=Ada date='3 May' --out ada.docx")
}

func wordOpen(e *env) *cobra.Command {
	var anyway bool
	cmd := &cobra.Command{Use: "open FILE", Short: "Open a document in the program that this desktop opens it with", Args: cobra.ExactArgs(1)}
	cmd.Flags().BoolVar(&anyway, "anyway", false, "do not ask, even if the document has macros or fetches something")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		d, err := openWord(args[0], "")
		if err != nil {
			return err
		}
		if yes, err := mayOpen(cmd.Context(), e, d.Active(), anyway); err != nil || !yes {
			return err
		}
		name, err := filepath.Abs(args[0])
		if err != nil {
			return cannotRead(err)
		}
		if err := desktop.Browse(cmd.Context(), e.Getenv, name); err != nil {
			return fault.Wrap(err, fault.NotFound, "no program for Word documents could be started").WithHint("open the file in your word processor")
		}
		return show(e, map[string]any{"opened": name}, func() { e.Say("opened") })
	}
	return kit.With(cmd, "showhow word open contract.docx")
}

// mayOpen says what of a document is more than text, and asks whether it is to be opened all the same.
func mayOpen(ctx context.Context, e *env, active []string, anyway bool) (bool, error) {
	for _, a := range active {
		e.Note("note: %s", a)
	}
	switch {
	case len(active) == 0 || anyway:
		return true, nil
	case !e.AsksPerson():
		return false, fault.New(fault.PresenceRequired, "the document is more than text, and nobody can be asked whether to open it").
			WithHint("`showhow word read FILE` shows its text; with --anyway it is opened").WithDetail("active", active)
	}
	e.Say("Open it? [y/N]")
	line, err := kit.ReadLine(ctx, bufio.NewReader(e.In))
	if err != nil || !strings.EqualFold(line, "y") && !strings.EqualFold(line, "yes") {
		e.Say("it was not opened")
		return false, nil
	}
	return true, nil
}
