package source

import (
	"bytes"
	"encoding/binary"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind is how a file is read.
type Kind string

const (
	Markdown Kind = "markdown"
	Shell    Kind = "shell"
	Python   Kind = "python"
	Script   Kind = "javascript" // JavaScript and TypeScript
	Power    Kind = "powershell"
	Other    Kind = "code" // another language: read by its words
	DataFile Kind = "data" // JSON, YAML, TOML
	Markup   Kind = "markup"
	Plain    Kind = "text"
	Binaries Kind = "binary"
)

var ByExt = map[string]Kind{
	".md": Markdown, ".markdown": Markdown, ".mdx": Markdown, ".mdc": Markdown,
	".sh": Shell, ".bash": Shell, ".zsh": Shell, ".ksh": Shell, ".command": Shell, ".fish": Shell, ".bats": Shell, ".mk": Shell,
	".envrc": Shell,
	".py":    Python, ".pyw": Python, ".pyi": Python, ".pth": Python,
	".js": Script, ".mjs": Script, ".cjs": Script, ".ts": Script, ".mts": Script, ".cts": Script, ".jsx": Script, ".tsx": Script,
	".ps1": Power, ".psm1": Power, ".psd1": Power, ".bat": Power, ".cmd": Power, ".vbs": Power, ".hta": Power,
	".rb": Other, ".pl": Other, ".pm": Other, ".php": Other, ".lua": Other, ".go": Other, ".rs": Other, ".java": Other, ".kt": Other,
	".swift": Other,
	".c":     Other, ".h": Other, ".cpp": Other, ".cs": Other, ".r": Other, ".applescript": Other, ".scpt": Other,
	".json": DataFile, ".jsonc": DataFile, ".json5": DataFile, ".yaml": DataFile, ".yml": DataFile, ".toml": DataFile, ".ini": DataFile,
	".cfg": DataFile, ".plist": DataFile, ".lock": DataFile,
	".html": Markup, ".htm": Markup, ".svg": Markup, ".xml": Markup, ".xhtml": Markup,
}

// kindOf tells a file's kind by its name, its first line and its bytes. A name that says text does not make bytes text.
func kindOf(p string, data []byte) Kind {
	if !Texty(data) {
		return Binaries
	}
	if k := Shebang(data); k != "" {
		return k
	}
	base := strings.ToLower(path.Base(p))
	if k, ok := ByExt[path.Ext(base)]; ok {
		return k
	}
	switch base {
	case "makefile", "gnumakefile", "justfile", "dockerfile", "containerfile", ".bashrc", ".zshrc", ".profile", ".bash_profile",
		"post-checkout", "pre-commit", "post-merge", "post-commit", "pre-push":
		return Shell
	case "gemfile", "rakefile":
		return Other
	}
	if path.Dir(p) == "scripts" && path.Ext(base) == "" || strings.Contains(p, "/hooks/") && path.Ext(base) == "" {
		return Shell
	}
	return Plain
}

// ReadByTools reports whether a file of that name, in lower case, is read or run by a tool that nobody points at it: a package manager, a
// builder, a runner of tests, an editor, an agent.
func ReadByTools(base string) bool { return toolFiles[base] || strings.HasSuffix(base, ".pth") }

var toolFiles = Words("package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lockb setup.py setup.cfg " +
	"pyproject.toml uv.lock poetry.lock pipfile pipfile.lock requirements.txt conftest.py sitecustomize.py usercustomize.py " +
	"noxfile.py tox.ini pytest.ini makefile gnumakefile justfile taskfile.yml dockerfile containerfile docker-compose.yml " +
	"docker-compose.yaml compose.yaml gemfile gemfile.lock rakefile cargo.toml cargo.lock build.rs go.mod composer.json " +
	"composer.lock build.gradle pom.xml binding.gyp hooks.json plugin.json marketplace.json mcp.json settings.json " +
	"tasks.json launch.json devcontainer.json openclaw.plugin.json claude.md agents.md gemini.md agent.md soul.md " +
	"heartbeat.md memory.md copilot-instructions.md pre-commit post-commit pre-push post-checkout post-merge pre-rebase " +
	"commit-msg prepare-commit-msg")

// PathRune is a sign of a file's path as documents write it.
func PathRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/", r) || r > 127
}

// Program: the file is code.
func (f *File) Program() bool {
	switch f.Kind {
	case Shell, Python, Script, Power, Other:
		return true
	}
	return false
}

