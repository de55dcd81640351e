package own

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/google/jsonschema-go/jsonschema"

	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

type redactArgs struct {
	Document string   `json:"document_ref" jsonschema:"its reference, doc_... or art_..."`
	Pages    string   `json:"pages,omitempty" jsonschema:"as in 1-3,7,9-; all when left out, at most 200"`
	Password string   `json:"password,omitempty" jsonschema:"of an encrypted document, if the person gave it to you"`
	Classes  []string `json:"classes,omitempty" jsonschema:"kinds of personal data, as email, phone, iban; without classes and words: all"`
	Words    []string `json:"words,omitempty" jsonschema:"words wherever they stand, such as a name"`
}

func (a redactArgs) request() wire.AcrobatRedactionPrepRequest {
	q := wire.AcrobatRedactionPrepRequest{AcrobatSourceRef: pdfArgs{Document: a.Document, Pages: a.Pages, Password: a.Password}.source()}
	for _, c := range a.Classes {
		q.PatternSet = append(q.PatternSet, "class:"+c)
	}
	for _, w := range a.Words {
		q.PatternSet = append(q.PatternSet, "words:"+w)
	}
	return q
}

// told says what is looked for, and where: for the person.
func (a redactArgs) told() (out []string) {
	if a.Password != "" {
		out = append(out, "The agent gives a password for the document.")
	}
	if a.Pages != "" {
		out = append(out, "Only the pages "+plain.Quoted(a.Pages, 120)+" are looked through; the others are not marked.")
	}
	quoted := func(all []string) string {
		q := make([]string, len(all))
		for i, s := range all {
			q[i] = plain.Quoted(s, 110)
		}
		return plain.Listed(q, 400)
	}
	if len(a.Classes)+len(a.Words) == 0 {
		return append(out, "Marked are all kinds of personal data that Showhow knows.")
	}
	if len(a.Classes) > 0 {
		out = append(out, "Marked are the kinds of personal data "+quoted(a.Classes)+".")
	}
	if len(a.Words) > 0 {
		out = append(out, "Marked are the words "+quoted(a.Words)+".")
	}
	return out
}

// redactions says what is, or would be, marked: how often each pattern is on a page, and nothing of what stands there.
type redactions struct {
	PagesInAll int               `json:"pages_in_all"`
	Places     int               `json:"places"`
	On         []redactedOn      `json:"on"`
	Warnings   []string          `json:"warning_codes"`
	About      []wire.PDFWarning `json:"warnings,omitempty" jsonschema:"the pages that warnings are about: what was not searched may hold more"`
	Cut        bool              `json:"cut,omitempty" jsonschema:"there are more pages: ask for fewer"`
}

type redactedOn struct {
	Page       int    `json:"page"`
	Pattern    string `json:"pattern"`
	Places     int    `json:"places"`
	Recognised bool   `json:"recognised,omitempty" jsonschema:"the page is a picture that was recognised: the person has to look whether the place is right"`
}

type redacted struct {
	redactions
	Copy string `json:"document_ref,omitempty" jsonschema:"of the copy with a mark at each place, art_...; left out if nothing was found"`
	List string `json:"list_ref" jsonschema:"of the list of all places with their coordinates"`
}

const mostOn = 500

// redacting finds what is to be redacted, and marks it in a copy, of which the person is asked first.
type redacting struct {
	documents Documents
	pdf       PDF
}

func (r redacting) tools() []tool {
	bound := func(p map[string]*jsonschema.Schema) {
		documentRef(p["document_ref"])
		within(p["pages"], 0, 120)
		password(p["password"])
		for _, n := range []string{"classes", "words"} {
			most := 50
			p[n].MaxItems = &most
			within(p[n].Items, 1, 110)
		}
	}
	return []tool{
		newTool("find_pdf_redactions",
			"Say where in a PDF document personal data or given words stand, page by page, before they are marked. Nothing is kept.",
			hints("Find what is to be redacted", true, true), bound, r.find),
		newAsking("mark_pdf_redactions",
			"Make a copy of a PDF document with a redaction mark at each place that find_pdf_redactions counts. Nothing is removed from "+
				"it: the person looks through the copy and applies the marks in a PDF editor.",
			hints("Mark what is to be redacted", false, false), bound, r.mark),
	}
}

func (r redacting) find(ctx context.Context, c call, in redactArgs) (redactions, error) {
	list, err := r.pdf.FindRedactions(ctx, ownerOf(c.Guest), in.request())
	return counted(list), err
}

// counted is a list of places, counted by page and pattern.
func counted(list wire.PDFRedaction) redactions {
	out := redactions{PagesInAll: list.PagesInAll, Places: len(list.Places), On: []redactedOn{}, Warnings: []string{}, About: list.Warnings}
	for _, w := range list.Warnings {
		out.Warnings = append(out.Warnings, w.Code)
	}
	at := map[redactedOn]int{}
	for _, p := range list.Places {
		k := redactedOn{Page: p.Page, Pattern: p.Pattern, Recognised: p.Recognised}
		i, there := at[k]
		switch {
		case there:
		case len(out.On) == mostOn:
			out.Cut = true
			continue
		default:
			i = len(out.On)
			at[k], out.On = i, append(out.On, k)
		}
		out.On[i].Places++
	}
	return out
}

func (r redacting) mark(ctx context.Context, c call, in redactArgs) (p plan[redacted], err error) {
	q, by := in.request(), ownerOf(c.Guest)
	if err := r.pdf.CanRedact(ctx, by, q); err != nil {
		return p, err
	}
	from, body, err := r.documents.Open(ctx, by, in.Document)
	if err != nil {
		return p, err
	}
	body.Close()
	p.about = append([]string{fmt.Sprintf("The document is %s (%d bytes, %s). It stays as it is: a copy is made, with a mark at each place.",
		quotedName(from), from.ByteSize, from.Ref)}, bounded(append(in.told(),
		"Nothing is removed: you look through the copy and apply the marks in a PDF editor."), mostAbout)...)
	p.do = func(ctx context.Context) (redacted, error) {
		made, err := r.pdf.Redact(ctx, by, q, true)
		if err != nil {
			return redacted{}, err
		}
		_, body, err := r.documents.Open(ctx, by, made.OutputRef)
		if err != nil {
			return redacted{}, err
		}
		defer body.Close()
		b, err := io.ReadAll(body)
		var list wire.PDFRedaction
		if err == nil {
			err = json.Unmarshal(b, &list)
		}
		if err != nil {
			return redacted{}, fault.Wrap(err, fault.Internal, "the list of the places could not be read").WithHint("call again")
		}
		return redacted{counted(list), list.MarkedCopyRef, made.OutputRef}, nil
	}
	return p, nil
}
