package files

import (
	"showhow/internal/lazyre"
	"strings"
	"unicode"
)

// skipped are names that are never looked into: repository internals, caches, installed packages. Changes there are
// no effects that a person would name.
var skipped = map[string]bool{
	".git": true, ".hg": true, ".svn": true, ".jj": true, ".bzr": true,
	"node_modules": true, "__pycache__": true, ".venv": true, ".tox": true, ".gradle": true, ".terraform": true,
	".cache": true, ".mypy_cache": true, ".pytest_cache": true, ".ruff_cache": true, ".parcel-cache": true,
	".Trash": true, ".Trashes": true, "$RECYCLE.BIN": true, "System Volume Information": true, ".Spotlight-V100": true, ".fseventsd": true,
	"lost+found": true, ".stversions": true, ".stfolder": true,
}

func isSkipped(name string) bool { return skipped[name] || strings.HasPrefix(name, ".Trash-") }

// temporaryRE matches names of temporary files that programs write while saving, and of marker files of file
// managers.
var temporaryRE = lazyre.New(strings.Join([]string{
	`~$`, `^~\$`, `^~WRL`, // backups; word processors
	`^4913$`, `^\..*\.sw[a-z]x?$`, `\.kate-swp$`, // vim, nano, kate
	`^#.*#$`, `^\.#`, // emacs
	`^\.~lock\..*#$`, `^lu[0-9a-z]+\.tmp$`, // LibreOffice
	`^\.goutputstream-`, `^sed[A-Za-z0-9]{6}$`, `^\.fuse_hidden`, `^\.nfs[0-9a-f]+$`,
	`(?i)\.(?:tmp|temp|crdownload|part|partial|opdownload|download)$`, `^\.(?:com|org)\.[\w.]*(?:[Cc]hrom|[Gg]oogle)`,
	`^\.DS_Store$`, `^\._`, `^(?i:thumbs\.db|desktop\.ini)$`, `^\.directory$`,
}, "|"))

var copyRE = lazyre.New(`^\..+\.([A-Za-z0-9]{6})$`) // .report.csv.x7Qp2k: rsync

// isTemporary reports whether a name is one that no person gives.
func isTemporary(name string) bool {
	if temporaryRE.MatchString(name) {
		return true
	}
	m := copyRE.FindStringSubmatch(name)
	return m != nil && random(m[1])
}

// random: letters in both cases, or a digit among letters, in one short word.
func random(s string) bool {
	lower, upper, digit := strings.ContainsFunc(s, unicode.IsLower), strings.ContainsFunc(s, unicode.IsUpper), strings.ContainsFunc(s,
		unicode.IsDigit)
	return lower && upper && s[1:] != strings.ToLower(s[1:]) || digit && (lower || upper)
}
