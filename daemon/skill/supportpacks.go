package skill

import (
	"encoding/json"
	"slices"

	"showhow/internal/lazyre"
)

// SupportPackFile is where a skill lists the support packs that it refers to (baseline 0.5A).
const SupportPackFile = "support-packs.json"

// SupportPackList is the file's content.
type SupportPackList struct {
	SupportPacks  []string `json:"support_packs"`
	SchemaVersion int      `json:"schema_version"`
}

var packName = lazyre.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$`)

// SupportPacks lists the packs that a skill names, in its file or its frontmatter, sorted. Malformed names are
// skipped.
func SupportPacks(b Bundle) []string {
	var l SupportPackList
	if f := b.File(SupportPackFile); f != nil {
		_ = json.Unmarshal(f.Data, &l) // a file that cannot be read names none
	}
	if doc, err := Parse(b); err == nil {
		l.SupportPacks = append(l.SupportPacks, doc.SupportPacks...)
	}
	out := slices.DeleteFunc(l.SupportPacks, func(p string) bool { return !packName.MatchString(p) })
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), 50)]
}
