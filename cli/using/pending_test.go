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
	d.Provider, d.ActionClass, d.DataClasses = "custom_remote", "delete", []string{"mail"}
	d.EffectivePolicyTarget.TargetKind = "global"
	d.Arguments = map[string]any{"k\x1b[1F\n": "v", "to": "x\u202ey\u0085"}
	e.sayCall(d)
	_, got, _ := strings.Cut(b.String(), "\n")
	if want := "  From a service that you connected; the tool deletes something; kinds of data: mail\n" +
		"  You are asked because nothing that you decided lets a tool that does this run without you\n" +
		"  k\\u{1b}[1F\\u{a}: \"v\"\n  to: \"x\\u{202e}y\\u{85}\"\n"; got != want {
		t.Errorf("%q\n%q", got, want)
	}
}
