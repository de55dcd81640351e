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

// A run of a skill whose step reads a document works in the sandbox, where an agent follows it: the run's socket takes
// the document to the daemon. It takes nothing else there, and what was handed in is gone with the run.
func TestAnAgentsRunReadsADocument(t *testing.T) {
	t.Parallel()
	boxed(t)
	l := newLab(t)
	made := l.perform(client.SandboxRunRequest{Command: l.agentScript("cat > SKILL.md <<'END'\n---\nname: book-an-invoice\n" +
		"description: Book an invoice. Use it when somebody asks to book an invoice.\n---\n\n# Book an invoice\n\n" +
		"1. Read the number: `showhow pdf value {pdf_file} --beside \"Invoice number\"`\n2. Write it into booked.txt\nEND\n")})
	if len(made.Skills) != 1 {
		t.Fatalf("%+v", made)
	}
	l.approved(made.Skills[0].AbilityID, nil)
	theirs := handIn(t, l.c, invoice("INV-20533", "Ambrose"))
	folder := filepath.Join(l.o.Roots.Home, "invoices")
	must(t, os.MkdirAll(folder, 0o755))
	file := filepath.Join(folder, "c.pdf")
	must(t, os.WriteFile(file, invoice("INV-20698", "Lindqvist"), 0o644))
	must(t, os.Chmod(folder, 0o755)) // root's sandbox is another account
	must(t, os.Chmod(file, 0o644))

	command := strings.TrimSpace(got(readStep(l.memory("learning/installed/book-an-invoice/SKILL.md")))(t))
	r := l.perform(client.SandboxRunRequest{Skill: "book-an-invoice", ReadOnly: []string{folder}, Command: l.agentScript(
		strings.Replace(command, "{pdf_file}", file, 1) + " > booked.txt\ncat booked.txt\n" +
			"kept=$(showhow pdf add " + file + ")\nshowhow pdf tables $kept > tables.csv\n" +
			"never() { if \"$@\"; then echo \"it could: $*\"; exit 9; fi; }\n" + // set -e does not heed !
			"never showhow pdf value " + theirs.SourceRef + " --beside 'Invoice number'\n" +
			"never showhow pdf get " + theirs.SourceRef + " --out theirs.pdf\nnever test -e theirs.pdf\n" +
			"never showhow status\nnever showhow skill list\nnever showhow run list\n" +
			"echo \"it lists $(showhow pdf list | grep -c doc_)\"\n" +
			"curl -s --unix-socket \"$SHOWHOW_ASK_SOCKET\" -H 'X-Showhow-Presence: demo x' -H 'Authorization: Bearer x' " +
			"http://showhow/api/notes/status\n")})
	o := got(l.c.SandboxRunOutput(t.Context(), r.RunID, 0))(t)
	if r.State != "succeeded" || !strings.Contains(o.Text, "INV-20698\n") || !strings.Contains(o.Text, "it lists 1\n") ||
		!strings.Contains(o.Text, "ROUTE_NOT_FOUND") || strings.Contains(o.Text, "INV-20533") {
		t.Errorf("%s: %s", r.State, o.Text)
	}
	kept := got(l.c.Documents(t.Context()))(t)
	if len(kept.Documents) != 1 || kept.Documents[0].Ref != theirs.SourceRef {
		t.Errorf("after the run there is %+v", kept.Documents)
	}
}

// readStep is the command of the first step of a skill.
func readStep(name string) (string, error) {
	raw, err := os.ReadFile(name)
	_, rest, _ := strings.Cut(string(raw), "`")
	command, _, _ := strings.Cut(rest, "`")
	return command, err
}
