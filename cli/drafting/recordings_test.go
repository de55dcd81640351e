package drafting

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/internal/fault"
)

// An invalid recording is refused before anybody is asked about it, with advice.
func TestFilesThatAreNoRecording(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		code fault.Code
	}{
		"empty": {"", fault.InvalidRequest}, "utf-16": {"\xff\xfe{\x00}\x00", fault.InvalidRequest}, "large": {
			strings.Repeat("x", maxRecording+5), fault.TooLarge},
	} {
		file := filepath.Join(t.TempDir(), "recording.json")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readRecording(file); fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}
