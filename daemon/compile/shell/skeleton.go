package shell

import (
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
)

// Skeleton returns a command line with the parts that may vary between runs replaced by "#", so that runs of the same
// work compare equal.
func Skeleton(c *capture.Command) string {
	l := Read(c)
	if l.Opaque {
		return "run|" + variableWords.Replace(page.MaskForm.ReplaceAllString(c.Line, "#"))
	}
	parts := []string{"run", strings.Join(l.Programs, "|")}
	for _, w := range l.Words {
		part := w.Program + w.Redirect + " " + w.Flag + " "
		if w.Varies() {
			part += "#"
		} else {
			part += w.Text
		}
		if part == parts[len(parts)-1] && strings.HasSuffix(part, "  #") {
			continue // one more file of the same kind
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ";")
}

var variableWords = strings.NewReplacer("0", "#", "1", "#", "2", "#", "3", "#", "4", "#", "5", "#", "6", "#", "7", "#", "8", "#", "9", "#")
