package compile

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"showhow/capture"
	"showhow/daemon/compile/tell"
)

// tellOf runs Tell over records that are given as lines of JSON, with labels of their own.
func tellOf(t *testing.T, lines ...string) []tell.Told {
	t.Helper()
	tr := loadTrace(t, txtar.File{Name: "trace1.jsonl", Data: []byte(strings.Join(lines, "\n"))}, 1)
	return tell.Parts(tr)
}

func TestTellSaysWhatAPersonWould(t *testing.T) {
	const page = `"page":{"url":"https://desk.example/orders/7","title":"Orders","tab":"tab1"}`
	at := func(label, action, rest string) string {
		return `{"event":{"action_label":"` + label + `"},"action":{` + action + `}` + rest + `}`
	}
	field := func(name string) string {
		return at("Entered text into '"+name+"'",
			`"verb":"type","target":{"role":"textbox","label":"`+name+`"},"value":{"policy":"masked","kind":"text","length":4},`+page, "")
	}
	shell := func(line, exit string) string {
		return at("Ran "+line,
			`"verb":"run","shell":"pts/1","command":{"line":"`+line+`","program":"`+strings.Fields(line)[0]+`","cwd_from":"~/reports","exit":`+exit+
				`}`, "")
	}
	got := tellOf(t,
		at("Went to 'Orders'", `"verb":"navigate",`+page, `,"after":{"url":"https://desk.example/orders/7","title":"Orders"}`),
		field("Status"), field("Note"), field("Note"), field("Date"),
		at("Clicked the button 'Save'", `"verb":"click","target":{"role":"button","name":"Save"},`+page,
			`,"before":{"url":"https://desk.example/orders/7","title":"Orders"},"after":{"url":"https://desk.example/orders/7","title":"Orders",`+
				`"alerts":["Order was saved"]}`),
		shell("ls", "0"), shell("false", "1"),
	)
	var said []string
	for _, p := range got {
		said = append(said, strings.TrimSpace(p.Title+" "+p.Where)+" -> "+p.Became)
	}
	want := []string{
		"Went to 'Orders' -> Orders",
		"Filled in 3 fields and clicked the button 'Save' on 'Orders' -> Order was saved",
		"Ran 2 commands in ~/reports -> failed with exit code 1",
	}
	if !slices.Equal(said, want) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
}

// Every stored observation is described exactly once.
func TestTellLeavesNothingOut(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, f := range files {
		ar, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range loadFixture(t, ar).Traces {
			var ids, want []string
			for _, p := range tell.Parts(tr) {
				ids = append(ids, p.Events...)
				if len(p.Events) == 0 || len(p.Adapters) == 0 {
					t.Errorf("%s: a part of nothing: %+v", f, p)
				}
			}
			for _, r := range tr.Records {
				want = append(want, r.Event.EventID)
			}
			slices.Sort(ids)
			slices.Sort(want)
			if !slices.Equal(ids, want) {
				t.Errorf("%s: told %v of %v", f, ids, want)
			}
		}
	}
}

func TestTellOfNothingDone(t *testing.T) {
	if got := tell.Parts(Trace{}); len(got) != 0 {
		t.Errorf("told %v of nothing", got)
	}
	got := tellOf(t, `{"event":{"action_label":"The page changed"},"action":{"verb":"`+string(capture.PageChange)+
		`","page":{"url":"https://desk.example/","title":"Orders","tab":"tab1"}}}`)
	if len(got) != 1 || len(got[0].Events) != 1 || got[0].Title != "The page changed" {
		t.Errorf("told %+v", got)
	}
}
