package skill

import (
	"encoding/json"
	"slices"
	"strings"
)

// ChecksFile is where a skill has its checkpoints, with what a machine can verify of them.
const ChecksFile = "tests/checks.json"

// What a skill may have of checkpoints, and the bytes of an id.
const (
	mostCheckpoints   = 200
	longestCheckpoint = 160
)

// CheckpointsOf returns the ids of a skill's checkpoints, in order and each once; none without a readable list.
func CheckpointsOf(b Bundle) []string {
	out := []string{}
	f := b.File(ChecksFile)
	var t struct {
		Checkpoints []struct {
			ID string `json:"checkpoint_id"`
		} `json:"checkpoints"`
	}
	if f == nil || json.Unmarshal(f.Data, &t) != nil || len(t.Checkpoints) > mostCheckpoints {
		return out
	}
	for _, c := range t.Checkpoints {
		if !CheckpointForm(c.ID) {
			return []string{} // a list that an agent could not report by is none
		}
		if !slices.Contains(out, c.ID) {
			out = append(out, c.ID)
		}
	}
	return out
}

// CheckpointForm reports whether an id can stand in a command and in the record: letters, digits, dash, dot, underscore.
func CheckpointForm(id string) bool {
	return id != "" && len(id) <= longestCheckpoint && id[0] != '-' && strings.IndexFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-._", r)
	}) < 0
}
