package page_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"showhow/adapters/browserdom/script"
	"showhow/browser/find"
	"showhow/browser/page"
)

// A script made of many files that declares a name twice does not start: the recorder would be silent, and say nothing of it.
func TestComposedScriptsParse(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Log("no node here: only names are compared")
	}
	for name, text := range map[string]string{
		"recorder": script.Install("{}"),
		"reader":   page.Reader(),
		"finder":   page.Reader(find.Script()),
	} {
		declared := names(text)
		if len(declared) < 100 {
			t.Errorf("%s declares %d names: they are not recognised", name, len(declared))
		}
		seen := map[string]bool{}
		for _, n := range declared {
			if seen[n] {
				t.Errorf("%s declares %s twice", name, n)
			}
			seen[n] = true
		}
		if node == "" {
			continue
		}
		cmd := exec.CommandContext(t.Context(), node, "--check", "-")
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	if got := names("const a = 1;\nfunction b() {\n  let a = 2;\n}\nlet a;\n"); strings.Join(got, " ") != "a b a" {
		t.Errorf("names: %v", got)
	}
}

// names are those that a script's files declare at their left margin.
func names(text string) (all []string) {
	for _, m := range declaration.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

var declaration = regexp.MustCompile(`(?m)^(?:async )?(?:const|let|class|function\*?) ([\w$]+)`)
