package word

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/wire"
	"showhow/daemon/word/ooxml"
	"showhow/internal/fault"
)

// entries are the bytes of a file's parts as they lie in it, each with its comment.
func entries(t testing.TB, data []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.OpenRaw()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = append(b, f.Comment...)
	}
	return out
}

func para1(runs string) string { return `<w:p>` + runs + `</w:p>` }
func run(text string) string   { return `<w:r><w:t xml:space="preserve">` + text + `</w:t></w:r>` }

const (
	bob = `w:id="3" w:author="Bob" w:date="2020-01-01T00:00:00Z"`
	eve = `w:id="4" w:author="Eve"`
)

// Every kind of tracked change, accepted and rejected.
func TestAcceptAndReject(t *testing.T) {
	for name, c := range map[string][3]string{
		"insertion": {para1(run("a") + `<w:ins ` + bob + `>` + run("b") + `</w:ins>`), para1(run("a") + run("b")), para1(run("a"))},
		"deletion": {para1(`<w:del ` + bob + `><w:r><w:delText>b</w:delText></w:r></w:del>` + run("a")), para1(run("a")),
			para1(`<w:r><w:t>b</w:t></w:r>` + run("a"))},
		"a deletion in an insertion": {para1(`<w:ins ` + bob + `>` + run("a") + `<w:del ` + eve +
			`><w:r><w:delText>b</w:delText></w:r></w:del></w:ins>`),
			para1(run("a")), para1("")},
		"a field that was deleted": {para1(`<w:del ` + bob + `><w:r><w:delInstrText>PAGE</w:delInstrText></w:r></w:del>`), para1(""),
			para1(`<w:r><w:instrText>PAGE</w:instrText></w:r>`)},
		"a move": {para1(`<w:moveFromRangeStart `+bob+` w:name="m"/><w:moveFrom `+bob+`>`+run("a")+
			`</w:moveFrom><w:moveFromRangeEnd w:id="3"/>`) +
			para1(`<w:moveToRangeStart `+bob+` w:name="m"/><w:moveTo `+bob+`>`+run("a")+`</w:moveTo><w:moveToRangeEnd w:id="3"/>`),
			para1("") + para1(run("a")), para1(run("a")) + para1("")},
		"a paragraph that was inserted": {`<w:p><w:pPr><w:rPr><w:ins ` + bob + `/></w:rPr></w:pPr><w:ins ` + bob + `>` + run("new") +
			`</w:ins></w:p>` +
			`<w:p><w:pPr><w:jc w:val="right"/></w:pPr>` + run("old") + `</w:p>`,
			para1(run("new")) + `<w:p><w:pPr><w:jc w:val="right"/></w:pPr>` + run("old") + `</w:p>`,
			`<w:p><w:pPr><w:jc w:val="right"/></w:pPr>` + run("old") + `</w:p>`},
		"paragraphs that were joined": {`<w:p><w:pPr><w:rPr><w:del ` + bob + `/></w:rPr></w:pPr>` + run("a") +
			`</w:p><w:bookmarkStart w:id="9" w:name="x"/>` +
			para1(run("b")), para1(run("a") + `<w:bookmarkStart w:id="9" w:name="x"/>` + run("b")),
			para1(run("a")) + `<w:bookmarkStart w:id="9" w:name="x"/>` + para1(run("b"))},
		"the format of a run": {para1(`<w:r><w:rPr><w:b/><w:rPrChange ` + bob +
			`><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr><w:t>a</w:t></w:r>`),
			para1(`<w:r><w:rPr><w:b/></w:rPr><w:t>a</w:t></w:r>`), para1(`<w:r><w:rPr><w:i/></w:rPr><w:t>a</w:t></w:r>`)},
		"the format of a paragraph": {`<w:p><w:pPr><w:jc w:val="left"/><w:rPr><w:b/></w:rPr><w:pPrChange ` + bob +
			`><w:pPr><w:keepNext/></w:pPr></w:pPrChange>` +
			`</w:pPr></w:p>`, `<w:p><w:pPr><w:jc w:val="left"/><w:rPr><w:b/></w:rPr></w:pPr></w:p>`,
			`<w:p><w:pPr><w:keepNext/><w:rPr><w:b/></w:rPr></w:pPr></w:p>`},
		"rows": {`<w:tbl><w:tr><w:trPr><w:ins ` + bob + `/></w:trPr><w:tc>` + para1(run("new")) + `</w:tc></w:tr><w:tr><w:trPr><w:del ` + bob +
			`/></w:trPr><w:tc>` + para1(run("old")) + `</w:tc></w:tr></w:tbl>`,
			`<w:tbl><w:tr><w:tc>` + para1(run("new")) + `</w:tc></w:tr></w:tbl>`, `<w:tbl><w:tr><w:tc>` + para1(run("old")) +
				`</w:tc></w:tr></w:tbl>`},
		"a table": {`<w:tbl><w:tr><w:trPr><w:del ` + bob + `/></w:trPr><w:tc>` + para1("") + `</w:tc></w:tr></w:tbl>` + para1(""), para1(""),
			`<w:tbl><w:tr><w:tc>` + para1("") + `</w:tc></w:tr></w:tbl>` + para1("")},
		"cells": {`<w:tbl><w:tr><w:tc><w:tcPr><w:cellIns ` + bob + `/></w:tcPr>` + para1(run("a")) + `</w:tc><w:tc><w:tcPr><w:cellDel ` + bob +
			`/></w:tcPr>` +
			para1(run("b")) + `</w:tc></w:tr></w:tbl>`, `<w:tbl><w:tr><w:tc>` + para1(run("a")) + `</w:tc></w:tr></w:tbl>`,
			`<w:tbl><w:tr><w:tc>` + para1(run("b")) + `</w:tc></w:tr></w:tbl>`},
		"the format of a table": {`<w:tbl><w:tblPr><w:jc w:val="left"/><w:tblPrChange ` + bob + `><w:tblPr/></w:tblPrChange></w:tblPr></w:tbl>`,
			`<w:tbl><w:tblPr><w:jc w:val="left"/></w:tblPr></w:tbl>`, `<w:tbl><w:tblPr/></w:tbl>`},
	} {
		for i, accept := range []bool{true, false} {
			d := open(t, craft(t, document(c[0]+para1(run("end")))))
			out, err := d.Decide(Choice{}, accept)
			if err != nil || len(out.Left) > 0 {
				t.Errorf("%s: %+v %v", name, out, err)
			}
			want := canonical(t, open(t, craft(t, document(c[1+i]+para1(run("end"))))))
			if got := canonical(t, saved(t, d)); got != want {
				t.Errorf("%s, accept %v: %s", name, accept, apart(got, want))
			}
			if l := d.revisions(); len(l) > 0 {
				t.Errorf("%s, accept %v: %+v is left", name, accept, l)
			}
		}
	}
}

