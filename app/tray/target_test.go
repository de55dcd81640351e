package tray

import (
	"strings"
	"testing"

	"showhow/daemon/client"
)

// A call of one of Showhow's own tools, such as an edit of a Word document, does not look like that of a connector.
func TestOwnToolsAreNamed(t *testing.T) {
	for id, want := range map[string]string{"showhow": " of Showhow itself", "notes": " of notes"} {
		e := (&tray{}).call(client.PendingCall{DispatchID: "d", Agent: "scribe", ToolName: "edit_word_document", ServerID: id})
		if !strings.HasSuffix(e.label, want) {
			t.Errorf("%s: %s", id, e.label)
		}
	}
}
