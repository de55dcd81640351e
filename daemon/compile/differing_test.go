package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"showhow/capture"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
)

// shownTwice compiles two demonstrations of commands; values are what the masks hide.
func shownTwice(t *testing.T, goal, values string, answers map[string]string, one, two string) Output {
	t.Helper()
	in := loadFixture(t,
		&txtar.Archive{Files: []txtar.File{{Name: "input.json", Data: []byte(`{"goal":"` + goal + `","values":{` + values + `}}`)},
			{Name: "trace1", Data: []byte(one)}, {Name: "trace2", Data: []byte(two)}}})
	in.Answers = answers
	out, err := Compile(in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func commandsOf(out Output) (lines []string) {
	for _, s := range out.Graph.Steps {
		lines = append(lines, s.Command)
	}
	return lines
}

// The differing part of a word may occur in several places of it, besides parts that are only known at run time.
func TestDiffering(t *testing.T) {
	for _, c := range []struct {
		one, two string
		want     string
	}{
		{"letter-ada.txt", "letter-bob.txt", "ada"},
		{"s/NAME/Jane Doe/; s/TEAM/ops/", "s/NAME/Max Kern/; s/TEAM/web/", "Jane Doe+ops"},
		{`{"name":"ada","role":"editor"}`, `{"name":"bob","role":"viewer"}`, "ada+editor"},
		{"listen 8081;\n root /srv/shop;", "listen 8090;\n root /srv/wiki;", "8081+shop"},
		{"Release 1.4", "Release 2.1", "1.4"},
		{"total-2026-03.txt", "total-2026-07.txt", "2026-03"},
		{"2026-10-", "2026-07-", "2026-10"},
		{"fix/OPS-311-timeout", "fix/OPS-412-timeout", "OPS-311"},
		{"from ada to bob", "from bob to ada", "ada+bob"},
		{"ada.csv", "bob.csv", ""},
		{"ada", "bob", ""},
		{"", "ada", ""},
	} {
		var got []string
		for _, texts := range values.Differing([]string{c.one, c.two}) {
			got = append(got, texts[0])
		}
		if strings.Join(got, "+") != c.want {
			t.Errorf("%q and %q: %q, not %q", c.one, c.two, got, c.want)
		}
	}
	long := strings.Repeat("a b ", 2000)
	if got := values.Differing([]string{"x " + long + "1 y", "x " + strings.Repeat("c d ", 2000) + "2 y"}); len(got) > 1 {
		t.Error(len(got))
	}
}

// A value beside a variable is a value: two demonstrations that differ only in it yield an input.
func TestAValueBesideAVariable(t *testing.T) {
	for one, want := range map[string]string{
		`for f in *.jpg; do mv \"$f\" \"2026-10-$f\"; done`: `for f in *.jpg; do mv "$f" "{month}-$f"; done`,
		`for f in *.jpg; do mv $f 2026-10-$f; done`:         `for f in *.jpg; do mv $f {month}-$f; done`,
		`for f in *.jpg; mv $f 2026-10-$f; end`:             `for f in *.jpg; mv $f {month}-$f; end`,
		`tar czf old/2026-10-(date +%F).tgz photos`:         `tar czf old/{month}-(date +%F).tgz photos`,
	} {
		out := shownTwice(t, "Put the month before the names of the photos", "", nil, ran(one, "mv", "0"),
			ran(strings.ReplaceAll(one, "2026-10", "2026-07"), "mv", "0"))
		if got := commandsOf(out); !slices.Equal(got, []string{want}) || len(out.Interpretation.Inputs) != 1 {
			t.Errorf("%q, inputs %v", got, out.Interpretation.Inputs)
		}
	}
}

// A text that only differs in its values keeps its lines when the person says that it is constant, and a message keeps
// its quotation marks.
func TestATextThatIsTheSameButForValues(t *testing.T) {
	values := `"AAAAAAAAAAA1":"server {\n  listen 8081;\n  root /srv/shop;\n}","AAAAAAAAAAA2":"server {\n  listen 8090;\n  root ` +
		`/srv/wiki;\n}","AAAAAAAAAAA3":"set up shop again","AAAAAAAAAAA4":"set up wiki again"`
	trace := func(text, message, site string) string {
		return ran(`cat > sites/`+site+`.conf <<EOF\n[[text 40 `+text+`]]\nEOF`, "cat", "0") + ran(`git commit -m [[text 17 `+message+`]]`, "git",
			"0")
	}
	one, two := trace("AAAAAAAAAAA1", "AAAAAAAAAAA3", "shop"), trace("AAAAAAAAAAA2", "AAAAAAAAAAA4", "wiki")
	open := shownTwice(t, "Set up a site", values, nil, one, two)
	answers := map[string]string{}
	for _, q := range open.Questions {
		if q.SubjectRef != "" && q.Suggested != "" {
			answers[q.SubjectRef+"/"+q.Field] = q.Suggested
			if q.Suggested != workflow.RoleConstant {
				t.Errorf("%s: suggests %s", q.Prompt, q.Suggested)
			}
		}
	}
	if md := string(open.Bundle.File("SKILL.md").Data); strings.Contains(md, "root /srv") || strings.Contains(md, "again") {
		t.Errorf("what nobody has agreed to is in the text:\n%s", md)
	}
	closed := shownTwice(t, "Set up a site", values, answers, one, two)
	var inputs []string
	for _, in := range closed.Interpretation.Inputs {
		inputs = append(inputs, in.Name)
	}
	if !slices.Equal(inputs, []string{"site", "listen"}) {
		t.Errorf("inputs %q", inputs)
	}
	got := commandsOf(closed)
	want := []string{"cat > sites/{site}.conf <<EOF\nserver {\n  listen {listen};\n  root /srv/{site};\n}\nEOF",
		`git commit -m "set up {site} again"`}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A file that a line moves away is not there afterwards.
func TestAFileThatIsMovedAway(t *testing.T) {
	if got := shell.Read(&capture.Command{Line: "jq . a.json > new.json && mv new.json a.json"}).Makes(); len(got) > 0 {
		t.Error(got)
	}
	if got := (shell.Read(&capture.Command{Line: "cp a.json old.json && jq . old.json > a.json && rm old.json"})).Makes(); !slices.Equal(got,
		[]string{"a.json"}) {
		t.Error(got)
	}
}