func Shebang(data []byte) Kind {
	if !bytes.HasPrefix(data, []byte("#!")) {
		return ""
	}
	line, _, _ := bytes.Cut(data[2:min(len(data), 200)], []byte("\n"))
	s := string(line)
	for _, l := range []struct {
		word string
		kind Kind
	}{{"python", Python}, {"uv run", Python}, {"node", Script}, {"deno", Script}, {"bun", Script}, {"tsx", Script}, {"pwsh", Power},
		{"bash", Shell}, {"zsh", Shell}, {"fish", Shell}, {"ksh", Shell}, {"dash", Shell}, {"/sh", Shell}, {"env sh", Shell}} {
		if strings.Contains(s, l.word) {
			return l.kind
		}
	}
	return Other
}

// Texty: no NUL, hardly any control characters; UTF-16 by its mark.
func Texty(data []byte) bool {
	if len(data) > 1 && (data[0] == 0xff && data[1] == 0xfe || data[0] == 0xfe && data[1] == 0xff) {
		return true
	}
	head := data[:min(len(data), 1<<20)]
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	odd := 0
	for i := 0; i < len(head); {
		c := head[i]
		if c < utf8.RuneSelf {
			if c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b {
				odd++
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && n == 1 {
			odd++
		}
		i += n
	}
	return odd*20 <= len(head)
}

func utf16Text(data []byte) string {
	var order binary.ByteOrder = binary.LittleEndian
	if data[0] == 0xfe {
		order = binary.BigEndian
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i+1 < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	return string(utf16.Decode(units))
}

// magics are what bytes say they are.
var magics = []struct {
	name    string
	prefix  string
	program bool
}{
	{"a Linux program", "\x7fELF", true},
	{"a Windows program", "MZ", true},
	{"a macOS program", "\xcf\xfa\xed\xfe", true}, {"a macOS program", "\xce\xfa\xed\xfe", true},
	{"a macOS program", "\xfe\xed\xfa\xcf", true}, {"a macOS program", "\xfe\xed\xfa\xce", true},
	{"a macOS program or Java class", "\xca\xfe\xba\xbe", true},
	{"a WebAssembly program", "\x00asm", true},
	{"an Android program", "dex\n", true},
	{"an AppleScript program", "FasdUAS", true},
	{"a Windows shortcut", "L\x00\x00\x00\x01\x14\x02\x00", true},
	{"a ZIP archive", "PK\x03\x04", false},
	{"a ZIP archive", "PK\x05\x06", false},
	{"a gzip archive", "\x1f\x8b", false},
	{"a bzip2 archive", "BZh", false},
	{"an xz archive", "\xfd7zXZ\x00", false},
	{"a 7-Zip archive", "7z\xbc\xaf\x27\x1c", false},
	{"a RAR archive", "Rar!\x1a\x07", false},
	{"a zstd archive", "\x28\xb5\x2f\xfd", false},
	{"a PNG picture", "\x89PNG\r\n\x1a\n", false},
	{"a JPEG picture", "\xff\xd8\xff", false},
	{"a GIF picture", "GIF8", false},
	{"a PDF document", "%PDF-", false},
	{"a SQLite database", "SQLite format 3\x00", false},
	{"an OLE document", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", false},
}

// Fits says which content an extension may have.
var Fits = map[string]string{
	".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".gif": "GIF", ".pdf": "PDF", ".zip": "ZIP", ".jar": "ZIP", ".docx": "ZIP", ".xlsx": "ZIP",
	".pptx": "ZIP", ".odt": "ZIP", ".ods": "ZIP",
	".whl": "ZIP", ".skill": "ZIP", ".epub": "ZIP", ".gz": "gzip", ".tgz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".7z": "7-Zip", ".rar": "RAR",
	".zst": "zstd", ".db": "SQLite", ".sqlite": "SQLite",
	".xls": "OLE", ".doc": "OLE", ".ppt": "OLE", ".msi": "OLE", ".exe": "Windows program", ".dll": "Windows program", ".so": "Linux program",
	".dylib": "macOS program", ".wasm": "WebAssembly", ".class": "Java class",
	".apk": "ZIP", ".potx": "ZIP", ".dotx": "ZIP", ".xlsm": "ZIP", ".docm": "ZIP", ".vsix": "ZIP", ".nupkg": "ZIP", ".ttf": "", ".woff": "",
	".woff2": "",
}

var Documents = map[string]bool{".docx": true, ".xlsx": true, ".pptx": true, ".odt": true, ".ods": true, ".epub": true, ".potx": true,
	".dotx": true, ".pdf": true}

func MagicOf(data []byte) (name string, program bool) {
	for _, m := range magics {
		if bytes.HasPrefix(data, []byte(m.prefix)) {
			if m.prefix == "MZ" && !windowsProgram(data) {
				continue
			}
			return m.name, m.program
		}
	}
	return "", false
}

// windowsProgram: MZ alone are two letters; a text may begin with them.
func windowsProgram(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), 64)], 0) >= 0 || bytes.Contains(data[:min(len(data), 1024)], []byte("DOS mode"))
}
