package cmdline

import (
	"fmt"
	"strings"
	"testing"
)

// The words of a fish line, as fish reads them.
func TestReadFish(t *testing.T) {
	for line, want := range map[string]string{
		`grep -h ERROR $f >> all.txt`:                "[grep -h ERROR ?] >>all.txt",
		`for f in *.log; wc -l $f; end`:              "[for f in *.log] [wc -l ?] [end]",
		`tar czf old/x-(date +%F).tgz alder`:         "[tar czf old/x-.tgz? alder] [date +%F]",
		`mv $f 2026-10-$f`:                           "[mv ? 2026-10-?]",
		`echo 'it\'s' "a \"b\" $c" d\ e`:             `[echo it's a "b" ? d e]`,
		`sort < in.txt > out.txt | head 2>/dev/null`: "[sort] <in.txt >out.txt [head] >/dev/null",
		`and test -f a.txt; or echo "none"`:          "[and test -f a.txt] [or echo none]",
	} {
		calls, ok := ReadFish(line)
		var got []string
		for _, c := range calls {
			var ws []string
			for _, w := range c.Words {
				if ws = append(ws, w.Text); !w.Known {
					ws[len(ws)-1] += "?"
				}
			}
			if len(ws) > 0 {
				got = append(got, fmt.Sprint(ws))
			}
			for _, f := range c.Files {
				got = append(got, f.Into+f.Text)
			}
		}
		if !ok || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", line, strings.Join(got, " "), want)
		}
	}
	if _, ok := ReadFish(`echo "open`); ok {
		t.Error("an open quote")
	}
}
