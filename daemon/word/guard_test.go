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
	d := open(t, craft(t, document(para1(run("one")+object+run("two"))+para1(object+run("four"))+para1(run("a ")+object+run("three")))))
	for old, fresh := range map[string]string{"two": "2", "four": "4 five", "three": "and three"} {
		if _, err := d.Replace(Where{Text: old}, fresh); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(raw(d), "|"); got != "one"+barrier+"2|"+barrier+"4 five|a "+barrier+"and three" {
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
	p["word/_rels/document.xml.rels"] = strings.Replace(p["word/_rels/document.xml.rels"], "</Rel",
		`<Relationship Id="rId5" Type="x/comments" `+
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
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("%s: %s", name, took)
		}
	}
}

// Two versions whose text is the same and whose objects are not differ.
func TestCompareObjects(t *testing.T) {
	link := func(id string) string { return `<w:hyperlink r:id="` + id + `">` + run("here") + `</w:hyperlink>` }
	fieldOf := func(code string) string {
		return char("begin") + `<w:r><w:instrText>` + code + `</w:instrText></w:r>` + char("separate") + run("1") + char("end")
	}
	picture := func(id, name string) string {
		return `<w:r><w:drawing><x:docPr xmlns:x="urn:x" id="` + name + `"/><x:blip xmlns:x="urn:x" r:embed="` + id + `"/></w:drawing></w:r>`
	}
	math := func(s string) string { return `<m:oMath xmlns:m="urn:m"><m:r><m:t>` + s + `</m:t></m:r></m:oMath>` }
	for name, c := range map[string]struct {
		one, two string
		same     bool
	}{
		"a sign":         {`<w:r><w:sym w:char="F0FE"/></w:r>`, `<w:r><w:sym w:char="F0A8"/></w:r>`, false},
		"a formula":      {math("1"), math("999"), false},
		"a link":         {link("rId8"), link("rId9"), false},
		"an instruction": {fieldOf("PAGE"), fieldOf("DDEAUTO cmd"), false},
		"a simple field": {`<w:fldSimple w:instr="PAGE">` + run("1") + `</w:fldSimple>`,
			`<w:fldSimple w:instr="DATE">` + run("1") + `</w:fldSimple>`, false},
		"a picture":                  {picture("rId6", "1"), picture("rId7", "1"), false},
		"where a link is":            {run("a ") + link("rId9"), `<w:hyperlink r:id="rId9">` + run("a here") + `</w:hyperlink>`, false},
		"the name of a picture":      {picture("rId6", "1"), picture("rId5", "2"), true},
		"a picture that was deleted": {math("1"), math("1") + `<w:del ` + bob + `><w:r><w:drawing/></w:r></w:del>`, true},
		"nothing":                    {fieldOf("PAGE") + link("rId9"), fieldOf("PAGE") + link("rId9"), true},
	} {
		at := func(runs string) *Document {
			p := document(para1(run("total ")+runs) + `<w:tbl><w:tr><w:tc>` + para1(runs) + `</w:tc></w:tr></w:tbl>` + para1(run("end")))
			add := ""
			for id, target := range map[string]string{"rId5": "media/same.bin", "rId6": "media/a.bin", "rId7": "media/b.bin"} {
				add += `<Relationship Id="` + id + `" Type="x/image" Target="` + target + `"/>`
			}
			add += `<Relationship Id="rId8" Type="x/hyperlink" Target="http://127.0.0.1:9/y" TargetMode="External"/>`
			p["word/_rels/document.xml.rels"] = strings.Replace(p["word/_rels/document.xml.rels"], "</Rel", add+"</Rel", 1)
			p["word/media/b.bin"], p["word/media/same.bin"] = "another", p["word/media/a.bin"]
			return open(t, craft(t, p))
		}
		out, err := at(c.one).Compare(at(c.two))
		if err != nil || (len(out.Left)+len(out.Differences) == 0) != c.same {
			t.Errorf("%s: %+v %v", name, out, err)
		}
	}
	// What is neither a paragraph nor a table counts, and that all is proven is said whatever else is left.
	d := open(t, craft(t, document(para1(run("a"))+`<w:altChunk r:id="rId9"/>`+para1(run("b")))))
	out, err := d.Compare(open(t, craft(t, document(para1(run("a"))+para1(run("b"))))))
	if err != nil || len(out.Left) == 0 {
		t.Errorf("%+v %v", out, err)
	}
	d = open(t, craft(t, document(para1(run("a ")+math("1")))))
	out, err = d.Compare(open(t, craft(t, document(para1(run("b ")+math("2"))))))
	if err != nil || len(out.Left) != 2 || !strings.HasPrefix(out.Left[1], "accepting") {
		t.Errorf("%+v %v", out, err)
	}
}

// Comparing long documents takes a time that grows with their size.
func TestComparingIsBounded(t *testing.T) {
	table := func(cell string) string {
		return `<w:tbl>` +
			strings.Repeat(`<w:tr>`+strings.Repeat(`<w:tc>`+para1(run(cell))+`</w:tc>`, 10)+`</w:tr>`, 1000) + `</w:tbl>` + para1("")
	}
	deep := func(s string) string {
		for range 40 {
			s = `<w:tbl><w:tr><w:tc>` + s + para1(run(strings.Repeat("some words ", 200))) + `</w:tc></w:tr></w:tbl>`
		}
		return s + para1("")
	}
	for name, c := range map[string][2]string{
		"many cells":               {table("one"), strings.Replace(table("one"), "one", "two", 50)},
		"tables in one another":    {deep(para1(run("a"))), deep(para1(run("b")))},
		"paragraphs of many words": {para1(run(strings.Repeat("a b ", 3000))), para1(run(strings.Repeat("b c ", 3000)))},
	} {
		a, b := open(t, craft(t, document(c[0]))), open(t, craft(t, document(c[1])))
		began := time.Now()
		if out, err := a.Compare(b); err != nil || len(out.Differences) == 0 {
			t.Errorf("%s: %+v %v", name, out, err)
		}
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("%s: %s", name, took)
		}
	}
}

