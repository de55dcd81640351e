package acceptance_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/daemon/pdf/pdftest"
)

// invoice is a document with one number that is typed, and much that must never be kept.
func invoice(number, customer string) []byte {
	p := (&pdftest.Page{}).Text(72, 740, "quillwort "+customer).Text(300, 740, number).
		Text(72, 700, "Invoice number:").Text(200, 700, number).Text(72, 680, "Customer:").Text(200, 680, "Wilhelmina quillwort").
		Text(72, 660, "quillwort Lodge").Text(200, 660, "2,951.20")
	return pdftest.New().Page(p).Bytes()
}

// A number that a person reads in a document and types becomes a value that the skill reads in each run's document:
// after one demonstration where the command named the place, after two where it showed the whole document. Nothing else
// of a document is in what Showhow keeps or says, nor is the number, which is sealed.
func TestAValueOfADocumentIsReadAgain(t *testing.T) {
	t.Parallel()
	boxed(t)
	t.Run("named", func(t *testing.T) {
		t.Parallel()
		readAgain(t, `showhow pdf value a.pdf --beside "Invoice number"`)
	})
	t.Run("shown", func(t *testing.T) {
		t.Parallel()
		readAgain(t, "showhow pdf text a.pdf", "showhow pdf text b.pdf")
	})
}

func readAgain(t *testing.T, commands ...string) {
	w := begin(t)
	s := w.shell()
	bin := filepath.Join(w.o.Roots.Home, "bin")
	must(t, os.MkdirAll(bin, 0o700))
	must(t, os.WriteFile(filepath.Join(bin, "showhow"), []byte("#!/bin/sh\ntest -s \"$3\"\n"), 0o700))
	in := func(name string) string { return filepath.Join(s.dir, name) }
	must(t, os.WriteFile(in("book.sh"), []byte("#!/bin/sh\ngrep -qx \"$1\" open.txt && echo booked > booked.txt\n"), 0o700))
	numbers := []string{"INV-20417", "INV-20533", "INV-20698"}
	for i, customer := range []string{"Winther", "Ambrose", "Lindqvist"} {
		must(t, os.WriteFile(in(string(rune('a'+i))+".pdf"), invoice(numbers[i], customer), 0o600))
	}
	must(t, os.WriteFile(in("letter.pdf"), pdftest.New().Page((&pdftest.Page{}).Text(72, 700, "A letter to quillwort")).Bytes(), 0o600))

	var last client.Session
	for i, command := range commands {
		must(t, os.WriteFile(in("open.txt"), []byte(numbers[i]+"\n"), 0o600))
		r := asked(s)
		r.ExampleOf = last.LearnSessionID
		last = w.demonstrated(s, r, command, "./book.sh "+numbers[i])
	}
	d := w.proposed(last)
	text := toJSON(t, d)
	if !strings.Contains(text, `showhow pdf value {pdf_file} --beside \"Invoice number\"`) &&
		!strings.Contains(text, `showhow pdf value {pdf_file} --beside \\\"Invoice number\\\"`) {
		t.Errorf("the draft does not read the number: %s", text)
	}
	read := false
	for _, p := range d.Graph.Params {
		read = read || p.Name == "invoice_number" && strings.Contains(p.Derived, `beside "Invoice number"`)
	}
	if !read {
		t.Errorf("no value of the run is read: %+v", d.Graph.Params)
	}

	// another document, whose number alone can be booked
	must(t, os.WriteFile(in("open.txt"), []byte(numbers[2]+"\n"), 0o600))
	policy := rehearsing("safe_target_only")
	policy.SafeTargets = []client.SafeTarget{{TargetKind: "temp_folder", Ref: s.dir}}
	run, steps := w.rehearse(d, client.ValidateRequest{TestPolicy: policy, Parameters: map[string]string{"pdf_file": in("c.pdf")}})
	w.tell(steps)
	if run.OverallResult != "passed" {
		t.Errorf("the run with another document is %s: %s", run.OverallResult, run.Reason)
	}
	lacks, steps := w.rehearse(d, client.ValidateRequest{TestPolicy: policy, Parameters: map[string]string{"pdf_file": in("letter.pdf")}})
	w.tell(steps)
	absent := func(s client.ValidationStepResult) bool { return s.Code == "value_absent" }
	if lacks.OverallResult != "failed" || !slices.ContainsFunc(steps, absent) {
		t.Errorf("the run with a document that has no number is %s: %s", lacks.OverallResult, lacks.Reason)
	}

	said := toJSON(t, got(w.c.Observations(t.Context(), last.LearnSessionID, client.PageQuery{Page: 1, PageSize: 100}))(t)) + text
	w.stop()
	said += w.log.String() + fmt.Sprint(steps)
	secrets := append([]string{"quillwort", "Wilhelmina", "Lindqvist", "2,951", "%PDF-"}, numbers...)
	for _, x := range secrets {
		if strings.Contains(said, x) {
			t.Errorf("an event, the draft, a report or the log has %s", x)
		}
	}
	for _, root := range []string{w.o.Roots.Data, w.o.Roots.State, w.o.Roots.Runtime} {
		must(t, filepath.WalkDir(root, func(p string, e os.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return nil
			}
			b, _ := os.ReadFile(p)
			for _, x := range secrets {
				if bytes.Contains(b, []byte(x)) {
					t.Errorf("%s has %s", p, x)
				}
			}
			return nil
		}))
	}
}
