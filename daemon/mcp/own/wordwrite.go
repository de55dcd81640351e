package own

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"showhow/daemon/document"
	"showhow/daemon/wire"
	"showhow/daemon/word"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

type wordEditArgs struct {
	Ref   string     `json:"document_ref" jsonschema:"of a document that you handed in, or of a copy that one of these tools made"`
	Edits []wordEdit `json:"edits" jsonschema:"done in this order; each finds the document as those before it left it"`
}

// wordEdit is one edit.
type wordEdit struct {
	Do         string `json:"do"`
	Text       string `json:"text,omitempty" jsonschema:"what is replaced, formatted or commented on, as it stands in the document; not of insert and delete"`
	At         string `json:"at,omitempty" jsonschema:"a paragraph or part, such as body/12 or header1: only there; without text the paragraph itself. insert puts its paragraph behind it"`
	Number     int    `json:"number,omitempty" jsonschema:"only this match, from 1; all if omitted"`
	IgnoreCase bool   `json:"ignore_case,omitempty"`
	Word       bool   `json:"whole_words,omitempty"`
	New        string `json:"new,omitempty" jsonschema:"the new text of replace and insert, or the comment"`
	Style      string `json:"style,omitempty" jsonschema:"of the paragraph, of insert and format"`
	Bold       *bool  `json:"bold,omitempty"`
	Italic     *bool  `json:"italic,omitempty"`
	Underline  *bool  `json:"underline,omitempty"`
}

type wordDecideArgs struct {
	Ref    string   `json:"document_ref"`
	Accept bool     `json:"accept" jsonschema:"false: reject them"`
	IDs    []string `json:"ids,omitempty" jsonschema:"only the changes with these numbers, as read_word_document lists them"`
	Author string   `json:"author,omitempty" jsonschema:"only those of this author"`
}

type wordFillArgs struct {
	Ref    string            `json:"document_ref"`
	Values map[string]string `json:"values" jsonschema:"a value for every placeholder that read_word_document lists, and for no others"`
}

// wordWritten answers a tool that makes a document.
type wordWritten struct {
	wire.WordEdited
	Ref  string   `json:"document_ref" jsonschema:"of the new document, art_...; kept for 24 hours. The one that was handed in is as it was"`
	Name string   `json:"name"`
	Made []string `json:"changes" jsonschema:"numbers of the tracked changes that were made, as read_word_document lists them in the new document"`
}

type wordRedlined struct {
	wordWritten
	Compared wire.WordCompared `json:"compared"`
}

// Bounds of what is asked for at once: a person reads it.
const (
	mostEdits  = 40
	mostValues = 100
	maxText    = 8000
	mostAbout  = 40  // lines; with those before them no more than wire.MCPAskFirstDispatchRecord.About takes
	mostLeft   = 10  // of these lines that say what is left as it is
	maxAbout   = 470 // runes of a line, likewise
	maxWhole   = 330 // runes of a change that is decided on: they fit into a line
)

// writer makes Word documents of Word documents; a person is asked first.
type writer struct{ h *House }

func (w writer) tools() []tool {
	many := func(s *jsonschema.Schema, least, most int) { s.MinItems, s.MaxItems = &least, &most }
	return []tool{
		newAsking("edit_word_document",
			"Edit a copy of a Word document with tracked changes: replace, insert, delete and format text, comment. Give all edits that "+
				"belong together in one call: the person is asked once for them.",
			hints("Edit a copy of a Word document", false, false), func(p map[string]*jsonschema.Schema) {
				documentRef(p["document_ref"])
				many(p["edits"], 1, mostEdits)
				e := p["edits"].Items.Properties
				e["do"].Enum = []any{"replace", "insert", "delete", "format", "comment"}
				within(e["text"], 0, maxText)
				within(e["new"], 0, maxText)
				within(e["at"], 0, 60)
				within(e["style"], 0, 200)
				e["number"].Minimum = new(float64)
			}, w.edit),
		newAsking("decide_word_changes",
			"Accept or reject tracked changes in a copy of a Word document. That is the person's decision: name only changes that they named, "+
				"at most 40 at once.",
			hints("Accept or reject tracked changes", false, false), func(p map[string]*jsonschema.Schema) {
				documentRef(p["document_ref"])
				many(p["ids"], 0, mostAbout)
				within(p["ids"].Items, 1, 40)
				within(p["author"], 0, 200)
			}, w.decide),
		newAsking("redline_word_documents",
			"Make a copy of the first version of a Word document that shows as tracked changes how the later version differs.",
			hints("Redline two versions", false, false), func(p map[string]*jsonschema.Schema) {
				documentRef(p["document_ref"])
				documentRef(p["later_ref"])
			}, w.redline),
		newAsking("fill_word_template",
			"Fill a Word template's {{placeholders}} and content controls in a copy. Ask for the values that you were not told.",
			hints("Fill in a template", false, false), func(p map[string]*jsonschema.Schema) {
				documentRef(p["document_ref"])
				most := mostValues
				p["values"].MaxProperties = &most
				within(p["values"].AdditionalProperties, 0, maxText)
			}, w.fill),
	}
}

