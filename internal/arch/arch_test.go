package arch

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type pkg struct {
	ImportPath string
	Dir        string
	Doc        string
	GoFiles    []string
	Imports    []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Doc,GoFiles,Imports", "showhow/...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var ps []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p pkg
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
	if len(ps) < 10 {
		t.Fatalf("only %d packages listed", len(ps))
	}
	return ps
}

func under(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// line is the order of the capabilities: each may import those left of it.
var line = []string{"showhow/daemon/skill", "showhow/daemon/ability", "showhow/daemon/danger", "showhow/daemon/skill/scan", "showhow/daemon/imports", "showhow/daemon/model", "showhow/daemon/compile", "showhow/daemon/interchange", "showhow/daemon/rehearse", "showhow/daemon/learn"}

// standing is a package's place in the line, -1 for none; the nearest entry counts: skill/scan stands for itself, not for skill.
func standing(path string) int {
	at := -1
	for i, c := range line {
		if under(path, c) && (at < 0 || len(c) > len(line[at])) {
			at = i
		}
	}
	return at
}

// daemonParts are what package daemon, and nobody else, puts together.
var daemonParts = []string{"showhow/daemon/capturing", "showhow/daemon/stage", "showhow/daemon/intake", "showhow/daemon/checkup", "showhow/daemon/custody", "showhow/daemon/shelf", "showhow/daemon/screen",
	"showhow/daemon/settings", "showhow/daemon/signals"}

// rules: a package under From must not import a package under any of Not.
var rules = []struct {
	why, from string
	not       []string
}{
	{"an observation's meaning depends on no source, no database and no network", "showhow/capture",
		[]string{"showhow/adapters", "showhow/store", "showhow/daemon/api", "showhow/daemon/learn", "showhow/daemon/compile", "showhow/browser"}},
	{"the browser serves recorder and rehearsal alike and knows neither", "showhow/browser",
		[]string{"showhow/adapters", "showhow/daemon", "showhow/store", "showhow/cli"}},
	{"adapters hand over observations; what becomes of them is not theirs", "showhow/adapters",
		[]string{"showhow/store", "showhow/daemon", "showhow/cli"}},
	{"storage implements what capabilities declare and wires nothing", "showhow/store",
		[]string{"showhow/daemon/api", "showhow/daemon/client", "showhow/adapters", "showhow/cli"}},
	{"the CLI reaches the daemon through its API alone", "showhow/cli",
		[]string{"showhow/store", "showhow/daemon/api", "showhow/daemon/learn", "showhow/daemon/ability", "showhow/daemon/compile", "showhow/daemon/rehearse"}},
	{"the window reaches the daemon through its API alone", "showhow/app",
		[]string{"showhow/store", "showhow/daemon/api", "showhow/daemon/learn", "showhow/daemon/ability", "showhow/daemon/compile", "showhow/daemon/rehearse", "showhow/adapters"}},
	{"which deeds are dangerous is a pure question", "showhow/daemon/danger", []string{"showhow/capture", "showhow/browser", "showhow/daemon/skill", "showhow/daemon/ability"}},
	{"a box for commands knows nothing of what is run in it", "showhow/daemon/sandbox", []string{"showhow/capture", "showhow/browser", "showhow/store", "showhow/daemon/api", "showhow/daemon/compile", "showhow/daemon/rehearse", "showhow/daemon/learn"}},
	{"an agent's run knows skills as files, and asks for the rest through interfaces", "showhow/daemon/agentrun", []string{"showhow/capture", "showhow/browser", "showhow/store", "showhow/daemon/api", "showhow/daemon/ability", "showhow/daemon/compile", "showhow/daemon/rehearse", "showhow/daemon/learn"}},
	{"the nouns of a skill are known to everybody and know nobody", "showhow/daemon/workflow",
		[]string{"showhow/daemon", "showhow/store", "showhow/browser", "showhow/adapters", "showhow/cli"}},
	{"languages are data: they know nobody", "showhow/internal/lang", []string{"showhow/daemon", "showhow/capture", "showhow/store", "showhow/browser"}},
	{"a capability does not know what a daemon is made of", "showhow/daemon/learn", daemonParts},
	{"a capability does not know what a daemon is made of", "showhow/daemon/ability", daemonParts},
	{"a capability does not know what a daemon is made of", "showhow/daemon/rehearse", daemonParts},
	{"routes ask through interfaces", "showhow/daemon/api", daemonParts},
	{"leaf packages know nobody", "showhow/internal/plain", []string{"showhow/daemon", "showhow/capture", "showhow/store"}},
	{"leaf packages know nobody", "showhow/internal/fault", []string{"showhow/daemon", "showhow/capture", "showhow/store"}},
}

func TestImportRules(t *testing.T) {
	ps := packages(t)
	for _, p := range ps {
		for _, r := range rules {
			if !under(p.ImportPath, r.from) {
				continue
			}
			for _, imp := range p.Imports {
				for _, bad := range r.not {
					if under(imp, bad) && imp != "showhow/daemon/wire" { // the wire is a leaf that everybody may know
						t.Errorf("%s imports %s: %s", p.ImportPath, imp, r.why)
					}
				}
			}
		}
		if i := standing(p.ImportPath); i >= 0 {
			for _, imp := range p.Imports {
				if under(imp, "showhow/store") || under(imp, "showhow/adapters") || under(imp, "showhow/daemon/api") || under(imp, "showhow/daemon/client") {
					t.Errorf("%s imports %s: a capability declares the interface it needs; package daemon wires it", p.ImportPath, imp)
				}
				if standing(imp) > i {
					t.Errorf("%s imports %s: capabilities stand in one line, %s", p.ImportPath, imp, strings.Join(line, " <- "))
				}
			}
		}
		if under(p.ImportPath, "showhow/adapters") && p.ImportPath != "showhow/adapters" && p.ImportPath != "showhow/adapters/adaptertest" {
			for _, imp := range p.Imports {
				if strings.HasPrefix(imp, "showhow/adapters/") && !under(imp, p.ImportPath) {
					t.Errorf("%s imports %s: adapters do not know each other", p.ImportPath, imp)
				}
			}
		}
	}
}

// A cgo-free daemon is a promise: no package outside app may import "C".
func TestNoCgo(t *testing.T) {
	for _, p := range packages(t) {
		if slices.Contains(p.Imports, "C") && !under(p.ImportPath, "showhow/app") {
			t.Errorf("%s uses cgo", p.ImportPath)
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) > 0 && len(strings.Fields(p.Doc)) < 5 {
			t.Errorf("%s has no package comment worth the name", p.ImportPath)
		}
	}
}

// Errors are told apart by code, never by their text.
func TestNoMatchingOnErrorText(t *testing.T) {
	for _, p := range packages(t) {
		for _, f := range p.GoFiles {
			path := filepath.Join(p.Dir, f)
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ImportsOnly); err != nil {
				t.Error(err)
			}
			if strings.Contains(string(src), "strings.Contains(err.Error()") {
				t.Errorf("%s matches on an error's text", path)
			}
		}
	}
}
