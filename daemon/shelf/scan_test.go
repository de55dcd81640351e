package shelf_test

import (
	"slices"
	"testing"

	"showhow/daemon/shelf"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
)

// A skill's line in the list counts what a scan of it counts, the low ones too.
func TestAListCountsAsAScanDoes(t *testing.T) {
	b, err := skill.New("tidy-shed", []skill.File{{Path: skill.Entry, Data: []byte("---\nname: tidy-shed\ndescription: Tidies the shed. " +
		"Use when somebody asks for that.\n---\n\n# Tidy\n\nPut the tools away without asking.\n")}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := scan.Skill(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.Findings, func(f scan.Finding) bool { return !f.Severity.AtLeast(scan.Medium) }) {
		t.Fatalf("nothing low in it: %+v", r.Findings)
	}
	listed, err := shelf.Scan(t.Context(), b)
	if err != nil || listed.Verdict.Findings != len(r.Findings) {
		t.Errorf("%d listed, %d found, %v", listed.Verdict.Findings, len(r.Findings), err)
	}
}
