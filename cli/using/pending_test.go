package using

import (
	"bytes"
	"strings"
	"testing"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

// A call that waits is printed on its own lines, and what would not show is spelled.
func TestAPendingCallIsSpelled(t *testing.T) {
	var b bytes.Buffer
	e := &env{&kit.Env{Out: &b}}
	d := client.PendingCall{}
	d.Status, d.ToolName, d.ServerID, d.Agent = "pending", "send", "post", "a"
	d.Arguments = map[string]any{"k\x1b[1F\n": "v", "to": "x\u202ey\u0085"}
	e.sayCall(d)
	_, got, _ := strings.Cut(b.String(), "\n")
	if want := "  k\\u{1b}[1F\\u{a}: \"v\"\n  to: \"x\\u{202e}y\\u{85}\"\n"; got != want {
		t.Errorf("%q\n%q", got, want)
	}
}
