package checkup

import (
	"context"
	"slices"
	"strings"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// doctorDocuments checks whether PDF documents can be read here, and scanned pages recognised.
func (c *Checkup) doctorDocuments(ctx context.Context, add func(name, state, detail, fix string)) {
	h, err := c.o.Documents(ctx)
	if err != nil {
		f := fault.From(err)
		add("documents", "warning", f.Message, f.Hint)
		return
	}
	var can, cannot []string
	for _, x := range wire.AcrobatCapabilities {
		if slices.Contains(h.Supported, x.Name) {
			can = append(can, x.Says)
		} else {
			cannot = append(cannot, x.Says)
		}
	}
	detail, state := "PDF: "+strings.Join(can, ", "), "ok"
	switch {
	case len(can) == 0:
		detail, state = "PDF documents cannot be read here", "unavailable"
	case len(cannot) > 0:
		detail, state = detail+"; but not "+strings.Join(cannot, ", "), "warning"
	}
	if len(h.Missing) > 0 {
		detail += "; missing: " + strings.Join(h.Missing, ", ")
	}
	if h.ReasonCode == "sandbox_unavailable" {
		detail += "; they are opened only inside the sandbox"
	}
	add("documents", state, detail, h.Install)
}
