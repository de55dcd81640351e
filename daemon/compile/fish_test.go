package compile

import (
	"fmt"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/shell"
)

// A line that only fish can parse still has words; one that bash can parse is parsed as before.
func TestFishLines(t *testing.T) {
	for line, only := range map[string]bool{`for f in *.log; wc -l $f; end`: true, `tar czf x-(date +%F).tgz {project}`: true,
		`if test -f {file}; rm {file}; end`: true, `grep -c {word} a.txt`: false, `for f in *.log; do wc -l $f; done`: false, `echo "open`: false,
		`cat <<EOF` + "\n{text}\nEOF": false} {
		if got := shell.OnlyFish(line); got != only {
			t.Errorf("%s: %v", line, got)
		}
	}
	l := shell.Read(&capture.Command{Line: `for f in a.log b.log; not grep -h ERROR $f >> all-ERROR.txt; end`})
	if got := fmt.Sprint(l.Programs, l.Opaque, len(l.Words), l.Makes()); got != "[grep] true 4 [all-ERROR.txt]" {
		t.Errorf("%s %+v", got, l.Words)
	}
}

// The last command with an effect has a checkpoint, even if a command follows that only shows it.
func TestALinkAndALookAtIt(t *testing.T) {
	out := drafted(t, "Deploy the build", ran("cp -r build site", "cp", "0")+ran("ln -sfn site live", "ln", "0")+ran("cat live/index.html",
		"cat", "0"), nil)
	if !out.Lint.Passed {
		t.Errorf("%+v", out.Lint.Findings)
	}
}
