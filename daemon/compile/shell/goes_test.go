package shell

import (
	"testing"

	"showhow/capture"
)

// What a line writes is in the folder that it enters first.
func TestEntersFolder(t *testing.T) {
	for line, want := range map[string]string{
		"cd packed && sha256sum a > b": "packed", "(cd out/2027; ls > list)": "out/2027", "cd 'my files' && ls > list": "my files",
		"cd packed": "", "ls > list && cd packed": "", "cd ~/x && ls > list": "", "cd .. && ls > list": "", "cd /tmp && ls": "", "cd - && ls": "",
		"cd \"$d\" && ls > list": "",
	} {
		l := Read(&capture.Command{Line: line})
		if got := l.EntersFolder(); got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
}
