package arch

import (
	"slices"
	"strings"
	"testing"
)

// compiling is the order of the packages of the compiler: each may import those left of it, and nobody imports the front.
var compiling = strings.Fields("intent page shell decision draft trace align template values flow prove write revise tell")

func TestStagesOfTheCompiler(t *testing.T) {
	const room = "showhow/daemon/compile"
	for _, p := range packages(t) {
		stage, ok := strings.CutPrefix(p.ImportPath, room+"/")
		if !ok {
			continue
		}
		at := slices.Index(compiling, stage)
		if at < 0 {
			t.Errorf("%s has no place among the stages", p.ImportPath)
		}
		for _, imp := range p.Imports {
			if imp == room {
				t.Errorf("%s imports the front of its own room", p.ImportPath)
			}
			if other, ok := strings.CutPrefix(imp, room+"/"); ok && slices.Index(compiling, other) >= at {
				t.Errorf("%s imports %s: a stage reads the record of those before it", p.ImportPath, imp)
			}
		}
	}
}
