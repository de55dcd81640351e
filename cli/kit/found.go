package kit

import (
	"showhow/daemon/wire"
	"slices"
	"strconv"
)

// SayFindings prints findings about foreign text, without anything that a terminal would obey. Those that must be read
// one by one are numbered.
func (e *Env) SayFindings(findings []wire.ScanFinding, toRead []string) {
	for _, f := range findings {
		number := ""
		if i := slices.Index(toRead, f.ID()); i >= 0 {
			number = "  [" + strconv.Itoa(i+1) + "]"
		}
		e.Say("  %-8s %s  %s (%s)%s", f.Severity, Place(f.File, f.Line), PlainText(f.Title), f.RuleID, number)
		e.Say("           %s", e.Wrap(11, PlainText(f.Meaning+" "+f.Why)))
		if f.Excerpt != "" {
			e.Say("           > %s", PlainText(f.Excerpt))
		}
	}
}
