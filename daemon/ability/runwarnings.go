package ability

import (
	"encoding/json"
)

// runWarnings lists what a person should know about the run that wrote a skill before approving it.
func runWarnings(metadata map[string]any) []string {
	raw, err := json.Marshal(metadata["run_evidence"])
	if err != nil {
		return nil
	}
	var e struct {
		BashUsed bool `json:"bash_used"`
	}
	if json.Unmarshal(raw, &e) != nil || !e.BashUsed {
		return nil
	}
	return []string{"the run that wrote it used a shell: hosts and files are listed, what its commands did besides is not"}
}