// Deciding says what it could not decide, takes numbering with it, and leaves no row without cells.
func TestWhatIsDecided(t *testing.T) {
	listed := `<w:p><w:pPr><w:numPr><w:numId w:val="1"/><w:ins ` + bob + `/></w:numPr></w:pPr>` + run("a") + `</w:p>`
	renumbered := `<w:p><w:pPr><w:numPr><w:numId w:val="1"/><w:numberingChange ` + bob + ` w:original="1."/></w:numPr></w:pPr></w:p>`
	ranges := para1(`<w:customXmlInsRangeStart ` + bob + `/>` + run("a") + `<w:customXmlInsRangeEnd w:id="3"/>`)
	gone := `<w:tc><w:tcPr><w:cellDel ` + bob + `/></w:tcPr>` + para1("") + `</w:tc>`
	for name, c := range map[string]struct {
		body   string
		accept bool
		left   int
		want   string
	}{
		"a list, accepted":  {listed, true, 0, `<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>` + run("a") + `</w:p>`},
		"a list, rejected":  {listed, false, 0, para1(run("a"))},
		"numbers, accepted": {renumbered, true, 0, `<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:p>`},
		"numbers, rejected": {renumbered, false, 1, renumbered},
		"ranges":            {ranges, true, 1, ranges},
		"all cells": {`<w:tbl><w:tr>` + gone + gone + `</w:tr><w:tr><w:tc>` + para1("") + `</w:tc></w:tr></w:tbl>`,
			true, 0, `<w:tbl><w:tr><w:tc>` + para1("") + `</w:tc></w:tr></w:tbl>`},
		"all rows": {`<w:tbl><w:tr>` + gone + `</w:tr></w:tbl>`, true, 0, ""},
	} {
		d := open(t, craft(t, document(c.body+para1(run("end")))))
		out, err := d.Decide(Choice{}, c.accept)
		if got := strings.TrimSuffix(inner(t, d), para1(run("end"))); err != nil || len(out.Left) != c.left || got != c.want {
			t.Errorf("%s: %+v %v %s", name, out, err, got)
		}
	}
	d := open(t, craft(t, document(ranges)))
	if out, err := d.Decide(Choice{Author: "Eve"}, true); !fault.Is(err, fault.WordNoMatch) {
		t.Errorf("%+v %v", out, err)
	}
}

// What a word processor would run or fetch is said.
func TestActive(t *testing.T) {
	field := func(codes ...string) string {
		s := char("begin")
		for _, c := range codes {
			s += `<w:r><w:instrText xml:space="preserve">` + c + `</w:instrText></w:r>`
		}
		return s + char("end")
	}
	const fetches = "it has a field that fetches or runs something"
	relation := func(kind, target string) string {
		return `<Relationship Id="rId7" Type="x/` + kind + `" Target="` + target + `" TargetMode="External"/>`
	}
	for name, c := range map[string]struct{ body, rel, part, want string }{
		"a field in pieces": {para1(field(" dde", "auto c:\\\\x")), "", "", fetches},
		"a field over paragraphs": {para1(char("begin")) + para1(`<w:r><w:instrText>INCLUDETEXT x</w:instrText></w:r>`+char("end")),
			"", "", fetches},
		"a simple field": {para1(`<w:fldSimple w:instr=" LINK x "/>`), "", "", fetches},
		"a computed field": {para1(char("begin") + field("QUOTE 68") + char("end")),
			"", "", "it has a field whose instruction another field makes"},
		"a page number":    {para1(field("PAGE")), "", "", ""},
		"another document": {`<w:altChunk/>`, "", "", "it takes another document in when it is opened"},
		"macros":           {"", "", "word/vbaProject.bin", "it has macros"},
		"a template": {"",
			`<Relationship Id="rId7" Type="x/settings" Target="s.xml"/>`, "word/s.xml", "its template is outside of it; a template can have macros"},
		"a link": {"", relation("hyperlink", "http://127.0.0.1:9/"), "", ""},
		"a picture elsewhere": {"", relation("image",
			"http://127.0.0.1:9/"), "", "it refers to something outside of it, which a word processor may fetch"},
	} {
		p := document(c.body + para1(""))
		r := p["word/_rels/document.xml.rels"]
		r = r[:strings.Index(r, `<Relationship Id="rId9"`)] + c.rel + "</Relationships>"
		p["word/_rels/document.xml.rels"] = r
		if c.part != "" {
			p[c.part] = "<a/>"
			p["word/_rels/s.xml.rels"] = head + `<Relationships ` + relSpace + `>` +
				relation("attachedTemplate", "http://127.0.0.1:9/t.dotm") + `</Relationships>`
		}
		d := open(t, craft(t, p))
		if got := strings.Join(d.Active(), "|"); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
		if got := strings.Join(d.Read().Warnings, "|"); got != c.want {
			t.Errorf("%s: read warns of %q", name, got)
		}
	}
}
