// Pdf measures reading of PDF documents: `go run ./bench/pdf -docx FOLDER` prints a table and writes bench/out/bench-pdf.json.
//
// LibreOffice (libreoffice-writer-nogui) renders Word documents whose text is known, from a folder of the caller's and drawn by a
// seed. The text of each is compared with that of pdftotext -layout in the same run, the cells of drawn tables with what was
// drawn. Then documents that are broken by a seed or made to do harm are read in every way.
//
// A folder of the ICDAR 2013 table competition (-icdar) has documents that authorities published, with the cells of their tables.
//
// It calls package pdf directly, with documents in memory: what is measured is the reading, not the daemon.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"showhow/bench/figures"
	"showhow/daemon/pdf/pdftest"
)

// parts are what can be measured by itself.
var parts = []string{"drawn", "texts", "people", "icdar", "hostile"}

// options are what the caller asks for.
type options struct {
	folder   string // of .docx files
	rendered string // a folder that keeps their PDF documents
	icdar    string // a folder of the ICDAR 2013 table competition
	part     string // "": all
	texts    int    // documents whose texts are compared, at most
	hostile  int    // documents
}

func main() {
	var o options
	flag.StringVar(&o.folder, "docx", "", "a folder of .docx files")
	flag.StringVar(&o.rendered, "pdf", "", "a folder that keeps what LibreOffice makes of them for the next run")
	flag.StringVar(&o.icdar, "icdar", "", "a folder of NAME.pdf and NAME-str.xml of the ICDAR 2013 table competition")
	flag.StringVar(&o.part, "part", "", "measure only this: "+strings.Join(parts, ", "))
	flag.IntVar(&o.texts, "n", 1000, "documents to compare, at most")
	flag.IntVar(&o.hostile, "hostile", 500, "broken and hostile documents to read")
	figures.Flags("")
	if err := measure(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "bench-pdf:", err)
		os.Exit(1)
	}
}

func (o options) wants(part string) bool { return o.part == "" || o.part == part }

func measure(ctx context.Context, o options) error {
	if o.part != "" && !slices.Contains(parts, o.part) {
		return fmt.Errorf("-part is one of %s", strings.Join(parts, ", "))
	}
	dir, err := os.MkdirTemp("", "bench-pdf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := press{dir: dir, kept: o.rendered}
	if p.kept == "" {
		p.kept = filepath.Join(dir, "kept")
	}
	r := figures.New("bench-pdf")
	d, err := newDesk(filepath.Join(dir, "scratch"), 0)
	if err != nil {
		return err
	}
	var good [][]byte
	if o.wants("drawn") || o.wants("hostile") {
		if good, err = drawnTables(ctx, &r, d, p); err != nil {
			return err
		}
	}
	if o.wants("drawn") {
		if err := hundred(ctx, &r, d, p); err != nil {
			return err
		}
	}
	if o.folder != "" && o.wants("texts") {
		if err := texts(ctx, &r, d, p, o); err != nil {
			return err
		}
	}
	if o.folder != "" && o.wants("people") {
		if err := peoplesTables(ctx, &r, d, p, o.folder); err != nil {
			return err
		}
	}
	if o.icdar != "" && o.wants("icdar") {
		if err := icdar(ctx, &r, d, o.icdar); err != nil {
			return err
		}
	}
	if o.wants("hostile") {
		if d, err = newDesk(filepath.Join(dir, "scratch"), bound); err != nil {
			return err
		}
		if err := harm(ctx, &r, d, dir, good, o.hostile); err != nil {
			return err
		}
	}
	r.Print()
	return figures.Write(r.Name, r)
}

// tooLong is how many letters of a text are compared at most: the distance takes their square.
const tooLong = 20_000

// texts compares texts with those of pdftotext -layout. Of the documents of the second half none was looked at in development.
func texts(ctx context.Context, r *figures.Report, d *desk, p press, o options) error {
	names, err := filepath.Glob(filepath.Join(o.folder, "*.docx"))
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		truth, err := bodyOf(name)
		return err != nil || len(truth) < 200 || len(truth) > tooLong
	})
	made := p.render(ctx, "made", names)
	var ours, theirs []float64
	var better, n [2]int
	for _, name := range names {
		if n[0]+n[1] == o.texts {
			break
		}
		out, ok := made[name]
		if !ok { // LibreOffice does not read it
			continue
		}
		truth, err := bodyOf(name)
		if err != nil {
			return err
		}
		doc, err := os.ReadFile(out)
		if err != nil {
			return err
		}
		said, err := d.text(ctx, doc)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		laid, err := exec.CommandContext(ctx, "pdftotext", "-layout", out, "-").Output()
		if err != nil {
			return err
		}
		a, b, half := distance(truth, plain(said)), distance(truth, plain(string(laid))), halfOf(name)
		if n[half]++; a <= b {
			better[half]++
		} else if half == 0 {
			fmt.Printf("%s: %d letters, distance %d, of pdftotext -layout %d\n", filepath.Base(name), len(truth), a, b)
		}
		ours, theirs = append(ours, float64(a)/float64(len(truth))), append(theirs, float64(b)/float64(len(truth)))
	}
	const how = "documents whose text is no farther from what was written than that of pdftotext -layout"
	r.Ratio("text_not_worse_ratio", better[0]+better[1], n[0]+n[1], how+" / all")
	r.Ratio("text_not_worse_developed", better[0], n[0], "the half of them that was looked at")
	r.Ratio("text_not_worse_counted", better[1], n[1], "the other half")
	r.Median("text_distance", ours, "edit distance of the text per letter")
	r.Median("layout_distance", theirs, "the same of pdftotext -layout")
	return nil
}

