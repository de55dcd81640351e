package perform

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/wire"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/regular"
)

// maxDocument is how large a document of a run may be.
const maxDocument = 64 << 20

// readDocument performs a command that reads a document. The sandbox has no way to Showhow, so the same reading is done
// here, on the run's own copy of the document; what it finds are the values of later steps. The first step that reads a
// document reads all of its values.
func (p *terminal) readDocument(ctx context.Context, s workflow.Step, sc *check.Scene) (told string, err error) {
	name := p.supply.Text(s.Document)
	if name == "" || len(p.supply.Lacks(name, p.supply.Known)) > 0 || strings.Contains(name, supply.Unknown) {
		return "", &halt{record.StepSkipped, record.CodeNeedsValue, "which document to read is not known"}
	}
	if p.Reader == nil {
		return "", &halt{record.StepSkipped, record.CodeNotExamined, "no document can be read here"}
	}
	var wanted []workflow.Param
	var at []wire.DocumentPlace
	for _, q := range p.supply.Params {
		if q.Read == nil || q.Read.Document == nil || q.Read.Document.File != s.Document || q.Read.Document.Place == nil {
			continue
		}
		if _, given := p.supply.Bindings[q.Name]; !given && q.Role != workflow.RoleConstant && q.Role != workflow.RoleDropped {
			wanted, at = append(wanted, q), append(at, *q.Read.Document.Place)
		}
	}
	doc, err := p.document(s, name)
	if err != nil {
		return "", &halt{record.StepSkipped, record.CodeNeedsValue,
			"the document is not there: give its path as the value, or name a copy as safe target"}
	}
	sc.Command = &port.CommandResult{}
	found, err := p.Reader.Values(ctx, doc, at)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", unread(fault.From(err), wanted)
	}
	for i, q := range wanted {
		p.bindName(q.Name, found[i])
		p.Pass("value."+q.Name, "the "+strings.ReplaceAll(q.Name, "_", " ")+" that the document shows",
			"read where it was read in the demonstration")
	}
	return "", nil
}

// unread says why a document's values could not be read, with the codes of the command that reads them.
func unread(f *fault.Error, wanted []workflow.Param) *halt {
	i, ok := f.Details["place"].(int)
	if !ok || i >= len(wanted) {
		return &halt{record.StepFailed, record.CodeStepFailed, "the document could not be read: " + f.Message}
	}
	code := record.CodeStepFailed
	switch reason, _ := f.Details["reason"].(string); reason {
	case record.CodeValueAbsent, record.CodeValueAmbiguous, record.CodeValueForm:
		code = reason
	}
	return &halt{record.StepFailed, code, fmt.Sprintf("the %s could not be read: %s", strings.ReplaceAll(wanted[i].Name, "_", " "), f.Message)}
}

// document is the run's copy of a document.
func (p *terminal) document(s workflow.Step, name string) ([]byte, error) {
	root, err := os.OpenRoot(p.room.Dir())
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(p.room.Dir(), name)
		if err != nil || !filepath.IsLocal(rel) {
			rel = path.Join(p.files.folder(s.Dir), filepath.Base(name))
		}
		return regular.ReadIn(root, rel, maxDocument)
	}
	return regular.ReadIn(root, path.Join(p.files.folder(s.Dir), name), maxDocument)
}
