package compile

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"showhow/capture"
)

// booked is a demonstration: a command showed a document, and the number that it has was typed into a form.
func booked(line, link, document string) string {
	field := `"target":{"role":"textbox","name":"Reference","label":"Reference","tag":"input"},`
	page := `{"url":"http://127.0.0.1:8080/book","title":"Book","fields":[{"label":"Reference","role":"textbox"}]}`
	return ran(strings.ReplaceAll(line, `"`, `\"`), "showhow", "0") +
		`{"action":{"verb":"type",` + field + `"value":{"policy":"masked","kind":"id","length":9,"link_id":"` + link + `","source":{"document":` +
		document + `}},"page":{"url":"http://127.0.0.1:8080/book","title":"Book"}},"before":` + page + `,"after":` + page + "}\n" +
		`{"action":{"verb":"submit","target":{"role":"button","name":"Book","tag":"button"},"page":{"url":"http://127.0.0.1:8080/book",` +
		`"title":"Book"}},"before":` + page + `,"after":{"url":"http://127.0.0.1:8080/done","title":"Booked","headings":["Booked"]}}` + "\n"
}

func place(at capture.DocumentPlace) string {
	b, _ := json.Marshal(at)
	return string(b)
}

// reads returns the line that reads the form's value, and the place; "" if the person is asked for the value.
func reads(t *testing.T, out Output) (line string, at capture.DocumentPlace) {
	t.Helper()
	for _, p := range out.Graph.Params {
		if p.Name != "reference" {
			continue
		}
		if p.Read == nil {
			return "", at
		}
		for _, s := range out.Graph.Steps {
			if s.Document != "" {
				if s.Document != p.Read.Document.File {
					t.Errorf("the step reads %s, the value is in %s", s.Document, p.Read.Document.File)
				}
				return s.Command, *p.Read.Document.Place
			}
		}
		t.Errorf("no step reads the document: %+v", out.Graph.Steps)
	}
	return "", at
}

// The place that a command named is where the skill reads the value, after one demonstration.
func TestValueOfADocument(t *testing.T) {
	at := capture.DocumentPlace{Beside: "Invoice number", As: "figure"}
	out := drafted(t, "Book an invoice", booked(`showhow pdf value a.pdf --beside "Invoice number"`, "v_one",
		`{"event_id":"t0-e1","place":`+place(at)+`}`), func(in *Input) { in.Values = map[string]string{"v_one": "INV-20417"} })
	line, got := reads(t, out)
	if want := `showhow pdf value {pdf_file} --beside "Invoice number" --as figure`; line != want || got != at {
		t.Errorf("%q at %+v", line, got)
	}
	md := string(out.Bundle.File("SKILL.md").Data)
	if !strings.Contains(md, "prints it") || strings.Contains(md, "INV-20417") || !out.Lint.Passed {
		t.Errorf("%+v\n%s", out.Lint.Findings, md)
	}
	for _, in := range out.Interpretation.Inputs {
		if in.Name != "pdf_file" {
			t.Errorf("%s is asked for", in.Name)
		}
	}
}

// Places that nobody named count if two documents have them at the values; only then are their words opened.
func TestValueOfTwoDocuments(t *testing.T) {
	total, customer, other := capture.DocumentPlace{Beside: "Total"}, capture.DocumentPlace{Beside: "Winther"},
		capture.DocumentPlace{Beside: "Ambrose"}
	values := map[string]string{"v_one": "2951.20", "v_two": "118.00", "v_t": capture.SealedPlace(total), "v_c": capture.SealedPlace(customer),
		"v_o": capture.SealedPlace(other)}
	in := func(trace int, spots ...string) string {
		return fmt.Sprintf(`{"event_id":"t%d-e1","places":[%s]}`, trace, strings.Join(spots, ","))
	}
	spot := func(link string, n int) string { return fmt.Sprintf(`{"link_id":%q,"spot":%d}`, link, n) }
	first := booked("showhow pdf text a.pdf", "v_one", in(0, spot("v_c", 1), spot("v_t", 2)))
	for name, c := range map[string]struct{ second, want string }{
		"one place in both":        {in(1, spot("v_o", 1), spot("v_t", 2)), "showhow pdf value {pdf_file} --beside Total"},
		"no place in both":         {in(1, spot("v_o", 1)), ""},
		"two spots in both":        {in(1, spot("v_c", 1), spot("v_t", 2)), ""},
		"another command's place":  {`{"event_id":"t1-e2","places":[` + spot("v_t", 1) + `]}`, ""},
		"a place that was named":   {`{"event_id":"t1-e1","place":` + place(total) + `}`, ""},
		"one demonstration":        {"", ""},
		"a place that is not kept": {in(1, spot("v_gone", 1)), ""},
	} {
		out := drafted(t, "Book an invoice", first, func(in *Input) {
			in.Values = values
			if c.second != "" {
				in.Traces = append(in.Traces, loadTrace(t, txtar.File{Data: []byte(booked("showhow pdf text b.pdf", "v_two", c.second))}, 1))
			}
		})
		if line, _ := reads(t, out); line != c.want {
			t.Errorf("%s: %q", name, line)
		}
		for _, f := range out.Bundle.Files {
			if s := string(f.Data); strings.Contains(s, "Winther") || strings.Contains(s, "Ambrose") || strings.Contains(s, "2951.20") {
				t.Errorf("%s: %s has words of a document:\n%s", name, f.Path, s)
			}
		}
	}
}