// rewriting is how a tool changes an opened document; about is what it comes to, for the person.
type rewriting func(ctx context.Context, d *word.Document) (out wire.WordEdited, about []string, err error)

// rewrite plans a new document. It is made twice: without keeping it, so that the person learns what comes of it and nobody
// is asked about what cannot be done; and of the same document once more when it is allowed.
func (w writer) rewrite(ctx context.Context, c call, ref, ending string, do rewriting) (p plan[wordWritten], err error) {
	w.h.reading.Lock()
	defer w.h.reading.Unlock()
	from, d, err := w.open(ctx, c, ref)
	if err != nil {
		return p, err
	}
	edited, about, err := do(ctx, d)
	if err != nil {
		return p, err
	}
	if _, err := d.Save(); err != nil {
		return p, err
	}
	p.about = []string{fmt.Sprintf("The document is %s (%d bytes, %s). It stays as it is: a new one is made.",
		quotedName(from), from.ByteSize, from.Ref)}
	left := make([]string, len(edited.Left))
	for i, l := range edited.Left {
		left[i] = "Left as it is: " + l
	}
	p.about = append(append(p.about, bounded(left, mostLeft)...), bounded(about, mostAbout)...)
	p.do = func(ctx context.Context) (wordWritten, error) {
		w.h.reading.Lock()
		defer w.h.reading.Unlock()
		from, d, err := w.open(ctx, c, ref)
		if err != nil {
			return wordWritten{}, err
		}
		edited, _, err := do(ctx, d)
		if err != nil {
			return wordWritten{}, err
		}
		return w.keep(ctx, c, from, d, ending, edited)
	}
	return p, nil
}

// quotedName is the name that an agent gave a document, where a person decides.
func quotedName(d wire.Document) string { return plain.Quoted(d.OriginalFilename, 120) }

// bounded is what fits where a person decides, each on its line; the rest is counted. What others wrote is quoted in them.
func bounded(lines []string, most int) (out []string) {
	for i, l := range lines {
		if i == most {
			return append(out, fmt.Sprintf("... and %d more.", len(lines)-i))
		}
		out = append(out, plain.Clip(plain.SpelledLine(l), maxAbout))
	}
	return out
}

// open opens a document of the caller's for changes in the caller's name. The caller holds h.reading.
func (w writer) open(ctx context.Context, c call, ref string) (wire.Document, *word.Document, error) {
	return w.h.open(ctx, c, ref, c.Agent+word.ByAgent)
}

// keep keeps a new document, for whoever asked for it.
func (w writer) keep(ctx context.Context, c call, from wire.Document, d *word.Document, ending string,
	edited wire.WordEdited) (wordWritten, error) {
	data, err := d.Save()
	if err != nil {
		return wordWritten{}, err
	}
	ext := strings.ToLower(filepath.Ext(from.OriginalFilename))
	kind, known := wordTypes[ext]
	if !known {
		ext, kind = ".docx", wordTypes[".docx"]
	}
	base := strings.TrimSuffix(from.OriginalFilename, filepath.Ext(from.OriginalFilename))
	if base == "" {
		base = "document"
	}
	name := plain.Cut(base, 150) + "." + ending + ext
	kept, err := w.h.o.Documents.Keep(ctx, ownerOf(c.Guest), document.New{Kind: wire.DocumentWord, Of: from.Ref, Name: name, Type: kind},
		bytes.NewReader(data))
	if err != nil {
		return wordWritten{}, err
	}
	edited.Left = edited.Left[:min(len(edited.Left), mostFound)]
	return wordWritten{WordEdited: edited, Ref: kept.Ref, Name: kept.OriginalFilename, Made: d.Made()}, nil
}