// drawnTables measures drawn tables, and returns the documents.
func drawnTables(ctx context.Context, r *figures.Report, d *desk, p press) (good [][]byte, err error) {
	for _, ruled := range []bool{true, false} {
		key := "cells_unruled_f1"
		if ruled {
			key = "cells_ruled_f1"
		}
		want := drawTables(ruled)
		doc, err := p.drawn(ctx, key, want.body)
		if err != nil {
			return nil, err
		}
		good = append(good, doc)
		found, err := d.tables(ctx, doc)
		if err != nil {
			return nil, err
		}
		var all counted
		var halves [2]counted // developed on, and only counted
		half := developed(len(want.tables))
		for i, c := range want.count(found) {
			all.add(c)
			if half[i] {
				halves[0].add(c)
			} else {
				halves[1].add(c)
			}
		}
		r.Figure(key, all.f1(), all.there, fmt.Sprintf("cells right in text, row and column, of %d tables drawn by a seed and rendered by "+
			"LibreOffice", len(want.tables)))
		if !ruled {
			r.Figure("cells_unruled_developed_f1", halves[0].f1(), halves[0].there, "the half of them that was developed on")
			r.Figure("cells_unruled_counted_f1", halves[1].f1(), halves[1].there, "the other half, which was only counted")
		}
	}
	return append(good, pdftest.New().Page((&pdftest.Page{Rotate: 90}).Text(72, 700, "Ada Lovelace, ada@corp.example")).Bytes()), nil
}

// hundred measures how long the text of a hundred pages takes.
func hundred(ctx context.Context, r *figures.Report, d *desk, p press) error {
	doc, err := p.drawn(ctx, "hundred", hundredPages())
	if err != nil {
		return err
	}
	var took, used []float64
	for i := range 6 {
		began, before := time.Now(), cpu()
		if _, err := d.text(ctx, doc); err != nil {
			return err
		}
		s := time.Since(began).Seconds()
		if i == 0 {
			r.Figure("hundred_pages_cold_s", s, 1, "text of 100 pages, the first time")
			continue
		}
		took, used = append(took, s), append(used, (cpu()-before).Seconds())
	}
	r.Median("hundred_pages_warm_s", took, "text of 100 pages, after that")
	r.Median("hundred_pages_cpu_s", used, "the time of a processor that it takes, whatever else the machine has to do")
	return nil
}

// bound is how long an operation on a hostile document may take, and five times of it OCR and redaction: less than in the product,
// because a bomb takes all of it.
const bound = 3 * time.Second

// harm reads broken and hostile documents in every way.
func harm(ctx context.Context, r *figures.Report, d *desk, dir string, good [][]byte, n int) error {
	docs, names := pdftest.Hostile(), []string{}
	for name := range docs {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := uint64(0); len(names) < n; i++ {
		name := fmt.Sprint("broken ", i)
		docs[name], names = pdftest.Broken(i, good...), append(names, name)
	}
	names = names[:min(n, len(names))]
	canary := filepath.Join(dir, "canary")
	if err := os.WriteFile(canary, []byte("canary"), 0o600); err != nil {
		return err
	}
	before, err := entries(dir)
	if err != nil {
		return err
	}
	var took []float64
	ends, other, slow := map[string]int{}, 0, 0.0
	for i, name := range names {
		for what, do := range d.every(ctx, docs[name]) {
			if what == "ocr" && i%5 != 0 { // a fifth: it takes longest
				continue
			}
			began := time.Now()
			end := do()
			s := time.Since(began).Seconds()
			took = append(took, s)
			if s > slow {
				slow = s
			}
			if s > 5*bound.Seconds()+2 {
				fmt.Printf("%s, %s: %.1f s, %s\n", name, what, s, end)
			}
			if strings.HasPrefix(end, "!") {
				other++
				fmt.Printf("%s, %s: %s\n", name, what, end)
			}
			ends[end]++
		}
		if i%50 == 49 {
			fmt.Printf("%d documents, %d operations, slowest %.1f s, without a code %d, %v\n", i+1, len(took), slow, other, ends)
		}
	}
	after, err := entries(dir)
	if err != nil {
		return err
	}
	escaped := 0
	if b, err := os.ReadFile(canary); err != nil || string(b) != "canary" || !slices.Equal(before, after) {
		escaped++
	}
	fmt.Println("ends:", ends)
	r.Figure("hostile_no_code", float64(other), len(took), fmt.Sprintf("operations on %d broken or hostile documents that ended in neither a "+
		"result nor a code of the documentation", len(names)))
	r.Figure("hostile_escapes", float64(escaped), len(names), "a file outside the sandbox changed, or something of a document is left")
	r.Median("hostile_s", took, "time of one operation on such a document")
	r.Figure("hostile_slowest_s", slow, len(took), "the slowest of them; here the bound is 3 s, 15 s for OCR and redaction")
	r.Figure("hostile_programs_peak_mb", peakOfChildren(), len(took), "the most memory that one program held which was started: in the "+
		"sandbox, or LibreOffice before")
	r.Figure("peak_mb", peak(), 1, "the most memory that the measuring program itself held")
	return nil
}
