// Pdf measures reading of PDF documents: `go run ./bench/pdf -docx FOLDER` prints a table and writes bench/out/bench-pdf.json.
//
// LibreOffice (libreoffice-writer-nogui) renders Word documents whose text is known, from a folder of the caller's and drawn by a
// seed. The text of each is compared with that of pdftotext -layout in the same run, the cells of drawn tables with what was
// drawn. Then documents that are broken by a seed or made to do harm are read in every way.
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

func main() {
	folder := flag.String("docx", "", "a folder of .docx files")
	rendered := flag.String("pdf", "", "a folder of their PDF documents, if LibreOffice has rendered them already")
	most := flag.Int("n", 100, "documents to compare")
	hostile := flag.Int("hostile", 500, "broken and hostile documents to read")
	figures.Flags("")
	if err := measure(context.Background(), *folder, *rendered, *most, *hostile); err != nil {
		fmt.Fprintln(os.Stderr, "bench-pdf:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, folder, rendered string, most, hostile int) error {
	dir, err := os.MkdirTemp("", "bench-pdf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := figures.New("bench-pdf")
	d, err := newDesk(filepath.Join(dir, "scratch"), 0)
	if err != nil {
		return err
	}
	good, err := tablesAndTime(ctx, &r, d, dir)
	if err != nil {
		return err
	}
	if folder != "" {
		if err := texts(ctx, &r, d, folder, rendered, dir, most); err != nil {
			return err
		}
		if err := peoplesTables(ctx, &r, d, folder, dir); err != nil {
			return err
		}
	}
	if d, err = newDesk(filepath.Join(dir, "scratch"), bound); err != nil {
		return err
	}
	if err := harm(ctx, &r, d, dir, good, hostile); err != nil {
		return err
	}
	r.Print()
	return figures.Write(r.Name, r)
}

// render has LibreOffice make PDF documents of Word documents.
func render(ctx context.Context, dir string, names ...string) error {
	args := append([]string{"-env:UserInstallation=file://" + filepath.Join(dir, "office"), "--headless", "--convert-to", "pdf", "--outdir",
		dir}, names...)
	b, err := exec.CommandContext(ctx, "soffice", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("soffice (libreoffice-writer-nogui): %w: %s", err, b)
	}
	return nil
}

// tooLong is how many letters of a text are compared at most: the distance takes their square.
const tooLong = 20_000

// texts compares texts with those of pdftotext -layout.
func texts(ctx context.Context, r *figures.Report, d *desk, folder, rendered, dir string, most int) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.docx"))
	if err != nil {
		return err
	}
	var ours, theirs []float64
	better, n := 0, 0
	for _, name := range names {
		truth, err := bodyOf(name)
		if err != nil || len(truth) < 200 || len(truth) > tooLong {
			continue
		}
		out := filepath.Join(rendered, strings.TrimSuffix(filepath.Base(name), ".docx")+".pdf")
		if rendered == "" {
			t, cancel := context.WithTimeout(ctx, time.Minute)
			err = render(t, dir, name)
			cancel()
			out = filepath.Join(dir, filepath.Base(out))
		}
		doc, missing := os.ReadFile(out)
		if err != nil || missing != nil { // LibreOffice does not read it
			continue
		}
		said, err := d.text(ctx, doc)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		laid, err := exec.CommandContext(ctx, "pdftotext", "-layout", out, "-").Output()
		if err != nil {
			return err
		}
		a, b := distance(truth, plain(said)), distance(truth, plain(string(laid)))
		if a <= b {
			better++
		} else {
			fmt.Printf("%s: %d letters, distance %d, of pdftotext -layout %d\n", filepath.Base(name), len(truth), a, b)
		}
		ours, theirs = append(ours, float64(a)/float64(len(truth))), append(theirs, float64(b)/float64(len(truth)))
		if n++; n == most {
			break
		}
	}
	r.Ratio("text_not_worse_ratio", better, n, "documents whose text is no farther from what was written than that of pdftotext -layout / all")
	r.Median("text_distance", ours, "edit distance of the text per letter")
	r.Median("layout_distance", theirs, "the same of pdftotext -layout")
	return nil
}

// tablesAndTime measures drawn tables and a hundred pages, and returns the documents.
func tablesAndTime(ctx context.Context, r *figures.Report, d *desk, dir string) (good [][]byte, err error) {
	for _, ruled := range []bool{true, false} {
		key := "cells_unruled_f1"
		if ruled {
			key = "cells_ruled_f1"
		}
		want, name := drawTables(ruled), filepath.Join(dir, key+".docx")
		if err := writeDocx(name, want.body); err != nil {
			return nil, err
		}
		if err := render(ctx, dir, name); err != nil {
			return nil, err
		}
		doc, err := os.ReadFile(strings.TrimSuffix(name, ".docx") + ".pdf")
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
	name := filepath.Join(dir, "hundred.docx")
	if err := writeDocx(name, hundredPages()); err != nil {
		return nil, err
	}
	if err := render(ctx, dir, name); err != nil {
		return nil, err
	}
	doc, err := os.ReadFile(strings.TrimSuffix(name, ".docx") + ".pdf")
	if err != nil {
		return nil, err
	}
	var took []float64
	for i := range 6 {
		began := time.Now()
		if _, err := d.text(ctx, doc); err != nil {
			return nil, err
		}
		s := time.Since(began).Seconds()
		if i == 0 {
			r.Figure("hundred_pages_cold_s", s, 1, "text of 100 pages, the first time")
			continue
		}
		took = append(took, s)
	}
	r.Median("hundred_pages_warm_s", took, "text of 100 pages, after that")
	return append(good, pdftest.New().Page((&pdftest.Page{Rotate: 90}).Text(72, 700, "Ada Lovelace, ada@corp.example")).Bytes()), nil
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
	r.Figure("peak_mb", peak(), 1, "the most memory that the measuring program itself held")
	return nil
}
