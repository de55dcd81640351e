package scan

import (
	"bytes"
	"encoding/binary"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// kind is how a file is read.
type kind string

const (
	markdown kind = "markdown"
	shell    kind = "shell"
	python   kind = "python"
	script   kind = "javascript" // JavaScript and TypeScript
	power    kind = "powershell"
	other    kind = "code" // another language: read by its words
	dataFile kind = "data" // JSON, YAML, TOML
	markup   kind = "markup"
	plain    kind = "text"
	binaries kind = "binary"
)

var byExt = map[string]kind{
	".md": markdown, ".markdown": markdown, ".mdx": markdown, ".mdc": markdown,
	".sh": shell, ".bash": shell, ".zsh": shell, ".ksh": shell, ".command": shell, ".fish": shell, ".bats": shell, ".mk": shell,
	".envrc": shell,
	".py":    python, ".pyw": python, ".pyi": python, ".pth": python,
	".js": script, ".mjs": script, ".cjs": script, ".ts": script, ".mts": script, ".cts": script, ".jsx": script, ".tsx": script,
	".ps1": power, ".psm1": power, ".psd1": power, ".bat": power, ".cmd": power, ".vbs": power, ".hta": power,
	".rb": other, ".pl": other, ".pm": other, ".php": other, ".lua": other, ".go": other, ".rs": other, ".java": other, ".kt": other,
	".swift": other,
	".c":     other, ".h": other, ".cpp": other, ".cs": other, ".r": other, ".applescript": other, ".scpt": other,
	".json": dataFile, ".jsonc": dataFile, ".json5": dataFile, ".yaml": dataFile, ".yml": dataFile, ".toml": dataFile, ".ini": dataFile,
	".cfg": dataFile, ".plist": dataFile,
	".html": markup, ".htm": markup, ".svg": markup, ".xml": markup, ".xhtml": markup,
}

// kindOf tells a file's kind by its name, its first line and its bytes. A name that says text does not make bytes text.
func kindOf(p string, data []byte) kind {
	if !texty(data) {
		return binaries
	}
	if k := shebang(data); k != "" {
		return k
	}
	base := strings.ToLower(path.Base(p))
	if k, ok := byExt[path.Ext(base)]; ok {
		return k
	}
	switch base {
	case "makefile", "gnumakefile", "justfile", "dockerfile", "containerfile", ".bashrc", ".zshrc", ".profile", ".bash_profile",
		"post-checkout", "pre-commit", "post-merge", "post-commit", "pre-push":
		return shell
	case "gemfile", "rakefile":
		return other
	}
	if path.Dir(p) == "scripts" && path.Ext(base) == "" || strings.Contains(p, "/hooks/") && path.Ext(base) == "" {
		return shell
	}
	return plain
}

func shebang(data []byte) kind {
	if !bytes.HasPrefix(data, []byte("#!")) {
		return ""
	}
	line, _, _ := bytes.Cut(data[2:min(len(data), 200)], []byte("\n"))
	s := string(line)
	for _, l := range []struct {
		word string
		kind kind
	}{{"python", python}, {"uv run", python}, {"node", script}, {"deno", script}, {"bun", script}, {"tsx", script}, {"pwsh", power},
		{"bash", shell}, {"zsh", shell}, {"fish", shell}, {"ksh", shell}, {"dash", shell}, {"/sh", shell}, {"env sh", shell}} {
		if strings.Contains(s, l.word) {
			return l.kind
		}
	}
	return other
}

// texty: no NUL, hardly any control characters; UTF-16 by its mark.
func texty(data []byte) bool {
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

// fits says which content an extension may have.
var fits = map[string]string{
	".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".gif": "GIF", ".pdf": "PDF", ".zip": "ZIP", ".jar": "ZIP", ".docx": "ZIP", ".xlsx": "ZIP",
	".pptx": "ZIP", ".odt": "ZIP", ".ods": "ZIP",
	".whl": "ZIP", ".skill": "ZIP", ".epub": "ZIP", ".gz": "gzip", ".tgz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".7z": "7-Zip", ".rar": "RAR",
	".zst": "zstd", ".db": "SQLite", ".sqlite": "SQLite",
	".xls": "OLE", ".doc": "OLE", ".ppt": "OLE", ".msi": "OLE", ".exe": "Windows program", ".dll": "Windows program", ".so": "Linux program",
	".dylib": "macOS program", ".wasm": "WebAssembly", ".class": "Java class",
	".apk": "ZIP", ".potx": "ZIP", ".dotx": "ZIP", ".xlsm": "ZIP", ".docm": "ZIP", ".vsix": "ZIP", ".nupkg": "ZIP", ".ttf": "", ".woff": "",
	".woff2": "",
}

var documents = map[string]bool{".docx": true, ".xlsx": true, ".pptx": true, ".odt": true, ".ods": true, ".epub": true, ".potx": true,
	".dotx": true, ".pdf": true}

func magicOf(data []byte) (name string, program bool) {
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
