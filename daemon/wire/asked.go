package wire

import "strings"

var (
	providerWords = map[string]string{"m365": "Microsoft 365", "gmail_google": "Google", "acrobat": "Acrobat",
		"custom_remote": "a service that you connected", "provider_native": "the agent's own service"}
	classWords = map[string]string{"read": "reads", "write": "changes something", "send": "sends something", "delete": "deletes something"}
)

// Asked says what a person decides about beside the arguments (R9 0.9D): whose service it is, what the tool does, the kinds of
// data, and why the call waits.
func (d MCPAskFirstDispatchRecord) Asked() []string {
	does, known := classWords[d.ActionClass]
	if !known {
		does = "does what nobody can tell by its name"
	}
	data := "not said"
	if len(d.DataClasses) > 0 {
		data = strings.Join(d.DataClasses, ", ")
	}
	from := "Showhow itself"
	if d.Provider != "" {
		if from = providerWords[d.Provider]; from == "" {
			from = d.Provider
		}
	}
	return []string{"From " + from + "; the tool " + does + "; kinds of data: " + data, "You are asked because " + d.because()}
}

// because says why a call waits. Where nobody decided, what the tool does is why: then everything is the policy's target.
func (d MCPAskFirstDispatchRecord) because() string {
	switch {
	case d.Provider == "":
		return "no policy lets Showhow's own writing tools run without you"
	case d.EffectivePolicyTarget.TargetKind == "tool":
		return "you decided so for this tool"
	case d.EffectivePolicyTarget.TargetKind == "server":
		return "you decided so for this connector"
	case d.EffectivePolicyTarget.TargetKind == "provider":
		return "you decided so for all connectors of its provider"
	case d.ActionClass == "read":
		return "you decided so for everything"
	}
	return "nothing that you decided lets a tool that does this run without you"
}
