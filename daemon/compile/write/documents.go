package write

import (
	"fmt"

	"showhow/daemon/compile/flow"
	"showhow/daemon/workflow"
)

// readWords says how a value is read from a document.
func readWords(p workflow.Param) string {
	return fmt.Sprintf("`%s` prints it; if that fails, look into the document, and never guess", flow.ValueLine(p.Read.Document.File,
		p.Read.Document))
}