// wordTypes are the media types of Word documents that are read, by the ends of their names.
var wordTypes = map[string]string{
	".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	".docm": "application/vnd.ms-word.document.macroEnabled.12",
	".dotx": "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
	".dotm": "application/vnd.ms-word.template.macroEnabled.12",
}

func (w writer) edit(ctx context.Context, c call, in wordEditArgs) (plan[wordWritten], error) {
	return w.rewrite(ctx, c, in.Ref, "edited", func(ctx context.Context, d *word.Document) (all wire.WordEdited, about []string, err error) {
		all.Left, all.Warnings = []string{}, []string{}
		for i, e := range in.Edits {
			if ctx.Err() != nil {
				return all, nil, fault.New(fault.Cancelled, "the caller went away")
			}
			told := e.told(d)
			out, err := e.on(d)
			if err != nil {
				f := *fault.From(err)
				f.Message = fmt.Sprintf("edit %d (%s): %s", i+1, e.Do, f.Message)
				return all, nil, &f
			}
			about = append(about, fmt.Sprintf("%d. %s, %s", i+1, told, places(out.Changed)))
			all.Changed += out.Changed
			for _, l := range out.Left {
				all.Left = append(all.Left, fmt.Sprintf("edit %d: %s", i+1, l))
			}
			all.Warnings = out.Warnings
		}
		return all, about, nil
	})
}

func (e wordEdit) where() word.Where {
	return word.Where{Text: e.Text, IgnoreCase: e.IgnoreCase, Word: e.Word, At: strings.TrimSpace(e.At), Number: e.Number}
}

// deeds are the edits whose names do not say how they stand to what is found.
var deeds = map[string]string{"insert": "insert after", "comment": "comment on"}

// told says what an edit is about, as it stands in the document before it: of a paragraph that is only named, what it says.
func (e wordEdit) told(d *word.Document) string {
	all, err := d.Search(e.where())
	if err != nil {
		return e.Do // the edit says why
	}
	var texts []string
	at := map[string][]string{}
	for _, m := range all[:min(len(all), 3)] {
		text := plain.Quoted(m.Text, 80)
		if at[text] == nil {
			texts = append(texts, text)
		}
		if !slices.Contains(at[text], m.At) {
			at[text] = append(at[text], m.At)
		}
	}
	for i, text := range texts {
		texts[i] = text + " (" + strings.Join(at[text], ", ") + ")"
	}
	if len(all) > 3 {
		texts = append(texts, "...")
	}
	return cmp.Or(deeds[e.Do], e.Do) + " " + strings.Join(texts, ", ")
}

func places(n int) string {
	if n == 1 {
		return "1 place"
	}
	return fmt.Sprintf("%d places", n)
}

// on makes the edit. What does not belong to its kind is refused: the person would read it and nothing would come of it.
func (e wordEdit) on(d *word.Document) (wire.WordEdited, error) {
	look := word.Look{Bold: e.Bold, Italic: e.Italic, Underline: e.Underline}
	looks := look != word.Look{}
	stray := func(bad bool, says string) error {
		if bad {
			return fault.New(fault.InvalidRequest, says).WithHint("leave out what does not belong to it")
		}
		return nil
	}
	switch e.Do {
	case "replace":
		if err := stray(looks || e.Style != "", "it replaces text, and formats nothing"); err != nil {
			return wire.WordEdited{}, err
		}
		return d.Replace(e.where(), e.New)
	case "insert":
		bad := looks || e.Text != "" || e.Number != 0 || e.IgnoreCase || e.Word || e.At == ""
		if err := stray(bad, "it takes at, new and style, and needs the first"); err != nil {
			return wire.WordEdited{}, err
		}
		return d.Insert(strings.TrimSpace(e.At), e.New, e.Style)
	case "delete":
		bad := looks || e.Style != "" || e.Text != "" || e.New != "" || e.Number != 0 || e.IgnoreCase || e.Word || e.At == ""
		if err := stray(bad, "it takes at alone; replace takes a text away"); err != nil {
			return wire.WordEdited{}, err
		}
		return d.Delete(strings.TrimSpace(e.At))
	case "format":
		if err := stray(e.New != "", "it changes how text looks, not the text"); err != nil {
			return wire.WordEdited{}, err
		}
		look.Style = e.Style
		return d.Format(e.where(), look)
	}
	if err := stray(looks || e.Style != "", "it comments, and formats nothing"); err != nil {
		return wire.WordEdited{}, err
	}
	return d.Comment(e.where(), e.New)
}

