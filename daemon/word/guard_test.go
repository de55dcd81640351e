package word

import (
	"strings"
	"testing"
	"time"

	"showhow/internal/fault"
)

// What comes behind a formula in the text comes behind it in the paragraph.
func TestBehindAnObject(t *testing.T) {
	const object = `<m:oMath xmlns:m="urn:m"><m:r><m:t>x</m:t></m:r></m:oMath>`
	d := open(t, craft(t, document(para1(run("one")+object+run("two three"))+para1(object+run("four")))))
	for old, fresh := range map[string]string{"two": "2", "four": "4 five"} {
		if _, err := d.Replace(Where{Text: old}, fresh); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(raw(d), "|"); got != "one"+barrier+"2 three|"+barrier+"4 five" {
		t.Errorf("%q", got)
	}
}

// A change of the format is refused where somebody else's is still open: there it would not be tracked.
func TestFormatOverSomebodyElses(t *testing.T) {
	yes := true
	run2 := func(by string) string {
		return `<w:r><w:rPr><w:i/><w:rPrChange ` + by + `><w:rPr/></w:rPrChange></w:rPr><w:t>word</w:t></w:r>`
	}
	pr := func(by string) string {
		return `<w:pPr><w:jc w:val="left"/><w:pPrChange ` + by + `><w:pPr/></w:pPrChange></w:pPr>`
	}
	ours := `w:id="9" w:author="Ada Lovelace"`
	for name, c := range map[string]struct {
		body    string
		look    Look
		refused bool
	}{
		"another's text":      {para1(run2(eve)), Look{Bold: &yes}, true},
		"our text":            {para1(run2(ours)), Look{Bold: &yes}, false},
		"another's paragraph": {`<w:p>` + pr(eve) + run("word") + `</w:p>`, Look{Style: "heading 1"}, true},
		"our paragraph":       {`<w:p>` + pr(ours) + run("word") + `</w:p>`, Look{Style: "heading 1"}, false},
		"only the text":       {`<w:p>` + pr(eve) + run("word") + `</w:p>`, Look{Bold: &yes}, false},
	} {
		d := open(t, craft(t, document(c.body)))
		was := canonical(t, d)
		out, err := d.Format(Where{Text: "word"}, c.look)
		if fault.Is(err, fault.WordRefused) != c.refused || !c.refused && (err != nil || out.Changed != 1) {
			t.Errorf("%s: %+v %v", name, out, err)
		}
		if c.refused && canonical(t, d) != was {
			t.Errorf("%s: %s", name, apart(canonical(t, d), was))
		}
	}
}

// The instruction of a field is not edited, wherever it stands: over paragraphs, or around a field of its own.
func TestInstructions(t *testing.T) {
	instr := `<w:r><w:instrText>IF 1 = 1 </w:instrText></w:r>`
	long := para1(run("before")+char("begin")+instr) + para1(run("inner")) + para1(run("still")+char("separate")+run("result")) +
		para1(run("more")+char("end")+run("after"))
	nested := para1(char("begin") + instr + char("begin") + instr + char("separate") + run("deep") + char("end") + run("told") +
		char("separate") + run("shown") + char("end"))
	d := open(t, craft(t, document(long+nested)))
	for word, refused := range map[string]bool{"before": false, "inner": true, "still": true, "result": false, "more": false, "after": false,
		"deep": true, "told": true, "shown": false} {
		if _, err := d.Replace(Where{Text: word}, "new"); fault.Is(err, fault.WordRefused) != refused {
			t.Errorf("%s: %v", word, err)
		}
	}
	if _, err := d.Insert("body/1", "x", ""); !fault.Is(err, fault.WordRefused) {
		t.Error(err)
	}
	if _, err := d.Delete("body/2"); !fault.Is(err, fault.WordRefused) {
		t.Error(err)
	}
}

// A paragraph that is added at the end of a container gets its style, and rejecting gives back that of the one before.
func TestStyleOfTheLastParagraph(t *testing.T) {
	cell := `<w:tbl><w:tr><w:tc>` + para1(run("cell")) + `</w:tc></w:tr></w:tbl>`
	for at, where := range map[string]string{"body/1": "before a table", "body/2": "in a cell", "body/3": "at the end"} {
		d := open(t, craft(t, document(para1(run("a"))+cell+para1(run("z")))))
		was := canonical(t, d)
		if _, err := d.Insert(at, "new", "heading 1"); err != nil {
			t.Fatal(err)
		}
		accepted, rejected := saved(t, d), saved(t, d)
		if _, err := accepted.Decide(Choice{}, true); err != nil {
			t.Fatal(err)
		}
		for _, p := range accepted.stories[0].paras {
			if (p.style() == "H1") != (p.text() == "new") {
				t.Errorf("%s: %q has style %q", where, p.text(), p.style())
			}
		}
		if _, err := rejected.Decide(Choice{}, false); err != nil || canonical(t, rejected) != was {
			t.Errorf("%s: %s %v", where, apart(canonical(t, rejected), was), err)
		}
	}
	d := open(t, craft(t, document(`<w:p><w:pPr><w:pPrChange `+eve+`><w:pPr/></w:pPrChange></w:pPr>`+run("a")+`</w:p>`)))
	if _, err := d.Insert("body/1", "new", "heading 1"); !fault.Is(err, fault.WordRefused) {
		t.Error(err)
	}
}

// Content controls that end a section, or a field that is not all in them, are not filled.
func TestFillKeepsSections(t *testing.T) {
	for name, content := range map[string]string{
		"a section": para1(run("a")) + `<w:p><w:pPr><w:sectPr/></w:pPr></w:p>`,
		"a field":   para1(run("a") + char("end")),
	} {
		d := open(t, craft(t, document(para1(run("{{y}}"))+`<w:sdt><w:sdtPr><w:tag w:val="x"/></w:sdtPr><w:sdtContent>`+content+
			`</w:sdtContent></w:sdt>`)))
		out, err := d.Fill(map[string]string{"x": "1", "y": "2"})
		if err != nil || out.Changed != 1 || len(out.Left) != 1 || !strings.Contains(inner(t, d), content) {
			t.Errorf("%s: %+v %v %s", name, out, err, inner(t, d))
		}
	}
}

// Text is hidden by a style, by one that it is based on, and not by one that shows it again.
func TestHiddenByTheBaseOfAStyle(t *testing.T) {
	p := document("")
	p["word/styles.xml"] = strings.Replace(p["word/styles.xml"], `</w:styles>`,
		`<w:style w:type="character" w:styleId="Kid"><w:basedOn w:val="Secret"/></w:style>`+
			`<w:style w:type="character" w:styleId="Shown"><w:basedOn w:val="Kid"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style></w:styles>`, 1)
	for style, want := range map[string]bool{"Secret": true, "Kid": true, "Shown": false} {
		p["word/document.xml"] = document(para1(`<w:r><w:rPr><w:rStyle w:val="` + style + `"/></w:rPr><w:t>a</w:t></w:r>`))["word/document.xml"]
		if got := open(t, craft(t, p)).Read().Paragraphs[0].Hidden; got != want {
			t.Errorf("%s: %v", style, got)
		}
	}
}

// Reading hostile documents takes a time that grows with their size.
func TestReadingIsBounded(t *testing.T) {
	var ranges, comments, nested strings.Builder
	for i := range 3000 {
		ranges.WriteString(`<w:commentRangeStart w:id="` + number(i) + `"/>`)
		comments.WriteString(`<w:comment w:id="` + number(i) + `"><w:p/></w:comment>`)
	}
	for range 100 {
		nested.WriteString(`<w:ins ` + bob + `>`)
	}
	p := document(para1(ranges.String() + strings.Repeat(run("many words"), 3000)))
	p["word/comments.xml"] = head + `<w:comments ` + spaces + `>` + comments.String() + `</w:comments>`
	p["word/_rels/document.xml.rels"] = strings.Replace(p["word/_rels/document.xml.rels"], "</Rel", `<Relationship Id="rId5" Type="x/comments" `+
		`Target="comments.xml"/></Rel`, 1)
	for name, c := range map[string]struct {
		parts
		do func(*Document)
	}{
		"braces": {document(para1(run(strings.Repeat("{", 60000) + "}}"))), func(d *Document) { d.Read() }},
		"comments": {p, func(d *Document) {
			if l := d.Read().Comments; len(l) != 3000 || len([]rune(l[2999].Quote)) != maxShown {
				t.Errorf("%d comments", len(l))
			}
		}},
		"changes in one another": {document(para1(nested.String() + run(strings.Repeat("long ", 200000)) + strings.Repeat(`</w:ins>`, 100))),
			func(d *Document) { d.Read() }},
		"matches": {document(para1(strings.Repeat(run("a"), 6000))), func(d *Document) {
			if l, err := d.Search(Where{Text: "a", At: "body/1"}); len(l) != 6000 || err != nil || len(l[3000].Before) != 120 {
				t.Errorf("%d matches, %v", len(l), err)
			}
		}},
		"too many matches": {document(para1(run(strings.Repeat("a", maxMatches+1)))), func(d *Document) {
			if _, err := d.Search(Where{Text: "a"}); !fault.Is(err, fault.WordTooLarge) || fault.From(err).Hint == "" {
				t.Error(err)
			}
			if l, err := d.Search(Where{Text: "a", Number: maxMatches + 1}); len(l) != 1 || err != nil {
				t.Errorf("%d matches, %v", len(l), err)
			}
		}},
		"a cell": {document(`<w:tbl><w:tr><w:tc>` + strings.Repeat(para1(run("some text of a cell")), 20000) + `</w:tc></w:tr></w:tbl>`),
			func(d *Document) { d.Read() }},
	} {
		d := open(t, craft(t, c.parts))
		began := time.Now()
		c.do(d)
		if took := time.Since(began); took > 900*time.Millisecond {
			t.Errorf("%s: %s", name, took)
		}
	}
}
