package wire

import (
	"strings"
	"testing"
)

func TestWhatAPersonIsAskedAbout(t *testing.T) {
	for want, d := range map[string]MCPAskFirstDispatchRecord{
		"From a service that you connected; the tool sends something; kinds of data: mail, contacts|" +
			"You are asked because nothing that you decided lets a tool that does this run without you": {Provider: "custom_remote",
			ActionClass: "send", DataClasses: []string{"mail", "contacts"}, EffectivePolicyTarget: MCPPolicyTarget{TargetKind: "global"}},
		"From Microsoft 365; the tool reads; kinds of data: not said|You are asked because you decided so for everything": {Provider: "m365",
			ActionClass: "read", EffectivePolicyTarget: MCPPolicyTarget{TargetKind: "global"}},
		"From Google; the tool does what nobody can tell by its name; kinds of data: not said|" +
			"You are asked because you decided so for this tool": {Provider: "gmail_google", ActionClass: "other",
			EffectivePolicyTarget: MCPPolicyTarget{TargetKind: "tool"}},
		"From Showhow itself; the tool changes something; kinds of data: not said|" +
			"You are asked because no policy lets Showhow's own writing tools run without you": {ActionClass: "write"},
	} {
		if got := strings.Join(d.Asked(), "|"); got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
}
