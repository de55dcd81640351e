package connector

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// Texts is all that an agent reads of a definition: every name and every text in it, wherever it stands, as a paragraph each.
func (d *Definition) Texts() string { return TextsIn(d.Tool) }

// TextsIn is Texts of any JSON: an agent gets a tool's whole schema, and not only what a schema calls a description.
func TextsIn(raw json.RawMessage) string {
	var b strings.Builder
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		t, err := dec.Token()
		if err == io.EOF || err != nil { // it was valid when it was stored
			return b.String()
		}
		if s, ok := t.(string); ok && s != "" {
			b.WriteString(s)
			b.WriteString("\n\n")
		}
	}
}