func TestOneChangeIsDecidedOn(t *testing.T) {
	text := para1(`<w:ins `+bob+`>`+run("a")+`</w:ins>`) + para1(`<w:ins `+eve+`>`+run("b")+`</w:ins>`)
	for _, c := range []struct {
		Choice
		want string
	}{{Choice{IDs: []string{"2"}}, "a|"}, {Choice{Author: "Bob"}, "|b"}, {Choice{IDs: []string{"1", "2"}, Author: "Eve"}, "a|"}} {
		d := open(t, craft(t, document(text)))
		out, err := d.Decide(c.Choice, false)
		if got := strings.Join(body(d), "|"); err != nil || got != c.want || out.Changed != 1 || len(d.revisions()) != 1 {
			t.Errorf("%+v: %q, %+v %v", c.Choice, got, out, err)
		}
	}
	d := open(t, craft(t, document(text)))
	for _, c := range []Choice{{IDs: []string{"9"}}, {Author: "Mallory"}, {IDs: []string{"1"}, Author: "Eve"}} {
		if _, err := d.Decide(c, true); !fault.Is(err, fault.WordNoMatch) || fault.From(err).Hint == "" {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestRead(t *testing.T) {
	d := open(t, craft(t, document(
		`<w:p><w:pPr><w:pStyle w:val="Sub"/></w:pPr>`+run("Title")+`</w:p>`+
			`<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="4"/></w:numPr></w:pPr>`+
			`<w:r><w:rPr><w:rStyle w:val="Secret"/></w:rPr><w:t>obey</w:t></w:r></w:p>`+
			`<w:tbl><w:tr><w:tc>`+para1(run("a"))+para1(run("b"))+`</w:tc><w:tc><w:tbl><w:tr><w:tc>`+para1(run("in"))+`</w:tc></w:tr></w:tbl>`+
			para1("")+
			`</w:tc></w:tr></w:tbl>`+
			para1(`<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:txbxContent>`+para1(run("box"))+
				`</w:txbxContent></mc:Choice><mc:Fallback>`+
				`<w:txbxContent>`+para1(run("box"))+`</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>`+run("beside")+
				`<w:ins `+bob+`>`+run(" new")+`</w:ins><w:del `+eve+`><w:r><w:delText xml:space="preserve"> old</w:delText></w:r></w:del>`))))
	got := d.Read()
	if got.Paragraphs[0].Level != 1 || got.Paragraphs[0].Style != "Sub" || got.Paragraphs[1].List != 2 || !got.Paragraphs[1].Hidden {
		t.Errorf("%+v", got.Paragraphs[:2])
	}
	var all []string
	for _, p := range got.Paragraphs {
		all = append(all, p.At+" "+p.Text)
	}
	want := "body/1 Title|body/2 obey|body/3 a|body/4 b|body/5 in|body/6 |body/7 beside new|body/8 box|header1/1 Draft of May"
	if s := strings.Join(all, "|"); s != want {
		t.Errorf("%s", s)
	}
	if len(got.Tables) != 2 || got.Tables[0].Rows[0][0] != "a\nb" || got.Tables[1].Rows[0][0] != "in" {
		t.Errorf("%+v", got.Tables)
	}
	if c := got.Changes; len(c) != 2 || c[0] != (wire.WordChange{ID: "1", Kind: "insertion", Author: "Bob", Date: "2020-01-01T00:00:00Z",
		Text: " new",
		At:   "body/7"}) || c[1].Kind != "deletion" || c[1].Text != " old" {
		t.Errorf("%+v", c)
	}
	if !slices.Contains(got.Warnings, "some of the text is hidden from readers") {
		t.Errorf("%v", got.Warnings)
	}
}

func TestSearch(t *testing.T) {
	d := open(t, craft(t, document(para1(run("The De")+`<w:proofErr w:type="spellStart"/>`+run("livery")+run(" date: delivery."))+
		para1(run("deliv")+`<w:r><w:drawing/></w:r>`+run("ery")))))
	for _, c := range []struct {
		Where
		want int
	}{{Where{Text: "Delivery"}, 1}, {Where{Text: "delivery", IgnoreCase: true}, 2}, {Where{Text: "deliver", Word: true, IgnoreCase: true},
		0},
		{Where{Text: "DATE", IgnoreCase: true, Word: true}, 1}, {Where{Text: "May", At: "header1"}, 1}, {Where{Text: "e", At: "body/2"}, 2},
		{Where{Text: "e", Number: 3}, 1}, {Where{At: "body"}, 2}} {
		got, err := d.Search(c.Where)
		if len(got) != c.want || (c.want == 0) != fault.Is(err, fault.WordNoMatch) {
			t.Errorf("%+v: %+v %v", c.Where, got, err)
		}
	}
	if _, err := d.Search(Where{Text: "x", At: "body/99"}); !fault.Is(err, fault.WordNoMatch) {
		t.Error(err)
	}
	if _, err := d.Search(Where{}); !fault.Is(err, fault.InvalidRequest) {
		t.Error(err)
	}
}

// A replacement keeps the words that stay, takes the look of what it replaces, and leaves objects alone.
func TestReplace(t *testing.T) {
	d := open(t, craft(t, document(para1(run("before ")+`<w:r><w:rPr><w:b/></w:rPr><w:t>due on 3 May</w:t></w:r>`+run(" after"))+
		para1(run("due on 3 May")+`<w:r><w:footnoteReference w:id="2"/></w:r>`))))
	out, err := d.Replace(Where{Text: "due on 3 May", At: "body"}, "due on 12 June")
	if err != nil || out.Changed != 2 {
		t.Fatalf("%+v %v", out, err)
	}
	at := ` w:author="Ada Lovelace" w:date="2026-11-26T09:00:00Z">`
	want := para1(run("before ") + `<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">due on </w:t></w:r>` +
		`<w:del w:id="3"` + at + `<w:r><w:rPr><w:b/></w:rPr><w:delText xml:space="preserve">3 May</w:delText></w:r></w:del>` +
		`<w:ins w:id="4"` + at + `<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">12 June</w:t></w:r></w:ins>` + run(" after"))
	if got := inner(t, d); !strings.HasPrefix(got, want) {
		t.Errorf("%s not\n%s", got, want)
	}
	if got := strings.Join(body(d), "|"); got != "before due on 12 June after|due on 12 June" {
		t.Error(got)
	}
	box := open(t, craft(t, document(para1(`<mc:AlternateContent><mc:Choice Requires="x">`+para1(run("box"))+
		`</mc:Choice></mc:AlternateContent>`))))
	if _, err := box.Replace(Where{Text: "box"}, "bag"); !fault.Is(err, fault.WordRefused) || fault.From(err).Hint == "" {
		t.Error(err)
	}
	for _, bad := range []string{"\x00", "\ufffc", "\xff", "\uffff", "a\u202eb", "\u2066", "\u0085"} {
		if _, err := d.Replace(Where{Text: "due"}, bad); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestComment(t *testing.T) {
	data := craft(t, document(para1(run("one two three"))+para1(`<w:hyperlink r:id="x">`+run("a link")+`</w:hyperlink>`)+para1("")))
	d := open(t, data)
	for _, w := range []Where{{Text: "two"}, {Text: "link"}, {At: "body/3"}} {
		if out, err := d.Comment(w, "Really?\nSays <who>"); err != nil || out.Changed != 1 {
			t.Errorf("%+v: %+v %v", w, out, err)
		}
	}
	d = saved(t, d)
	got := d.Read().Comments
	if len(got) != 3 || got[0].Text != "Really?\nSays <who>" || got[0].Quote != "two" || got[0].At != "body/1" ||
		got[0].Author != "Ada Lovelace" ||
		got[1].Quote != "a link" || got[2].At != "body/3" {
		t.Errorf("%+v", got)
	}
	if s := strings.Join(body(d), "|"); s != "one two three|a link|" {
		t.Error(s)
	}
	if _, err := d.Comment(Where{Text: "May"}, "x"); err != nil {
		t.Error(err)
	}
	out, err := d.Comment(Where{At: "body/1"}, "again")
	if list := saved(t, d).Read().Comments; err != nil || out.Changed != 1 || len(list) != 4 || list[3].ID != "3" {
		t.Errorf("%+v %v", list, err)
	}
}

func TestFormat(t *testing.T) {
	d := open(t, craft(t, document(para1(`<w:r><w:rPr><w:i/><w:sz w:val="20"/></w:rPr><w:t>make this bold</w:t></w:r>`))))
	was := canonical(t, d)
	yes := true
	if out, err := d.Format(Where{Text: "this"}, Look{Bold: &yes, Style: "heading 1"}); err != nil || out.Changed != 1 {
		t.Fatalf("%+v %v", out, err)
	}
	got := inner(t, d)
	for _, want := range []string{`<w:pStyle w:val="H1"/>`, `<w:rPr><w:b w:val="1"/><w:i/><w:sz w:val="20"/><w:rPrChange`, `<w:pPrChange`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s has no %s", got, want)
		}
	}
	if _, err := d.Decide(Choice{}, false); err != nil || canonical(t, d) != was {
		t.Errorf("%s %v", apart(canonical(t, d), was), err)
	}
	if _, err := d.Format(Where{Text: "this"}, Look{Style: "none"}); !fault.Is(err, fault.WordNoMatch) {
		t.Error(err)
	}
}

func TestFill(t *testing.T) {
	p := document(para1(run("Dear {{na")+`<w:r><w:rPr><w:b/></w:rPr><w:t>me}}, {{ name }} {{}} {{a{b}}</w:t></w:r>`) +
		`<w:sdt><w:sdtPr><w:alias w:val="x"/><w:tag w:val="total"/><w:showingPlcHdr/><w:dataBinding w:xpath="/a"/></w:sdtPr><w:sdtContent>` +
		`<w:p><w:pPr><w:jc w:val="right"/></w:pPr><w:r><w:rPr><w:rStyle w:val="Secret"/></w:rPr><w:t>Click here</w:t></w:r></w:p>` +
		para1(run("more")) +
		`</w:sdtContent></w:sdt>` + para1(`<w:sdt><w:sdtPr><w:tag w:val="day"/></w:sdtPr>`+
		`<w:sdtContent><w:r><w:rPr><w:i/></w:rPr><w:t>?</w:t></w:r></w:sdtContent></w:sdt>`))
	p["word/header1.xml"] = strings.Replace(p["word/header1.xml"], "May", "{{month}}", 1)
	data := craft(t, p)
	d := open(t, data)
	if got := strings.Join(d.Placeholders(), " "); got != "day month name total" {
		t.Errorf("placeholders: %s", got)
	}
	_, err := d.Fill(map[string]string{"name": "x", "more": "y", "day": "\x01"})
	f := fault.From(err)
	if !fault.Is(err, fault.WordValues) || !slices.Equal(f.Details["missing"].([]string), []string{"month", "total"}) ||
		!slices.Equal(f.Details["unknown"].([]string), []string{"more"}) || !slices.Equal(f.Details["unprintable"].([]string),
		[]string{"day"}) {
		t.Errorf("%+v", f)
	}
	out, err := d.Fill(map[string]string{"name": "{{month}} & <Co>", "total": "1\n2", "day": "", "month": "June"})
	if err != nil || len(out.Left) > 0 || out.Changed != 5 {
		t.Fatalf("%+v %v", out, err)
	}
	d = saved(t, d)
	if got := strings.Join(body(d), "|"); got != "Dear {{month}} & <Co>, {{month}} & <Co> {{}} {{a{b}}|1\n2|" {
		t.Error(got)
	}
	if got := texts(d.story("header1"))[0]; got != "Draft of June" || len(d.revisions()) > 0 {
		t.Errorf("%s, %+v", got, d.revisions())
	}
	if s := inner(t, d); strings.Contains(s, "showingPlcHdr") || strings.Contains(s, "dataBinding") || strings.Contains(s, "Secret") {
		t.Error(s)
	}
}

func TestCompare(t *testing.T) {
	row := func(a, b string) string {
		return `<w:tr><w:tc>` + para1(run(a)) + `</w:tc><w:tc>` + para1(run(b)) + `</w:tc></w:tr>`
	}
	one := para1(run("Title")) + para1(run("The goods are due on 3 May 2026.")) + para1(run("This goes.")) + `<w:tbl>` + row("paper", "3") +
		row("ink", "1") +
		`</w:tbl>` + para1(run("Yours"))
	two := para1(run("Title")) + para1(run("The goods are due on 12 June 2026.")) + `<w:tbl>` + row("paper", "4") + row("ink", "1") +
		`</w:tbl>` +
		para1(run("Thank you.")) + para1(run("Yours"))
	d, other := open(t, craft(t, document(one))), open(t, craft(t, document(two)))
	was := canonical(t, d)
	out, err := d.Compare(other)
	if err != nil || len(out.Left) > 0 {
		t.Fatalf("%+v %v", out, err)
	}
	var got []string
	for _, x := range out.Differences {
		got = append(got, x.Kind+" "+x.At+" "+x.Was+" > "+x.Is)
	}
	want := []string{"inserted body/7  > Thank you.", "changed body/2 The goods are due on 3 May 2026. > The goods are due on 12 June 2026.",
		"changed body/5 3 > 4", "deleted body/3 This goes. > "}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	var marks []string
	for _, c := range d.revisions() {
		marks = append(marks, c.Kind+" "+c.Text)
	}
	if s := strings.Join(marks, "|"); !strings.Contains(s, "deletion 3|insertion 12") || strings.Contains(s, "goods") {
		t.Errorf("the changes are %s", s)
	}
	data, err := d.Save()
	if err != nil {
		t.Fatal(err)
	}
	accepted, rejected := open(t, data), open(t, data)
	if _, err := accepted.Decide(Choice{}, true); err != nil || !slices.Equal(body(accepted), body(other)) {
		t.Errorf("%q %v", body(accepted), err)
	}
	if _, err := rejected.Decide(Choice{}, false); err != nil || canonical(t, rejected) != was {
		t.Errorf("%s %v", apart(canonical(t, rejected), was), err)
	}
	x := open(t, craft(t, document(one)))
	p := document(para1(run("Title")) + `<w:tbl>` + row("a", "b") + `</w:tbl>` + para1(""))
	p["word/header1.xml"] = strings.Replace(p["word/header1.xml"], "May", "June", 1)
	out, err = x.Compare(open(t, craft(t, p)))
	if err != nil || !slices.Contains(out.Left, "header1 differs") || len(out.Left) < 2 {
		t.Errorf("%+v %v", out, err)
	}
}

// A document in the strict form of the standard, with other prefixes, is edited in its own words.
func TestStrictDocument(t *testing.T) {
	p := document("")
	p["word/document.xml"] = `<x:document xmlns:x="` + ooxml.Strict +
		`"><x:body><x:p><x:r><x:t>one two</x:t></x:r></x:p></x:body></x:document>`
	d := open(t, craft(t, p))
	if _, err := d.Replace(Where{Text: "two"}, "three"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Comment(Where{Text: "one"}, "why"); err != nil {
		t.Fatal(err)
	}
	d = saved(t, d)
	if got := d.Read(); got.Paragraphs[0].Text != "one three" || len(got.Changes) != 2 || len(got.Comments) != 1 {
		t.Errorf("%+v", got)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(craft(f, document(para1(run("a")))), "a", "b")
	f.Fuzz(func(t *testing.T, data []byte, find, put string) {
		d, err := Open(data, us)
		if err != nil {
			return
		}
		d.Read()
		if _, err := d.Replace(Where{Text: find}, put); err != nil {
			return
		}
		if _, err := d.Save(); err != nil {
			t.Fatal(err)
		}
	})
}

// Very many edits of a very long paragraph end with an answer, not with the day.
func TestManyEditsAreBounded(t *testing.T) {
	d := open(t, craft(t, document(para1(strings.Repeat(run("e"), 6000)))))
	if _, err := d.Replace(Where{Text: "e"}, "i"); !fault.Is(err, fault.WordTooLarge) || fault.From(err).Hint == "" {
		t.Error(err)
	}
}

// No error, and no word about what was left, has anything that the document says.
func TestErrorsSayNothingOfTheDocument(t *testing.T) {
	const canary = "Kanarienvogel"
	field := `<w:r><w:fldChar w:fldCharType="begin"/></w:r>`
	data := craft(t, document(para1(run(canary)+`<w:r><w:drawing/></w:r>`+run(canary+" {{"+canary+"}}")+field+run(canary))))
	d := open(t, data)
	var said []string
	hear := func(e wire.WordEdited, err error) {
		said = append(said, e.Left...)
		if err == nil {
			t.Error("nothing is wrong")
			return
		}
		f := fault.From(err)
		said = append(said, f.Error(), f.Hint)
	}
	hear(d.Delete("body/1"))
	hear(d.Replace(Where{At: "body/1"}, "x"))
	hear(d.Replace(Where{Text: canary + canary}, "x"))
	hear(d.Fill(map[string]string{"x": "y"}))
	hear(d.Insert("body/1", "x", canary))
	hear(d.Comment(Where{Text: "x"}, "y"))
	hear(wire.WordEdited{}, func() error { _, err := Open(data[:len(data)/2], us); return err }())
	bad := document(para1(run(canary)))
	bad["word/document.xml"] += canary
	hear(wire.WordEdited{}, func() error { _, err := Open(craft(t, bad), us); return err }())
	for _, s := range said {
		if strings.Contains(s, canary) {
			t.Errorf("it says %q", s)
		}
	}
}

// Elements without a prefix are read, and not edited: the attributes of what an edit adds would mean nothing.
func TestElementsWithoutPrefix(t *testing.T) {
	p := document("")
	p["word/document.xml"] = `<document xmlns="` + ooxml.Transitional + `"><body><p><r><t>one</t></r></p></body></document>`
	d := open(t, craft(t, p))
	if got := body(d); got[0] != "one" {
		t.Error(got)
	}
	if _, err := d.Save(); err != nil {
		t.Error(err)
	}
	if _, err := d.Replace(Where{Text: "one"}, "two"); err != nil {
		t.Error(err)
	}
	if _, err := d.Save(); !fault.Is(err, fault.WordRefused) {
		t.Error(err)
	}
}

// A name that cannot be written is refused when the document is opened, not when it is saved.
func TestAuthor(t *testing.T) {
	data := craft(t, document(para1(run("a"))))
	for _, name := range []string{"a\x01", "Ada\nBob", "\u202eada", "\xff"} {
		if _, err := Open(data, Author{Name: name}); !fault.Is(err, fault.InvalidRequest) || fault.From(err).Hint == "" {
			t.Errorf("%q: %v", name, err)
		}
	}
}
