package connector

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"showhow/internal/lang"
	"showhow/internal/plain"
)

// Self is the id under which the calls of Showhow's own tools are asked for, decided and recorded. No connector has it.
const Self = "showhow"

// IsSelf reports whether a name for a connector begins with Showhow's own, as the window's name for its tools does: signs,
// case, accents, and figures that look like letters make no difference.
func IsSelf(name string) bool {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == 'ħ': // a letter of Maltese, which no look-alike stands for in a text
			return 'h'
		case r == '0':
			return 'o'
		case r == '5', r == '$':
			return 's'
		case !plain.WordRune(r):
			return -1
		}
		return r
	}, lang.Fold(name))
	return strings.HasPrefix(strings.ReplaceAll(name, "vv", "w"), Self)
}

// Separator separates server and tool in a name at the door.
const Separator = "__"

// clientPrefix is the longest prefix that a known client puts before a tool's name: models accept 64 characters in
// all.
const clientPrefix = "mcp__showhow__"

// DoorNameMax is the maximum length of a tool's name at the door.
const DoorNameMax = 64 - len(clientPrefix)

// DoorName is what agents call a tool. It depends on server and tool alone, and is unique to them.
func DoorName(server, tool string) string {
	whole := server + Separator + safe(tool)
	if len(whole) <= DoorNameMax && safe(tool) == tool {
		return whole
	}
	sum := sha256.Sum256([]byte(server + "\x00" + tool))
	mark := "_" + hex.EncodeToString(sum[:4])
	return whole[:min(len(whole), DoorNameMax-len(mark))] + mark
}

// safe keeps only characters that every model accepts.
func safe(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
}

// idMax leaves room for the tool's name.
const idMax = 24

// ServerID makes an id from a person's name for a server: lower-case letters, digits, single dashes. taken reports
// which ids are in use.
func ServerID(name string, taken func(string) bool) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case unicode.IsLetter(r): // of another script: it has no place in a tool's name
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	id := strings.Trim(b.String()[:min(b.Len(), idMax)], "-")
	if len(id) < 2 || claimsOurs(id) {
		id = strings.Trim("c-"+id, "-")
	}
	if len(id) < 2 {
		id = "connector"
	}
	base := id
	for n := 2; taken(id); n++ {
		suffix := "-" + strconv.Itoa(n)
		id = strings.TrimRight(base[:min(len(base), idMax-len(suffix))], "-") + suffix
	}
	return id
}

// Within reports whether a path is a folder or inside it, by its real place where that exists.
func Within(p, folder string) bool {
	real := func(p string) string {
		if to, err := filepath.EvalSymlinks(p); err == nil {
			return to
		}
		return filepath.Clean(p)
	}
	rel, err := filepath.Rel(real(folder), real(p))
	return err == nil && filepath.IsLocal(rel)
}