func (w writer) decide(ctx context.Context, c call, in wordDecideArgs) (plan[wordWritten], error) {
	ending := "rejected"
	if in.Accept {
		ending = "accepted"
	}
	return w.rewrite(ctx, c, in.Ref, ending, func(_ context.Context, d *word.Document) (wire.WordEdited, []string, error) {
		choice := word.Choice{IDs: in.IDs, Author: in.Author}
		about, err := decided(ending, d.Chosen(choice))
		if err != nil {
			return wire.WordEdited{}, nil, err
		}
		out, err := d.Decide(choice, in.Accept)
		return out, about, err
	})
}

// decided says what is decided on, change by change and each with all of its text: a person does not answer for what they
// could not read. What is theirs to read elsewhere is refused.
func decided(how string, all []word.Chosen) (about []string, err error) {
	const theirs = "`showhow word accept` and `showhow word reject` are the person's: tell them which changes you mean"
	if len(all) > mostAbout {
		return nil, fault.Newf(fault.WordTooLarge, "%d tracked changes are more than a person is asked about at once", len(all)).
			WithHint(fmt.Sprintf("name at most %d ids; %s", mostAbout, theirs))
	}
	for _, x := range all {
		line := fmt.Sprintf("%s: change %s, %s at %s", how, x.ID, strings.ReplaceAll(x.Kind, "_", " "), x.At)
		if text := plain.Quoted(x.Text, maxText); text != "“”" {
			line += " " + text
			if x.Cut || text != plain.Quoted(x.Text, maxWhole) {
				return nil, fault.Newf(fault.WordTooLarge, "the text of change %s is longer than a person can read in a question", x.ID).
					WithHint("leave it out; " + theirs)
			}
		}
		about = append(about, line+", by "+plain.Quoted(x.Author, 60))
	}
	return about, nil
}

func (w writer) redline(ctx context.Context, c call, in wordCompareArgs) (p plan[wordRedlined], err error) {
	var compared wire.WordCompared
	made, err := w.rewrite(ctx, c, in.Ref, "compared", func(ctx context.Context, d *word.Document) (wire.WordEdited, []string, error) {
		later, other, err := w.open(ctx, c, in.Later)
		if err != nil {
			return wire.WordEdited{}, nil, err
		}
		if compared, err = d.Compare(other); err != nil {
			return wire.WordEdited{}, nil, err
		}
		about := []string{fmt.Sprintf("The later version is %s (%d bytes, %s).", quotedName(later), later.ByteSize, later.Ref)}
		for _, x := range compared.Differences {
			about = append(about, fmt.Sprintf("%s at %s: %s becomes %s", x.Kind, x.At, plain.Quoted(x.Was, 180), plain.Quoted(x.Is, 180)))
		}
		return wire.WordEdited{Changed: len(compared.Differences), Left: compared.Left, Warnings: []string{}}, about, nil
	})
	p.about = made.about
	p.do = func(ctx context.Context) (wordRedlined, error) {
		out, err := made.do(ctx)
		compared.Differences = compared.Differences[:min(len(compared.Differences), mostFound)]
		return wordRedlined{out, compared}, err
	}
	return p, err
}

func (w writer) fill(ctx context.Context, c call, in wordFillArgs) (plan[wordWritten], error) {
	return w.rewrite(ctx, c, in.Ref, "filled", func(_ context.Context, d *word.Document) (wire.WordEdited, []string, error) {
		out, err := d.Fill(in.Values)
		return out, []string{places(out.Changed) + " filled in."}, err
	})
}
