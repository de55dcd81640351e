package compile

import (
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/shell"
)

// wrote is a command that wrote files.
func wrote(line, files string) string {
	r := ran(line, "", "0")
	return strings.Replace(r, `"after":{"cwd":"~/w"}`, `"after":{"cwd":"~/w","files":[`+files+`]}`, 1)
}

// Clearing the screen is not part of the work, and no checkpoint mentions it.
func TestClearedScreen(t *testing.T) {
	out := drafted(t, "Count errors", ran("clear; grep ERROR app.log > errors.txt", "clear", "0")+ran("reset && wc -l errors.txt > n.txt",
		"reset", "0"), nil)
	md := string(out.Bundle.File("SKILL.md").Data)
	if strings.Contains(md, "clear") || strings.Contains(md, "reset") || !strings.Contains(md, "`grep`") || len(out.Graph.Steps) != 2 {
		t.Errorf("%s", md)
	}
}

// A line with a glob pattern makes files with other names another time: the names of the demonstration are no condition,
// but their existence is.
func TestFilesOfAPattern(t *testing.T) {
	files := `{"name":"a.json","path":"out/a.json","ext":".json","size":5,"folder":"~/w"},{"name":"b.json","path":"out/b.json",` +
		`"ext":".json","size":5,"folder":"~/w"}`
	out := drafted(t, "Convert all exports", wrote(`for f in *.csv; do convert \"$f\" > out/${f%.csv}.json; done`, files), nil)
	md := string(out.Bundle.File("SKILL.md").Data)
	if strings.Contains(md, "a.json") || !strings.Contains(md, "there is a json file") || !out.Lint.Passed {
		t.Errorf("%+v\n%s", out.Lint.Findings, md)
	}
	if l := shell.Read(&capture.Command{Line: "awk '/a*/ {print}' x.csv"}); l.HasGlob() {
		t.Error("a pattern for text is taken for one for files")
	}
}

// A file called a.csv is not a CSS class.
func TestFileIsNoSelector(t *testing.T) {
	files := `{"name":"a.csv","path":"out/a.csv","ext":".csv","size":5,"folder":"~/w"}`
	if out := drafted(t, "Sort the exports", wrote("sort orders.txt > out/a.csv", files), nil); !out.Lint.Passed {
		t.Errorf("%+v", out.Lint.Findings)
	}
}

// A file that a command writes is called by the words of its name that say what it is; words that may be somebody's data are left out.
func TestNameOfAnOutput(t *testing.T) {
	for file, want := range map[string]string{"report-2026-47.csv": "report file", "sales_totals_A1042.txt": "sales totals file",
		"aldine-2026-47.csv": "csv output file"} {
		out := drafted(t, "Sort the orders", ran("sort orders.txt > "+file, "sort", "0"), nil)
		if len(out.Graph.Params) == 0 || out.Graph.Params[0].Label != want {
			t.Errorf("%s: %+v, not %q", file, out.Graph.Params, want)
		}
	}
}

// The text of a heredoc and a script on the command line are kept and asked about, the script as a program.
func TestHeredocAndProgram(t *testing.T) {
	values := map[string]string{"AAAAAAAAAAA1": "Dear Aldine, thank you.\n",
		"AAAAAAAAAAA2": "import csv; print(len(list(csv.reader(open('x.csv')))))"}
	out := drafted(t, "Write the letter", ran(`cat > letter.txt <<EOF\n[[text 24 AAAAAAAAAAA1]]\nEOF`, "cat",
		"0")+ran(`python3 -c [[text 55 AAAAAAAAAAA2]] > n.txt`, "python3", "0"), func(in *Input) { in.Values = values })
	var got []string
	for _, q := range out.Questions {
		if q.Field == decision.FieldInput {
			got = append(got, strings.Join(q.Subjects, "+")+" "+q.Suggested)
		}
	}
	if joined := strings.Join(got, "; "); joined != "Text input; Program constant" {
		t.Errorf("%s\n%+v", joined, out.Graph.Params)
	}
	if c := out.Graph.Steps[0].Command; !strings.Contains(c, "<<EOF\n{text}\nEOF") {
		t.Errorf("%q", c)
	}
}
