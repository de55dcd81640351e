package acceptance_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// docx is a Word document with one paragraph for each text.
func docx(t *testing.T, texts ...string) io.Reader {
	t.Helper()
	const w = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	body := ""
	for _, s := range texts {
		body += "<w:p><w:r><w:t>" + s + "</w:t></w:r></w:p>"
	}
	for _, p := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="` +
			office + `" Target="word/document.xml"/></Relationships>`},
		{"word/document.xml", `<w:document ` + w + `><w:body>` + body + `<w:sectPr/></w:body></w:document>`},
	} {
		f, err := z.Create(p[0])
		must(t, err)
		_, err = io.WriteString(f, p[1])
		must(t, err)
	}
	must(t, z.Close())
	return &b
}

// An agent reads, searches and compares the Word documents that it handed in, at the door, and no others.
func TestWord_AnAgentReadsWhatItHandedIn(t *testing.T) {
	t.Parallel()
	w := begin(t)
	ctx := t.Context()
	scribe := w.agent("scribe")
	const kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	one := got(scribe.UploadDocument(ctx, "contract.docx", kind, docx(t, "Contract", "Due on 3 May.")))(t)
	two := got(scribe.UploadDocument(ctx, "later.docx", kind, docx(t, "Contract", "Due on 12 June.")))(t)
	mine := got(w.c.UploadDocument(ctx, "private.docx", kind, docx(t, "Kanarienvogel")))(t)
	bad := got(scribe.UploadDocument(ctx, "no.docx", kind, strings.NewReader("Dear Sir")))(t)
	cs := w.doorOf("scribe", scribe)
	use := func(tool string, args map[string]any) (string, bool) {
		t.Helper()
		r, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		must(t, err)
		b, _ := json.Marshal(r.StructuredContent)
		return string(b), !r.IsError
	}
	for _, c := range []struct {
		tool string
		args map[string]any
		ok   bool
		want string
	}{
		{"read_word_document", map[string]any{"document_ref": one.Ref}, true, `"at":"body/2","text":"Due on 3 May."`},
		{"read_word_document", map[string]any{"document_ref": one.Ref, "first": 1, "most": 1}, true, `"truncated":true`},
		{"search_word_document", map[string]any{"document_ref": one.Ref, "text": "MAY", "ignore_case": true}, true, `"text":"May"`},
		{"search_word_document", map[string]any{"document_ref": one.Ref, "text": "April"}, false, "WORD_NO_MATCH"},
		{"compare_word_documents", map[string]any{"document_ref": one.Ref, "later_ref": two.Ref}, true, `"is":"Due on 12 June."`},
		{"read_word_document", map[string]any{"document_ref": mine.Ref}, false, "NOT_FOUND"},
		{"compare_word_documents", map[string]any{"document_ref": one.Ref, "later_ref": mine.Ref}, false, "NOT_FOUND"},
		{"read_word_document", map[string]any{"document_ref": bad.Ref}, false, "WORD_UNREADABLE"},
		{"read_word_document", map[string]any{"document_ref": "../contract.docx"}, false, "INVALID_REQUEST"},
	} {
		text, ok := use(c.tool, c.args)
		if ok != c.ok || !strings.Contains(text, c.want) || strings.Contains(text, "Kanarienvogel") {
			t.Errorf("%s %v: %s", c.tool, c.args, text)
		}
	}
}
