package own

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector/door"
	"showhow/daemon/document"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// desk is a house with a keeper of documents, and an agent who hands them in.
type desk struct {
	t         *testing.T
	h         *House
	documents *document.Service
	pdf       *marker
}

var scribe = door.Guest{Agent: "scribe", Owner: "token/scribe", Names: []string{"scribe"}}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, pdf: &marker{}}
	d.documents = document.NewService(document.Options{Dir: t.TempDir(), Now: clock.Now, NewID: clock.NewID,
		Key:     func(context.Context) ([]byte, error) { return bytes.Repeat([]byte("k"), 32), nil },
		DropKey: func(context.Context) error { return nil }})
	d.pdf.documents = d.documents
	d.h = New(Options{Documents: d.documents, PDF: d.pdf})
	return d
}

// docx is a Word document with one paragraph for each text.
func docx(t *testing.T, texts ...string) []byte {
	t.Helper()
	const w = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
	body := ""
	for _, s := range texts {
		body += "<w:p><w:r><w:t>" + s + "</w:t></w:r></w:p>"
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, p := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="` +
			office + `" Target="word/document.xml"/></Relationships>`},
		{"word/document.xml", `<w:document ` + w + `><w:body>` + body + `<w:sectPr/></w:body></w:document>`},
	} {
		f, err := z.Create(p[0])
		if err == nil {
			_, err = io.WriteString(f, p[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func (d *desk) handIn(name string, data []byte) wire.Document {
	d.t.Helper()
	x, err := d.documents.Keep(d.t.Context(), ownerOf(scribe), document.New{Kind: wire.DocumentUploaded, Name: name}, bytes.NewReader(data))
	if err != nil {
		d.t.Fatal(err)
	}
	return x
}

func (d *desk) prepare(g door.Guest, tool string, args map[string]any) (door.Deed, error) {
	d.t.Helper()
	b, err := json.Marshal(args)
	if err != nil {
		d.t.Fatal(err)
	}
	return d.h.Prepare(d.t.Context(), g, tool, b)
}

// allowed is what a call comes to once a person has allowed it.
func allowed[T any](d *desk, tool string, args map[string]any) (out T, about []string) {
	d.t.Helper()
	deed, err := d.prepare(scribe, tool, args)
	if err != nil {
		d.t.Fatalf("%s: %v", tool, err)
	}
	res, err := deed.Do(d.t.Context())
	if err != nil {
		d.t.Fatalf("%s: %v", tool, err)
	}
	b, _ := json.Marshal(res.StructuredContent)
	if err := json.Unmarshal(b, &out); err != nil {
		d.t.Fatal(err)
	}
	return out, deed.About
}

// kept are the kinds of documents that the agent has.
func (d *desk) kept() (kinds []string) {
	d.t.Helper()
	l, err := d.documents.List(d.t.Context(), ownerOf(scribe))
	if err != nil {
		d.t.Fatal(err)
	}
	for _, x := range l.Documents {
		kinds = append(kinds, x.Kind)
	}
	slices.Sort(kinds)
	return kinds
}

func (d *desk) read(ref string) wire.WordDocument {
	d.t.Helper()
	out, err := d.h.readWord(d.t.Context(), call{Guest: scribe}, wordReadArgs{Ref: ref})
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}

func said(d wire.WordDocument) string {
	var out []string
	for _, p := range d.Paragraphs {
		out = append(out, p.Text)
	}
	return strings.Join(out, " | ")
}

// Edits go into a new document as tracked changes in the agent's name, all of them after one question that says what comes
// of them; then the changes are taken back, two versions are compared, and a template is filled in.
func TestWordIsWrittenOnceItIsAllowed(t *testing.T) {
	d := newDesk(t)
	was := docx(t, "Contract", "Due on 3 May.", "Due again on 3 May.", "Goodbye.")
	one := d.handIn("contract.docx", was)
	made, about := allowed[wordWritten](d, "edit_word_document", map[string]any{"document_ref": one.Ref, "edits": []map[string]any{
		{"do": "replace", "text": "3 May", "new": "12 June", "number": 1},
		{"do": "insert", "at": "body/2", "new": "Payable in 30 days."},
		{"do": "delete", "at": "body/5"},
		{"do": "format", "text": "Contract", "bold": true},
		{"do": "comment", "text": "again", "new": "Really?"}}})
	edited := d.read(made.Ref)
	if said(edited) != "Contract | Due on 12 June. | Payable in 30 days. | Due again on 3 May. | " {
		t.Errorf("%q", said(edited))
	}
	if len(edited.Comments) != 1 || edited.Comments[0].Text != "Really?" || made.Name != "contract.edited.docx" || made.Changed != 5 ||
		len(made.Made) == 0 || len(made.Made) != len(edited.Changes) {
		t.Errorf("%+v\n%+v", made, edited)
	}
	for _, c := range edited.Changes {
		if c.Author != "scribe (by an agent)" {
			t.Errorf("%+v", c)
		}
	}
	all := strings.Join(about, "\n")
	for _, want := range []string{"“contract.docx”", one.Ref, "1. replace “3 May” (body/2), 1 place",
		"2. insert after “Due on 12 June.” (body/2), 1 place", "3. delete “Goodbye.” (body/5), 1 place",
		"5. comment on “again” (body/4), 1 place"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	_, about = allowed[wordWritten](d, "edit_word_document", map[string]any{"document_ref": one.Ref, "edits": []map[string]any{
		{"do": "replace", "text": "due", "ignore_case": true, "new": "owed"}, {"do": "format", "text": "3 May", "bold": true}}})
	all = strings.Join(about, "\n")
	for _, want := range []string{"1. replace “Due” (body/2, body/3), 2 places", "2. format “3 May” (body/2, body/3), 2 places"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if back := d.read(one.Ref); said(back) != "Contract | Due on 3 May. | Due again on 3 May. | Goodbye." || len(back.Changes) != 0 {
		t.Errorf("the original: %s", said(back))
	}
	undone, about := allowed[wordWritten](d, "decide_word_changes", map[string]any{"document_ref": made.Ref, "accept": false,
		"ids": made.Made})
	if got := said(d.read(undone.Ref)); got != "Contract | Due on 3 May. | Due again on 3 May. | Goodbye." ||
		len(about) != len(made.Made)+1 ||
		!strings.Contains(strings.Join(about, "\n"), "rejected: change ") || undone.Name != "contract.edited.rejected.docx" {
		t.Errorf("%s\n%s\n%+v", got, strings.Join(about, "\n"), undone)
	}
	two := d.handIn("", docx(t, "Contract", "Due on 4 May.", "Due again on 3 May.", "Goodbye."))
	line, about := allowed[wordRedlined](d, "redline_word_documents", map[string]any{"document_ref": one.Ref, "later_ref": two.Ref})
	if red := d.read(line.Ref); len(red.Changes) == 0 || said(red) != "Contract | Due on 4 May. | Due again on 3 May. | Goodbye." ||
		len(line.Compared.Differences) != 1 || !strings.Contains(strings.Join(about, "\n"),
		"changed at body/2: “Due on 3 May.” becomes “Due on 4 May.”") {
		t.Errorf("%+v\n%q", line, about)
	}
	form := d.handIn("letter.docx", docx(t, "Dear {{name}},"))
	filled, _ := allowed[wordWritten](d, "fill_word_template", map[string]any{"document_ref": form.Ref,
		"values": map[string]any{"name": "Ada"}})
	if got := said(d.read(filled.Ref)); got != "Dear Ada," || len(filled.Made) != 0 {
		t.Error(got)
	}
	if got := fmt.Sprint(d.kept()); got != "[uploaded uploaded uploaded"+strings.Repeat(" word_document", 5)+"]" {
		t.Error(got)
	}
}

// What cannot be done is refused before anybody is asked, with the code of the command line, and nothing is kept: not when a
// call is prepared, and not when its document is gone by the time it is allowed.
func TestWordThatCannotBeWritten(t *testing.T) {
	d := newDesk(t)
	one := d.handIn("a\u202ecod.docx", docx(t, "Due on 3 May."))
	form := d.handIn("letter.docx", docx(t, "Dear {{name}},"))
	edit := func(e map[string]any) map[string]any {
		return map[string]any{"document_ref": one.Ref, "edits": []map[string]any{e}}
	}
	many := []map[string]any{}
	for range mostEdits + 1 {
		many = append(many, map[string]any{"do": "replace", "text": "Due", "new": "Due"})
	}
	other := door.Guest{Agent: "scribe", Owner: "another", Names: []string{"scribe"}} // by the same name, and somebody else
	for _, c := range []struct {
		g    door.Guest
		tool string
		args map[string]any
		want fault.Code
	}{
		{scribe, "edit_word_document", edit(map[string]any{"do": "replace", "text": "April", "new": "x"}), fault.WordNoMatch},
		{scribe, "edit_word_document", edit(map[string]any{"do": "replace", "text": "May", "new": "a\u0000b"}), fault.InvalidRequest},
		{scribe, "edit_word_document", edit(map[string]any{"do": "delete", "at": "body/1", "text": "May"}), fault.InvalidRequest},
		{scribe, "edit_word_document", edit(map[string]any{"do": "delete"}), fault.InvalidRequest},
		{scribe, "edit_word_document", edit(map[string]any{"do": "shred", "text": "May"}), fault.InvalidRequest},
		{scribe, "edit_word_document", edit(map[string]any{"do": "replace", "text": "May", "new": strings.Repeat("x", maxText+1)}),
			fault.InvalidRequest},
		{scribe, "edit_word_document", map[string]any{"document_ref": one.Ref, "edits": many}, fault.InvalidRequest},
		{scribe, "edit_word_document", map[string]any{"document_ref": one.Ref, "edits": []any{}}, fault.InvalidRequest},
		{scribe, "edit_word_document", map[string]any{"document_ref": one.Ref, "edits": many[:1], "out": "/etc/passwd"}, fault.InvalidRequest},
		{scribe, "edit_word_document", map[string]any{"document_ref": "/etc/passwd", "edits": many[:1]}, fault.InvalidRequest},
		{scribe, "decide_word_changes", map[string]any{"document_ref": one.Ref, "accept": true, "ids": []string{"7"}}, fault.WordNoMatch},
		{scribe, "fill_word_template", map[string]any{"document_ref": form.Ref, "values": map[string]any{"nam": "x"}}, fault.WordValues},
		{other, "edit_word_document", map[string]any{"document_ref": one.Ref, "edits": many[:1]}, fault.NotFound},
		{door.Guest{Agent: "far", Owner: scribe.Owner, Remote: true}, "edit_word_document",
			map[string]any{"document_ref": one.Ref, "edits": many[:1]}, fault.NotFound},
	} {
		if deed, err := d.prepare(c.g, c.tool, c.args); !fault.Is(err, c.want) {
			t.Errorf("%s %v: %v %v", c.tool, c.args, err, deed.About)
		}
	}
	// The tools do nothing on the way of those that ask nobody.
	b, _ := json.Marshal(edit(map[string]any{"do": "replace", "text": "May", "new": "June"}))
	res, known := d.h.Call(t.Context(), scribe, &mcp.CallToolRequest{}, "edit_word_document", b)
	if !known || !res.IsError || len(d.kept()) != 2 {
		t.Errorf("%v %v", res, known)
	}
	deed, err := d.prepare(scribe, "edit_word_document", edit(map[string]any{"do": "replace", "text": "May", "new": "June"}))
	if err != nil || !strings.Contains(deed.About[0], "“acod.docx”") {
		t.Fatalf("%q %v", deed.About, err)
	}
	if len(d.kept()) != 2 {
		t.Error("it was made before it was allowed")
	}
	if _, err := d.documents.Delete(t.Context(), ownerOf(scribe), one.Ref); err != nil {
		t.Fatal(err)
	}
	if _, err := deed.Do(t.Context()); !fault.Is(err, fault.NotFound) || len(d.kept()) != 1 {
		t.Errorf("%v %v", err, d.kept())
	}
}

// What a person is shown of arguments in which a key stands twice is the last, and nothing of the first is mixed in.
func TestAKeyTwiceIsNotMixed(t *testing.T) {
	d := newDesk(t)
	form := d.handIn("letter.docx", docx(t, "Dear {{name}}, {{more}}"))
	raw := fmt.Sprintf(`{"document_ref":%q,"values":{"name":"Eve","more":"x"},"values":{"name":"Ada"}}`, form.Ref)
	if _, err := d.h.Prepare(t.Context(), scribe, "fill_word_template", json.RawMessage(raw)); !fault.Is(err, fault.WordValues) {
		t.Errorf("the values that are not shown counted: %v", err)
	}
}

// What a tool takes as a reference is what a document's reference can be.
func TestReferencesHaveOneForm(t *testing.T) {
	d := newDesk(t)
	all, err := d.h.Tools(scribe)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, tool := range all {
		for name, s := range tool.InputSchema.(*jsonschema.Schema).Properties {
			if strings.HasSuffix(name, "_ref") {
				n++
				if s.Pattern != wire.DocumentRefPattern {
					t.Errorf("%s %s: %q", tool.Name, name, s.Pattern)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no tool takes a reference")
	}
}

// Arguments that are no JSON, or more than one value, have one code, whether a tool asks or not.
func TestArgumentsAreOneValue(t *testing.T) {
	d := newDesk(t)
	for _, args := range []string{`{`, `{"document_ref":"doc_aaaaaaaaaaaaaa"}{}`} {
		if _, err := d.h.Prepare(t.Context(), scribe, "mark_pdf_redactions", json.RawMessage(args)); !fault.Is(err, fault.MalformedJSON) {
			t.Errorf("%s: %v", args, err)
		}
		res, _ := d.h.Call(t.Context(), scribe, &mcp.CallToolRequest{}, "find_pdf_redactions", json.RawMessage(args))
		if b, _ := json.Marshal(res); !res.IsError || !strings.Contains(string(b), string(fault.MalformedJSON)) {
			t.Errorf("%s: %s", args, b)
		}
	}
}

// marker is a PDF service that notes what it was allowed to do.
type marker struct {
	papers
	documents *document.Service
	asked     []string
}

func (m *marker) FindRedactions(_ context.Context, by document.Owner, q wire.AcrobatRedactionPrepRequest) (wire.PDFRedaction, error) {
	m.asked = append(m.asked, fmt.Sprint("find ", by.Key, " ", q.PatternSet))
	return wire.PDFRedaction{PagesInAll: 3, Warnings: []wire.PDFWarning{{Code: "ocr_cut", Pages: "3"}}, Places: []wire.PDFRedactPlace{
		{Page: 1, Pattern: "class:email"}, {Page: 1, Pattern: "class:email"}, {Page: 2, Pattern: "words:Ada", Recognised: true}}}, nil
}

func (m *marker) CanRedact(_ context.Context, by document.Owner, q wire.AcrobatRedactionPrepRequest) error {
	if slices.Contains(q.PatternSet, "class:shoe") {
		return fault.New(fault.InvalidRequest, "a class is unknown")
	}
	_, err := m.documents.Get(context.Background(), by, q.SourceRef)
	return err
}

func (m *marker) Redact(ctx context.Context, by document.Owner, q wire.AcrobatRedactionPrepRequest, approved bool) (
	out wire.AcrobatOperationResponse, err error) {
	m.asked = append(m.asked, fmt.Sprint("mark ", by.Key, " ", q.PatternSet, " ", approved))
	list, _ := m.FindRedactions(ctx, by, q)
	list.MarkedCopyRef = "art_aaaaaaaaaaaaaa"
	b, _ := json.Marshal(list)
	x, err := m.documents.Keep(ctx, by, document.New{Kind: wire.DocumentRedaction, Of: q.SourceRef}, bytes.NewReader(b))
	out.OutputRef = x.Ref
	return out, err
}

// Places are found without a question; they are marked once it is allowed, and the person knows in which document.
func TestRedactionsAreMarkedOnceTheyAreAllowed(t *testing.T) {
	d := newDesk(t)
	one := d.handIn("bill.pdf", []byte("%PDF-1.7"))
	args := map[string]any{"document_ref": one.Ref, "classes": []string{"email"}, "words": []string{"Ada"}}
	b, _ := json.Marshal(args)
	res, known := d.h.Call(t.Context(), scribe, &mcp.CallToolRequest{}, "find_pdf_redactions", b)
	const counts = `"pages_in_all":3,"places":3,"on":[{"page":1,"pattern":"class:email","places":2},` +
		`{"page":2,"pattern":"words:Ada","places":1,"recognised":true}],"warning_codes":["ocr_cut"]`
	if s, _ := json.Marshal(res.StructuredContent); !known || res.IsError || !strings.Contains(string(s), counts) || len(d.kept()) != 1 {
		t.Errorf("%s, kept %v", s, d.kept())
	}
	for _, bad := range []map[string]any{{"document_ref": one.Ref, "classes": []string{"shoe"}},
		{"document_ref": one.Ref, "words": []string{""}}} {
		if _, err := d.prepare(scribe, "mark_pdf_redactions", bad); !fault.Is(err, fault.InvalidRequest) {
			t.Error(err)
		}
	}
	if _, err := d.prepare(door.Guest{Agent: "scribe", Owner: "another"}, "mark_pdf_redactions", args); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	d.pdf.asked = nil
	deed, err := d.prepare(scribe, "mark_pdf_redactions", args)
	if err != nil || len(d.pdf.asked) != 0 || !strings.Contains(strings.Join(deed.About, "\n"), "“bill.pdf”") {
		t.Fatalf("%q %v %v", deed.About, err, d.pdf.asked)
	}
	res, err = deed.Do(t.Context())
	if err != nil || d.pdf.asked[0] != "mark token/scribe [class:email words:Ada] true" {
		t.Fatal(err, d.pdf.asked)
	}
	if s, _ := json.Marshal(res.StructuredContent); !strings.Contains(string(s), counts) ||
		!strings.Contains(string(s), `"document_ref":"art_aaaaaaaaaaaaaa"`) {
		t.Errorf("%s", s)
	}
}

// An approval is bound to what a tool is: every tool that asks has a definition of its own, none says that it only reads,
// and no other tool keeps a document but the one that hands it in.
func TestWhatAsks(t *testing.T) {
	d := newDesk(t)
	defs, err := d.h.Asking()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range defs {
		if x.Told().Annotations.ReadOnlyHint || x.Class != "write" || x.Refused != "" || len(x.Hash) != 64 {
			t.Errorf("%+v", x)
		}
		got = append(got, x.Name)
	}
	if want := []string{"edit_word_document", "decide_word_changes", "redline_word_documents", "fill_word_template",
		"mark_pdf_redactions"}; !slices.Equal(got, want) {
		t.Error(got)
	}
}
