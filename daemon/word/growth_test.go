package word

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"showhow/internal/fault"
)

// grid is a table of one row, each cell with this content.
func grid(cells int, content string) string {
	return para1("") + `<w:tbl><w:tr>` + strings.Repeat(`<w:tc>`+content+`</w:tc>`, cells) + `</w:tr></w:tbl>` + para1("")
}

// What an edit adds is bounded in all, however small the document is and however often it has the place: it is made before
// anybody is asked about it.
func TestWhatEditsAddIsBounded(t *testing.T) {
	control := `<w:sdt><w:sdtPr><w:tag w:val="n"/></w:sdtPr><w:sdtContent>` + para1(run("x")) + `</w:sdtContent></w:sdt>`
	heavy := `<w:r><w:rPr>` + strings.Repeat(`<w:lang w:val="de"/>`, 50000) + `</w:rPr><w:t>` + strings.Repeat("a b ", 200) + `</w:t></w:r>`
	styled := `<w:p><w:pPr>` + strings.Repeat(`<w:keepNext/>`, 100000) + `</w:pPr>` + run("here") + `</w:p>`
	signs, breaks := strings.Repeat("\U0001F600", 8000), strings.Repeat("\n", 8000)
	fill := func(text string) func(*Document) error {
		return func(d *Document) error { _, err := d.Fill(map[string]string{"n": text}); return err }
	}
	replace := func(text string) func(*Document) error {
		return func(d *Document) error { _, err := d.Replace(Where{Text: "a"}, text); return err }
	}
	comment := func(text string) func(*Document) error {
		return func(d *Document) error { _, err := d.Comment(Where{Text: "a"}, text); return err }
	}
	for name, c := range map[string]struct {
		body string
		do   func(*Document) error
	}{
		"long values":                {grid(4000, para1(run("{{n}}"))), fill(signs)},
		"values of line breaks":      {grid(4000, para1(run("{{n}}"))), fill(breaks)},
		"values of escaped signs":    {grid(4000, para1(run("{{n}}"))), fill(strings.Repeat("<", 8000))},
		"controls, long values":      {grid(4000, control), fill(signs)},
		"controls, line breaks":      {grid(4000, control), fill(breaks)},
		"very many placeholders":     {para1(run(strings.Repeat("{{n}}", 500000))), fill("")},
		"long replacements":          {grid(4000, para1(run("a"))), replace(signs)},
		"replacements of tabs":       {grid(4000, para1(run("a"))), replace(strings.Repeat("\t", 8000))},
		"long comments":              {grid(800, para1(run("a"))), comment(signs)},
		"comments of very many line": {grid(800, para1(run("a"))), comment("x" + breaks)},
		"a heavy run":                {para1(heavy), replace("c")},
		"insertions by and by": {styled + para1(""), func(d *Document) (err error) {
			for i := 0; i < 40 && err == nil; i++ {
				_, err = d.Insert("body/1", "new", "")
			}
			return err
		}},
	} {
		d := open(t, craft(t, document(c.body)))
		before := allocated()
		err := c.do(d)
		if took := (allocated() - before) >> 20; took > 200 {
			t.Errorf("%s: %d MB", name, took)
		}
		if !fault.Is(err, fault.WordTooLarge) || fault.From(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := d.Save(); d.added.full != nil && !fault.Is(err, fault.WordTooLarge) {
			t.Errorf("%s: saved though only a part of it was changed: %v", name, err)
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// A document of a hundred pages can be changed in thousands of places, and filled with long values.
func TestLongDocumentsAreChanged(t *testing.T) {
	var b strings.Builder
	for i := range 1500 {
		b.WriteString(`<w:p><w:pPr><w:jc w:val="both"/></w:pPr><w:r><w:rPr><w:i/><w:sz w:val="22"/></w:rPr><w:t>` + fmt.Sprint("Clause ", i) +
			strings.Repeat(" The tenant pays the rent to the landlord in time, and the landlord keeps the house dry.", 4) + `</w:t></w:r></w:p>`)
	}
	for i := range 100 {
		b.WriteString(para1(run(fmt.Sprintf("{{n%d}}", i))))
	}
	data := craft(t, document(b.String()))
	d, yes := open(t, data), true
	for _, do := range []func() error{
		func() error { _, err := d.Format(Where{Text: "Clause", Word: true}, Look{Bold: &yes}); return err },
		func() error { _, err := d.Replace(Where{Text: "Clause"}, "lessee & occupant"); return err },
		func() error { _, err := d.Comment(Where{Text: "occupant 7", Word: true}, "Why?\nSay so."); return err },
		func() error { _, err := d.Insert("body/40", strings.Repeat("More. ", 1300), ""); return err },
	} {
		if err := do(); err != nil {
			t.Error(err)
		}
	}
	if got := strings.Count(strings.Join(body(saved(t, d)), ""), "lessee & occupant"); got != 1500 {
		t.Errorf("%d places", got)
	}
	f, values := open(t, data), map[string]string{}
	for i := range 100 {
		values[fmt.Sprint("n", i)] = strings.Repeat("a long line\n", 660)
	}
	if out, err := f.Fill(values); err != nil || out.Changed != 100 {
		t.Errorf("%+v %v", out, err)
	}
	saved(t, f)
}

// Of two styles of one name it is always the same one that is taken: what a person was asked about is what is done.
func TestOneOfTwoStylesOfAName(t *testing.T) {
	for range 20 {
		d := &Document{styles: styles{}}
		for _, id := range []string{"Z", "M", "B", "Q"} {
			d.styles[id] = style{name: "Quote", kind: "paragraph"}
		}
		if id, err := d.styleID("quote", "paragraph"); id != "B" || err != nil {
			t.Fatal(id, err)
		}
	}
}
