package archive

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"showhow/daemon/skill"
)

// checkName returns why a path must not be written, "" when it may. The name has no leading "./" and, for a folder, no
// trailing slash.
func checkName(name string, depth int) Reason {
	if !utf8.ValidString(name) { // also overlong encodings of . and /
		return BadName
	}
	if r := shape(name); r != "" {
		return r
	}
	// The name as a program that decodes or normalises names would see it.
	for decoded, n := name, 0; n < 4; n++ {
		next, err := url.PathUnescape(decoded)
		if err != nil || next == decoded {
			break
		}
		if r := shape(next); r == Traversal || r == Absolute || r == Hidden {
			return r
		}
		decoded = next
	}
	if plain := likeASCII(name); plain != name {
		if r := shape(plain); r == Traversal || r == Absolute {
			return r
		}
	}
	if len(name) > 240 || strings.Count(name, "/") >= depth {
		return LongPath
	}
	for seg := range strings.SplitSeq(name, "/") {
		if r := checkSegment(seg); r != "" {
			return r
		}
	}
	if !skill.SafePath(name) {
		return BadName
	}
	return ""
}

// shape refuses paths that lead elsewhere, with either kind of slash.
func shape(name string) Reason {
	p := strings.ReplaceAll(name, `\`, "/")
	switch {
	case name == "":
		return BadName
	case strings.HasPrefix(p, "/"), len(p) > 1 && p[1] == ':' && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z'):
		return Absolute
	}
	for seg := range strings.SplitSeq(p, "/") {
		if strings.TrimRight(seg, " .") == "" && strings.Contains(seg, "..") { // "..", ".. ", "..." on Windows
			return Traversal
		}
	}
	for _, r := range name {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Zl, r) ||
			unicode.Is(unicode.Zp, r) {
			return Hidden
		}
	}
	if path.Clean(p) != p {
		return BadName
	}
	return ""
}

// likeASCII is the name as a reader might take it: compatibility forms and look-alikes of dot and slashes as the plain
// ones.
func likeASCII(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\u2044', '\u2215', '\u29f8', '\uff0f', '\u2571', '\u27cb':
			return '/'
		case '\u29f5', '\u29f9', '\uff3c', '\u2216', '\ufe68':
			return '\\'
		case '\u2024', '\uff0e', '\u3002', '\uff61':
			return '.'
		case '\uff1a', '\u2236':
			return ':'
		}
		return r
	}, norm.NFKC.String(name))
}

// devices are Windows' device names, whatever follows the first dot.
var devices = map[string]bool{"CON": true, "PRN": true, "AUX": true, "NUL": true, "CLOCK$": true, "CONIN$": true, "CONOUT$": true}

func checkSegment(seg string) Reason {
	if len(seg) > 200 {
		return LongPath
	}
	if strings.HasSuffix(seg, ".") || strings.HasSuffix(seg, " ") || strings.HasPrefix(seg, " ") {
		return BadName
	}
	stem, _, _ := strings.Cut(strings.ToUpper(norm.NFKC.String(seg)), ".") // COM with a superscript digit is COM1, too
	stem = strings.TrimRight(stem, " ")
	if devices[stem] || len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) && stem[3] >= '0' &&
		stem[3] <= '9' {
		return Reserved
	}
	return ""
}

// paths tracks paths like a file system that ignores case and normalises Unicode.
type paths struct {
	exact map[string]string // key -> the path as it was written
	file  map[string]bool   // key of a file, not of a folder
	fold  cases.Caser       // has a state, so each has its own
}

func newPaths() *paths { return &paths{map[string]string{}, map[string]bool{}, cases.Fold()} }

// key is equal for two paths that some system takes for one.
func (p *paths) key(name string) string {
	return norm.NFKC.String(p.fold.String(norm.NFKC.String(name)))
}

// add records a path and its folders. It refuses a path that exists already, also under another spelling.
func (p *paths) add(name string, dir bool) Reason {
	for i, r := range name {
		if r == '/' {
			if why := p.note(name[:i], true); why != "" {
				return why
			}
		}
	}
	return p.note(name, dir)
}

func (p *paths) note(name string, dir bool) Reason {
	k := p.key(name)
	was, seen := p.exact[k]
	switch {
	case !seen:
		p.exact[k], p.file[k] = name, !dir
	case was != name, !dir, p.file[k]: // two spellings, the same file twice, a file that is also a folder
		return Collision
	}
	return ""
}
