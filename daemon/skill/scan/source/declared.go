package source

import (
	"path"
	"strings"
)

// DeclaredHost reports whether the skill's name or description names the host by its registered name. A common word is
// not enough: an address is easily named after what the skill pretends to do.
func DeclaredHost(host, about string) bool {
	labels := strings.Split(host, ".")
	if len(labels) < 2 {
		return true
	}
	label := Squash(labels[len(labels)-2])
	return len(label) > 2 && strings.Contains(about, label)
}

// Squash leaves the letters and digits of a text.
func Squash(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127 {
			return r
		}
		return -1
	}, s)
}

// Named: SKILL.md names the host, somewhere that a reader sees.
func (f *File) Named(host string) bool {
	return DeclaredHost(host, f.About) || host != "" && strings.Contains(f.Entry, host)
}

// ForPeople: the file is one of those that people read before they install something, and SKILL.md sends no agent to it.
func (f *File) ForPeople() bool {
	base := path.Base(f.Path)
	name := strings.TrimSuffix(base, ".md")
	return name != base && name != "SKILL" && name == strings.ToUpper(name) && !strings.Contains(f.Entry, strings.ToLower(base))
}
