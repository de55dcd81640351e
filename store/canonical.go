package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
)

// checkPath keeps canonical files inside the memory root and away from the projector's own names (".foreign-",
// ".part").
func checkPath(path, ext string) error {
	if !fs.ValidPath(path) || path == "." || strings.HasPrefix(path, ".") || strings.Contains(path, "/.") ||
		strings.ContainsAny(path, "\\:\x00") {
		return fmt.Errorf("not a path of a canonical file")
	}
	if !strings.HasSuffix(path, ext) {
		return fmt.Errorf("a canonical file of this kind ends in %s", ext)
	}
	return nil
}

const seqKey = "outbox_seq"

// object marshals v and requires a JSON object, which can carry the outbox sequence.
func object(v any) ([]byte, error) {
	b, err := plainJSON(v)
	if err != nil {
		return nil, err
	}
	if len(b) < 2 || b[0] != '{' {
		return nil, fmt.Errorf("a canonical file holds JSON objects, not %T", v)
	}
	if bytes.Contains(b, []byte(`"`+seqKey+`"`)) {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(b, &m); err != nil {
			return nil, err
		}
		if _, own := m[seqKey]; own { // an object that was read back from its file
			delete(m, seqKey)
			return plainJSON(m)
		}
	}
	return b, nil
}

// plainJSON is json.Marshal without HTML escapes: people read these files.
func plainJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// withSeq puts the sequence first in a JSON object, where a person looking at the file sees it.
func withSeq(obj []byte, seq int64) string {
	head := fmt.Sprintf(`{"%s":%d`, seqKey, seq)
	if len(obj) > 2 {
		head += ","
	}
	return head + string(obj[1:])
}

const textMark = "<!-- " + seqKey + ": %d -->\n"

// textWithSeq puts the sequence into the first line of a text, where it is not rendered as Markdown.
func textWithSeq(text string, seq int64) string { return fmt.Sprintf(textMark, seq) + text }

// seqOfText is the sequence of a text that we wrote, 0 for any other.
func seqOfText(b []byte) (seq int64) {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	if _, err := fmt.Sscanf(string(line)+"\n", textMark, &seq); err != nil {
		return 0
	}
	return seq
}
